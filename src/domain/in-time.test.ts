import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { inTime, unlessAborted } from './concurrency.ts';

const aLongTime = 60_000;

test('`inTime` settles like the work when it beats the deadline', async () => {
  assert.equal(await inTime(Promise.resolve(3), aLongTime, () => 4), 3);
  await assert.rejects(
    inTime(Promise.reject(new Error('broken')), aLongTime, () => 4),
    /broken/,
  );
});

test('`inTime` returns or throws its fallback when the work is late, and ignores a later failure', async () => {
  const work = Promise.withResolvers<number>();
  assert.equal(await inTime(work.promise, 1, () => 'late'), 'late');
  const refuse = () => {
    throw new Error('refused');
  };
  await assert.rejects(inTime(work.promise, 1, refuse), /refused/);
  work.reject(new Error('after all'));
  await assert.rejects(work.promise, /after all/);
});

test('`unlessAborted` returns null on abort, ignores a later failure, and removes its listener', async () => {
  const leaving = new AbortController();
  const work = Promise.withResolvers<string>();
  const left = unlessAborted(work.promise, leaving.signal);
  leaving.abort();
  assert.equal(await left, null);
  work.reject(new Error('too late'));
  assert.equal(
    await unlessAborted(new Promise(() => {}), leaving.signal),
    null,
    'also one that was aborted before',
  );
  const { signal } = new AbortController();
  assert.equal(await unlessAborted(Promise.resolve('done'), signal), 'done');
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});
