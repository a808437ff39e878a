import { execFileSync } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { waitUntil } from './wait-until.ts';

/** Whether a process runs; one that has ended and that its parent has not asked after does not. */
export function isAlive(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z');
  } catch {
    return false;
  }
}

export const untilGone = (...pids: number[]): Promise<void> =>
  waitUntil(`the processes ${pids.join(', ')} are gone`, () => !pids.some(isAlive));

/** The processes that work in a folder, also one that is gone. Only Linux knows. */
export function processesIn(folder: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return pid > 0 && readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
      } catch {
        // It has ended meanwhile.
        return false;
      }
    });
}
