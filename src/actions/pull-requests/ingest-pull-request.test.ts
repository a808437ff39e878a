import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Semaphore } from '../../domain/concurrency.ts';
import { acquireDiffSlot } from './ingest-pull-request.ts';

test('`releaseSlotWhile` frees the slot during its work, takes one again afterwards, and releases it once', async () => {
  const semaphore = new Semaphore();
  const fetched = Promise.withResolvers<string>();
  const slow = await Promise.all(
    ['ann', 'ann', 'bea', 'bea'].map((user) => acquireDiffSlot(semaphore, user)),
  );
  const waiting = slow.map(({ releaseSlotWhile }) => releaseSlotWhile(() => fetched.promise));
  const others = await Promise.all(
    ['cid', 'cid', 'dee', 'dee'].map((user) => acquireDiffSlot(semaphore, user)),
  );
  let isBack = false;
  const back = Promise.all(waiting).then((done) => {
    isBack = true;
    return done;
  });
  fetched.resolve('all of it');
  await new Promise(setImmediate);
  assert.ok(!isBack, 'all four slots are taken');
  for (const { leave } of others) leave();
  assert.deepEqual(await back, Array(4).fill('all of it'));
  for (const { leave } of slow) leave();
  await Promise.all(['cid', 'cid', 'dee', 'dee'].map((user) => acquireDiffSlot(semaphore, user)));
});

test('`releaseSlotWhile` leaks no slot when its work rejects', async () => {
  const semaphore = new Semaphore();
  for (let time = 0; time < 10; time += 1) {
    const { leave, releaseSlotWhile } = await acquireDiffSlot(semaphore, 'ann');
    await assert.rejects(releaseSlotWhile(() => Promise.reject(new Error('cut'))));
    leave();
  }
});
