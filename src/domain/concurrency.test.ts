import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import {
  batchReads,
  coalesceReads,
  type Gathering,
  inTime,
  LazyPromise,
  Semaphore,
  unlessAborted,
} from './concurrency.ts';

const patient = new AbortController().signal;

/** Callers of a semaphore, whose family is the first letter of their name, and the order of admission. */
function callers({ most, mostOfFamily }: { most: number; mostOfFamily: number }) {
  const semaphore = new Semaphore();
  const admitted: string[] = [];
  const leave = new Map<string, () => void>();
  return {
    admitted,
    come: async (name: string, signal = patient) => {
      const family = { of: `family ${name[0]}`, most: mostOfFamily };
      leave.set(name, await semaphore.acquire([{ of: 'all', most }, family], signal));
      admitted.push(name);
    },
    go: async (name: string) => {
      leave.get(name)?.();
      await turn();
    },
  };
}

test('`Semaphore` admits as many callers as it has slots, and the others in order of arrival', async () => {
  const { admitted, come, go } = callers({ most: 2, mostOfFamily: 2 });
  const all = ['a1', 'b1', 'a2', 'b2', 'c1'];
  for (const name of all) void come(name);
  await turn();
  assert.deepEqual(admitted, ['a1', 'b1']);
  await go('b1');
  assert.deepEqual(admitted, ['a1', 'b1', 'a2']);
  await go('b1');
  assert.deepEqual(admitted, ['a1', 'b1', 'a2'], 'nobody leaves twice');
  for (const name of all) await go(name);
  assert.deepEqual(admitted, all);
});

test('a family at its limit does not keep callers of other families out', async () => {
  const { admitted, come, go } = callers({ most: 3, mostOfFamily: 2 });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void come(name);
  await turn();
  assert.deepEqual(admitted, ['a1', 'a2', 'b1']);
  await go('b1');
  await go('b2');
  assert.deepEqual(admitted, ['a1', 'a2', 'b1', 'b2', 'c1']);
  await go('a1');
  assert.equal(admitted.at(-1), 'a3');
});

test('a caller that aborts gets no slot and does not block later callers', async () => {
  const { admitted, come, go } = callers({ most: 1, mostOfFamily: 1 });
  const impatient = new AbortController();
  await come('a1');
  const gaveUp = assert.rejects(come('a2', impatient.signal), /enough/);
  void come('b1');
  impatient.abort(new Error('enough'));
  await gaveUp;
  await assert.rejects(come('a3', impatient.signal), /enough/);
  await go('a1');
  assert.deepEqual(admitted, ['a1', 'b1']);
  await go('b1');
  await come('a4');
});

test('clients take turns, and the requests of each client are served in their order', async () => {
  const semaphore = new Semaphore();
  const admitted: string[] = [];
  const leave: (() => void)[] = [];
  const come = async (key: string, order: number) => {
    leave.push(await semaphore.acquire([{ of: 'all', most: 1 }], patient, { key, order }));
    admitted.push(`${key} ${order}`);
  };
  void come('many', 1);
  for (const order of [2, 3, 4, 2]) void come('many', order);
  void come('one', 5);
  for (const order of [0, 0]) void come('service', order);
  for (let left = 8; left > 0; left -= 1) {
    await turn();
    leave.shift()?.();
  }
  const expected = ['many 1', 'many 2', 'one 5', 'service 0', 'many 2', 'service 0', 'many 3', 'many 4'];
  assert.deepEqual(admitted, expected);
});

test('aborting an acquire that was just admitted does not use up a slot', async () => {
  const { admitted, come, go } = callers({ most: 1, mostOfFamily: 1 });
  const impatient = new AbortController();
  await come('a1');
  const late = come('a2', impatient.signal);
  void come('b1');
  const left = go('a1');
  impatient.abort(new Error('enough'));
  await left;
  await late;
  await go('a2');
  assert.deepEqual(admitted, ['a1', 'a2', 'b1']);
});
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
