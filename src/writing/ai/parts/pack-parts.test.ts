import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../../test/diff-of.ts';
import { readFacts } from '../../../../test/read-facts.ts';
import { type FileDiff, linesOf } from '../../../reading/file-diff.ts';
import { forParts, lookAround, partKey, partMaterial, partsOf, splitHunk } from './pack-parts.ts';

const lines = (count: number, sign = '+', from = 0) =>
  Array.from({ length: count }, (_, at) => `${sign}const value${from + at} = ${from + at};`).join('\n');

const sourceOf = (diff: FileDiff[], title = 'Everything') => {
  const facts = readFacts(
    { repository: 'some/where', title, body: null, commitMessages: [], labels: [] },
    diff,
    new Map(),
  );
  const sentences = [
    { where: 'title' as const, speaker: 'rin', text: title },
    { where: 'commit' as const, speaker: 'rin', text: `About ${diff.length} files.` },
  ];
  return { diff, facts, findings: [], sentences };
};

/** Every changed line of files, with its path and numbers. */
const changedIn = (files: FileDiff[]): string[] =>
  files.flatMap(({ path, hunks }) =>
    hunks.flatMap((hunk) =>
      linesOf(hunk).flatMap(({ side, oldLine, newLine, text }) =>
        side === 'context' ? [] : [`${path} ${oldLine ?? ''}/${newLine ?? ''} ${text}`],
      ),
    ),
  );

const many = Array.from({ length: 60 }, (_, at) =>
  diffOf(`src/area${at % 5}/file${at}.ts`, `\n${lines(40 + at, '+', at)}`, { status: 'added' }),
);
const huge = diffOf('src/huge.ts', [lines(900, '-'), `${lines(700, '-')}\n${lines(700, '+')}`]);

test('a large diff is split into parts: every changed line is in exactly one, large files are split, and none exceeds the limit', () => {
  const diff = [...many, huge];
  const source = sourceOf(diff);
  const { parts } = partsOf(source, 20_000, []);
  assert.deepEqual(changedIn(parts.flat()).toSorted(), changedIn(diff).toSorted());
  assert.ok(parts.length > 5);
  const divided = forParts(source);
  for (const part of parts) {
    const shown = [...partMaterial(divided, part).lines, ...lookAround(divided, part)];
    assert.ok(Buffer.byteLength(shown.join('\n')) <= 20_000, `${part.length} files`);
  }
});

test('a hunk is split into hunks whose lines keep their numbers', () => {
  const [hunk] = diffOf('a.ts', ` before\n${lines(5, '-')}\n${lines(5, '+')}\n after\n${lines(3, '+', 9)}`, {
    start: 7,
  }).hunks;
  assert.ok(hunk);
  const pieces = splitHunk(hunk, 60, ({ text }) => text.length);
  assert.ok(pieces.length > 3);
  assert.deepEqual(
    pieces.flatMap((piece) => [...linesOf(piece)]),
    [...linesOf(hunk)],
  );
});

test('a piece of a hunk without a changed line is left out', () => {
  const [hunk] = diffOf('a.ts', ` before\n${lines(9)}`).hunks;
  assert.ok(hunk);
  const pieces = splitHunk(hunk, 55, ({ text }) => text.length);
  assert.ok(pieces.every((piece) => linesOf(piece).some(({ side }) => side === 'added')));
});

test('a test is in the same part of a large diff as the file it tests', () => {
  const apart = [
    diffOf('src/aaa/other.ts', lines(150)),
    diffOf('src/zoo/lion.ts', lines(60)),
    diffOf('src/zoo/zebra.ts', lines(60)),
    diffOf('test/zoo/lion.test.ts', lines(60)),
  ];
  const { parts } = partsOf(sourceOf(apart), 10_500, []);
  const withLion = parts.find((part) => part.some(({ path }) => path === 'src/zoo/lion.ts'));
  assert.deepEqual(
    withLion?.slice(0, 2).map(({ path }) => path),
    ['src/zoo/lion.ts', 'test/zoo/lion.test.ts'],
  );
});

test('a push that changes one file and adds another leaves all but two parts unchanged', () => {
  const read = (diff: FileDiff[], earlier: string[][], model = 'model') => {
    const source = sourceOf(diff);
    const { parts, plan } = partsOf(source, 20_000, earlier);
    return { plan, keys: parts.map((part) => partKey(partMaterial(forParts(source), part), model)) };
  };
  const before = read(many, []);
  assert.deepEqual(read(many, before.plan).keys, before.keys);
  const grown = diffOf('src/area0/file30.ts', `\n${lines(90, '+', 500)}`, { status: 'added' });
  const pushed = read(
    [...many.with(30, grown), diffOf('src/new.ts', '+export const late = true;')],
    before.plan,
  );
  const anew = pushed.keys.filter((key) => !before.keys.includes(key));
  assert.ok(anew.length <= 2, 'its own part, and one for what is new or has no more room');
  assert.ok(read(many, before.plan, 'another').keys.every((key) => !before.keys.includes(key)));
});
