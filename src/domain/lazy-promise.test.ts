import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LazyPromise } from './concurrency.ts';

test('`LazyPromise.get` shares one run and retries only after a rejection', async () => {
  const outcomes = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  let begun = 0;
  const thing = new LazyPromise(() => outcomes[begun++]?.promise ?? assert.fail('begun too often'));
  assert.equal(await thing.ifStarted(), null);
  assert.equal(begun, 0);

  const failed = Promise.allSettled([thing.get(), thing.get()]);
  outcomes[0]?.reject(new Error('not now'));
  assert.deepEqual(
    (await failed).map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(await thing.ifStarted(), null);

  const wanted = Promise.all([thing.get(), thing.get(), thing.ifStarted()]);
  outcomes[1]?.resolve('there');
  assert.deepEqual(await wanted, ['there', 'there', 'there']);
  assert.equal(await thing.get(), 'there');
  assert.equal(begun, 2);
});
