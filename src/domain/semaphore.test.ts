import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Semaphore } from './concurrency.ts';

const patient = new AbortController().signal;

/** Lets some come to a semaphore, each by a name whose first letter is their family's, and notes who is let in. */
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
      await setImmediate();
    },
  };
}

test('no more are let in than there are places, and the others in the order in which they came', async () => {
  const { admitted, come, go } = callers({ most: 2, mostOfFamily: 2 });
  const all = ['a1', 'b1', 'a2', 'b2', 'c1'];
  for (const name of all) void come(name);
  await setImmediate();
  assert.deepEqual(admitted, ['a1', 'b1']);
  await go('b1');
  assert.deepEqual(admitted, ['a1', 'b1', 'a2']);
  await go('b1');
  assert.deepEqual(admitted, ['a1', 'b1', 'a2'], 'nobody leaves twice');
  for (const name of all) await go(name);
  assert.deepEqual(admitted, all);
});

test('where nothing moves, nobody is kept out who takes no share of it', async () => {
  const { admitted, come, go } = callers({ most: 3, mostOfFamily: 2 });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void come(name);
  await setImmediate();
  assert.deepEqual(admitted, ['a1', 'a2', 'b1']);
  await go('b1');
  await go('b2');
  assert.deepEqual(admitted, ['a1', 'a2', 'b1', 'b2', 'c1']);
  await go('a1');
  assert.equal(admitted.at(-1), 'a3');
});

test('whoever gives up is no longer waited for, and takes no place', async () => {
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

test('clients take turns, however many places one waits for, and of each the request that came first is served first', async () => {
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
    await setImmediate();
    leave.shift()?.();
  }
  const expected = ['many 1', 'many 2', 'one 5', 'service 0', 'many 2', 'service 0', 'many 3', 'many 4'];
  assert.deepEqual(admitted, expected);
});

test('giving up in the moment of being let in takes no turn from others', async () => {
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
