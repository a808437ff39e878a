import type { DependencyChange } from '../../reading/facts.ts';
import { type FileDiff, linesOf } from '../../reading/file-diff.ts';

const named = [/^\s*name = "([^"]+)"/, /^\s*"node_modules\/([^"]+)": \{/, /^"?(@?[^@"\s]+)@[^:]*:\s*$/];
const version = /^\s*"?version"?\s*(?:[=:]\s*)?"?v?(\d[\w.+-]*)"?,?\s*$/;

/** More of them than this were brought up to date by a program, and no list of them is read. */
const mostVersions = 8;

/** Packages of a lock file whose version changes, where their names stand beside it; none where there are many. */
export function lockedVersions(diff: FileDiff | undefined): DependencyChange[] {
  const changes: DependencyChange[] = [];
  for (const hunk of diff?.hunks ?? []) {
    let name: string | null = null;
    let from: string | null = null;
    for (const { side, text, newLine } of linesOf(hunk)) {
      const found = named.map((pattern) => pattern.exec(text)?.[1]).find((one) => one !== undefined);
      if (found !== undefined) {
        name = side === 'context' ? found : null;
        from = null;
      }
      const number = version.exec(text)?.[1] ?? null;
      if (number === null || name === null || side === 'context') continue;
      if (side === 'removed') from = number;
      else if (from !== null && newLine !== null && diff) {
        changes.push({
          name,
          change: 'changed',
          from,
          to: number,
          movedFrom: null,
          movedTo: null,
          scope: 'runtime',
          evidence: { fileName: diff.path, startLine: newLine, endLine: newLine, side: 'new' },
        });
        from = null;
      }
      if (changes.length > mostVersions) return [];
    }
  }
  return changes;
}
