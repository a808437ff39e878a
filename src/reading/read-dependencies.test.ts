import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../test/diff-of.ts';
import { type FileDiff, WholeDiff } from './file-diff.ts';
import { readDependencies } from './read-dependencies.ts';

function dependenciesIn(file: FileDiff) {
  const whole = new WholeDiff();
  whole.note(file);
  return readDependencies(file, whole).changes;
}

const changesIn = (path: string, body: string, status: 'added' | 'modified' = 'modified') =>
  dependenciesIn(diffOf(path, body, { start: 30, status })).map(
    ({ change, name, from, to }) => `${change} ${name} ${from ?? '-'} ${to ?? '-'}`,
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
+  "version": "2.0.0",`,
    ['changed ajv ^6.10.2 ^6.12.2', 'added pino - 10.4.0', 'removed tap 1.0.0 -'],
  ],
  [
    'package.json',
    '     "eslint": "9.0.0",\n-    "husky": "8.0.0",\n+    "husky": "9.0.0",',
    ['changed husky 8.0.0 9.0.0'],
  ],
  ['package.json', '-  "version": "1.0.0",\n+  "version": "1.0.1",\n+  "main": "1.js"', []],
  ['package.json', '   "overrides": {\n+    "a": "1.0.0"', []],
  [
    'package.json',
    '-  "engines": {"node": ">=18"},\n+  "engines": {"node": ">=20"},',
    ['changed node >=18 >=20'],
  ],
  ['package.json', '   "dependencies": {\n-    "a": "1"\n   },\n   "devDependencies": {\n+    "a": "1"', []],
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
    ['changed serde 1.0.1 1.0.9', 'added insta - 1', 'added windows - -'],
  ],
  ['Cargo.toml', '-tao = "0.28.1"\n+tao = "0.29"\n+edition = "2024"', ['changed tao 0.28.1 0.29']],
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
    ['added python - >=3.10', 'changed requests >=2.1 >=2.9', 'added pytest - >=8'],
  ],
  [
    'pyproject.toml',
    ' [tool.poetry.group.test.dependencies]\n-cachy = "0.3.0"\n [tool.ruff]\n+line-length = "100"',
    ['removed cachy 0.3.0 -'],
  ],
  [
    'requirements-dev.txt',
    '-Flask_Login==0.5\n+flask-login==0.6\n+# x\n+-r base.txt',
    ['changed flask-login ==0.5 ==0.6'],
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
    ['changed go 1.21 1.22', 'changed github.com/google/go-github/v48 v47.1.0 v48.0.0'],
  ],
  [
    'go.mod',
    '-\tgolang.org/x/net v0.1.0 // indirect\n+\tgolang.org/x/net v0.2.0 // indirect',
    ['changed golang.org/x/net v0.1.0 v0.2.0'],
  ],
  [
    'Gemfile',
    "-gem 'rails', '~> 7.0.1'\n+gem 'rails', '~> 7.1.0'\n group :development, :test do\n+  gem 'rspec'\n end",
    ['changed rails ~> 7.0.1 ~> 7.1.0', 'added rspec - -'],
  ],
  ['composer.json', '   "require-dev": {\n+    "phpunit/phpunit": "^11"', ['added phpunit/phpunit - ^11']],
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
    ['changed jackson 2.15.0 2.16.0', 'changed org.slf4j:slf4j-api 1.7.36 2.0.9'],
  ],
  ['pom.xml', '   <artifactId>own</artifactId>\n-  <version>1.0</version>\n+  <version>1.1</version>', []],
  [
    'app/build.gradle.kts',
    '-    implementation("a.b:c:1.0")\n+    implementation("a.b:c:1.1")\n+    testImplementation("d:e:2")',
    ['changed a.b:c 1.0 1.1', 'added d:e - 2'],
  ],
  [
    '.github/workflows/ci.yml',
    `
-      - uses: actions/checkout@08eba0b27e820071cde6df949e0beb9ba4906955 # v4.3.0
+      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0
+      - uses: ./local
+      - uses: actions/cache@v4`,
    ['changed actions/checkout v4.3.0 v5.0.0'],
  ],
];

for (const [path, body, expected] of manifests) {
  test(`a diff of ${path} shows ${expected.join(', ') || 'no dependency'}`, () => {
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

test('manifests among fixtures and vendored files are ignored', () => {
  const body = ' "dependencies": {\n+  "a": "1.0.0"';
  assert.deepEqual(changesIn('tests/fixtures/a/package.json', body), []);
  assert.deepEqual(changesIn('vendor/a/package.json', body), []);
});

test('evidence is the line in the new file for an upgrade, and in the old file for a removal', () => {
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

test('a dependency named "constructor" is read, and a section named "constructor" is ignored', () => {
  assert.deepEqual(changesIn('package.json', '   "constructor": {\n+    "a": "1.0.0"'), []);
  assert.deepEqual(changesIn('package.json', '   "dependencies": {\n+    "constructor": "1.0.0"'), [
    'added constructor - 1.0.0',
  ]);
});

test('a megabyte on one line is skipped without hiding the dependency after it', () => {
  const body = `+    "a": "${'1.'.repeat(500_000)}",\n+    "b": "1.0.0"`;
  assert.deepEqual(changesIn('package.json', `   "dependencies": {\n${body}`), ['added b - 1.0.0']);
});

test('a dependency that another line still uses in the old version is not upgraded', () => {
  const workflow = `
   build:
-      - uses: actions/cache@v2
+      - uses: actions/cache@v4
-      - uses: actions/checkout@v2
+      - uses: actions/checkout@v4
   browser:
       - uses: actions/cache@v2`;
  assert.deepEqual(changesIn('.github/workflows/test.yml', workflow), ['changed actions/checkout v2 v4']);
});
