import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chance } from '../../../test/chance.ts';
import { diffOf } from '../../../test/diff-of.ts';
import type { Evidence } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { DiffLines } from '../verify/diff-lines.ts';
import type { Hunk } from '../written-article.ts';
import { chosenHunk, keepCitedHunks } from './cited-hunk.ts';

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

test('chosen lines are shown with what they replace and up to three lines around them', () => {
  const diff = diffOf('a.ts', '   z\n   a\n   b\n   c\n-  old();\n+  renewed();\n   d\n   e');
  const hunk = choose(diff, at('a.ts', 'new', 5));
  assert.deepEqual(printed(hunk), ['   a', '   b', '   c', '-  old();', '+  renewed();', '   d', '   e']);
  assert.deepEqual(
    [hunk?.lines[3], hunk?.lines[4]].map((line) => [line?.oldLine, line?.newLine]),
    [
      [5, null],
      [null, 5],
    ],
  );
});

test('what lies in two hunks, is too long, unchanged or not there is not shown', () => {
  const diff = diffOf('a.ts', [many('+', 40), `   a\n+  b\n+  ${'x'.repeat(2_000)}`]);
  const second = diff.hunks[1]?.newStart ?? 0;
  for (const chosen of [
    [],
    [at('b.ts', 'new', 1)],
    [at('a.ts', 'new', 900)],
    [at('a.ts', 'new', 1, 19)],
    [at('a.ts', 'new', 40), at('a.ts', 'new', second + 1)],
    [at('a.ts', 'new', second)],
    [at('a.ts', 'new', second + 2)],
  ])
    assert.equal(choose(diff, ...chosen), null, JSON.stringify(chosen));
  const context = diffOf('a.ts', `${many(' ', 12)}\n+  a();`);
  assert.equal(choose(context, at('a.ts', 'new', 2)), null, 'none of them changed');
});

test('what is cut off on either side is counted', () => {
  const added = diffOf('a.ts', many('+', 40), { status: 'added' });
  const hunk = choose(added, at('a.ts', 'new', 5, 22));
  assert.deepEqual(
    [hunk?.lines.length, hunk?.lines[0]?.newLine, hunk?.moreBefore, hunk?.moreAfter],
    [18, 5, 4, 18],
  );
  const replaced = diffOf('a.ts', `${many('-', 15)}\n${many('+', 8)}`);
  const torn = choose(replaced, at('a.ts', 'new', 2, 3));
  assert.deepEqual([printed(torn).length, torn?.moreBefore, torn?.moreAfter], [2, 16, 5]);
});

test('a hunk stays if its section cites a line of it and none shows it above, under the function it lies in', () => {
  const hunk = choose(diffOf('a.ts', '-  old();\n+  renewed();'), at('a.ts', 'new', 1));
  const ranges = [{ name: 'launch', isFunction: true, side: 'new' as const, startLine: 1, endLine: 9 }];
  const cited = section(hunk, at('a.ts', 'new', 1));
  const kept = keepCitedHunks(
    [section(hunk, at('a.ts', 'new', 2), at('b.ts', 'new', 1)), cited, cited, section(null)],
    [{ path: 'a.ts', ranges }],
  );
  assert.deepEqual(
    kept.map((one) => one.hunk?.heading),
    [undefined, 'launch', undefined, undefined],
  );
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

test('whatever is chosen of whatever diff, a hunk is one stretch of it, with both sides of what it replaces if there is room', () => {
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
  assert.ok(shown > 50, `${shown} hunks were looked at`);
});

function checkHunk({ lines, moreBefore, moreAfter }: Hunk, hunks: (readonly DiffLine[])[]): void {
  const keys = lines.map(({ kind, ...line }) => keyOf({ side: kind, ...line }));
  const whole = hunks.find((one) => one.some((line) => keyOf(line) === keys[0])) ?? [];
  const from = whole.findIndex((line) => keyOf(line) === keys[0]);
  assert.deepEqual(whole.slice(from, from + lines.length).map(keyOf), keys, 'lines follow each other');
  assert.ok(lines.length <= 18 && lines.some(({ kind }) => kind !== 'context'));
  const runAround = (place: number, step: 1 | -1): DiffLine[] => {
    const run: DiffLine[] = [];
    for (let at = place; whole[at] && whole[at]?.side !== 'context'; at += step)
      run.push(whole[at] as DiffLine);
    return run;
  };
  const to = from + lines.length;
  for (const [edge, outside, step, more] of [
    [from, from - 1, -1, moreBefore],
    [to - 1, to, 1, moreAfter],
  ] as const) {
    const cut = whole[edge]?.side === 'context' ? [] : runAround(outside, step);
    assert.equal(more, cut.length, 'what is cut off is counted');
    const run = [...cut, ...runAround(edge, step === 1 ? -1 : 1)];
    const isTorn = cut.length > 0 && new Set(run.map(({ side }) => side)).size > 1;
    assert.ok(
      !isTorn || lines.length + moreBefore + moreAfter > 18,
      'no replacement is torn that there is room for',
    );
  }
}
