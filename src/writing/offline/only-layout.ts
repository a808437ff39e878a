import { isImportLine } from '../../reading/edits/import-line.ts';
import { type FileDiff, linesOf } from '../../reading/file-diff.ts';

/** What stands in quotes on one line: a blank in it is a part of it. */
const quoted = /"[^"]*"|(?<![\p{L}\p{N}])'[^']*'/gu;

/** With the lines that stayed: what moved past one of them is in another place. */
const textOf = (hunk: FileDiff['hunks'][number], side: 'added' | 'removed'): string =>
  linesOf(hunk)
    .filter((line) => line.side === 'context' || line.side === side)
    .map(({ text }) => text.replace(quoted, (words) => words.replaceAll(' ', '\0')).replace(/\s+/g, ''))
    .join('');

/** Whether every hunk of a file says the same before and after, with other line breaks, blanks or indentation. */
export const isOnlyLayout = (diff: FileDiff): boolean =>
  diff.hunks.length > 0 && diff.hunks.every((hunk) => textOf(hunk, 'removed') === textOf(hunk, 'added'));

/** Whether all that changes in a file are lines that name what other lines use. */
export function isOnlyImports(diff: FileDiff): boolean {
  const lines = diff.hunks
    .flatMap(linesOf)
    .filter(({ side, text }) => side !== 'context' && text.trim() !== '');
  return lines.length > 0 && lines.every(({ text }) => isImportLine(text));
}
