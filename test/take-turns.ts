import { closeSync, openSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ownWhatFollows } from './track-tests.ts';

/**
 * Starting a process, loading the service and warming it up takes longer than most test files: some processes take the files
 * of a list in turns, each file once, as one test that has those of the file in it.
 */
export const listName = 'files.json';

/** A file that hangs outside of its tests, each of which has a limit of its own. */
const mostMsPerFile = 20 * 60_000;

/** The first to make a file of this name has the turn. */
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

/** Runs files that no other process has begun, one after the other, and no more than given. */
export async function takeTurns(folder: string, most = Number.POSITIVE_INFINITY): Promise<void> {
  const files: string[] = JSON.parse(readFileSync(join(folder, listName), 'utf8'));
  let taken = 0;
  // A test may wait for something that by itself keeps no process alive.
  const stay = setInterval(() => {}, 60_000);
  for (const [index, file] of files.entries()) {
    if (taken === most || !take(folder, index)) continue;
    taken += 1;
    // What is registered while a file is loaded, tests and what follows them, belongs to this test and ends with it.
    await test(relative(process.cwd(), file), { timeout: mostMsPerFile }, async () => {
      ownWhatFollows();
      await import(pathToFileURL(file).href);
    });
    ownWhatFollows();
    closeSync(openSync(markOf(folder, index, 'ended'), 'wx'));
  }
  clearInterval(stay);
  // What a failed test left open would keep the process, and the run, for ever.
  const endAnyway = () => {
    console.error('Still open after the last test:', process.getActiveResourcesInfo());
    process.exit(1);
  };
  setTimeout(endAnyway, 30_000).unref();
}
