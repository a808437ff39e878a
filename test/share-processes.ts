import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { listName, markOf, mostFilesPerProcess } from './take-turns.ts';

/** What tests say that look at, or change, what all of a process have in common. */
const aboutProcess =
  /mock\.(?:timers|method\((?:globalThis|performance|process))|process\.on\(|getActiveResourcesInfo|memoryUsage|memory-tracer/;

/** What drives whole services or a browser is long enough to have a process for itself. */
const needsOwnProcess = (file: string): boolean =>
  /^test\/(?:e2e|browser)\//.test(file) || aboutProcess.test(readFileSync(file, 'utf8'));

interface Shared {
  /** What is run, each in a process of its own. */
  files: string[];
  /** The test files that no process has run to their end. */
  findUnfinished: () => string[];
  remove: () => void;
}

/** Has test files that can share a process do so; the long ones come first, so that none is left to run alone at the end. */
export function shareProcesses(files: string[], concurrency: number): Shared {
  const alone = files.filter(needsOwnProcess);
  const others = files.filter((file) => !alone.includes(file));
  const shared = others.toSorted((one, other) => statSync(other).size - statSync(one).size);
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-turns-'));
  writeFileSync(join(folder, listName), JSON.stringify(shared.map((file) => resolve(file))));
  const source = [
    `import { takeTurns } from ${JSON.stringify(join(import.meta.dirname, 'take-turns.ts'))};`,
    `await takeTurns(${JSON.stringify(folder)});`,
  ].join('\n');
  const least = Math.min(shared.length, concurrency);
  const count = Math.max(least, Math.ceil(shared.length / mostFilesPerProcess));
  const processes = Array.from({ length: count }, (_, index) => {
    const file = join(folder, `files-in-turns-${index + 1}.mjs`);
    writeFileSync(file, source);
    return file;
  });
  return {
    files: [...alone, ...processes],
    findUnfinished: () => shared.filter((_, index) => !existsSync(markOf(folder, index, 'ended'))),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
