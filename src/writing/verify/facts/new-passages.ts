import type { DiffLines, PlacedLine } from '../diff-lines.ts';

const item = /^\s*(?:[-*+•]|\d+[.)])\s+\S/;
const fence = /^\s*(?:```|~~~)/;
/** A heading or its line, an address that is referred to elsewhere, a row of a table, markup. */
const noProse = /^\s*(?:#{1,6}\s|[=~^-]{3,}\s*$|\[[^\]]+\]:\s|[|<{]|\.\. )/;

/** The first lines of the paragraphs and items that a document newly has. */
export function newPassages(path: string, lines: DiffLines): PlacedLine[] {
  const passages: PlacedLine[] = [];
  let above: PlacedLine | null = null;
  let isInCode = false;
  for (const line of lines.of(path).filter(({ newLine }) => newLine !== null)) {
    const { text, hunk, side } = line;
    if (above?.hunk !== hunk) [above, isInCode] = [null, false];
    const isProse: boolean = !isInCode && !fence.test(text) && !noProse.test(text) && /\p{L}{2}/u.test(text);
    const begins = item.test(text) || above === null || above.text.trim() === '' || noProse.test(above.text);
    if (side === 'added' && isProse && begins) passages.push(line);
    if (fence.test(text)) isInCode = !isInCode;
    above = line;
  }
  return passages;
}
