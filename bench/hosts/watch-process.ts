import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const mebibyte = 1024 * 1024;

const everyMs = 50;

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It has ended meanwhile.
    return '';
  }
}

const inStatus = (pid: number, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(read(`/proc/${pid}/status`))?.[1] ?? 0);

/** What all processes take that a process has started, and those that they have, in bytes. */
function memoryBelow(pid: number): number {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), inStatus(Number(name), 'PPid')]),
  );
  const isBelow = (one: number): boolean => {
    const parent = parents.get(one);
    return parent !== undefined && parent !== 0 && (parent === pid || isBelow(parent));
  };
  return [...parents.keys()].filter(isBelow).reduce((sum, one) => sum + inStatus(one, 'VmRSS') * 1024, 0);
}

/** How many bytes the files in a folder have, but for the lock that a process holds there until it ends. */
export function sizeOf(folder: string): number {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && !/^lock(?:-journal|\.pid)?$/.test(entry.name));
    return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  } catch {
    // Nothing there, or no longer.
    return 0;
  }
}

export interface Watched {
  seconds: number;
  /** The most that the process took over what it took before, as the kernel counted it. */
  memory: number;
  /** The most that the programs that it runs took over that, as seen every few milliseconds. */
  memoryOfGit: number;
  disk: number;
  diskLeft: number;
}

/** Watches what a process takes while something is done, and what it has in a folder; all in bytes. */
export async function watchProcess<Done>(
  pid: number,
  folder: string,
  work: () => Promise<Done>,
): Promise<Watched & { done: Done }> {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  const before = inStatus(pid, 'VmRSS');
  const gitBefore = memoryBelow(pid);
  let [memoryOfGit, disk] = [0, 0];
  const timer = setInterval(() => {
    memoryOfGit = Math.max(memoryOfGit, memoryBelow(pid) - gitBefore);
    disk = Math.max(disk, sizeOf(folder));
  }, everyMs);
  const begun = performance.now();
  const done = await work().finally(() => clearInterval(timer));
  return {
    done,
    seconds: (performance.now() - begun) / 1_000,
    memory: (inStatus(pid, 'VmHWM') - before) * 1024,
    memoryOfGit,
    disk,
    diskLeft: sizeOf(folder),
  };
}
