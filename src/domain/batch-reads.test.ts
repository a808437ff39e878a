import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { batchReads, coalesceReads, type Gathering } from './concurrency.ts';

/** A read begins two turns after its first caller. */
async function nextTurn(): Promise<void> {
  await turn();
  await turn();
}

/** Looks that the test answers, or fails, when it likes. */
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

test('who asks at the same time looks together, and who asks for the same shares what is found', async () => {
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

test('nobody is given what was looked at before they asked', async () => {
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

test('while two looks are under way, everybody else gathers for the next', async () => {
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

test('one look is for no more than it can answer soon, and the next does not wait for it', async () => {
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

test('a look that fails fails for those who shared it and for those who wait behind it, and for nobody after them', async () => {
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

test('where very many ask, looks are rationed, those who ask meanwhile share one, and more than can be answered soon are refused', async (t) => {
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

test('what cannot be looked for together is shared by those who ask for the same, and holds nobody else up', async () => {
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
