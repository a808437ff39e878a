import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roomNeeded } from './room-needed.ts';

test('what is stored counts by its size, wherever in a statement it is', () => {
  const texts = [
    'INSERT INTO parts (bytes) VALUES ($1)',
    'WITH gone AS (DELETE FROM parts RETURNING id) UPDATE parts AS kept SET bytes = $1 FROM gone',
    'UPDATE public.parts p SET bytes = $1',
    'BEGIN;\nCREATE TABLE parts (bytes bytea);\nCOMMIT',
  ];
  for (const text of texts) {
    const stored = [Buffer.alloc(1_000), ['ä', 'b'], null, 7];
    assert.equal(roomNeeded(text, stored), text.length + 1_003, text);
    assert.equal(roomNeeded(text, stored, { mayUseReserve: true }), 'reserve', text);
  }
});

test('deleting uses the reserve', () => {
  for (const text of ['DELETE FROM parts WHERE id = $1', 'DROP TABLE parts']) {
    assert.equal(roomNeeded(text, ['x'.repeat(1_000)]), 'reserve', text);
  }
});

test('reading and locking need no room', () => {
  for (const text of [
    'SELECT updated_at FROM parts WHERE id = $1 FOR UPDATE SKIP LOCKED',
    'LISTEN "changes"',
    'COMMIT',
  ]) {
    assert.equal(roomNeeded(text, ['x'.repeat(1_000)], { mayUseReserve: true }), 'none', text);
  }
});
