import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import type { ChangeType } from '../../domain/article.ts';
import { classifyFile } from '../classify-file.ts';
import type { PullRequestText } from '../facts.ts';
import type { FileDiff } from '../file-diff.ts';
import { labelType, readChangeType, typeOfWords } from './read-change-type.ts';

const judge = (title: string, files: FileDiff[], more: Partial<PullRequestText> = {}): ChangeType | null =>
  readChangeType(
    { title, body: null, commitMessages: [], labels: [], ...more },
    files.map((file) => ({ file, kind: classifyFile(file).kind })),
  );

const source = diffOf(
  'src/parser/read-token.ts',
  ` export function readToken(text: string): Token {
-  return take(text.slice(1));
+  if (text === '') return endOfText;
+  return take(text.slice(1));
 }`,
);
const newSource = diffOf(
  'src/parser/read-comment.ts',
  `+import { take } from './take.ts';
+
+export function readComment(text: string): Token {
+  return take(text);
+}`,
  { status: 'added' },
);
const movedOut = diffOf(
  'src/parser/read-token.ts',
  `-export function readComment(text: string): Token {
-  return take(text);
-}
+import { readComment } from './read-comment.ts';`,
);
const renamed = diffOf(
  'src/parser/read-token.ts',
  `-export function readToken(text: string): Token {
+export function takeToken(text: string): Token {
   return take(text.slice(1));
 }`,
);
const unitTest = diffOf(
  'src/parser/read-token.test.ts',
  `+test('reads an empty text', () => {
+  assert.equal(readToken(''), endOfText);
+});`,
);
const readme = diffOf('README.md', '-Teh parser reads tokens.\n+The parser reads tokens.');
const manifest = diffOf('package.json', '-    "ajv": "8.19.0",\n+    "ajv": "8.20.0",');
const lock = diffOf('package-lock.json', '-      "version": "8.19.0",\n+      "version": "8.20.0",');
const workflow = diffOf('.github/workflows/test.yml', '-        node: [22]\n+        node: [22, 24]');

test('what the author says in a prefix stands, whatever was changed', () => {
  const said: [string, ChangeType][] = [
    ['feat: fix typo', 'FEAT'],
    ['fix(parser)!: add support for comments', 'FIX'],
    ['[Bugfix] add support for comments', 'FIX'],
    ['refactor: speed up', 'REFACTOR'],
    ['doc: add tests', 'DOCS'],
    ['Test: rename', 'TEST'],
    ['perf: bump', 'PERF'],
    ['ci: fix crash', 'BUILD'],
    ['style: add feature', 'CHORE'],
    ['chore: fix crash', 'CHORE'],
    ['chore(parser): fix crash', 'CHORE'],
  ];
  for (const [title, expected] of said)
    assert.equal(judge(title, [readme], { labels: ['performance'] }), expected, title);
});

test('a scope of dependencies says more than its prefix, and so does one of builds than a chore', () => {
  for (const title of [
    'chore(deps): bump ajv from 8.19.0 to 8.20.0',
    'fix(deps-dev): update ajv',
    'chore(go-deps): update',
    'chore(ci): run on Node.js 24',
    'deps: update ajv',
  ])
    assert.equal(judge(title, [source]), 'BUILD', title);
  assert.equal(judge('fix(ci): wait for the database', [source]), 'FIX');
  assert.equal(judge('feat(independence): declare it', [source]), 'FEAT');
});

test('commits say it where each has a prefix and all agree, merges apart', () => {
  const commits = (...commitMessages: string[]) => judge('Tokens', [readme], { commitMessages });
  assert.equal(commits('fix: one', 'fix(parser): two\n\ndocs: three', "Merge branch 'main'"), 'FIX');
  assert.equal(commits('fix: one', 'feat: two'), 'DOCS');
  assert.equal(commits('fix: one', 'Two'), 'DOCS');
  assert.equal(commits("Merge branch 'main'"), 'DOCS');
});

const ofLabels: [labels: string[], ChangeType | null][] = [
  [['bug'], 'FIX'],
  [['Type: Bug', 'good first issue'], 'FIX'],
  [['kind/bug'], 'FIX'],
  [['🐛 bug'], 'FIX'],
  [[':bug: Bug'], 'FIX'],
  [['C-enhancement'], 'FEAT'],
  [['type: feature'], 'FEAT'],
  [['documentation'], 'DOCS'],
  [['refactoring'], 'REFACTOR'],
  [['performance'], 'PERF'],
  [['tests'], 'TEST'],
  [['dependencies', 'javascript'], 'BUILD'],
  [['ci', 'dependencies'], 'BUILD'],
  [['chore'], 'CHORE'],
  [['bug', 'documentation'], null],
  [['area/docs', 'component: build', 'needs tests', 'not a bug', 'test-failure'], null],
  [[], null],
];

for (const [labels, expected] of ofLabels) {
  test(`labels ${JSON.stringify(labels)} say ${expected ?? 'nothing'}`, () => {
    assert.equal(labelType(labels), expected);
    assert.equal(judge('Tokens', [workflow], { labels }), expected ?? 'BUILD');
  });
}

const ofFiles: [title: string, files: FileDiff[], ChangeType][] = [
  ['Fix typo in README', [readme], 'DOCS'],
  ['Describe the order of tokens', [readme], 'DOCS'],
  ['wip: fix typo in README', [readme], 'DOCS'],
  ['Add missing tests for the parser', [unitTest], 'TEST'],
  ['Fix flaky test', [unitTest], 'TEST'],
  ['Run on Node.js 24', [workflow], 'BUILD'],
  ['Refresh', [lock], 'BUILD'],
];

for (const [title, files, expected] of ofFiles) {
  test(`"${title}" is ${expected}, as nothing else was touched`, () => {
    assert.equal(judge(title, files), expected);
  });
}

const ofOpenings: [title: string, files: FileDiff[], ChangeType | null][] = [
  ['Fix readToken', [source], 'FIX'],
  ['[parser] Fixed readToken', [source], null],
  ['Fixes #7: readToken', [source, readme], 'FIX'],
  ['Fix readToken', [], 'FIX'],
  ['Fix readToken', [manifest], null],
  ['Fix typos', [source], null],
  ['Fixtures of tokens', [source], null],
  ['Refactor readToken', [source, unitTest], 'REFACTOR'],
  ['IOLoop: Document that ->client makes streams faster', [source], 'DOCS'],
  ['Document store', [source], null],
  ['Release v2.1.0', [manifest, lock], 'CHORE'],
  ['Prepare for the next release', [readme, manifest], 'CHORE'],
  ['Release the lock of a token that is gone', [source], null],
];

for (const [index, [title, files, expected]] of ofOpenings.entries()) {
  test(`${index + 1}: the words "${title}" say ${expected ?? 'nothing'}`, () => {
    const kinded = files.map((file) => ({ file, kind: classifyFile(file).kind }));
    assert.equal(typeOfWords(title, kinded), expected);
    if (expected) assert.equal(judge(title, files), expected);
  });
}

const ofWords: [title: string, files: FileDiff[], ChangeType | null][] = [
  ['Bump ajv from 8.19.0 to 8.20.0', [manifest, lock], 'BUILD'],
  ['Fix crash when the text is empty', [source, unitTest], 'FIX'],
  ['Handle empty texts correctly', [source, unitTest], 'FIX'],
  ['Add support for comments', [newSource, source, unitTest], 'FEAT'],
  ['Improve performance of the parser', [source, unitTest], 'PERF'],
  ['Extract readComment into its own file', [movedOut, newSource], 'REFACTOR'],
  ['Rename readToken to takeToken', [renamed], null],
  ['Tokens', [source], null],
  ['Update parser', [source, unitTest, readme], null],
];

for (const [title, files, expected] of ofWords) {
  test(`"${title}" is ${expected ?? 'not sure to be anything'}`, () => {
    assert.equal(judge(title, files), expected);
  });
}

test('prefixes in the description are no reason for a verdict', () => {
  const plain = judge('Handle empty texts correctly', [source, unitTest], { body: 'Reading an empty text' });
  assert.equal(
    judge('Handle empty texts correctly', [source, unitTest], { body: 'docs: Reading an empty text' }),
    plain,
  );
});

test('a pull request without files, words or description is no trouble', () => {
  for (const title of ['', ' ', '…', 'x'.repeat(100_000)]) {
    assert.equal(judge(title, []), null, title.slice(0, 20));
    assert.equal(judge(title, [], { body: '' }), null, title.slice(0, 20));
  }
});

test('of a description of any length, only its beginning counts', () => {
  const telling = 'Speeds up: faster, performance, benchmark ms';
  assert.equal(judge('Empty texts, faster', [source], { body: telling }), 'PERF');
  for (const beginning of ['<!-- '.repeat(200_000), `${' '.repeat(500_000)}- [ ] x\n`.repeat(3)]) {
    const judged = judge('Empty texts', [source], { body: beginning });
    assert.equal(judge('Empty texts', [source], { body: beginning + telling }), judged);
  }
});

test('nothing is done for speed where no word of time or memory is said', () => {
  const unsaid: [string, string][] = [
    ['Improve default cameras handling', ''],
    ['TOML export of actions and static requisites', ''],
    ['Sort modules alphabetically in generated lcov.info', 'Sort alphabetically by module name.'],
    ['Use yield instead of block.call', '- [ ] It is faster\n- [ ] Performance'],
    ['Avoid redundant work', ''],
  ];
  for (const [title, body] of unsaid) assert.notEqual(judge(title, [source], { body }), 'PERF', title);
});
