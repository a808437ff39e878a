import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storable } from './storable-text.ts';

test('NUL and halves of surrogate pairs are replaced, everything else stays, however deep', () => {
  const when = new Date(0);
  const odd = {
    title: 'a\0b',
    list: ['\ud83d', '\u{1f40c}', { inner: 'ok\udc00' }],
    when,
    number: 7,
    nothing: null,
  };
  assert.deepEqual(storable(odd), {
    title: 'a\ufffdb',
    list: ['\ufffd', '\u{1f40c}', { inner: 'ok\ufffd' }],
    when,
    number: 7,
    nothing: null,
  });
});
