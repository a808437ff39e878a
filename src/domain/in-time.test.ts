import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTime } from './in-time.ts';

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
