import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Semaphore } from './concurrency.ts';

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
      await setImmediate();
    },
  };
}

test('`Semaphore` admits as many callers as it has slots, and the others in order of arrival', async () => {
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

test('a family at its limit does not keep callers of other families out', async () => {
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
    await setImmediate();
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
