import { nameHidden, replaceHidden } from '../domain/hidden-characters.ts';

/**
 * Everything that commands print goes this way, because much of it was written by strangers: a terminal would follow control
 * characters, so that they are named instead. Only lines and tabs are as they were.
 */
export const forTerminal = (text: string): string =>
  nameHidden(text.replaceAll('\r\n', '\n'), 'exact').replaceAll('\r', '⟨U+000D⟩');

export const print = (text: string): void => console.log(forTerminal(text));

/** On standard error. */
export const printProblem = (text: string): void => console.error(forTerminal(text));

/** For a program, which reads the same out of it. */
export const printJson = (value: unknown): void =>
  console.log(replaceHidden(JSON.stringify(value, null, 2), 'exact', escapeInJson));

const escapeInJson = (character: string): string =>
  Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');

/** What stands on one line of its own, whatever strangers put into it. */
export const onOneLine = (text: string): string => text.replace(/[\n\r\u2028\u2029]/g, '⏎');
