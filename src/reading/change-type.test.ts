import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../test/diff-of.ts';
import type { ChangeType } from '../domain/articles.ts';
import { readChangeType } from './change-type.ts';
import { classifyFile } from './classify-file.ts';
import type { PullRequestText } from './facts.ts';
import type { FileDiff } from './file-diff.ts';

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
const unitTest = diffOf(
  'src/parser/read-token.test.ts',
  `+test('reads an empty text', () => {
+  assert.equal(readToken(''), endOfText);
+});`,
);
const readme = diffOf('README.md', '-Teh parser reads tokens.\n+The parser reads tokens.');
const lock = diffOf('package-lock.json', '-      "version": "8.19.0",\n+      "version": "8.20.0",');
const workflow = diffOf('.github/workflows/test.yml', '-        node: [22]\n+        node: [22, 24]');

test('a prefix in the title decides the change type over labels and files', () => {
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

test('a title with scope deps gives BUILD, and so does a chore with scope ci', () => {
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

test('commit prefixes decide the change type only if all commits except merges have the same one', () => {
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
  test(`pull request labels ${JSON.stringify(labels)} give ${expected ? `change type ${expected}` : 'no change type'}`, () => {
    assert.equal(judge('Tokens', [source], { labels }), expected);
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
  test(`a pull request titled "${title}" is ${expected} if all its files are of that kind`, () => {
    assert.equal(judge(title, files), expected);
  });
}

test('a title without a prefix gives no change type for a change of source and tests, even if it begins with "Fix" or "Release"', () => {
  for (const title of [
    'Fix readToken',
    'Refactor readToken',
    'Improve performance',
    'Release v2.1.0',
    'Fix #7',
    '',
    'x'.repeat(100_000),
  ])
    assert.equal(judge(title, [source, unitTest]), null, title.slice(0, 20));
});
