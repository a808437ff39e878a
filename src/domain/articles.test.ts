import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelsOf } from './articles.ts';

test('the labels of an article by a model are those of all its labelled sentences, what breaks first', () => {
  const risk = (label: 'default' | 'migration' | 'breaking', section: number) => ({
    categories: ['RISK' as const],
    label,
    severity: null,
    section,
    statements: [{ id: label }],
  });
  const notablePoints = [risk('default', 0), risk('migration', 1), risk('breaking', 2)];
  assert.deepEqual(
    labelsOf({ notablePoints, writer: { kind: 'ai' } }).map(({ label }) => label),
    ['breaking', 'default', 'migration'],
  );
});
