import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beatsOf, showsAll } from './beats.ts';

const lines = (side: 'old' | 'new', startLine: number, endLine = startLine, fileName = 'a.ts') => ({
  fileName,
  side,
  startLine,
  endLine,
});
const say = (name: string, ...evidence: ReturnType<typeof lines>[]) => ({ name, evidence });
const added = (newLine: number) => ({ kind: 'added' as const, oldLine: null, newLine });
const removed = (oldLine: number) => ({ kind: 'removed' as const, oldLine, newLine: null });
const gap = { kind: 'gap' as const, oldLine: null, newLine: null };
const excerpt = (name: string, shown: ReturnType<typeof added | typeof removed>[]) => ({
  name,
  fileName: 'a.ts',
  lines: shown,
});

const told = (statements: ReturnType<typeof say>[], excerpts: ReturnType<typeof excerpt>[]) =>
  beatsOf(statements, excerpts).map((beat) => [
    beat.statements.map(({ name }) => name).join(' '),
    beat.excerpts.map(({ name }) => name).join(' '),
  ]);

test('an excerpt follows the last sentence that cites one of its lines, on the side that the line has', () => {
  const [first, second] = [excerpt('A', [removed(1), added(1)]), excerpt('B', [added(7)])];
  const statements = [
    say('1', lines('new', 1)),
    say('2', lines('old', 1, 9)),
    say('3', lines('new', 5, 7)),
    say('4'),
  ];
  assert.deepEqual(told(statements, [first, second]), [
    ['1 2', 'A'],
    ['3', 'B'],
    ['4', ''],
  ]);
  assert.deepEqual(told([say('1', lines('new', 1, 9, 'b.ts')), say('2', lines('old', 7))], [second]), [
    ['1', 'B'],
    ['2', ''],
  ]);
});

test('every sentence and every excerpt is told once, whether any is cited or none', () => {
  assert.deepEqual(told([], [excerpt('A', [added(1)])]), []);
  assert.deepEqual(told([say('1')], []), [['1', '']]);
  assert.deepEqual(told([say('1', lines('new', 1))], [excerpt('A', [added(1)]), excerpt('B', [added(3)])]), [
    ['1', 'A B'],
  ]);
});

test('lines between the first and the last of an excerpt are shown by it, others and those of other files are not', () => {
  const shown = { fileName: 'a.ts', lines: [removed(2), added(2), gap, added(9)] };
  assert.equal(showsAll(shown, lines('new', 2, 9)), true);
  assert.equal(showsAll(shown, lines('old', 2)), true);
  assert.equal(showsAll(shown, lines('old', 2, 3)), false);
  assert.equal(showsAll(shown, lines('new', 1, 2)), false);
  assert.equal(showsAll(shown, lines('new', 2, 9, 'b.ts')), false);
});
