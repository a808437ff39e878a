import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentSignsIn } from '../comment-signs.ts';
import { compareFile, newsIn } from '../compare/compare-file.ts';
import type { FileFacts, FileKind } from '../facts.ts';
import { readHunkLines } from '../hunk-lines.ts';
import { parseDiff } from '../parse-diff.ts';
import { WholeDiff } from '../whole-diff.ts';
import { attentionInFacts, exportsGone, mergeAttention } from './in-facts.ts';
import { attentionInUnits } from './in-units.ts';

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

function factsOf(path: string, kind: FileKind, more: Partial<FileFacts> = {}): FileFacts {
  return {
    path,
    previousPath: null,
    status: 'modified',
    kind,
    language: null,
    additions: 1,
    deletions: 1,
    changeType: 'CHORE',
    importance: 0,
    symbols: [],
    dependencies: [],
    surfaces: [],
    tests: [],
    changes: [],
    ranges: [],
    definitions: [],
    isSubmodule: false,
    becameExecutable: null,
    place: null,
    skipped: null,
    ...more,
  };
}

function pointsIn(path: string, lines: string[], kind: FileKind = 'source') {
  const file = change(path, lines);
  const whole = new WholeDiff();
  whole.note(file);
  const hunks = readHunkLines(file.hunks, commentSignsIn(file));
  return attentionInUnits(path, kind, newsIn(compareFile(path, hunks, null, 'code'), whole));
}

const reasons = (path: string, lines: string[], kind: FileKind = 'source') =>
  pointsIn(path, lines, kind).map(({ category, reason, subjects }) => `${category} ${reason}: ${subjects}`);

test('only what the lines prove is noticed: skipped tests and rights', () => {
  assert.deepEqual(reasons('test/a.test.ts', ["+it.skip('sends', () => {"], 'test'), [
    'RISK testSkipped: it.skip',
  ]);
  assert.deepEqual(reasons('.github/workflows/a.yml', ['+  contents: write'], 'build'), [
    'SECURITY permissionChanged: contents: write',
  ]);
  const [point] = pointsIn('a.test.ts', ['-one', "+it.skip('sends', () => {"], 'test');
  assert.deepEqual(point?.evidence, [{ fileName: 'a.test.ts', startLine: 10, endLine: 10, side: 'new' }]);
});

test('what stood there before, and words that only sound dangerous, are no news', () => {
  assert.deepEqual(reasons('test/a.test.ts', ["-it.skip('a', () => {", "+it.skip('b', () => {"], 'test'), []);
  assert.deepEqual(reasons('src/a.ts', ['+if (!user.password) return deny();']), []);
  assert.deepEqual(reasons('src/a.ts', ['+await Promise.all(jobs);']), []);
});

test('public functions that go or change, and settings that go are risks', () => {
  const evidence = { fileName: 'src/a.ts', startLine: 1, endLine: 1, side: 'old' as const };
  const symbol = {
    container: null,
    previousName: null,
    movedFrom: null,
    movedTo: null,
    isEdited: false,
    mayBePublic: true,
    signatureEdits: [],
    concernsCallers: false,
    value: null,
    signature: null,
    previousSignature: null,
    explanation: null,
    evidence,
  };
  const files = [
    factsOf('src/a.ts', 'source', {
      symbols: [
        { ...symbol, kind: 'function', name: 'gone', change: 'removed', isPublic: true },
        { ...symbol, kind: 'function', name: 'inner', change: 'removed', isPublic: false },
        {
          ...symbol,
          kind: 'function',
          name: 'wider',
          change: 'signatureChanged',
          isPublic: true,
          concernsCallers: true,
        },
      ],
      surfaces: [{ kind: 'commandLineOption', name: '--old-port', change: 'removed', evidence }],
    }),
    factsOf('package.json', 'manifest', {
      dependencies: [
        {
          name: 'zod',
          change: 'upgraded',
          movedFrom: null,
          movedTo: null,
          from: '^3.25.0',
          to: '^4.3.0',
          scope: 'runtime',
          evidence,
        },
        {
          name: 'pino',
          change: 'upgraded',
          movedFrom: null,
          movedTo: null,
          from: '10.0.0',
          to: '10.4.0',
          scope: 'runtime',
          evidence,
        },
      ],
    }),
  ];
  const found = attentionInFacts(files).map(({ reason, subjects }) => `${reason}: ${subjects.join(' ')}`);
  assert.deepEqual(found, [
    'publicApiRemoved: gone',
    'publicApiChanged: wider',
    'settingRemoved: --old-port',
  ]);
});

test('a name that leaves the lists of what a module exports is gone for callers', () => {
  const table: [lines: string[], gone: string[]][] = [
    [['-export { a, b as c };', '+export { a };'], ['c']],
    [[' export {', '   a,', '-  type B,', " } from './b.ts';"], ['B']],
    [[' module.exports = {', '-  one,', '-  two: 2', '+  one', ' }'], ['two']],
    [["-export { a } from './a.ts';", "+export { a } from './b.ts';"], []],
    [["-export { a } from './a.ts';", "+export * from './a.ts';"], []],
    [['-// export { a };'], []],
  ];
  for (const [lines, gone] of table) {
    const file = change('src/index.ts', lines);
    const points = exportsGone(file.path, readHunkLines(file.hunks, commentSignsIn(file)));
    assert.deepEqual(
      points.flatMap(({ subjects }) => subjects),
      gone,
      lines.join(' '),
    );
  }
});

test('each reason is told once, with what all files say', () => {
  const point = (subject: string) => ({
    category: 'RISK' as const,
    reason: 'testSkipped' as const,
    subjects: [subject],
    transitions: [],
    evidence: [],
  });
  assert.deepEqual(mergeAttention([point('cache'), point('pool'), point('cache')]), [
    { ...point('cache'), subjects: ['cache', 'pool'] },
  ]);
});
