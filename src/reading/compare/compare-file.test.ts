import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentSigns } from '../comment-signs.ts';
import { WholeDiff } from '../file-diff.ts';
import { readHunkLines } from '../hunk-lines.ts';
import { parseDiff } from '../parse-diff.ts';
import { rulesFor } from '../symbols/rules-for.ts';
import { compareFile, findMoves, movableOf } from './compare-file.ts';

function diffOf(path: string, lines: string[]): string {
  const count = (sign: string) =>
    lines.filter((line) => line.startsWith(' ') || line.startsWith(sign)).length;
  return [
    `diff --git a/${path} b/${path}`,
    'index 1111111..2222222 100644',
    `--- a/${path}`,
    `+++ b/${path}`,
    `@@ -10,${count('-')} +10,${count('+')} @@`,
    ...lines,
    '',
  ].join('\n');
}

/** The change of each unit, with its lines: `replaced 10-10>10-11`. */
function compare(files: Record<string, string[]>, language = 'TypeScript', cut: 'code' | 'text' = 'code') {
  const text = Object.entries(files)
    .map(([path, lines]) => diffOf(path, lines))
    .join('');
  const diff = parseDiff(Buffer.from(text));
  const whole = new WholeDiff();
  for (const file of diff) whole.note(file);
  const compared = diff.map((file) => {
    const hunks = readHunkLines(file.hunks, commentSigns(language));
    return compareFile(file.path, hunks, cut === 'code' ? rulesFor(language) : null, cut, whole);
  });
  findMoves(compared.flat().map(movableOf));
  const spanOf = (span: { startLine: number; endLine: number } | null) =>
    span ? `${span.startLine}-${span.endLine}` : '';
  return compared.map((units) =>
    units.map(({ change }) => `${change.kind} ${spanOf(change.old)}>${spanOf(change.new)}`),
  );
}

test('a statement broken over more lines is "rewrapped"', () => {
  const [units] = compare({
    'a.ts': ['-send(parcel, address, weight);', '+send(', '+  parcel,', '+  address,', '+  weight,', '+);'],
  });
  assert.deepEqual(units, ['rewrapped 10-10>10-14']);
});

test('a removed statement is paired with the added statement that shares most of its words', () => {
  const [units] = compare({
    'a.ts': [
      '-const limit = read(config);',
      '-log(limit);',
      '+const least = lowest(rates);',
      '+const limit = readOnce(config);',
      '+log(limit, least);',
    ],
  });
  assert.deepEqual(units, ['added >10-10', 'replaced 10-10>11-11', 'replaced 11-11>12-12']);
});

test('a function that leaves one file and appears in another is moved, including its short lines', () => {
  const lines = ['function weighParcel(parcel: Parcel) {', '  return parcel.weight;', '}'];
  const [from, to] = compare({
    'a.ts': lines.map((line) => `-${line}`),
    'b.ts': lines.map((line) => `+${line}`),
  });
  assert.deepEqual(from, ['moved 10-10>', 'moved 11-11>', 'moved 12-12>']);
  assert.deepEqual(to, ['moved >10-10', 'moved >11-11', 'moved >12-12']);
});

test('a paragraph with other line breaks is "rewrapped", not removed and added', () => {
  const [units] = compare(
    {
      'a.md': [
        '-One sentence that is',
        '-broken here.',
        '+One sentence that is broken here.',
        ' ',
        '+New one.',
      ],
    },
    'Markdown',
    'text',
  );
  assert.deepEqual(units, ['rewrapped 10-11>10-10', 'added >12-12']);
});

test('comparing a file never pairs a comment with code', () => {
  const [units] = compare({ 'a.ts': ['-// reads the limit from config', '+const limit = fromConfig;'] });
  assert.deepEqual(units, ['removed 10-10>', 'added >10-10']);
});
