import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../test/diff-of.ts';
import { readFacts } from '../../test/read-facts.ts';
import type { FileDiff } from './file-diff.ts';
import { lineKey, type SameEdit, sameEditsOf } from './same-edits.ts';

const text = { repository: 'some/where', title: 'Edit', body: '', commitMessages: [], labels: [] };
const editsIn = (diff: FileDiff[]): SameEdit[] => sameEditsOf(readFacts(text, diff, new Map()).files, diff);

const call = (path: string, from: string, to: string): FileDiff =>
  diffOf(path, `\n start();\n-const page = ${from}(input);\n+const page = ${to}(input);\n stop();`);

test('a rename over six files is one edit with evidence from each file', () => {
  const declared = diffOf(
    'src/parse.ts',
    '\n-export function readPage(input: string) {\n+export function parsePage(input: string) {\n   return input;\n }',
  );
  const twice = diffOf('src/two.ts', '\n-use(readPage, readPage);\n+use(parsePage, parsePage);\n');
  const files = ['a', 'b', 'c', 'd'].map((name) => call(`src/${name}.ts`, 'readPage', 'parsePage'));
  const [rename, ...more] = editsIn([declared, twice, ...files]);
  assert.equal(more.length, 0);
  assert.deepEqual(
    [rename?.kind, rename?.from, rename?.to, rename?.files.length],
    ['rename', 'readPage', 'parsePage', 6],
  );
  assert.ok(rename?.lines.has(lineKey('src/two.ts', 'old', 1)));
  assert.equal(new Set(rename?.evidence.map(({ fileName }) => fileName)).size, 6);
});

test('a replaced name without a declaration in the diff is a replacement, not a rename', () => {
  const files = ['a', 'b', 'c', 'd'].map((name) => call(`src/${name}.ts`, 'equal', 'strictEqual'));
  const [edit] = editsIn(files);
  assert.deepEqual([edit?.kind, edit?.files.length], ['replacement', 4]);
});

test('the same edit of a URL in several files is reported with the whole URL, and that of a commit hash is not reported', () => {
  const edit = (name: string, from: string, to: string): FileDiff =>
    diffOf(`docs/${name}.md`, `\n-See [${name}](${from}) first.\n+See [${name}](${to}) first.\n`);
  const names = ['a', 'b', 'c', 'd'];
  const site = names.map((name) => edit(name, 'http://old.github.com/a', 'http://www.new.com/a'));
  assert.deepEqual(
    editsIn(site).map(({ from, to }) => [from, to]),
    [['http://old.github.com/a', 'http://www.new.com/a']],
  );
  assert.deepEqual(editsIn(names.map((name) => edit(name, 'a3f5c2d19e', 'b4e6d3c28f'))), []);
});

test('the same edit in three files is not reported', () => {
  assert.deepEqual(
    editsIn(['a', 'b', 'c'].map((name) => call(`src/${name}.ts`, 'equal', 'strictEqual'))),
    [],
  );
});

test('a line with a second edit belongs to neither edit', () => {
  const files = ['a', 'b', 'c', 'd'].map((name) => call(`src/${name}.ts`, 'equal', 'strictEqual'));
  const both = diffOf('src/e.ts', '\n-const page = equal(input);\n+const book = strictEqual(input);\n');
  const [edit] = editsIn([...files, both]);
  assert.equal(edit?.lines.has(lineKey('src/e.ts', 'new', 1)), false);
});

test('an argument or a line added in many places is not an edit', () => {
  const files = ['a', 'b', 'c', 'd'].map((name) =>
    diffOf(`src/${name}.ts`, `\n-open(${name}Path);\n+open(${name}Path, options);\n+'use client';\n`),
  );
  assert.deepEqual(editsIn(files), []);
});
