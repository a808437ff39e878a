import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import { sourceOf } from '../../../test/source-of.ts';
import type { FileDiff } from '../../reading/file-diff.ts';
import { parseDiff } from '../../reading/parse-diff.ts';
import { scopeOf } from './scope.ts';

const scopeOfDiff = (diff: FileDiff[]) =>
  scopeOf(
    sourceOf({
      diff,
    }),
  );

const tests = diffOf('queue_test.go', ' package queue\n+func TestTakes(t *testing.T) {\n+\ttake()\n+}');
const manual = diffOf('docs/queue.md', ' # Queue\n-A queue.\n+A queue of jobs.');
const workflow = diffOf('.github/workflows/ci.yml', ' on: push\n-    runs-on: a\n+    runs-on: b');
const manifest = diffOf(
  'package.json',
  '   "dependencies": {\n-    "undici": "7.1.0"\n+    "undici": "8.0.0"\n   }',
);
const lock = diffOf('package-lock.json', '-    "a": 1\n+    "a": 2');
const rewrapped = diffOf('src/a.go', ' func a() {\n-\tb(1,2)\n+\tb(\n+\t\t1,\n+\t\t2,\n+\t)\n }');
const commented = diffOf(
  'src/a.go',
  ' package a\n\n-// A takes a job\n+// A takes a job and waits.\n func A() {}',
);
const directed = diffOf('src/a.go', ' package a\n\n+//go:build linux\n func A() {}');
const [moved] = parseDiff(
  Buffer.from('diff --git a/a/x.go b/b/x.go\nsimilarity index 100%\nrename from a/x.go\nrename to b/x.go\n'),
);
const inFunction = diffOf('src/queue.ts', ' export function take() {\n-  return 1;\n+  return 2;\n }');

test('a scope such as "tests only" is found if the diff has no other kind of change', () => {
  const table: [kind: string | null, diff: FileDiff[]][] = [
    ['tests', [tests]],
    [null, [tests, manual]],
    ['documentation', [manual]],
    [null, [manual, lock]],
    ['build', [workflow]],
    [null, [workflow, manifest]],
    ['dependencies', [manifest]],
    ['dependencies', [manifest, lock]],
    [
      null,
      [
        diffOf(
          'package.json',
          '-  "version": "1.0.0",\n-    "undici": "7.1.0"\n+  "version": "1.1.0",\n+    "undici": "8.0.0"',
        ),
      ],
    ],
    ['formatting', [rewrapped]],
    [null, [diffOf('src/a.py', ' if x:\n     a()\n-    b()\n+b()')]],
    ['comments', [commented]],
    [null, [directed]],
    ['moves', moved ? [moved] : []],
    [null, [inFunction]],
  ];
  for (const [kind, diff] of table)
    assert.equal(
      scopeOfDiff(diff)?.kind ?? null,
      kind,
      `${kind}: ${diff.map(({ path }) => path).join(', ')}`,
    );
});

test('the scope of a change is unknown if its diff is empty or has a binary, vendored or lock file besides tests', () => {
  const [binary] = parseDiff(
    Buffer.from('diff --git a/a.png b/a.png\nindex 1..2 100644\nBinary files a/a.png and b/a.png differ\n'),
  );
  assert.ok(binary);
  const vendored = diffOf('vendor/x/x.go', '-a\n+b');
  for (const file of [binary, vendored, lock]) assert.equal(scopeOfDiff([tests, file]), null, file.path);
  assert.equal(scopeOfDiff([]), null);
});

test('generated documents and fixtures are not documentation', () => {
  for (const path of ['src/locale/ja/snapshot.md', 'dist/docs.md', 'test/fixtures/a.md'])
    assert.notEqual(scopeOfDiff([diffOf(path, '-a\n+b')])?.kind, 'documentation', path);
});

test('a scope lists the changed versions or the added tests', () => {
  const dependencies = scopeOfDiff([manifest]);
  assert.deepEqual(
    dependencies?.kind === 'dependencies' &&
      dependencies.changes.map(({ name, from, to }) => [name, from, to]),
    [['undici', '7.1.0', '8.0.0']],
  );
  const named = scopeOfDiff([tests]);
  assert.deepEqual(named?.kind === 'tests' && named.added, ['TestTakes']);
});
