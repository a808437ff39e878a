import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BoundedMap, cacheResponses } from './bounded-map.ts';

test('`BoundedMap` evicts the least recently used entry above its size, and does not keep an entry that is too large alone', () => {
  const map = new BoundedMap<string>(1_000, (value) => value.length);
  const value = (letter: string) => letter.repeat(400);
  map.set('one', value('1'));
  map.set('two', value('2'));
  assert.equal(map.get('one'), value('1'));
  map.set('three', value('3'));
  assert.deepEqual(
    ['one', 'two', 'three'].map((key) => map.get(key)?.[0]),
    ['1', undefined, '3'],
  );
  map.set('one', value('n'));
  assert.equal(map.get('one'), value('n'));
  map.set('large', 'x'.repeat(2_000));
  assert.equal(map.get('large'), undefined);
  assert.equal(map.get('one'), value('n'), 'an entry that is too large removes no other');
});

test('`forget` removes cached responses that match and calls that have not ended, and keeps the others', async () => {
  const { cached, forget } = cacheResponses<string>(() => new Date(0));
  let calls = 0;
  const ask = async (response: string) => {
    calls += 1;
    return response;
  };
  await cached('ann', () => ask('ann'));
  await cached('bob', () => ask('bob'));
  const pending = Promise.withResolvers<string>();
  const running = cached('eve', () => pending.promise);
  forget((response) => response === 'ann');
  pending.resolve('eve');
  await running;
  for (const name of ['ann', 'bob', 'eve']) await cached(name, () => ask(name));
  assert.equal(calls, 4);
});
