import { setTimeout as wait } from 'node:timers/promises';

/** Far more than anything takes that a test waits for, also on a machine that is busy with other things. */
const mostSeconds = 60;

/** Looking costs more than waiting, where it takes a while: each pause is longer than the one before, up to this. */
const longestPauseMs = 60;

/** Waits for what nothing announces; when it does not come, the test fails and says what it waited for. */
export async function waitUntil(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + mostSeconds * 1_000;
  for (let pauseMs = 4; !(await isSo()); pauseMs = Math.min(pauseMs * 1.25, longestPauseMs)) {
    if (performance.now() > end) throw new Error(`Waited ${mostSeconds} seconds in vain until ${what}.`);
    await wait(pauseMs);
  }
}
