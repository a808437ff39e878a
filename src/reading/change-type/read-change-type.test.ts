import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import { type ChangeType, changeTypes } from '../../domain/change-types.ts';
import { classifyFile } from '../classify-file.ts';
import type { FileDiff } from '../file-diff.ts';
import { GitAttributes } from '../git-attributes.ts';
import { readChangeType } from './read-change-type.ts';

const judge = (title: string, files: FileDiff[], body: string | null = null): ChangeType =>
  readChangeType(
    { title, body, commitMessages: [], labels: [] },
    files.map((file) => ({ file, kind: classifyFile(file, new GitAttributes()).kind })),
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

const obvious: [title: string, files: FileDiff[], ...expected: ChangeType[]][] = [
  ['Fix typo in README', [readme], 'DOCS'],
  ['Describe the order of tokens', [readme], 'DOCS'],
  ['Add missing tests for the parser', [unitTest], 'TEST'],
  ['Fix flaky test', [unitTest], 'TEST'],
  ['Bump ajv from 8.19.0 to 8.20.0', [manifest, lock], 'BUILD', 'CHORE'],
  ['Fix crash when the text is empty', [source, unitTest], 'FIX'],
  ['Handle empty texts correctly', [source, unitTest], 'FIX'],
  ['Add support for comments', [newSource, source, unitTest], 'FEAT'],
  ['Speed up reading of tokens', [source], 'PERF'],
  ['Improve performance of the parser', [source, unitTest], 'PERF'],
  ['Extract readComment into its own file', [movedOut, newSource], 'REFACTOR'],
  ['Rename readToken to takeToken', [renamed], 'REFACTOR'],
  ['Run CI on Node.js 24', [workflow], 'BUILD'],
  ['Release v2.1.0', [manifest, lock], 'CHORE'],
];

for (const [title, files, ...expected] of obvious) {
  test(`"${title}" is ${expected.join(' or ')}`, () => {
    const judged = judge(title, files);
    assert.ok(expected.includes(judged), judged);
  });
}

test('what the author says in a prefix stands, whatever was changed', () => {
  const said: [string, ChangeType][] = [
    ['feat: fix typo', 'FEAT'],
    ['fix(parser)!: add support for comments', 'FIX'],
    ['refactor: speed up', 'REFACTOR'],
    ['doc: add tests', 'DOCS'],
    ['Test: rename', 'TEST'],
    ['perf: bump', 'PERF'],
    ['ci: fix crash', 'BUILD'],
    ['style: add feature', 'CHORE'],
  ];
  for (const [title, expected] of said) assert.equal(judge(title, [readme]), expected, title);
});

test('a prefix that is none of our types says nothing', () => {
  assert.equal(judge('release: fix typo in README', [readme]), 'DOCS');
});

test('prefixes in the description are no reason for a verdict', () => {
  const plain = judge('Handle empty texts correctly', [source, unitTest], 'Reading an empty text');
  assert.equal(
    judge('Handle empty texts correctly', [source, unitTest], 'docs: Reading an empty text'),
    plain,
  );
});

test('the same pull request is always judged the same', () => {
  for (const [title, files] of obvious) assert.equal(judge(title, files), judge(title, files));
});

test('a pull request without files, words or description is judged all the same', () => {
  for (const title of ['', ' ', '…', 'Fix crash', 'x'.repeat(100_000)]) {
    assert.ok(changeTypes.includes(judge(title, [])), title.slice(0, 20));
    assert.ok(changeTypes.includes(judge(title, [], '')), title.slice(0, 20));
  }
  assert.equal(judge('Fix crash when the text is empty', []), 'FIX');
});

test('of a description of any length, only its beginning counts', () => {
  const telling = 'Speeds up: faster, performance, benchmark ms';
  assert.equal(judge('Empty texts', [source], telling), 'PERF');
  for (const beginning of ['<!-- '.repeat(200_000), `${' '.repeat(500_000)}- [ ] x\n`.repeat(3)]) {
    const judged = judge('Empty texts', [source], beginning);
    assert.notEqual(judged, 'PERF');
    assert.equal(judge('Empty texts', [source], beginning + telling), judged);
  }
});

test('who says that something is documented changes documents, in whatever file', () => {
  assert.equal(judge('IOLoop: Document that ->client makes streams faster', [source]), 'DOCS');
  assert.notEqual(judge('Document store made faster', [source]), 'DOCS');
});

test('nothing is done for speed where nobody says a word of time or memory', () => {
  const unsaid: [string, string][] = [
    ['Improve default cameras handling', ''],
    ['TOML export of actions and static requisites', ''],
    ['Sort modules alphabetically in generated lcov.info', 'Sort alphabetically by module name.'],
    ['Use yield instead of block.call', '- [ ] It is faster\n- [ ] Performance'],
    ['Avoid redundant work', ''],
  ];
  for (const [title, body] of unsaid) assert.notEqual(judge(title, [source], body), 'PERF', title);
  assert.equal(judge('Avoid redundant work', [source], 'It was slow: 30 ms, now faster'), 'PERF');
});
