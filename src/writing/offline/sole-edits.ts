import type { Edit } from '../../reading/facts.ts';
import { type FileDiff, type Hunk, linesOf } from '../../reading/file-diff.ts';

/**
 * Whether a line that asks something else than before is all that changes in its place, between lines that stay: so it asks
 * of the same branch. And whether it is no mere trace of a name that changes around it.
 */
export function isSoleEdit({ evidence, before, text }: Edit, diff: FileDiff | undefined): boolean {
  if (before === null || evidence.side !== 'new') return false;
  for (const hunk of diff?.hunks ?? []) {
    const { newStart, newLines } = hunk;
    if (evidence.startLine < newStart || evidence.endLine >= newStart + newLines) continue;
    return isAlone(hunk, evidence.startLine, evidence.endLine) && !isRenaming(hunk, before, text);
  }
  return false;
}

/** The lines between two that stay, of which one side holds just these. */
function isAlone(hunk: Hunk, from: number, to: number): boolean {
  const lines = linesOf(hunk);
  const at = lines.findIndex(({ newLine, side }) => side === 'added' && newLine === from);
  if (at < 0) return false;
  let [start, end] = [at, at];
  while (start > 0 && lines[start - 1]?.side !== 'context') start--;
  while (end + 1 < lines.length && lines[end + 1]?.side !== 'context') end++;
  const block = lines.slice(start, end + 1);
  const added = block.filter(({ side }) => side === 'added').length;
  const stays = lines[end + 1]?.text ?? '';
  return added === to - from + 1 && block.length - added === added && /[\p{L}\p{N}]/u.test(stays);
}

const namesIn = (text: string): Set<string> => new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []);

/** Whether the names that go and come do so in other lines of the hunk, too. */
function isRenaming(hunk: Hunk, before: string, after: string): boolean {
  const [was, is] = [namesIn(before), namesIn(after)];
  const gone = [...was].filter((name) => !is.has(name));
  const come = [...is].filter((name) => !was.has(name));
  if (gone.length === 0 || come.length === 0) return false;
  const others = (wanted: 'added' | 'removed', text: string): string =>
    linesOf(hunk)
      .filter(({ side, text: line }) => side === wanted && !line.includes(text))
      .map((line) => line.text)
      .join('\n');
  const [old, now] = [namesIn(others('removed', before)), namesIn(others('added', after))];
  return gone.some((name) => old.has(name)) && come.some((name) => now.has(name));
}
