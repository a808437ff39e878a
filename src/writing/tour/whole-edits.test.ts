import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wholeEdits } from './whole-edits.ts';

const edits = (before: string, after: string): string[] =>
  wholeEdits(before, after).map(({ from, to }) => `${from} → ${to}`);

test('an edit is told up to the ends of what it stands in: a bound, an argument, a condition, a value', () => {
  for (const [before, after, told] of [
    [
      "where S: Clone + Send + Sync + 'static,",
      "where S: Send + Sync + 'static,",
      "Clone + Send + Sync + 'static → Send + Sync + 'static",
    ],
    ['impl<B, S: Send> A for T {', 'impl<B, S: Send + Sync> A for T {', 'Send → Send + Sync'],
    ['send(a + b, c)', 'send(a + b + d, c)', 'a + b → a + b + d'],
    [
      "type Verb = 'get' | 'put';",
      "type Verb = 'get' | 'ask' | 'put';",
      "'get' | 'put' → 'get' | 'ask' | 'put'",
    ],
    ['send(parcel)', 'send(parcel, address)', 'parcel → parcel, address'],
    ['send(size, parcel)', 'send(size, parcel, address)', 'size, parcel → size, parcel, address'],
    ['const most = size(a) * 2;', 'const most = 3 * size(a) * 2;', 'size(a) * 2 → 3 * size(a) * 2'],
    [
      'use axum::body::{Bytes, Full};',
      'use axum::body::BoxBody;',
      'axum::body::{Bytes, Full} → axum::body::BoxBody',
    ],
  ] as const)
    assert.deepEqual(edits(before, after), [told], after);
});

test('a name, a call or a literal that stands for another is told by itself', () => {
  for (const [before, after, told] of [
    ['total = weigh(a) + b', 'total = measure(a) + b', 'weigh → measure'],
    ['fn call(self, state: S) -> T', 'fn call(self, state: Arc<S>) -> T', 'S → Arc<S>'],
    ['if (isOpen(a) && b) {', 'if (isOpen(a) && !b) {', 'b → !b'],
    ["read('one')", "read('two')", "'one' → 'two'"],
    ['open({});', 'open(Object.create(null));', '{} → Object.create(null)'],
    ['image: node:20.1', 'image: node:22.0', '20.1 → 22.0'],
  ] as const)
    assert.deepEqual(edits(before, after), [told], after);
});
