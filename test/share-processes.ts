import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { filesImportedBy } from './imported-files.ts';
import { listName, markOf } from './take-turns.ts';

/** Code in tests that depends on or changes state of the whole process. */
const aboutProcess =
  /mock\.(?:timers|method\((?:globalThis|performance|process))|process\.on\(|getActiveResourcesInfo|memoryUsage|memory-tracer|registerHooks/;

const needsOwnProcess = (file: string): boolean => aboutProcess.test(readFileSync(file, 'utf8'));

/** Files that start programs or import most are slowest and run first, so that none runs alone at the end. */
function longestFirst(files: string[]): string[] {
  const known = new Map<string, string[]>();
  const lengths = new Map(
    files.map((file) => {
      const isOfPrograms = /^test\/(?:e2e|browser)\//.test(file);
      return [file, isOfPrograms ? 10_000 : filesImportedBy(file, { known }).size];
    }),
  );
  return files.toSorted((one, other) => (lengths.get(other) ?? 0) - (lengths.get(one) ?? 0));
}

/** Memory left behind in a process must not grow without limit. */
const mostFilesPerProcess = 80;

interface Shared {
  /** The entry files, each for its own process. */
  files: string[];
  /** The test files that no process has finished. */
  findUnfinished: () => string[];
  remove: () => void;
}

/** Lets test files share processes where possible. */
export function shareProcesses(files: string[], concurrency: number): Shared {
  const alone = files.filter(needsOwnProcess);
  const shared = longestFirst(files.filter((file) => !alone.includes(file)));
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-turns-'));
  writeFileSync(join(folder, listName), JSON.stringify(shared.map((file) => resolve(file))));
  const least = Math.min(shared.length, concurrency);
  const count = least * Math.ceil(shared.length / (least * mostFilesPerProcess) || 0);
  const processes = Array.from({ length: count }, (_, index) => {
    // The last processes take all remaining files, so that they end together.
    const most = index < count - least ? mostFilesPerProcess : undefined;
    const file = join(folder, `files-in-turns-${index + 1}.mjs`);
    const source = [
      `import { loadTestRunner } from ${JSON.stringify(join(import.meta.dirname, 'track-tests.ts'))};`,
      'await loadTestRunner();',
      `const { takeTurns } = await import(${JSON.stringify(join(import.meta.dirname, 'take-turns.ts'))});`,
      `await takeTurns(${JSON.stringify(folder)}, ${most});`,
    ];
    writeFileSync(file, source.join('\n'));
    return file;
  });
  return {
    files: [...alone, ...processes],
    findUnfinished: () => shared.filter((_, index) => !existsSync(markOf(folder, index, 'ended'))),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
