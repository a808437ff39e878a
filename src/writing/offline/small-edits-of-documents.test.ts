import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import { toldOf, write } from '../../../test/write-offline.ts';

const told = (body: string | string[], path = 'docs/guide.md'): string =>
  toldOf(write([diffOf(path, body, { start: 20 })]).en, path);

test('a row that comes to a table is shown, up to the cell that is too long', () => {
  const address = `https://example.com/${'long/'.repeat(30)}`;
  const table = (row: string): string => `
 | Module | Where |
 | core   | [here](https://example.com/core) |
${row}
 | web    | [here](https://example.com/web) |
`;
  assert.equal(
    told(table('+| test   | [here](https://example.com/test) |')),
    'Adds `| test | [here](https://example.com/test) |`.',
  );
  assert.equal(told(table(`+| test | [here](${address}) |`)), 'Adds `| test | …`.');
});

test('a row that comes where others go is not told as new', () => {
  const table = `
 | Branch | Support |
-| v1.14  | Bug fixes |
 | v1.13  | Security patches only |
+| v1.14  | Security patches only |
`;
  assert.doesNotMatch(told(table), /Adds|Removes/);
});

test('a heading that reads a little differently is told as what becomes of it', () => {
  const heading = (old: string, now: string): string => `\n \n-${old}\n+${now}\n \n - Something is fixed.\n`;
  assert.equal(
    told(heading('## [3.0.4.1] - 2023-03-02', '## [3.0.4.2] - 2023-03-02'), 'CHANGELOG.md'),
    '`## [3.0.4.1] - 2023-03-02` becomes `## [3.0.4.2] - 2023-03-02`.',
  );
  assert.doesNotMatch(told(heading('## Installing', '## Upgrading'), 'CHANGELOG.md'), /becomes/);
  assert.doesNotMatch(told(heading('## **Set it up**', '## Set it up'), 'CHANGELOG.md'), /becomes/);
});

test('marks that change in a line of an example are told, and not those that only go around it', () => {
  const example = `
     function add($handler) {
-        $promise = $handler($request, $options)
+        $promise = $handler($request, $options);
         return $promise;
`;
  assert.equal(
    told(example, 'docs/handlers.rst'),
    '`$promise = $handler($request, $options)` becomes `$promise = $handler($request, $options);`.',
  );
  assert.equal(
    told('\n ```go\n-cobra.Debug(text string) {\n+cobra.Debug(text string)\n cobra.Print(text string)\n'),
    '`cobra.Debug(text string) {` becomes `cobra.Debug(text string)`.',
  );
  const wrapped = '\n ```js\n-if (stock === one)\n+if (stock === one) {\n   sell()\n+}\n ```\n';
  assert.doesNotMatch(told(wrapped), /becomes/);
  assert.doesNotMatch(
    told('\n Text.\n-Read the **[guide](g.md)** first.\n+Read the [guide](g.md) first.\n'),
    /becomes/,
  );
});

test('a sentence that leaves a paragraph is told, and not one that it goes on with elsewhere', () => {
  const paragraph = (rest: string): string => `
 Once you have it running, you find a variety of extensions
-available in the community to integrate your project. The core
-team reviews all extensions and approves those that do not break.
+available in the community to integrate your project.
 
${rest}`;
  assert.equal(
    told(paragraph(' Text.\n'), 'docs/foreword.rst'),
    'Removes from the document: “The core team reviews all extensions and approves those that do not break.”',
  );
  const moved = paragraph(
    '+All extensions are reviewed by the core team, which approves those that do not break.\n \n',
  );
  assert.doesNotMatch(told(moved, 'docs/foreword.rst'), /Removes/);
});

test('a sentence that comes between others is told, and what stays around it does not change', () => {
  const paragraph = `
 The handler is invoked any time an exception is raised from a route
-block or a filter. The exception object can be obtained from the
-\`app.error\` variable:
+block or a filter. But note in development it will only run if you set the
+option to \`:after_handler\`.
+
+\`\`\`ruby
+set :show, :after_handler
+\`\`\`
+
+The exception object can be obtained from the \`app.error\` variable.
 
`;
  assert.equal(
    told(paragraph),
    'Adds to the document: “But note in development it will only run if you set the option to `:after_handler`.”',
  );
});

test('a link that leads elsewhere is told where nothing else is', () => {
  const links = `
 Text.
-[one]: /protection/one
-[two]: /protection/two
+[one]: https://example.com/protection/one
+[two]: https://example.com/protection/two
`;
  assert.equal(
    told(links),
    '`[one]: /protection/one` becomes `[one]: https://example.com/protection/one`, among other edits.',
  );
});

test('what a note of reStructuredText says is what the document says', () => {
  const note = `
 with the given prefix will use the given adapter.
 
+.. note:: The adapter will be chosen by the longest prefix. Be mindful
+   that prefixes such as \`\`http://localhost\`\` match others as well.
+
 Many of the details are beyond the scope of this.
`;
  assert.match(
    told(note, 'docs/advanced.rst'),
    /^Adds to the document: “The adapter will be chosen by the longest prefix\.”/,
  );
});

test('an example of several short lines is shown whole', () => {
  const example = `
   },
 }
+
+func Execute() {
+  if err := root.Execute(); err != nil {
+    fmt.Println(err)
+    os.Exit(1)
+  }
+}
 \`\`\`
`;
  assert.equal(
    told(example),
    'Adds `func Execute() { if err := root.Execute(); err != nil { fmt.Println(err) os.Exit(1) } }`.',
  );
  const option = `
   fetchModule(id) {
     return node.fetchModule(id)
   },
+  resolveId(id, importer) {
+    return node.resolveId(id, importer)
+  },
 })
`;
  assert.equal(told(option), 'Adds `resolveId(id, importer) { return node.resolveId(id, importer) },`.');
});

test('a paragraph of which hundreds of sentences change is not told by the first of them', () => {
  const paragraph = (sentence: (at: number) => string): string =>
    Array.from({ length: 200 }, (_, at) => sentence(at)).join(' ');
  const changes = (least: number): string =>
    told(`
 Text.
-${paragraph((at) => `Rule ${at} holds for every caller.`)}
+${paragraph((at) => (at < least ? `Rule ${at} holds for most callers.` : `Rule ${at} holds for every caller.`))}
`);
  assert.match(changes(1), /becomes/);
  assert.doesNotMatch(changes(200), /becomes/);
});
