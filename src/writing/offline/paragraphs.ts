import type { DiffLine } from '../../reading/file-diff.ts';
import { isBelow } from './pair-statements.ts';

/** The items of a list, and what blank lines or other lines part. */
export function paragraphsOf(lines: DiffLine[]): DiffLine[][] {
  const paragraphs: DiffLine[][] = [];
  let isParted = true;
  for (const [index, line] of lines.entries()) {
    const isBlank = line.text.trim() === '';
    const above = lines[index - 1];
    isParted ||= above !== undefined && !isBelow(above, line);
    if (isParted || /^\s*(?:[-*+]|\d+[.)]|#{1,6})\s/.test(line.text)) paragraphs.push([]);
    if (!isBlank) paragraphs.at(-1)?.push(line);
    isParted = isBlank;
  }
  return paragraphs.filter((paragraph) => paragraph.length > 0);
}
