import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchGlob, matchSegment as matchWithin } from './match-glob.ts';

const matches = (pattern: string, path: string) =>
  matchGlob(pattern.split('/'), path.split('/'), { steps: 1_000 });
const matchSegment = (pattern: string, name: string, budget = { steps: 1_000 }) =>
  matchWithin(pattern, name, budget);

test('stars, question marks and classes stay within one name', () => {
  assert.ok(matchSegment('*.ts', 'a.ts'));
  assert.ok(matchSegment('a*b*c', 'axxbyybzc'));
  assert.ok(!matchSegment('*.ts', 'a.tsx'));
  assert.ok(matchSegment('v?', 'v1'));
  assert.ok(!matchSegment('v?', 'v'));
  assert.ok(matchSegment('[a-c]x', 'bx'));
  assert.ok(matchSegment('[!a-c]x', 'dx'));
  assert.ok(!matchSegment('[!a-c]x', 'ax'));
  assert.ok(matchSegment('\\*', '*'));
  assert.ok(!matchSegment('\\*', 'a'));
  assert.ok(!matchSegment('[', '['));
});

test('two stars stand for any number of directories, and at the end for something inside', () => {
  assert.ok(matches('a/**/z', 'a/z'));
  assert.ok(matches('a/**/z', 'a/b/c/z'));
  assert.ok(matches('**/z', 'z'));
  assert.ok(matches('a/**', 'a/b/c'));
  assert.ok(!matches('a/**', 'a'));
  assert.ok(!matches('a/*', 'a/b/c'));
  assert.ok(matches('**/gen/*.go', 'x/gen/gen/a.go'));
});

test('a hostile pattern gives up after a bounded number of steps', () => {
  const stars = `${'*a'.repeat(200)}b`;
  const name = `${'a'.repeat(5000)}b`;
  const [pattern, path] = [`${'**/a/'.repeat(100)}b`, `${'a/'.repeat(5000)}b`];
  const patience = () => ({ steps: Number.POSITIVE_INFINITY });
  assert.ok(matchSegment(stars, name, patience()), 'it would match in the end');
  assert.ok(!matchSegment(stars, name));
  assert.ok(matchGlob(pattern.split('/'), path.split('/'), patience()));
  assert.ok(!matches(pattern, path));
});
