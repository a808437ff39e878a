import { execFileSync } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { waitUntil } from './wait-until.ts';

/** Whether a process is running; a zombie is not. */
export function isAlive(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z');
  } catch {
    return false;
  }
}

export const untilGone = (...pids: number[]): Promise<void> =>
  waitUntil(`the processes ${pids.join(', ')} are gone`, () => !pids.some(isAlive));

/** The processes whose working folder is a given one, even a deleted one. Linux only. */
export function processesIn(folder: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return pid > 0 && readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
      } catch {
        // The process has ended in the meantime.
        return false;
      }
    });
}
