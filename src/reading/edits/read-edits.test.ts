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
  const text = { repository: 'some/where', title: 'x', body: null, labels: [], commitMessages: [] };
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

test('what stands in strings, texts of several lines, attributes and prose is no call', () => {
  const added = (path: string, lines: string[]) =>
    told(
      readFile(
        path,
        lines
          .map((line) => `+${line}`)
          .join('\n')
          .replace(/^/, ' before\n'),
      ).edits,
      'callAdded',
    );
  assert.deepEqual(added('src/a.cs', ['[assembly: CLSCompliant(true)]', '[Obsolete("Use Other(x)")]']), []);
  assert.deepEqual(
    added('src/a.cs', [
      '    string Shorten(string text)',
      '    {',
      '        return null;',
      '    }',
      '    int b;',
    ]),
    [],
  );
  assert.deepEqual(
    added('src/a.rb', [
      '  text = <<~TEXT',
      '    then call_it(now)',
      '    and other_one(later)',
      '  TEXT',
      '  real_call(text)',
    ]),
    ['real_call'],
  );
  assert.deepEqual(
    added('lib/a.ex', [
      '    the value that is returned by fetch_all(x) can be',
      '    used in other places',
      '    too',
      '    a',
      '    b',
    ]),
    [],
  );
});

test('a condition that was asked in another form before is not told as new', () => {
  const { edits } = readFile(
    'src/a.ts',
    `
 export function pick(list: string[]) {
-  const found = list.length > limit ? first(list) : none;
-  use(found);
+  if (list.length > limit) {
+    use(first(list));
+  }
   return list;
 }
`,
  );
  assert.deepEqual(told(edits, 'conditionAdded'), []);
});

test('a branch that does something else on the same condition asks nothing else', () => {
  const { edits } = readFile(
    'Source/Retrier.swift',
    `
 func retry(error: Error) {
-  guard state.isOffline(error) else { complete(.no); return }
+  guard state.isOffline(error) else { finish(.no); return }
   wait()
 }
`,
  );
  assert.deepEqual(told(edits, 'conditionChanged'), []);
});

test('conditions are told as changed where one was made out of the other, and not by their places', () => {
  const { edits } = readFile(
    'src/a.ts',
    `
 export function pick(name: string) {
-  if (isLetter(firstCharacter)) return name;
-  if (!isUpper(firstCharacter)) return upper(name);
+  if (isUpper(firstLetter)) return name;
   return name;
 }
`,
  );
  assert.deepEqual(told(edits, 'conditionChanged'), []);
  assert.ok(!told(edits, 'conditionRemoved').includes('!isUpper(firstCharacter)'));
});

test('that only the layout changes is said where nothing else changes in the file', () => {
  const body = [
    '\n const a = 1;\n-f(a,b)\n+f(a, b)\n const c = 1;\n',
    '\n const d = 1;\n+const e = 2;\n const f = 3;\n',
  ];
  assert.deepEqual(told(readFile('src/a.ts', body).edits, 'reformatted'), []);
  assert.deepEqual(told(readFile('src/a.ts', body.slice(0, 1)).edits, 'reformatted'), ['']);
});

test('a message that is put together is told whole, with … for what is known only later; one that is worded anew is not new', () => {
  const { edits } = readFile(
    'src/A.java',
    `
 class A {
   void read(String name) {
+    throw new IllegalStateException(
+        "Class " + type + " declares several fields named '" + name + "'; conflict is caused by "
+            + first);
   }
 }
`,
  );
  assert.deepEqual(told(edits, 'errorAdded'), [
    "Class … declares several fields named '…'; conflict is caused by …",
  ]);
  const { edits: again } = readFile(
    'src/a.rb',
    `
 def check
-  raise LintError, "length was #{bytes}, but should be #{size}"
+  raise LintError, "length was #{@count}, but should be #{size}"
 end
`,
  );
  assert.deepEqual(told(again, 'errorAdded'), []);
});

test('of classes, modules and constants nothing is said to happen inside of them, nor of a line that only ends something', () => {
  const { edits } = readFile(
    'lib/a.rb',
    `
 module Rack
   LIMIT = 5
+  if Object.respond_to?(:deprecate_constant)
+    begin
+    end
+  end
 end
`,
  );
  assert.deepEqual([...new Set(edits.map(({ symbol }) => symbol))], [null]);
  assert.deepEqual(
    edits.flatMap(({ effect }) => effect),
    [],
  );
});

test('licences are no comments, tags of documentation are no words, and lists in a text are no comments', () => {
  const licence = readFile(
    'src/a.ts',
    `
+// Licensed under the Apache License, Version 2.0;
+// you may not use this file except in compliance with it.
 const a = 1;
`,
  );
  assert.deepEqual(told(licence.edits, 'comment'), []);
  const tagged = readFile(
    'src/A.cs',
    `
 class A {
+    /// <summary>
+    /// Writes what was gathered so far to the sink.
+    /// </summary>
     void Flush() {}
 }
`,
  );
  assert.deepEqual(told(tagged.edits, 'comment'), ['Writes what was gathered so far to the sink.']);
  const list = readFile(
    'lib/a.ex',
    '\n   before\n+  * `:stale` - does not fail where nothing was found\n   after\n',
    { start: 40 },
  );
  assert.deepEqual(told(list.edits, 'comment'), []);
});

test('a comment that stands where another stood says something else, and is not new', () => {
  const { edits } = readFile(
    'src/a.ts',
    '\n const a = 1;\n-// A basic store of tests\n+// Pools what runs side by side, safely\n const b = 2;\n',
  );
  assert.deepEqual(told(edits, 'comment'), []);
  assert.deepEqual(told(edits, 'reworded'), ['Pools what runs side by side, safely']);
});

test('an entry of a changelog that was only corrected is not an entry of the change', () => {
  const { edits } = readFile(
    'CHANGELOG.md',
    '\n ## 2.0\n-- Adds the option to keep the order of keys. [#12](https://a.example/12)\n+- Adds the option to keep the order of keys. [#13](https://a.example/13)\n',
  );
  assert.deepEqual(told(edits, 'changelogEntry'), []);
});

test('a short name that is asked about along with something else is asked about still', () => {
  const { edits } = readFile(
    'src/print.cc',
    `
 void vprint(FILE* f) {
-  if (f) {
+  if (f && isAlso) {
     flush(f);
   }
 }
`,
  );
  assert.deepEqual(told(edits, 'conditionRemoved'), []);
});

test('code in words is code still', () => {
  const { edits } = readFile(
    'lib/parse.py',
    `
-            if tokens.error is DocoptExit:
+            if tokens.error is DocoptExit and is_also:
                 take(short, None, 0, True)
             else:  # why copying is necessary here?
                 take(short, similar)
`,
    { start: 40 },
  );
  assert.deepEqual(told(edits, 'reworded'), []);
});

test('an error message that stands beside it is not new', () => {
  const { edits } = readFile(
    'src/a.ts',
    "\n function a() {\n   throw new Error('There is no such widget here');\n }\n+function b() {\n+  throw new Error('There is no such widget here');\n+}\n",
  );
  assert.deepEqual(told(edits, 'errorAdded'), []);
});

test('a comment that only announces what follows is no sentence', () => {
  const { edits } = readFile(
    'src/a.ts',
    '\n const a = 1;\n+// There are no settings for this scheme since:\n+// - they are too permissive\n+const b = 2;\n const c = 3;\n',
  );
  assert.deepEqual(told(edits, 'comment'), []);
});

test('among many lines a comment is reworded only where it has something in common with the other', () => {
  const lines = (sign: string, name: string) =>
    Array.from({ length: 7 }, (_, index) => `${sign}const ${name}${index} = make(${index});`).join('\n');
  const { edits } = readFile(
    'src/a.ts',
    `\n const a = 1;\n-// Equality relation\n${lines('-', 'equal')}\n+// Publicly re-export queries\n${lines('+', 'query')}\n const z = 2;\n`,
  );
  assert.deepEqual(told(edits, 'reworded'), []);
});
