import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Gate } from '../../domain/gate.ts';
import { takeDiffPlace } from './places-for-reading.ts';

test('who has something fetched aside keeps no place from others, gets one again, and leaves it once', async () => {
  const gate = new Gate();
  const fetched = Promise.withResolvers<string>();
  const slow = await Promise.all(['ann', 'ann', 'bea', 'bea'].map((user) => takeDiffPlace(gate, user)));
  const waiting = slow.map(({ aside }) => aside(() => fetched.promise));
  const others = await Promise.all(['cid', 'cid', 'dee', 'dee'].map((user) => takeDiffPlace(gate, user)));
  let isBack = false;
  const back = Promise.all(waiting).then((done) => {
    isBack = true;
    return done;
  });
  fetched.resolve('all of it');
  await new Promise(setImmediate);
  assert.ok(!isBack, 'all four places are taken');
  for (const { leave } of others) leave();
  assert.deepEqual(await back, Array(4).fill('all of it'));
  for (const { leave } of slow) leave();
  await Promise.all(['cid', 'cid', 'dee', 'dee'].map((user) => takeDiffPlace(gate, user)));
});

test('what fails aside leaves every place', async () => {
  const gate = new Gate();
  for (let time = 0; time < 10; time += 1) {
    const { leave, aside } = await takeDiffPlace(gate, 'ann');
    await assert.rejects(aside(() => Promise.reject(new Error('cut'))));
    leave();
  }
});
