import type { HunkLine } from '../hunk-lines.ts';

const declaring =
  /(?:^|\s)(?:fn|func|fun|function|def|class|struct|enum|union|trait|interface|protocol|object|record|type|typealias|const|static|let|var|val|macro_rules!)\s+(?:\([^)]*\)\s*)?([\p{L}_$][\p{L}\p{N}_$]*)/u;

/** Where changed lines of one side declare something by a word for it, however deep inside of something else. */
export function declaredNames(
  lines: HunkLine[],
  into: Map<string, { lines: HunkLine[]; index: number }>,
): void {
  for (const [index, { text, isChanged, hidden }] of lines.entries()) {
    if (!isChanged || hidden !== 'code' || text === '') continue;
    const name = declaring.exec(text)?.[1];
    if (name !== undefined && !into.has(name)) into.set(name, { lines, index });
  }
}
