import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { batchReads, coalesceReads, type Gathering } from './concurrency.ts';

/** A read begins two turns of the event loop after its first caller. */
async function nextTurn(): Promise<void> {
  await turn();
  await turn();
}

/** Records reads, which the test resolves or rejects. */
function recordLooks(gathering?: Gathering) {
  const looks: (PromiseWithResolvers<string[]> & { wanted: string[] })[] = [];
  const read = batchReads((wanted: string[]) => {
    const look = { wanted, ...Promise.withResolvers<string[]>() };
    looks.push(look);
    return look.promise;
  }, gathering);
  const answer = (index: number) => {
    const look = looks[index] ?? assert.fail(`there was no look ${index}`);
    look.resolve(look.wanted.map((one) => `${one} of look ${index}`));
  };
  return { looks, answer, ask: read };
}

test('`batchReads` joins concurrent calls in one read, with equal keys once', async () => {
  const { looks, answer, ask } = recordLooks();
  const asked = Promise.all([ask('a'), ask('b'), ask('a')]);
  assert.equal(looks.length, 0, 'others may still come along');
  await nextTurn();
  assert.deepEqual(
    looks.map(({ wanted }) => wanted),
    [['a', 'b']],
  );
  answer(0);
  assert.deepEqual(await asked, ['a of look 0', 'b of look 0', 'a of look 0']);
});

test('`batchReads` never answers a call with a read that began before it', async () => {
  const { looks, answer, ask } = recordLooks();
  const early = ask('a');
  await nextTurn();
  const late = ask('a');
  await nextTurn();
  assert.equal(looks.length, 2);
  answer(0);
  answer(1);
  assert.deepEqual(await Promise.all([early, late]), ['a of look 0', 'a of look 1']);
});

test('`batchReads` runs two reads at a time, and later calls share the next one', async () => {
  const { looks, answer, ask } = recordLooks();
  const asked = [];
  for (const key of ['a', 'b', 'c', 'd', 'c']) {
    asked.push(ask(key));
    await nextTurn();
  }
  assert.deepEqual(
    looks.map(({ wanted }) => wanted),
    [['a'], ['b']],
  );
  answer(1);
  assert.equal(await asked[1], 'b of look 1');
  assert.deepEqual(looks[2]?.wanted, ['c', 'd']);
  answer(0);
  answer(2);
  assert.equal((await Promise.all(asked)).at(-1), 'c of look 2');
});

test('`batchReads` reads at most 64 keys at a time, and starts the next read without waiting', async () => {
  const { looks, answer, ask } = recordLooks();
  const asked = Promise.all(Array.from({ length: 150 }, (_, index) => ask(`key ${index}`)));
  await nextTurn();
  assert.deepEqual(
    looks.map(({ wanted }) => wanted.length),
    [64, 64],
  );
  answer(0);
  answer(1);
  await nextTurn();
  answer(2);
  assert.equal(new Set(await asked).size, 150);
  assert.equal(looks[2]?.wanted.length, 22);
});

test('a failed read rejects its callers and those waiting behind it, and no later caller', async () => {
  const { looks, answer, ask } = recordLooks();
  const failing = Promise.allSettled([ask('a'), ask('b')]);
  await nextTurn();
  const other = ask('c');
  await nextTurn();
  const waiting = Promise.allSettled([ask('a'), ask('d')]);
  await nextTurn();
  looks[0]?.reject(new Error('the database is gone'));
  for (const { status } of [...(await failing), ...(await waiting)]) assert.equal(status, 'rejected');
  answer(1);
  assert.equal(await other, 'c of look 1');
  const next = ask('a');
  await nextTurn();
  answer(2);
  assert.equal(await next, 'a of look 2');
});

test('a gathering limit rations reads, lets waiting calls share one, and rejects calls beyond it with UNAVAILABLE', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const { looks, answer, ask } = recordLooks({ mostTogether: 100, mostWaiting: 3, burst: 2, everyMs: 250 });
  const asked: Promise<string>[] = [];
  for (const key of ['a', 'b', 'c', 'd', 'e']) {
    asked.push(ask(key));
    await nextTurn();
    for (const index of looks.keys()) answer(index);
    await nextTurn();
  }
  await assert.rejects(ask('f'), { code: 'UNAVAILABLE' });
  const shared = ask('e');
  for (const passed of [249, 1]) {
    assert.equal(looks.length, 2);
    now += passed;
    t.mock.timers.tick(passed);
  }
  answer(2);
  assert.deepEqual(
    looks.map(({ wanted }) => wanted),
    [['a'], ['b'], ['c', 'd', 'e']],
  );
  assert.equal((await Promise.all(asked)).at(-1), await shared);
});

test('`coalesceReads` shares one read per key, and a slow key does not delay other keys', async () => {
  const reads: (PromiseWithResolvers<string> & { wanted: string })[] = [];
  const ask = coalesceReads((wanted: string) => {
    const read = { wanted, ...Promise.withResolvers<string>() };
    reads.push(read);
    return read.promise;
  });
  const slow = Promise.all([ask('a'), ask('a')]);
  const others = ['b', 'c', 'd'].map(ask);
  await nextTurn();
  assert.deepEqual(
    reads.map(({ wanted }) => wanted),
    ['a', 'b', 'c', 'd'],
  );
  for (const { wanted, resolve } of reads.slice(1)) resolve(`${wanted} is there`);
  assert.deepEqual(await Promise.all(others), ['b is there', 'c is there', 'd is there']);
  const late = ask('a');
  await nextTurn();
  reads[0]?.resolve('early');
  reads[4]?.resolve('late');
  assert.deepEqual([...(await slow), await late], ['early', 'early', 'late']);
});
