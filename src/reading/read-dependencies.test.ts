import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../test/diff-of.ts';
import type { FileDiff } from './file-diff.ts';
import { readDependencies } from './read-dependencies.ts';
import { WholeDiff } from './whole-diff.ts';

function dependenciesIn(file: FileDiff) {
  const whole = new WholeDiff();
  whole.note(file);
  return readDependencies(file, whole).changes;
}

const changesIn = (path: string, body: string, status: 'added' | 'modified' = 'modified') =>
  dependenciesIn(diffOf(path, body, { start: 30, status })).map(
    ({ change, name, from, to, scope }) => `${change} ${name} ${from ?? '-'} ${to ?? '-'} ${scope}`,
  );

const manifests: [string, string, string[]][] = [
  [
    'package.json',
    `
   "dependencies": {
-    "ajv": "^6.10.2",
+    "ajv": "^6.12.2",
+    "pino": "10.4.0"
   },
   "devDependencies": {
-    "tap": "1.0.0"
   },
-  "version": "1.0.0",
+  "version": "2.0.0",
+  "packageManager": "pnpm@9.1.0"`,
    [
      'upgraded ajv ^6.10.2 ^6.12.2 runtime',
      'added pino - 10.4.0 runtime',
      'removed tap 1.0.0 - development',
      'added pnpm - 9.1.0 development',
    ],
  ],
  [
    'package.json',
    '     "eslint": "9.0.0",\n-    "husky": "8.0.0",\n+    "husky": "9.0.0",',
    ['upgraded husky 8.0.0 9.0.0 development'],
  ],
  ['package.json', '-  "version": "1.0.0",\n+  "version": "1.0.1",\n+  "main": "1.js"', []],
  ['package.json', '   "overrides": {\n+    "a": "1.0.0"', []],
  [
    'package.json',
    '-  "engines": {"node": ">=18"},\n+  "engines": {"node": ">=20"},',
    ['upgraded node >=18 >=20 runtime'],
  ],
  [
    'package.json',
    '   "dependencies": {\n-    "a": "1"\n   },\n   "devDependencies": {\n+    "a": "1"',
    ['changed a 1 1 development'],
  ],
  [
    'Cargo.toml',
    `
 [package]
-version = "1.0.0"
+version = "1.1.0"
 [dependencies]
-serde = { version = "1.0.1", features = ["derive"] }
+serde = { version = "1.0.9", features = ["derive"] }
 [dev-dependencies]
+insta = "1"
+[target.'cfg(windows)'.dependencies]
+windows.workspace = true`,
    ['upgraded serde 1.0.1 1.0.9 runtime', 'added insta - 1 development', 'added windows - - runtime'],
  ],
  ['Cargo.toml', '-tao = "0.28.1"\n+tao = "0.29"\n+edition = "2024"', ['upgraded tao 0.28.1 0.29 runtime']],
  [
    'pyproject.toml',
    `
 [project]
+requires-python = ">=3.10"
 dependencies = [
-    "requests[security]>=2.1 ; python_version > '3'",
+    "requests[security]>=2.9 ; python_version > '3'",
 ]
 [dependency-groups]
 dev = [
+    "pytest>=8",
 ]`,
    [
      'added python - >=3.10 runtime',
      'upgraded requests >=2.1 >=2.9 runtime',
      'added pytest - >=8 development',
    ],
  ],
  [
    'pyproject.toml',
    ' [tool.poetry.group.test.dependencies]\n-cachy = "0.3.0"\n [tool.ruff]\n+line-length = "100"',
    ['removed cachy 0.3.0 - development'],
  ],
  [
    'requirements-dev.txt',
    '-Flask_Login==0.5\n+flask-login==0.6\n+# x\n+-r base.txt',
    ['upgraded flask-login ==0.5 ==0.6 development'],
  ],
  [
    'setup.py',
    '     install_requires=[\n+        "click>=8",\n     ],\n+    "classifier",',
    ['added click - >=8 runtime'],
  ],
  [
    'setup.cfg',
    ' install_requires =\n+    attrs>=22\n [flake8]\n+ignore = E203',
    ['added attrs - >=22 runtime'],
  ],
  [
    'go.mod',
    `
-go 1.21
+go 1.22
 require (
-	github.com/google/go-github/v47 v47.1.0
+	github.com/google/go-github/v48 v48.0.0
-	golang.org/x/net v0.1.0 // indirect
+	golang.org/x/net v0.2.0 // indirect
 )
+replace a.b/c => a.b/d v1.0.0`,
    ['upgraded go 1.21 1.22 runtime', 'upgraded github.com/google/go-github/v48 v47.1.0 v48.0.0 runtime'],
  ],
  [
    'go.mod',
    '-\tgolang.org/x/net v0.1.0 // indirect\n+\tgolang.org/x/net v0.2.0 // indirect',
    ['upgraded golang.org/x/net v0.1.0 v0.2.0 runtime'],
  ],
  [
    'Gemfile',
    "-gem 'rails', '~> 7.0.1'\n+gem 'rails', '~> 7.1.0'\n group :development, :test do\n+  gem 'rspec'\n end",
    ['upgraded rails ~> 7.0.1 ~> 7.1.0 runtime', 'added rspec - - development'],
  ],
  [
    'composer.json',
    '   "require-dev": {\n+    "phpunit/phpunit": "^11"',
    ['added phpunit/phpunit - ^11 development'],
  ],
  [
    'pom.xml',
    `
   <version>1.0</version>
-  <jackson.version>2.15.0</jackson.version>
+  <jackson.version>2.16.0</jackson.version>
   <dependency>
     <groupId>org.slf4j</groupId>
     <artifactId>slf4j-api</artifactId>
-    <version>1.7.36</version>
+    <version>2.0.9</version>
   </dependency>`,
    ['upgraded jackson 2.15.0 2.16.0 runtime', 'upgraded org.slf4j:slf4j-api 1.7.36 2.0.9 runtime'],
  ],
  ['pom.xml', '   <artifactId>own</artifactId>\n-  <version>1.0</version>\n+  <version>1.1</version>', []],
  [
    'app/build.gradle.kts',
    '-    implementation("a.b:c:1.0")\n+    implementation("a.b:c:1.1")\n+    testImplementation("d:e:2")',
    ['upgraded a.b:c 1.0 1.1 runtime', 'added d:e - 2 development'],
  ],
  [
    'App.csproj',
    '-    <PackageReference Include="Serilog" Version="3.0.0" />\n+    <PackageReference Include="Serilog" Version="3.1.0" />',
    ['upgraded Serilog 3.0.0 3.1.0 runtime'],
  ],
  [
    'mix.exs',
    '-      {:plug_crypto, "~> 1.1"},\n+      {:plug_crypto, plug_crypto_version()},\n+      {:warn, true},',
    ['changed plug_crypto ~> 1.1 - runtime'],
  ],
  [
    'mix.exs',
    '+      {:credo, "~> 1.7", only: [:dev, :test]},\n+      app: :own,',
    ['added credo - ~> 1.7 development'],
  ],
  [
    'pubspec.yaml',
    ' dev_dependencies:\n-  lints: ^2.0.0\n+  lints: ^3.0.0\n version: 1',
    ['upgraded lints ^2.0.0 ^3.0.0 development'],
  ],
  [
    'Dockerfile',
    '-FROM node:18-alpine AS build\n+FROM node:20-alpine AS build\n+FROM build\n+FROM $BASE',
    ['upgraded node 18-alpine 20-alpine runtime'],
  ],
  [
    '.github/workflows/ci.yml',
    `
-      - uses: actions/checkout@08eba0b27e820071cde6df949e0beb9ba4906955 # v4.3.0
+      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0
+      - uses: ./local
+      - uses: actions/cache@v4`,
    ['upgraded actions/checkout v4.3.0 v5.0.0 development'],
  ],
];

for (const [path, body, expected] of manifests) {
  test(`${path} shows ${expected.join(', ') || 'no dependency'}`, () => {
    assert.deepEqual(changesIn(path, body), expected);
  });
}

test('a dependency whose line only moved, or that another visible line names, did not change', () => {
  assert.deepEqual(
    changesIn('package.json', '-    "a": "1.0.0",\n     "b": "1.0.0",\n+    "a": "1.0.0"'),
    [],
  );
  const repeated = '       - uses: a/b@v1\n+      - uses: a/b@v1';
  assert.deepEqual(changesIn('.github/workflows/ci.yml', repeated, 'added'), []);
});

test('manifests among fixtures and vendored files are nobody’s, those among tests are for development', () => {
  const body = ' "dependencies": {\n+  "a": "1.0.0"';
  assert.deepEqual(changesIn('tests/fixtures/a/package.json', body), []);
  assert.deepEqual(changesIn('vendor/a/package.json', body), []);
  assert.deepEqual(changesIn('tests/e2e/package.json', body), ['added a - 1.0.0 development']);
});

test('evidence is the line on the side where it stands', () => {
  const changes = dependenciesIn(
    diffOf('go.mod', ' require (\n-\ta.b/c v1.0.0\n-\ta.b/d v1.0.0\n+\ta.b/c v1.1.0\n )', { start: 4 }),
  );
  assert.deepEqual(
    changes.map(({ evidence }) => evidence),
    [
      { fileName: 'go.mod', startLine: 5, endLine: 5, side: 'new' },
      { fileName: 'go.mod', startLine: 6, endLine: 6, side: 'old' },
    ],
  );
});

test('names that every object has are ordinary names', () => {
  assert.deepEqual(changesIn('package.json', '   "constructor": {\n+    "a": "1.0.0"'), []);
  assert.deepEqual(changesIn('package.json', '   "dependencies": {\n+    "constructor": "1.0.0"'), [
    'added constructor - 1.0.0 runtime',
  ]);
});

test('a megabyte on one line is passed over and hides nothing else', () => {
  const body = `+    "a": "${'1.'.repeat(500_000)}",\n+    "b": "1.0.0"`;
  assert.deepEqual(changesIn('package.json', `   "dependencies": {\n${body}`), ['added b - 1.0.0 runtime']);
});

test('what another line still uses in the version that it had is not upgraded', () => {
  const workflow = `
   build:
-      - uses: actions/cache@v2
+      - uses: actions/cache@v4
-      - uses: actions/checkout@v2
+      - uses: actions/checkout@v4
   browser:
       - uses: actions/cache@v2`;
  assert.deepEqual(changesIn('.github/workflows/test.yml', workflow), [
    'upgraded actions/checkout v2 v4 development',
  ]);
});
