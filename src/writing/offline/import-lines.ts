import { isImportLine } from '../../reading/edits/import-line.ts';
import { type DiffLine, type FileDiff, type Hunk, linesOf } from '../../reading/file-diff.ts';
import { keyOfLine } from './prose-lines.ts';

/** An import that goes on over several lines. */
const opens =
  /^\s*(?:import\b[^'"(){}]*\{[^}]*|import\s*\(|from\s+\S+\s+import\s*\([^)]*|use\s[\w:]+::\{[^}]*)$/;
const closes = /^[^({]*[)}]/;
/** What ends one whose beginning is not shown. */
const endsImport = /^\s*\}\s*from\s+['"]/;
const isName =
  /^\s*(?:type\s+)?[\w$*:{}]+(?:\s+as\s+[\w$]+)?(?:\s*,\s*(?:type\s+)?[\w$]+(?:\s+as\s+[\w$]+)?)*,?\s*$/;

const known = new WeakMap<FileDiff, Set<number>>();

/** Which changed lines of a file name what other lines use, by themselves or as a part of an import of several lines. */
export function importsIn(diff: FileDiff): Set<number> {
  const found = known.get(diff) ?? new Set(diff.hunks.flatMap(importedIn).map(keyOfLine));
  known.set(diff, found);
  return found;
}

function importedIn(hunk: Hunk): DiffLine[] {
  return (['removed', 'added'] as const).flatMap((side) => {
    const lines = linesOf(hunk).filter((line) => line.side === 'context' || line.side === side);
    const end = lines.findIndex(({ text }) => !isName.test(text));
    const found = endsImport.test(lines[end]?.text ?? '') ? lines.slice(0, end + 1) : [];
    let isOpen = false;
    for (const line of lines) {
      if (isOpen || opens.test(line.text) || isImportLine(line.text)) found.push(line);
      isOpen = isOpen ? !closes.test(line.text) : opens.test(line.text);
    }
    return found.filter((line) => line.side === side);
  });
}
