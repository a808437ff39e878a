const escapeCharacter = String.fromCharCode(27);
const terminalColours = new RegExp(`${escapeCharacter}\\[[0-9;]{0,20}[A-Za-z]`, 'g');
const lineBreaks = /\r\n?|[\v\f\u0085\u2028\u2029]/gu;
const blanks = /[\p{Zs}\u2800]/gu;
const controls = /(?![\t\n])\p{Cc}/gu;
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\uFFF9-\uFFFB]/gu;

/** Scripts in which a joiner or non-joiner between two letters decides how they are written. */
const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}]/u;
const pictograph = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Emoji_Component}]/u;

const nonJoiner = 0x200c;
const joiner = 0x200d;
const emojiStyle = 0xfe0f;

/**
 * The text that a reader of the page would see: one kind of line break and of blank, and none of the characters
 * that take no place on the screen and can carry a message to a machine.
 */
export function visibleText(text: string): string {
  return text
    .toWellFormed()
    .replace(lineBreaks, '\n')
    .replace(terminalColours, '')
    .replace(blanks, ' ')
    .replace(controls, '')
    .replace(unseen, (character, offset: number, whole: string) =>
      isNeeded(character, whole, offset) ? character : '',
    );
}

/** Joiners that make a word or an emoji what it is are the exception: they are seen by what they do. */
function isNeeded(character: string, text: string, offset: number): boolean {
  const code = character.codePointAt(0);
  if (code !== nonJoiner && code !== joiner && code !== emojiStyle) return false;
  const before = codePointBefore(text, offset);
  if (code === emojiStyle) return pictograph.test(before);
  const after = String.fromCodePoint(text.codePointAt(offset + 1) ?? 32);
  if (joining.test(before) && joining.test(after)) return true;
  return code === joiner && pictograph.test(before) && pictograph.test(after);
}

function codePointBefore(text: string, offset: number): string {
  const low = text.charCodeAt(offset - 1);
  const isLow = low >= 0xdc00 && low <= 0xdfff;
  return String.fromCodePoint(text.codePointAt(isLow ? offset - 2 : offset - 1) ?? 32);
}
