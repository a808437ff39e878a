import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeWeights, isStorable } from '../../../scripts/change-type/print-table.ts';
import { changeTypes } from '../../domain/article.ts';
import { decodeWeights } from './change-features.ts';
import stored from './change-type-table.json' with { type: 'json' };

test('weights are read back as they were stored', () => {
  const rows = Array.from({ length: 64 }, (_, index): [string, number[]] => [
    `b^:,#.${index} two words`,
    changeTypes.map((_, type) => ((index + 9 * type) % 64) - 32),
  ]);
  const decoded = decodeWeights(encodeWeights(rows));
  assert.deepEqual(
    [...decoded].map(([name, weights]) => [name, [...weights]]),
    rows,
  );
});

test('weights that no letter can say are stored as the nearest that one can', () => {
  const decoded = decodeWeights(encodeWeights([['far', [-400, 400, 0.4, -0.6, 0, 0, 0, 0]]]));
  assert.deepEqual([...(decoded.get('far') ?? [])], [-32, 31, 0, -1, 0, 0, 0, 0]);
});

test('the stored table is what its own weights are stored as', () => {
  for (const lines of Object.values(stored.weights)) {
    const rows = [...decodeWeights(lines)].map(([name, weights]): [string, number[]] => [name, [...weights]]);
    assert.ok(rows.length > 100);
    assert.ok(rows.every(([name, weights]) => isStorable(name) && weights.length === changeTypes.length));
    assert.deepEqual(encodeWeights(rows), lines);
  }
});

test('names that would break the format are not stored', () => {
  for (const name of ['', 'a|b', 'a ', ' a', 'a  b', 'é', 'a"b', 'a\\b', 'a\nb']) {
    assert.ok(!isStorable(name), name);
  }
  for (const name of ['^fix crash', '#length 3', 'in .github']) assert.ok(isStorable(name), name);
});
