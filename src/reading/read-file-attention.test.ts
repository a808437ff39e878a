import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentSignsIn } from './comment-signs.ts';
import { compareFile, newsIn } from './compare/compare-file.ts';
import type { FileKind } from './facts.ts';
import { WholeDiff } from './file-diff.ts';
import { readHunkLines } from './hunk-lines.ts';
import { parseDiff } from './parse-diff.ts';
import { attentionIn, mergeAttention } from './read-file.ts';

function change(path: string, lines: string[]) {
  const removed = lines.filter((line) => line.startsWith('-')).length;
  const text = [
    `diff --git a/${path} b/${path}`,
    'index 1111111..2222222 100644',
    `--- a/${path}`,
    `+++ b/${path}`,
    `@@ -10,${removed} +10,${lines.length - removed} @@`,
    ...lines,
    '',
  ].join('\n');
  const [file] = parseDiff(Buffer.from(text));
  if (!file) throw new Error('The diff has no file.');
  return file;
}

function pointsIn(path: string, lines: string[], kind: FileKind = 'source') {
  const file = change(path, lines);
  const whole = new WholeDiff();
  whole.note(file);
  const hunks = readHunkLines(file.hunks, commentSignsIn(file));
  return attentionIn(path, kind, newsIn(compareFile(path, hunks, null, 'code', whole), whole));
}

const reasons = (path: string, lines: string[], kind: FileKind = 'source') =>
  pointsIn(path, lines, kind).map(({ reason, subjects }) => `${reason}: ${subjects}`);

test('added test skips and added permissions are reported, and a skip with the line that proves it', () => {
  assert.deepEqual(reasons('test/a.test.ts', ["+it.skip('sends', () => {"], 'test'), [
    'testSkipped: it.skip',
  ]);
  assert.deepEqual(reasons('.github/workflows/a.yml', ['+  contents: write'], 'build'), [
    'permissionChanged: contents: write',
  ]);
  const [point] = pointsIn('a.test.ts', ['-one', "+it.skip('sends', () => {"], 'test');
  assert.deepEqual(point?.evidence, [{ fileName: 'a.test.ts', startLine: 10, endLine: 10, side: 'new' }]);
});

test('a skip that existed before, and code that only sounds risky, are not reported', () => {
  assert.deepEqual(reasons('test/a.test.ts', ["-it.skip('a', () => {", "+it.skip('b', () => {"], 'test'), []);
  assert.deepEqual(reasons('src/a.ts', ['+if (!user.password) return deny();']), []);
  assert.deepEqual(reasons('src/a.ts', ['+await Promise.all(jobs);']), []);
});

test('`mergeAttention` lists each reason once, with the distinct subjects of all files', () => {
  const point = (subject: string) => ({
    reason: 'testSkipped' as const,
    subjects: [subject],
    evidence: [],
  });
  assert.deepEqual(mergeAttention([point('cache'), point('pool'), point('cache')]), [
    { ...point('cache'), subjects: ['cache', 'pool'] },
  ]);
});
