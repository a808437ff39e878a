import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BoundedMap } from './bounded-map.ts';

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
