import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../test/diff-of.ts';
import { readFacts } from '../../test/read-facts.ts';
import type { NamedRange } from './facts.ts';
import type { FileDiff } from './file-diff.ts';
import { sidesToOutline } from './symbols/outline-file.ts';

const text = { repository: 'acme/rocket', title: 'A change', body: null, labels: [], commitMessages: [] };

const rangesOf = (file: FileDiff, outlined: Omit<NamedRange, 'isFunction'>[]): string[] => {
  const ranges = outlined.map((range) => ({ ...range, isFunction: true }));
  const { files } = readFacts(text, [file], new Map([[file.path, { fileName: file.path, ranges }]]));
  return (files[0]?.ranges ?? []).map(
    ({ name, side, startLine, endLine }) => `${name} ${side} ${startLine}-${endLine}`,
  );
};

const inside = diffOf('a.py', '     a = 1\n-    b = 2\n+    b = 3\n     c = 4', {
  start: 20,
  heading: 'def other():',
});

test('a function range read from the whole file is preferred to the hunk heading on the same side', () => {
  assert.deepEqual(rangesOf(inside, []), ['other new 21-21']);
  assert.deepEqual(rangesOf(inside, [{ name: 'Rocket.fuel', side: 'new', startLine: 12, endLine: 40 }]), [
    'Rocket.fuel new 12-40',
    'Rocket.fuel old 21-21',
  ]);
});

test('a function whose given range contains no changed line is not listed', () => {
  for (const [startLine, endLine] of [
    [1, 20],
    [22, 90],
    [-5, -1],
    [40, 12],
  ] as const)
    assert.deepEqual(rangesOf(inside, [{ name: 'wrong', side: 'new', startLine, endLine }]), [
      'other new 21-21',
    ]);
});

test('removed lines belong to the function around their place only if it contains the lines above and below', () => {
  const file = diffOf('a.py', ' x = 1\n-y = 2\n-z = 3\n a = 1', { start: 20 });
  const around = { name: 'fuel', side: 'new', startLine: 12, endLine: 21 } as const;
  assert.deepEqual(rangesOf(file, [around]), ['fuel new 12-21', 'fuel old 21-22']);
  assert.deepEqual(rangesOf(file, [{ ...around, endLine: 20 }]), []);
});

test('a declaration visible in the diff is not listed again under the name from the outline', () => {
  const file = diffOf('a.py', ' x = 1\n+def fuel():\n+    return 1\n a = 1', { start: 20 });
  const ranges = rangesOf(file, [{ name: 'tests.fuel', side: 'new', startLine: 21, endLine: 22 }]);
  assert.deepEqual(ranges, ['fuel new 21-22']);
});

test('added files are outlined from the diff, and `sidesToOutline` asks only for changed code and documents', () => {
  const added = diffOf('a.test.js', "+describe('a', () => {\n+  it('b', () => {\n+    go()\n+  })\n+})", {
    status: 'added',
  });
  const { files } = readFacts(text, [added]);
  assert.deepEqual(
    files[0]?.ranges.map(({ name }) => name),
    ['a', 'a › b'],
  );
  const gone = diffOf('b.py', ' x = 1\n-y = 2\n z = 3', { start: 5 });
  const wanted = sidesToOutline([
    { file: added, kind: 'test', language: 'JavaScript' },
    { file: diffOf('c.lock', '-a\n+b'), kind: 'lock', language: null },
    { file: diffOf('README.md', '-a\n+b'), kind: 'documentation', language: 'Markdown' },
    { file: gone, kind: 'source', language: 'Python' },
  ]);
  assert.deepEqual(
    wanted.map(({ path, side, changed }) => [path, side, changed]),
    [
      ['b.py', 'new', [5, 6]],
      ['b.py', 'old', [6]],
      ['README.md', 'new', [1]],
    ],
  );
});
