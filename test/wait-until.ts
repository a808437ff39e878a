import { setTimeout as wait } from 'node:timers/promises';

/** Far more than anything takes that a test waits for, also on a machine that is busy with other things. */
const mostSeconds = 60;

/** Waits for what nothing announces; when it does not come, the test fails and says what it waited for. */
export async function waitUntil(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + mostSeconds * 1_000;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`Waited ${mostSeconds} seconds in vain until ${what}.`);
    await wait(5);
  }
}
