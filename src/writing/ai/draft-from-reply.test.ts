import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chance } from '../../../test/chance.ts';
import { diffOf } from '../../../test/diff-of.ts';
import { english, sayUnchanged } from '../../domain/article-words.ts';
import type { Evidence, UnitChange } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, linesOf } from '../../reading/file-diff.ts';
import type { Hunk } from '../articles.ts';
import { DiffLines } from '../verify/diff-lines.ts';
import { chosenHunk, keepCitedHunks } from './draft-from-reply.ts';

const at = (fileName: string, side: 'old' | 'new', startLine: number, endLine = startLine): Evidence => ({
  fileName,
  side,
  startLine,
  endLine,
});
const choose = (diff: FileDiff, ...chosen: Evidence[]) => chosenHunk(chosen, new DiffLines([diff]));
const signs = { context: ' ', added: '+', removed: '-' };
const printed = (hunk: Hunk | null | undefined): string[] =>
  hunk?.lines.map(({ kind, text }) => `${signs[kind]}${text}`) ?? [];
const many = (sign: string, count: number, name = 'line') =>
  Array.from({ length: count }, (_, index) => `${sign}  ${name} ${index};`).join('\n');
const section = (hunk: Hunk | null, ...evidence: Evidence[]) => ({
  heading: null,
  fileName: 'a.ts',
  changeTypes: [],
  statements: [{ id: '', text: '', basis: 'diff' as const, evidence }],
  hunk,
});

test('chosen lines are shown together with the lines they replace', () => {
  const diff = diffOf('a.ts', '   z\n   a\n   b\n   c\n-  old();\n+  renewed();\n   d\n   e');
  const hunk = choose(diff, at('a.ts', 'new', 5));
  assert.deepEqual(printed(hunk), ['-  old();', '+  renewed();']);
  assert.deepEqual(
    hunk?.lines.map((line) => [line.oldLine, line.newLine]),
    [
      [5, null],
      [null, 5],
    ],
  );
  assert.deepEqual(printed(choose(diff, at('a.ts', 'new', 4, 5))), ['   c', '-  old();', '+  renewed();']);
  assert.deepEqual(printed(choose(diff, at('a.ts', 'old', 5, 6))), ['-  old();', '+  renewed();', '   d']);
});

test('chosen lines are not shown if they and the lines they replace are too many to show in full', () => {
  const below = diffOf('a.ts', `-  let door = 1;\n+  let door = 2;\n${many('+', 8, 'new')}`);
  assert.equal(printed(choose(below, at('a.ts', 'new', 5, 6))).length, 10);
  const long = diffOf('a.ts', `-  let door = 1;\n${many('-', 16, 'shut')}\n+  let door = 2;\n+  lid();`);
  assert.equal(choose(long, at('a.ts', 'new', 1, 2)), null);
});

test('lines in two hunks, too long, unchanged or missing are not shown', () => {
  const diff = diffOf('a.ts', [many('+', 40), `   a\n+  b\n+  ${'x'.repeat(2_000)}`]);
  const second = diff.hunks[1]?.newStart ?? 0;
  for (const chosen of [
    [],
    [at('b.ts', 'new', 1)],
    [at('a.ts', 'new', 900)],
    [at('a.ts', 'new', 40), at('a.ts', 'new', second + 1)],
    [at('a.ts', 'new', second)],
    [at('a.ts', 'new', second + 2)],
  ])
    assert.equal(choose(diff, ...chosen), null, JSON.stringify(chosen));
  const context = diffOf('a.ts', `${many(' ', 12)}\n+  a();`);
  assert.equal(choose(context, at('a.ts', 'new', 2)), null, 'none of them changed');
});

test('a cut hunk counts the lines after it, and a replacement is never cut', () => {
  const added = diffOf('a.ts', many('+', 40), { status: 'added' });
  const hunk = choose(added, at('a.ts', 'new', 5, 30));
  assert.deepEqual(
    [hunk?.lines.length, hunk?.lines[0]?.newLine, hunk?.moreBefore, hunk?.moreAfter],
    [18, 5, 0, 8],
  );
  const replaced = diffOf('a.ts', `${many('-', 15, 'shut')}\n${many('+', 8, 'open')}`);
  assert.equal(choose(replaced, at('a.ts', 'new', 2, 3)), null);
});

test('a choice that is too long keeps the part with the most cited lines, new ones first', () => {
  const diff = diffOf(
    'a.ts',
    `${many('-', 12, 'getter')}\n   between\n${many('+', 14, 'reader')}\n+  if (isPrefix) fail();\n+  go();`,
  );
  const chosen = [at('a.ts', 'old', 1, 13), at('a.ts', 'new', 1, 17)];
  const lines = new DiffLines([diff]);
  const decisive = at('a.ts', 'new', 16);
  const getters = at('a.ts', 'old', 1, 12);
  const hunk = chosenHunk(chosen, lines, [getters, decisive]);
  assert.ok(printed(hunk).includes('+  if (isPrefix) fail();'), printed(hunk).join('\n'));
  assert.deepEqual([hunk?.lines.length, hunk?.moreBefore, hunk?.moreAfter], [18, 10, 1]);
  assert.equal(printed(chosenHunk(chosen, lines, [getters]))[0], '-  getter 0;');
});

test('an excerpt goes on to the cited lines of its hunk, and leaves out definitions deleted before them', () => {
  const near = diffOf(
    'a.go',
    '-func a() {\n+func b() {\n   x\n   y\n+  if isPrefix {\n+    return full\n+  }',
  );
  const shown = chosenHunk([at('a.go', 'new', 1)], new DiffLines([near]), [at('a.go', 'new', 4, 5)]);
  assert.deepEqual(printed(shown).at(-1), '+    return full');

  const getters = Array.from({ length: 5 }, (_, one) => `-get${one}() {\n-  go\n-}\n-`).join('\n');
  const far = diffOf('a.go', `${getters}\n-read() {\n+readLine() {\n   x\n+  if isPrefix {`);
  const chosen = [at('a.go', 'old', 1, 21), at('a.go', 'new', 1, 3)];
  const cut = printed(chosenHunk(chosen, new DiffLines([far]), [at('a.go', 'new', 3)]));
  assert.deepEqual([cut[0], cut.at(-1)], ['-get2() {', '+  if isPrefix {']);
});

const compared = { language: 'TypeScript', changes: [] };

test('a hunk is kept if its section cites a line of it and no section above shows it, headed by its function', () => {
  const hunk = choose(diffOf('a.ts', '-  old();\n+  renewed();'), at('a.ts', 'new', 1));
  const ranges = [{ name: 'launch', isFunction: true, side: 'new' as const, startLine: 1, endLine: 9 }];
  const cited = section(hunk, at('a.ts', 'new', 1));
  const kept = keepCitedHunks(
    [section(hunk, at('a.ts', 'new', 2), at('b.ts', 'new', 1)), cited, cited, section(null)],
    [{ ...compared, path: 'a.ts', ranges, kind: 'source' }],
  );
  assert.deepEqual(
    kept.map((one) => one.hunk?.heading),
    [undefined, 'launch', undefined, undefined],
  );
  const beside = { ...compared, path: 'b.ts', ranges: [], kind: 'source' as const };
  const [test] = keepCitedHunks([cited], [{ ...compared, path: 'a.ts', ranges, kind: 'test' }, beside]);
  assert.equal(test?.hunk, null, 'tests beside code');
});

test('lines of a hunk that only moved or got another indentation are marked, and a hunk of nothing else is not shown', () => {
  const change = (kind: UnitChange['kind'], line: number, counterpart: Evidence | null): UnitChange => ({
    ...{ kind, of: 'code', old: null, new: at('a.ts', 'new', line), counterpart },
  });
  const changes = [change('moved', 1, at('b.ts', 'old', 7)), change('rewrapped', 3, null)];
  const file = { path: 'a.ts', ranges: [], kind: 'source' as const, language: 'TypeScript', changes };
  const diff = diffOf('a.ts', '+moved();\n+added();\n+  deeper();');
  const kept = (end: number) => {
    const lines = at('a.ts', 'new', 1, end);
    return keepCitedHunks([section(choose(diff, lines), lines)], [file])[0]?.hunk?.lines;
  };
  const lines = kept(3) ?? [];
  assert.deepEqual(
    lines.map((one) => one.unchanged),
    ['moved', undefined, 'layout'],
  );
  assert.deepEqual(sayUnchanged(english, lines), [
    'Lines that only moved, by their numbers in the file: +1',
    'Lines with other white space only, by their numbers in the file: +3',
  ]);
  assert.equal(kept(1), undefined);
});

function madeDiff(chance: Chance, path: string): FileDiff {
  const bodies = Array.from({ length: chance.from(1, 4) }, () =>
    Array.from({ length: chance.from(1, 14) }, () => {
      const side = chance.one([' ', ' ', '+', '-', '+-']);
      const run = () => chance.from(1, 6) * (chance.from(0, 3) === 0 ? 3 : 1);
      return side === '+-'
        ? `${many('-', run())}\n${many('+', run())}`
        : many(side, run(), `w${chance.from(0, 9)}`);
    }).join('\n'),
  );
  return diffOf(path, bodies);
}

const keyOf = ({ side, oldLine, newLine, text }: DiffLine) => JSON.stringify([side, oldLine, newLine, text]);

test('for random diffs and choices, a hunk is one stretch of at most 18 lines', () => {
  let shown = 0;
  for (let seed = 1; seed <= 400; seed += 1) {
    const chance = new Chance(seed);
    const diff = madeDiff(chance, 'a.ts');
    const start = chance.from(1, 200);
    const chosen = at('a.ts', chance.one<'old' | 'new'>(['old', 'new']), start, start + chance.from(0, 12));
    const hunk = choose(diff, chosen);
    if (!hunk) continue;
    shown += 1;
    checkHunk(hunk, diff.hunks.map(linesOf));
  }
  assert.ok(shown > 30, `${shown} hunks were looked at`);
});

function checkHunk({ lines, moreBefore, moreAfter }: Hunk, hunks: (readonly DiffLine[])[]): void {
  const keys = lines.map(({ kind, ...line }) => keyOf({ side: kind, ...line }));
  const whole = hunks.find((one) => one.some((line) => keyOf(line) === keys[0])) ?? [];
  const from = whole.findIndex((line) => keyOf(line) === keys[0]);
  assert.deepEqual(whole.slice(from, from + lines.length).map(keyOf), keys, 'lines follow each other');
  assert.ok(lines.length <= 18 && lines.some(({ kind }) => kind !== 'context'));
  assert.ok(moreBefore + moreAfter === 0 || lines.length === 18, 'cut only at the limit');
}
