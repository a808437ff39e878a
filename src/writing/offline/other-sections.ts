import { type DiffLine, type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { keyOfLine } from './prose-lines.ts';

const heading = /^#{1,6}\s+(.+)$/;

/** Changed lines of a document that stand under one heading before and under another one after: they are about different things. */
export function linesUnderOtherHeadings(diff: FileDiff): Set<number> {
  const found = new Set<number>();
  for (const hunk of diff.hunks) {
    let [old, now]: (string | null)[] = [null, null];
    let block: DiffLine[] = [];
    const finish = () => {
      if (old !== now) for (const line of block) found.add(keyOfLine(line));
      block = [];
    };
    for (const line of linesOf(hunk)) {
      const title = heading.exec(line.text)?.[1] ?? null;
      if (line.side === 'context') finish();
      else block.push(line);
      if (title !== null && line.side !== 'added') old = title;
      if (title !== null && line.side !== 'removed') now = title;
    }
    finish();
  }
  return found;
}
