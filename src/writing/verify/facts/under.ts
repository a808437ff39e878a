import type { PlacedLine } from '../diff-lines.ts';
import { foldsOf, foldWords } from '../fold-words.ts';
import type { Scope } from '../scope.ts';

/** Marked by signs before it, or by a line of them below. */
const headingMark = /^\s{0,3}(?:#{1,6}|={1,6}|\*{1,4}(?=\s))\s*\S/;
const underline = /^\s{0,3}([=~^"'`#*+-])\1{2,}\s*$/;

/** Whether the nearest heading above what is cited, as the document reads now, is this one. */
export const isUnder = (heading: string, { evidence, ground }: Scope): boolean =>
  evidence.some(({ fileName, side, startLine }) => {
    const now = ground.lines.of(fileName).filter(({ newLine }) => newLine !== null);
    const first = now.find(({ newLine }) => side === 'new' && newLine === startLine);
    if (!first) return false;
    return isNearest(
      heading,
      now.slice(0, now.indexOf(first)).filter(({ hunk }) => hunk === first.hunk),
    );
  });

function isNearest(heading: string, above: PlacedLine[]): boolean {
  const at = above.findLastIndex(
    ({ text }, index) =>
      /^\s{0,3}#{1,6}\s*\S/.test(text) ||
      (underline.test(text) && (above[index - 1]?.text.trim() ?? '') !== ''),
  );
  const text = above[at]?.text ?? '';
  const found = headingMark.test(text) && !underline.test(text) ? text : (above[at - 1]?.text ?? '');
  return foldsOf(found).includes(foldWords(heading));
}
