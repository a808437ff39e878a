/** How a text is read: as words, or letter by letter, as code and names are. */
export type Reading = 'prose' | 'exact';

// Control characters but those that end and indent lines, half of a pair of which the other half is missing, and what takes no
// place on the screen: what turns the direction of the text around it, what can carry a message to a machine, and joiners.
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufff9-\ufffb\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]|\p{Surrogate}/gu;

/** Scripts in which a joiner or non-joiner behind a letter decides how it is written. */
const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]$/u;
const pictograph = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?$/u;
const beginsPictograph = /^\p{Extended_Pictographic}/u;
const joiner = /[\u200c\u200d]/;

/** Which of its forms the character before it has: an emoji's, a keycap's, or one of those that a Chinese character has. */
const styled =
  /(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}][\ufe0e\ufe0f]|\p{Script=Han}[\ufe00-\ufe02\u{e0100}-\u{e01ef}])$/u;
const keycap = /[\d#*]\ufe0f\u20e3/;

/** The flags of England, Scotland and Wales are spelt in invisible characters; no other flags are. */
const tagged = ['gbeng', 'gbsct', 'gbwls'].map(
  (name) =>
    `\u{1f3f4}${String.fromCodePoint(...[...name].map((letter) => 0xe0000 + letter.charCodeAt(0)), 0xe007f)}`,
);
const flags = new RegExp(tagged.join('|'), 'gu');

/** Puts something else in the place of every character that is not seen, but for those that are seen by what they do. */
export function replaceHidden(
  text: string,
  reading: Reading,
  replace: (character: string) => string,
): string {
  const replaceAll = (part: string): string =>
    part.replace(hidden, (character, offset: number) =>
      isNeeded(part, offset, character, reading) ? character : replace(character),
    );
  if (reading === 'exact' || !text.includes('\u{e007f}')) return replaceAll(text);
  const between = text.split(flags).map(replaceAll);
  const found = text.match(flags) ?? [];
  return between.map((part, index) => part + (found[index] ?? '')).join('');
}

function isNeeded(text: string, offset: number, character: string, reading: Reading): boolean {
  // A pair and what makes an emoji of it are three units.
  const before = text.slice(Math.max(0, offset - 3), offset);
  if (styled.test(before + character)) return true;
  const after = text.slice(offset + character.length, offset + character.length + 2);
  if (keycap.test(before.slice(-1) + character + after)) return true;
  if (reading === 'exact' || !joiner.test(character)) return false;
  if (joining.test(before)) return true;
  return character === '\u200d' && pictograph.test(before) && beginsPictograph.test(after);
}

/** A line that stays one and says what is not seen in it: what ends lines elsewhere is named too. */
export const nameHiddenInLine = (line: string): string =>
  nameHidden(line, 'exact').replace(/[\n\r\u2028\u2029]/g, nameOf);

export const nameHidden = (text: string, reading: Reading): string => replaceHidden(text, reading, nameOf);

export const nameOf = (character: string): string =>
  `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;

export function mistakesBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [place, letter] of [...one].entries()) {
    const next = [place + 1];
    for (const [index, wanted] of [...other].entries()) {
      const replaced = (row[index] ?? 0) + Number(letter !== wanted);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Sentences that end as Japanese ones do have no blank between them. */
const endsWide = /[。！？」』）]$/u;

export const afterSentence = (sentence: string): '' | ' ' => (endsWide.test(sentence) ? '' : ' ');

const disjunction = new Intl.ListFormat('en-GB', { type: 'disjunction' });
const conjunction = new Intl.ListFormat('en-GB');

export const anyOf = (names: readonly string[]): string => disjunction.format(names);
export const allOf = (names: readonly string[]): string => conjunction.format(names);

/** A copy. A slice keeps the whole string in memory, and facts outlive the diff. */
export function detachText(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}

export const foldSpace = (text: string): string => text.replace(/\s+/g, ' ').trim();

export const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** Words and single signs, so that `a.b` and `a->b` are not alike by chance. */
const words = /[\p{L}\p{N}_$]+|[=!<>]=|=>|->|&&|\|\||[-+*/%<>!?]/gu;

export function likeness(one: string, other: string, pattern = words): number {
  const [first, second] = [one.match(pattern) ?? [], other.match(pattern) ?? []];
  const left = new Map<string, number>();
  for (const word of first) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of second) {
    const count = left.get(word) ?? 0;
    if (count > 0) common++;
    left.set(word, count - 1);
  }
  return common === 0 ? 0 : (2 * common) / (first.length + second.length);
}
