import { setTimeout as wait } from 'node:timers/promises';

/** How long a test waits at most: much longer than any condition takes, even on a busy machine. */
const mostSeconds = 60;

/** Checking can be expensive, so each pause is longer than the one before, up to this. */
const longestPauseMs = 60;

/** Polls until a condition is true; on timeout, the test fails with the description of what it waited for. */
export async function waitUntil(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + mostSeconds * 1_000;
  for (let pauseMs = 4; !(await isSo()); pauseMs = Math.min(pauseMs * 1.25, longestPauseMs)) {
    if (performance.now() > end) throw new Error(`Waited ${mostSeconds} seconds in vain until ${what}.`);
    await wait(pauseMs);
  }
}
