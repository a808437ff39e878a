import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Heartbeats } from './job-events.ts';

test('every stream beats once in a round, few at a time, by one timer that ends with the last of them', (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  const started = context.mock.method(globalThis, 'setInterval');
  const heartbeats = new Heartbeats();
  const beats = Array.from({ length: 150 }, () => 0);
  const leave = beats.map((_, index) =>
    heartbeats.join(() => {
      beats[index] = (beats[index] ?? 0) + 1;
    }),
  );
  let before = 0;
  for (let second = 0; second < 30; second += 1) {
    context.mock.timers.tick(1_000);
    const all = beats.reduce((sum, count) => sum + count, 0);
    assert.equal(all - before, 10);
    before = all;
  }
  assert.deepEqual(new Set(beats), new Set([2]));
  for (const one of leave) one();
  context.mock.timers.tick(60_000);
  assert.deepEqual(new Set(beats), new Set([2]));
  assert.equal(started.mock.callCount(), 1);
  heartbeats.join(() => {})();
  assert.equal(started.mock.callCount(), 2);
});
