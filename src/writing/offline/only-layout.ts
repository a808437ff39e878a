import { type FileDiff, linesOf } from '../../reading/file-diff.ts';

const textOf = (hunk: FileDiff['hunks'][number], side: 'added' | 'removed'): string =>
  linesOf(hunk)
    .filter((line) => line.side === side)
    .map(({ text }) => text.replace(/\s+/g, ''))
    .join('');

/** Whether every hunk of a file says the same before and after, with other line breaks, blanks or indentation. */
export const isOnlyLayout = (diff: FileDiff): boolean =>
  diff.hunks.length > 0 && diff.hunks.every((hunk) => textOf(hunk, 'removed') === textOf(hunk, 'added'));

/** A whole line that names what other lines use; a sentence may begin with the same word. */
const importLine =
  /^\uFEFF?(?:import\s.*(?:['";]|[\w.*)}]$)|from \S+ import |(?:global )?using (?:static )?[\w.]+(?: = [\w.<>, ]+)?;|(?:pub )?use [\w\\:{}*, ]+;|#include\s*[<"]|require(?:_relative)?[ (]['"]|(?:const|let|var) .* = require\(|package [\w.]+;?$|(?:alias|require) [A-Z][\w.]*$|export .* from ['"])/;

/** Whether all that changes in a file are lines that name what other lines use. */
export function isOnlyImports(diff: FileDiff): boolean {
  const lines = diff.hunks
    .flatMap(linesOf)
    .filter(({ side, text }) => side !== 'context' && text.trim() !== '');
  return lines.length > 0 && lines.every(({ text }) => importLine.test(text.trim()));
}
