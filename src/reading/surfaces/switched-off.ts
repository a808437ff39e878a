import { commentSignsIn } from '../comment-signs.ts';
import { type FileDiff, linesOf } from '../file-diff.ts';

const squeeze = (text: string): string => text.replace(/\s+/g, '');

/** What says less than this stands anywhere. */
const leastLength = 6;

/** The old lines that stand in comments now, and those that went together with them. */
export function switchedOff(file: FileDiff): Set<number> {
  const { line: sign } = commentSignsIn(file);
  const lines = file.hunks.flatMap(linesOf);
  const remarks = new Set(
    lines.flatMap(({ side, text }) => {
      const words = side === 'added' && sign.test(text) ? squeeze(text.replace(sign, '')) : '';
      return words.length >= leastLength ? [words] : [];
    }),
  );
  const found = new Set<number>();
  if (remarks.size === 0) return found;
  let run: number[] = [];
  let isOff = false;
  for (const { oldLine, side, text } of lines) {
    if (side === 'removed' && oldLine !== null) {
      run.push(oldLine);
      isOff ||= remarks.has(squeeze(text));
      continue;
    }
    if (isOff) for (const number of run) found.add(number);
    run = [];
    isOff = false;
  }
  if (isOff) for (const number of run) found.add(number);
  return found;
}
