import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chance } from '../../../test/chance.ts';
import { diffOf } from '../../../test/diff-of.ts';
import type { Evidence } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, linesOf } from '../../reading/file-diff.ts';
import type { Hunk } from '../written-article.ts';
import { citedHunks } from './cited-hunk.ts';

const citing = (...evidence: Evidence[]) => ({ statements: [{ basis: 'diff' as const, evidence }] });
const at = (fileName: string, side: 'old' | 'new', startLine: number, endLine = startLine): Evidence => ({
  fileName,
  side,
  startLine,
  endLine,
});
const signs = { context: ' ', added: '+', removed: '-' };
const printed = (hunk: Hunk | null | undefined): string[] =>
  hunk?.lines.map(({ kind, text }) => `${signs[kind]}${text}`) ?? [];
const many = (sign: string, count: number, name = 'line') =>
  Array.from({ length: count }, (_, index) => `${sign}  ${name} ${index};`).join('\n');

test('a cited line is shown with what it replaced and up to three lines around it, under the function it lies in', () => {
  const diff = diffOf('a.ts', '   z\n   a\n   b\n   c\n-  old();\n+  renewed();\n   d\n   e');
  const ranges = [{ name: 'launch', isFunction: true, side: 'new' as const, startLine: 1, endLine: 9 }];
  const [hunk] = citedHunks([citing(at('a.ts', 'new', 5))], [diff], [{ path: 'a.ts', ranges }]);
  assert.deepEqual(printed(hunk), ['   a', '   b', '   c', '-  old();', '+  renewed();', '   d', '   e']);
  assert.deepEqual([hunk?.heading, hunk?.moreBefore, hunk?.moreAfter], ['launch', 0, 0]);
  assert.deepEqual(
    [hunk?.lines[3], hunk?.lines[4]].map((line) => [line?.oldLine, line?.newLine]),
    [
      [5, null],
      [null, 5],
    ],
  );
});

test('of two places the one with more cited lines is shown, and nothing is left out between them', () => {
  const apart = diffOf('a.ts', `-  a();\n+  b();\n${many(' ', 30)}\n+  c();\n+  d();\n+  e();`);
  const [hunk] = citedHunks([citing(at('a.ts', 'new', 1), at('a.ts', 'new', 32, 34))], [apart], []);
  assert.deepEqual(printed(hunk).slice(-3), ['+  c();', '+  d();', '+  e();']);
  const near = diffOf('a.ts', '+  a();\n   b();\n   c();\n+  d();');
  const [whole] = citedHunks([citing(at('a.ts', 'new', 1), at('a.ts', 'new', 4))], [near], []);
  assert.deepEqual(printed(whole), ['+  a();', '   b();', '   c();', '+  d();']);
});

test('a long addition is cut at its end and says how much is left; a replacement that is too long is not shown', () => {
  const added = diffOf('a.ts', many('+', 40), { status: 'added' });
  const [hunk] = citedHunks([citing(at('a.ts', 'new', 5, 30))], [added], []);
  assert.deepEqual(
    [hunk?.lines.length, hunk?.lines[0]?.newLine, hunk?.moreBefore, hunk?.moreAfter],
    [18, 5, 4, 18],
  );
  const replaced = diffOf('a.ts', `${many('-', 15)}\n${many('+', 4)}`);
  assert.deepEqual(citedHunks([citing(at('a.ts', 'new', 2))], [replaced], []), [null]);
});

test('words show nothing, and neither do files that are not there, lines that are too long and lines shown before', () => {
  const long = diffOf('a.ts', `+  ${'x'.repeat(100_000)}`);
  const words = { statements: [{ basis: 'words' as const, evidence: [at('c.ts', 'new', 1)] }] };
  const changes = [citing(at('a.ts', 'new', 1)), citing(at('b.ts', 'new', 1)), words];
  assert.deepEqual(citedHunks(changes, [long, diffOf('c.ts', '+  a')], []), [null, null, null]);
  const twice = citedHunks(
    [citing(at('c.ts', 'new', 1)), citing(at('c.ts', 'new', 1))],
    [diffOf('c.ts', '+  a')],
    [],
  );
  assert.deepEqual(twice.map(printed), [['+  a'], []]);
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

test('whatever is cited of whatever diff, a hunk is one stretch of it, with both sides of what it replaces', () => {
  let shown = 0;
  for (let seed = 1; seed <= 400; seed += 1) {
    const chance = new Chance(seed);
    const diff = ['a.ts', 'b.ts'].map((path) => madeDiff(chance, path));
    const changes = Array.from({ length: chance.from(1, 4) }, () =>
      citing(
        ...Array.from({ length: chance.from(1, 4) }, () => {
          const start = chance.from(1, 430);
          const side = chance.one<'old' | 'new'>(['old', 'new']);
          return at(chance.one(['a.ts', 'b.ts', 'd.ts']), side, start, start + chance.from(0, 60));
        }),
      ),
    );
    for (const hunk of citedHunks(changes, diff, [])) {
      if (!hunk) continue;
      shown += 1;
      checkHunk(hunk, diff.find(({ path }) => path === hunk.fileName)?.hunks.map(linesOf) ?? []);
    }
  }
  assert.ok(shown > 200, `${shown} hunks were looked at`);
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
    if (cut.length > 0) {
      const run = [...cut, ...runAround(edge, step === 1 ? -1 : 1)];
      assert.equal(new Set(run.map(({ side }) => side)).size, 1, 'no replacement is torn');
    }
  }
}
