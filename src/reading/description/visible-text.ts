import { replaceHidden } from '../../domain/text.ts';

const escapeCharacter = String.fromCharCode(27);
const terminalColours = new RegExp(`${escapeCharacter}\\[[0-9;]{0,20}[A-Za-z]`, 'g');
const lineBreaks = /\r\n?|[\v\f\u0085\u2028\u2029]/gu;
const blanks = /[\p{Zs}\u2800]/gu;

/**
 * The text that a reader of the page would see: one kind of line break and of blank, and none of the characters
 * that take no place on the screen and can carry a message to a machine.
 */
export function visibleText(text: string): string {
  const plain = text
    .toWellFormed()
    .replace(lineBreaks, '\n')
    .replace(terminalColours, '')
    .replace(blanks, ' ');
  return replaceHidden(plain, 'prose', () => '');
}
