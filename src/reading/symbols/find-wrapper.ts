import type { HunkLine } from '../hunk-lines.ts';

// A declaration that is further inside than this is a detail of what is around it.
const farthest = 400;

/** The nearest line above that something stands inside of. */
export function lineAround(lines: HunkLine[], index: number): HunkLine | null {
  const indent = lines[index]?.indent ?? 0;
  if (indent === 0) return null;
  for (let above = index - 1; above >= Math.max(0, index - farthest); above--) {
    const line = lines[above] as HunkLine;
    if (line.text !== '' && line.indent < indent && !/^[)\]}#]/.test(line.text)) return line;
  }
  return null;
}
