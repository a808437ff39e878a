import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { listName, markOf } from './take-turns.ts';

/** What tests say that look at, or change, what all of a process have in common. */
const aboutProcess =
  /mock\.(?:timers|method\((?:globalThis|performance|process))|process\.on\(|getActiveResourcesInfo|memoryUsage|memory-tracer|registerHooks/;

/** What drives whole services is long enough to have a process for itself. */
const drivesAll = (file: string): boolean => /^test\/e2e\//.test(file);
const needsOwnProcess = (file: string): boolean =>
  drivesAll(file) || aboutProcess.test(readFileSync(file, 'utf8'));

/** What takes much longer than one would think of files of their length. */
const isLong = (file: string): boolean =>
  /\b(?:leak-matrix|revoked-rights|outcomes-of|fill-with-samples|lists-after-failures|unreadable|trial|browser)\b/.test(
    file,
  );

/** What a process has left behind in memory must not grow without end. */
const mostFilesPerProcess = 32;

interface Shared {
  /** What is run, each in a process of its own. */
  files: string[];
  /** The test files that no process has run to their end. */
  findUnfinished: () => string[];
  remove: () => void;
}

/** Has test files that can share a process do so; the long ones come first, so that none is left to run alone at the end. */
export function shareProcesses(files: string[], concurrency: number): Shared {
  const alone = files
    .filter(needsOwnProcess)
    .sort((one, other) => Number(drivesAll(other)) - Number(drivesAll(one)));
  const others = files.filter((file) => !alone.includes(file));
  const lengthOf = (file: string): number => (isLong(file) ? Number.MAX_SAFE_INTEGER : statSync(file).size);
  const shared = others.toSorted((one, other) => lengthOf(other) - lengthOf(one));
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-turns-'));
  writeFileSync(join(folder, listName), JSON.stringify(shared.map((file) => resolve(file))));
  const least = Math.min(shared.length, concurrency);
  const count = least * Math.ceil(shared.length / (least * mostFilesPerProcess) || 0);
  const processes = Array.from({ length: count }, (_, index) => {
    // The last ones take all that is left, so that they end together.
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
