import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareConditions, conditionIn } from './conditions.ts';

test('what a condition asks for is found in every way of writing one', () => {
  for (const [statement, condition] of [
    ['if (a && b) {', 'a && b'],
    ['if (a) return;', 'a'],
    ['} else if (a(b)) {', 'a(b)'],
    ['if err != nil {', 'err != nil'],
    ['if n, ok := read(); ok {', 'ok'],
    ['if a and not b:', 'a and not b'],
    ['elif x in y:', 'x in y'],
    ['return a', null],
    ['if let Some(x) = y {', null],
  ] as const)
    assert.equal(conditionIn(statement), condition, statement);
});

test('a condition that asks for more, or for less, is told as that; another one as another', () => {
  assert.deepEqual(compareConditions('a', 'a && b'), { kind: 'alsoNeeds', condition: 'b' });
  assert.deepEqual(compareConditions('a', 'a or b'), { kind: 'alsoHolds', condition: 'b' });
  assert.deepEqual(compareConditions('a && b', 'b'), { kind: 'noLongerNeeds', condition: 'a' });
  assert.deepEqual(compareConditions('a < b', 'a != b'), {
    kind: 'otherCondition',
    from: 'a < b',
    to: 'a != b',
  });
  assert.equal(compareConditions('a  && b', 'a && b'), null);
});

test('where another operator binds outside, nothing is said of a part', () => {
  assert.equal(compareConditions('a', 'a && b || c')?.kind, 'otherCondition');
  assert.deepEqual(compareConditions('a', 'a && (b || c)'), { kind: 'alsoNeeds', condition: '(b || c)' });
});
