import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../test/diff-of.ts';
import { sourceOf } from '../../test/source-of.ts';
import { dependencyTable, lockedIn } from './lock-files.ts';

const turnsIn = (path: string, body: string): string[] =>
  lockedIn(diffOf(path, body)).map(({ name, from, to }) => `${name} ${from} → ${to}`);

test('lock files of ten formats give the versions that they change, and deno.lock gives none', () => {
  const table: [path: string, body: string, turns: string[]][] = [
    [
      'package-lock.json',
      '     "node_modules/@types/node": {\n-      "version": "20.1.0",\n+      "version": "20.2.0",\n       "dev": true\n     },\n     "node_modules/a/node_modules/b": {\n-      "version": "1.0.0",\n+      "version": "1.0.1",',
      ['@types/node 20.1.0 → 20.2.0', 'b 1.0.0 → 1.0.1'],
    ],
    [
      'yarn.lock',
      '-"@babel/core@^7.1.0", "@babel/core@^7.2.0":\n-  version "7.2.0"\n+"@babel/core@^7.1.0", "@babel/core@^7.3.0":\n+  version "7.3.0"\n\n-left-pad@^1.0.0:\n-  version "1.3.0"',
      ['@babel/core 7.2.0 → 7.3.0', 'left-pad 1.3.0 → null'],
    ],
    [
      'yarn.lock',
      '-"a@npm:^1.0.0":\n-  version: 1.0.0\n+"a@npm:^1.1.0":\n+  version: 1.1.0',
      ['a 1.0.0 → 1.1.0'],
    ],
    [
      'pnpm-lock.yaml',
      "-  /undici@6.1.0:\n+  /undici@6.2.0:\n-  '@s/a@1.0.0(react@18.2.0)':\n+  '@s/a@1.0.1(react@18.2.0)':",
      ['undici 6.1.0 → 6.2.0', '@s/a 1.0.0 → 1.0.1'],
    ],
    [
      'Cargo.lock',
      ' [[package]]\n name = "serde"\n-version = "1.0.1"\n+version = "1.0.2"\n\n+[[package]]\n+name = "new"\n+version = "0.1.0"',
      ['serde 1.0.1 → 1.0.2', 'new null → 0.1.0'],
    ],
    ['uv.lock', ' name = "httpx"\n-version = "0.1"\n+version = "0.2"', ['httpx 0.1 → 0.2']],
    ['poetry.lock', ' name = "click"\n-version = "8.0"\n+version = "8.1"', ['click 8.0 → 8.1']],
    [
      'go.sum',
      '-golang.org/x/net v0.1.0 h1:a=\n-golang.org/x/net v0.1.0/go.mod h1:b=\n+golang.org/x/net v0.2.0 h1:c=\n+golang.org/x/net v0.2.0/go.mod h1:d=',
      ['golang.org/x/net v0.1.0 → v0.2.0'],
    ],
    ['Gemfile.lock', '-    rack (3.0.0)\n+    rack (3.1.0)\n       rack (>= 2)', ['rack 3.0.0 → 3.1.0']],
    [
      'composer.lock',
      '             "name": "monolog/monolog",\n-            "version": "3.0.0",\n+            "version": "3.1.0",',
      ['monolog/monolog 3.0.0 → 3.1.0'],
    ],
    ['deno.lock', '-    "a": "1.0.0"\n+    "a": "1.1.0"', []],
  ];
  for (const [path, body, turns] of table) assert.deepEqual(turnsIn(path, body), turns, path);
});

test('a second locked version of a package is listed as added, not as a replacement', () => {
  const body = ' name = "a"\n version = "1.0"\n\n+name = "a"\n+version = "2.0"';
  assert.deepEqual(turnsIn('Cargo.lock', body), ['a null → 2.0']);
});

test('`dependencyTable` lists manifest entries first, then entries only in lock files, each once', () => {
  const diff = [
    diffOf(
      'package-lock.json',
      '     "node_modules/undici": {\n-      "version": "6.1.0",\n+      "version": "6.2.0",\n     },\n     "node_modules/b": {\n-      "version": "1.0.0",\n+      "version": "1.0.1",',
    ),
    diffOf('package.json', '   "dependencies": {\n-    "undici": "^6.1.0"\n+    "undici": "^6.2.0"\n   }'),
  ];
  assert.deepEqual(dependencyTable(sourceOf({ diff }).facts.files, diff), {
    items: [
      { name: 'undici', from: '^6.1.0', to: '^6.2.0', direct: true, fileName: 'package.json' },
      { name: 'b', from: '1.0.0', to: '1.0.1', direct: false, fileName: 'package-lock.json' },
    ],
    total: 2,
  });
  assert.equal(dependencyTable(sourceOf({}).facts.files, []), null);
});
