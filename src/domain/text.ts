/** Whether a text is prose, or exact like code and names. */
export type Reading = 'prose' | 'exact';

// Invisible characters: control characters except line breaks and tabs, lone surrogates, bidirectional controls,
// characters that can carry hidden messages, and joiners.
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufff9-\ufffb\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]|\p{Surrogate}/gu;

/** Scripts in which a joiner after a letter changes how it is written. */
const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]$/u;
const pictograph = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?$/u;
const beginsPictograph = /^\p{Extended_Pictographic}/u;
const joiner = /[\u200c\u200d]/;

/** Variation selectors that are visible: of emoji, keycaps and Chinese characters. */
const styled =
  /(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}][\ufe0e\ufe0f]|\p{Script=Han}[\ufe00-\ufe02\u{e0100}-\u{e01ef}])$/u;
const keycap = /[\d#*]\ufe0f\u20e3/;

/** The flags of England, Scotland and Wales are spelled with invisible tag characters; no other flags are. */
const tagged = ['gbeng', 'gbsct', 'gbwls'].map(
  (name) =>
    `\u{1f3f4}${String.fromCodePoint(...[...name].map((letter) => 0xe0000 + letter.charCodeAt(0)), 0xe007f)}`,
);
const flags = new RegExp(tagged.join('|'), 'gu');

/** Replaces every invisible character, except those that visibly change their neighbours. */
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
  // A surrogate pair and its emoji selector are three code units.
  const before = text.slice(Math.max(0, offset - 3), offset);
  if (styled.test(before + character)) return true;
  const after = text.slice(offset + character.length, offset + character.length + 2);
  if (keycap.test(before.slice(-1) + character + after)) return true;
  if (reading === 'exact' || !joiner.test(character)) return false;
  if (joining.test(before)) return true;
  return character === '\u200d' && pictograph.test(before) && beginsPictograph.test(after);
}

/** Names invisible characters in a line, including those that break lines elsewhere. */
export const nameHiddenInLine = (line: string): string =>
  nameHidden(line, 'exact').replace(/[\n\r\u2028\u2029]/g, codePointName);

export const nameHidden = (text: string, reading: Reading): string =>
  replaceHidden(text, reading, codePointName);

export const codePointName = (character: string): string =>
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

/** Sentences with Japanese punctuation have no space between them. */
const endsWide = /[。！？」』）]$/u;

export const afterSentence = (sentence: string): '' | ' ' => (endsWide.test(sentence) ? '' : ' ');

export const joinStatements = (statements: { text: string }[]): string =>
  statements.reduce((text, one) => (text === '' ? one.text : `${text}${afterSentence(text)}${one.text}`), '');

const disjunction = new Intl.ListFormat('en-GB', { type: 'disjunction' });
const conjunction = new Intl.ListFormat('en-GB');

export const anyOf = (names: readonly string[]): string => disjunction.format(names);
export const joinNames = (names: readonly string[]): string => conjunction.format(names);

/** Copies a string. A slice would keep the whole diff in memory, and facts outlive the diff. */
export function detachText(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}

const manySpaces = /[^\S ]|\s\s/;

/** Most lines of code have one space between words, and looking for others is faster than replacing all. */
export function foldSpace(text: string): string {
  const trimmed = text.trim();
  return manySpaces.test(trimmed) ? trimmed.replace(/\s+/g, ' ') : trimmed;
}

export const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** Words and operators, so that `a.b` and `a->b` are not equal by chance. */
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
