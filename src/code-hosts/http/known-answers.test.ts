import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KnownAnswers } from './host-client.ts';

test('answers are kept up to a size, and those that nobody asked about for longest go first', () => {
  const known = new KnownAnswers(1_000);
  const answer = (words: string) => ({ tag: words, data: ['x'.repeat(400)], headers: {} });
  known.keep('one', answer('1'));
  known.keep('two', answer('2'));
  assert.equal(known.find('one')?.tag, '1');
  known.keep('three', answer('3'));
  assert.deepEqual(
    ['one', 'two', 'three'].map((key) => known.find(key)?.tag),
    ['1', undefined, '3'],
  );
  known.keep('one', answer('newer'));
  assert.equal(known.find('one')?.tag, 'newer');
  known.keep('large', { ...answer('4'), data: ['x'.repeat(2_000)] });
  assert.equal(known.find('large'), null);
  assert.equal(known.find('one')?.tag, 'newer', 'what does not fit pushes nobody out');
});
