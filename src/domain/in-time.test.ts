import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { inTime, unlessAborted } from './concurrency.ts';

const aLongTime = 60_000;

test('work that is done in time is what comes of it, well or badly', async () => {
  assert.equal(await inTime(Promise.resolve(3), aLongTime, () => 4), 3);
  await assert.rejects(
    inTime(Promise.reject(new Error('broken')), aLongTime, () => 4),
    /broken/,
  );
});

test('work that takes too long is not waited for, and may fail afterwards without harm', async () => {
  const work = Promise.withResolvers<number>();
  assert.equal(await inTime(work.promise, 1, () => 'late'), 'late');
  const refuse = () => {
    throw new Error('refused');
  };
  await assert.rejects(inTime(work.promise, 1, refuse), /refused/);
  work.reject(new Error('after all'));
  await assert.rejects(work.promise, /after all/);
});

test('work that outlasts a signal is left, and what it fails with later is nobody’s any more', async () => {
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
