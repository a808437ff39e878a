import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SessionLock } from './session-lock.ts';

const tooLate = () => new Error('too late');

test('who waits with one statement comes before those who wait for the session, and these come in their order', async () => {
  const lock = new SessionLock(10_000, tooLate);
  const begun: string[] = [];
  const take = async (name: string) => {
    const release = await lock.acquire();
    begun.push(name);
    return release;
  };
  const releaseFirst = await take('first');
  const second = take('second');
  const third = take('third');
  const statements = ['one', 'two'].map((name) => lock.whenFree(async () => begun.push(name)));
  releaseFirst();
  const releaseSecond = await second;
  const late = lock.whenFree(async () => begun.push('late'));
  await Promise.all(statements);
  assert.deepEqual(begun, ['first', 'one', 'two', 'second'], 'the session is for one alone');
  releaseSecond();
  (await third)();
  await late;
  await lock.whenFree(async () => begun.push('at once'));
  assert.deepEqual(begun.slice(4), ['late', 'third', 'at once']);
});

test('who waits too long is told so, and not begun any more', async () => {
  const lock = new SessionLock(1, tooLate);
  const release = await lock.acquire();
  const begun: string[] = [];
  await assert.rejects(
    lock.whenFree(async () => begun.push('statement')),
    /too late/,
  );
  await assert.rejects(lock.acquire(), /too late/);
  release();
  await lock.whenFree(async () => begun.push('next'));
  assert.deepEqual(begun, ['next']);
});
