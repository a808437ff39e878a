import { closeSync, openSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ownWhatFollows } from './track-tests.ts';

/**
 * Starting a process and loading the service takes longer than most test files, so some processes take files of a list in
 * turns, each file once, as one test that contains the file's tests.
 */
export const listName = 'files.json';

/** The time limit of a file that hangs outside of its tests, which have their own limits. */
const mostMsPerFile = 20 * 60_000;

/** The process that creates a file of this name first has the turn. */
export const markOf = (folder: string, index: number, what: 'begun' | 'ended'): string =>
  join(folder, `${index}.${what}`);

function take(folder: string, index: number): boolean {
  try {
    closeSync(openSync(markOf(folder, index, 'begun'), 'wx'));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Runs files that no other process has begun, one after the other, up to a limit. */
export async function takeTurns(folder: string, most = Number.POSITIVE_INFINITY): Promise<void> {
  const files: string[] = JSON.parse(readFileSync(join(folder, listName), 'utf8'));
  let taken = 0;
  // A pending test may wait for something that does not keep the process alive.
  const stay = setInterval(() => {}, 60_000);
  for (const [index, file] of files.entries()) {
    if (taken === most || !take(folder, index)) continue;
    taken += 1;
    // Tests and hooks registered while a file is loaded belong to this test and end with it.
    await test(relative(process.cwd(), file), { timeout: mostMsPerFile }, async () => {
      ownWhatFollows();
      await import(pathToFileURL(file).href);
    });
    ownWhatFollows();
    closeSync(openSync(markOf(folder, index, 'ended'), 'wx'));
  }
  clearInterval(stay);
  // Resources that a failed test left open would keep the process alive forever.
  const endAnyway = () => {
    console.error('Still open after the last test:', process.getActiveResourcesInfo());
    process.exit(1);
  };
  setTimeout(endAnyway, 30_000).unref();
}
