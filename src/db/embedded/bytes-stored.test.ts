import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesStored } from './bytes-stored.ts';

test('what is stored counts by its size, wherever in a statement it is', () => {
  const texts = [
    'INSERT INTO parts (bytes) VALUES ($1)',
    'WITH gone AS (DELETE FROM parts RETURNING id) UPDATE parts AS kept SET bytes = $1 FROM gone',
    'UPDATE pgboss.job j SET data = $1',
    'BEGIN;\nCREATE TABLE parts (bytes bytea);\nCOMMIT',
  ];
  for (const text of texts) {
    assert.equal(bytesStored(text, [Buffer.alloc(1_000), ['ä', 'b'], null, 7]), text.length + 1_003, text);
  }
});

test('reading, locking and deleting store nothing', () => {
  for (const text of [
    'SELECT updated_at FROM parts WHERE id = $1 FOR UPDATE SKIP LOCKED',
    'DELETE FROM parts WHERE id = $1',
    'LISTEN "changes"',
    'COMMIT',
  ]) {
    assert.equal(bytesStored(text, ['x'.repeat(1_000)]), null, text);
  }
});
