import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import { GrammarLibrary } from '../../grammars.ts';
import type { Edit } from '../facts.ts';
import { readFacts } from '../read-facts.ts';

const grammars = await new GrammarLibrary().loadFor([
  { path: 'a.ts', language: 'TypeScript' },
  { path: 'a.py', language: 'Python' },
]);

function readFile(path: string, body: string | string[], options: Parameters<typeof diffOf>[2] = {}) {
  const text = { title: 'x', body: null, labels: [], commitMessages: [] };
  const [file] = readFacts(text, [diffOf(path, body, options)], grammars).files;
  if (!file) throw new Error('The diff has no file.');
  return file;
}

const told = (edits: Edit[], kind: Edit['kind']) =>
  edits.filter((edit) => edit.kind === kind).map(({ text }) => text);

test('a line that was replaced by one like it is told as it was and as it is, where it stands', () => {
  const { edits } = readFile(
    'src/limit.ts',
    `
 export function limit(options: Options) {
-  const timeout = options.timeout ?? 30;
+  const timeout = options.timeout ?? 60;
   return timeout;
 }
`,
  );
  assert.deepEqual(edits, [
    {
      kind: 'replaced',
      before: 'const timeout = options.timeout ?? 30',
      text: 'const timeout = options.timeout ?? 60',
      symbol: 'limit',
      effect: [],
      isAroundOld: false,
      count: 1,
      places: [],
      evidence: { fileName: 'src/limit.ts', startLine: 2, endLine: 2, side: 'new' },
    },
  ]);
});

test('conditions, errors, calls and comments that were added are told, with the function they are in', () => {
  const { edits } = readFile(
    'src/read.ts',
    `
 export function read(path: string) {
+  // An empty path would read the whole folder, because the host treats it as the root.
+  if (path.length === 0) {
+    throw new RangeError('the path must not be empty');
+  }
+  audit.record(path);
-  return legacy.open(path);
+  const file = store.open(path);
+  return file;
 }
`,
  );
  assert.deepEqual(told(edits, 'comment'), [
    'An empty path would read the whole folder, because the host treats it as the root.',
  ]);
  assert.deepEqual(told(edits, 'conditionAdded'), ['path.length === 0']);
  assert.deepEqual(told(edits, 'errorAdded'), ['the path must not be empty']);
  assert.ok(told(edits, 'callAdded').includes('store.open'));
  assert.deepEqual(told(edits, 'callRemoved'), ['legacy.open']);
  assert.deepEqual([...new Set(edits.map(({ symbol }) => symbol))], ['read']);
});

test('comments for tools, licences and code that was switched off are not told', () => {
  const { edits } = readFile(
    'src/a.ts',
    `
 const before = 1;
+// eslint-disable-next-line no-console -- it is what we want here
+// Copyright 2026 by somebody who wrote this
+// const unused = compute(everything);
+// TODO: make this better one day soon
 const after = 2;
`,
  );
  assert.deepEqual(told(edits, 'comment'), []);
});

test('a comment that belongs to a new function explains it, in Python the first line inside', () => {
  const typescript = readFile(
    'src/a.ts',
    `
+/**
+ * Doubles the delay each time, up to a minute.
+ *
+ * @param attempt from 1 on
+ */
+export function delayBefore(attempt: number): number {
+  return Math.min(60, 2 ** attempt);
+}
`,
    { status: 'added' },
  );
  assert.equal(typescript.symbols[0]?.explanation, 'Doubles the delay each time, up to a minute.');
  const python = readFile(
    'a.py',
    `
+def delay_before(attempt):
+    """Doubles the delay each time, up to a minute."""
+    return min(60, 2 ** attempt)
`,
    { status: 'added' },
  );
  assert.equal(python.symbols[0]?.explanation, 'Doubles the delay each time, up to a minute.');
});

test('of documents, new headings, rewordings and the beginning of new text are told', () => {
  const added = readFile(
    'docs/cache.md',
    `
 # Cache
+
+## When it is cleared
+
+The cache is cleared whenever a like is given, on every replica.
`,
  );
  assert.deepEqual(told(added.edits, 'heading'), ['When it is cleared']);
  assert.deepEqual(told(added.edits, 'textAdded'), [
    'The cache is cleared whenever a like is given, on every replica.',
  ]);
  const reworded = readFile(
    'docs/cache.md',
    `
-You will recieve an answer within a minute or so.
+You will receive an answer within a minute or so.
`,
  );
  assert.deepEqual(
    reworded.edits.map(({ before, text }) => [before, text]),
    [
      [
        'You will recieve an answer within a minute or so.',
        'You will receive an answer within a minute or so.',
      ],
    ],
  );
});

test('a tiny change without a counterpart is shown line by line', () => {
  const { edits } = readFile('src/loop.ts', [
    `
 export function run(items: Item[]) {
   for (let i = 0; i < items.length; i++) {
+    i -= skipped(items[i])
   }
 }
`,
  ]);
  assert.deepEqual(told(edits, 'lineAdded'), ['i -= skipped(items[i])']);
});

test('a hostile file of long lines and endless comments is read in a moment', () => {
  const lines = Array.from(
    { length: 20_000 },
    (_, index) => `+// ${'because '.repeat(30)} ${index} ${'('.repeat(60)}`,
  );
  const { edits } = readFile('src/a.ts', lines.join('\n'));
  assert.ok(edits.length <= 60);
});
