import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import { allOf, backgroundOf, toldOf, write } from '../../../test/write-offline.ts';

const small = diffOf('src/a.ts', '\n const a = 1;\n-const limit = first();\n+const limit = second();\n');

test('a file that comes or goes is told so first, whatever else is known of it', () => {
  const gone = diffOf(
    'src/container.ts',
    '\n-export class Container {\n-  get(name: string) {\n-    return name;\n-  }\n-}\n',
    { status: 'removed' },
  );
  const fresh = diffOf('src/pool.ts', '\n+export class Pool {\n+  size = 1;\n+}\n', { status: 'added' });
  const { en, ja } = write([gone, fresh, small]);
  assert.match(
    toldOf(en, 'src/container.ts'),
    /^This file is removed \(5 lines\)\. Removed with that: the class `Container`/,
  );
  assert.match(toldOf(en, 'src/pool.ts'), /^This file is new \(3 lines\)\. It defines the class `Pool`/);
  assert.match(toldOf(ja, 'src/container.ts'), /^このファイルは削除されます \(5 行\)。/);
});

test('of many files, what is left over names those that came and went apart from those that were edited', () => {
  const edited = Array.from({ length: 12 }, (_, index) =>
    diffOf(`src/e${index}.ts`, `\n-const a${index} = ${index};\n+const b = fetch(${index});\n`),
  );
  const gone = ['src/x.ts', 'src/y.ts'].map((path) => diffOf(path, '\n-x\n-y\n', { status: 'removed' }));
  const { en } = write([...edited, ...gone]);
  const further = en.mainChanges
    .flatMap(({ statements }) => statements)
    .filter(({ text }) => text.startsWith('Further edits'));
  for (const { text } of further) assert.doesNotMatch(text, /src\/[xy]\.ts/);
  assert.match(allOf(en), /`src\/x\.ts` and `src\/y\.ts` are removed/);
  assert.match(backgroundOf(en), /14 files, 2 deleted files among them/);
});

test('only layout is said to change where every hunk of a file shows nothing else', () => {
  const layout = '\n const a = 1;\n-if (a) {run();}\n+if (a) {\n+  run();\n+}\n';
  const other = '\n const b = 1;\n-const limit = first();\n+const limit = second();\n';
  assert.match(toldOf(write([diffOf('src/a.ts', layout)]).en, 'src/a.ts'), /^Only line breaks, blanks or/);
  assert.doesNotMatch(allOf(write([diffOf('src/a.ts', [layout, other])]).en), /Only line breaks/);
  const entry = diffOf('CHANGELOG.md', [
    '\n ## Unreleased\n+- The limit is read from the settings now.\n',
    '\n-old \n+old\n',
  ]);
  assert.doesNotMatch(allOf(write([entry, small]).en), /Only line breaks/);
});

test('tests are told under the file that holds them, and no count of files says that none is new', () => {
  const testOf = (path: string, name: string) =>
    diffOf(path, `\n+test('${name}', () => {\n+  assert.ok(true);\n+});\n`);
  const { en, ja } = write([
    small,
    testOf('src/a.test.ts', 'the first limit holds'),
    testOf('src/b.test.ts', 'the second limit holds'),
    diffOf('src/c.test.ts', '\n-  assert.equal(run(1), 2);\n+  assert.equal(run(2), 3);\n'),
  ]);
  assert.match(toldOf(en, 'src/a.test.ts'), /“the first limit holds”/);
  assert.doesNotMatch(toldOf(en, 'src/a.test.ts'), /second/);
  assert.match(toldOf(en, 'src/b.test.ts'), /“the second limit holds”/);
  assert.doesNotMatch(allOf(en) + allOf(ja), /without a new named test|新しいテストの追加はありません/);
});

test('a longer list says that there are others', () => {
  const names = ['a', 'b', 'c', 'd'].map((name) => `+test('${name} holds', () => {});`);
  const { en, ja } = write([small, diffOf('src/a.test.ts', `\n${names.join('\n')}\n`)]);
  assert.match(toldOf(en, 'src/a.test.ts'), /“a holds”, “b holds” and “c holds”, among others\./);
  assert.match(toldOf(ja, 'src/a.test.ts'), /「c holds」などを追加しています。/);
});

test('how large a change is stands once, and of a clone nothing is said of descriptions', () => {
  const { en } = write([small], { body: 'The first limit was too low for large teams.' });
  assert.match(backgroundOf(en), /^The author writes: “The first limit was too low for large teams\.”$/);
  assert.doesNotMatch(backgroundOf(write([small]).en), /clone|description/);
  assert.doesNotMatch(
    backgroundOf(
      write([
        small,
        ...Array.from({ length: 9 }, (_, index) => diffOf(`src/b${index}.ts`, '\n-a(1)\n+b(2)\n')),
      ]).en,
    ),
    /most of it/,
  );
});

test('a quotation is a whole thought', () => {
  const backgroundFor = (body: string) => backgroundOf(write([small], { body }).en);
  assert.doesNotMatch(backgroundFor('It is not used because the process catches everything.'), /writes/);
  assert.doesNotMatch(backgroundFor('as a value for parameters, because the syntax allows it.'), /writes/);
  assert.match(
    backgroundFor('The pool was never closed. This leaks a connection because nobody else closes it.'),
    /“The pool was never closed\. This leaks a connection because nobody else closes it\.”/,
  );
  const squashed =
    '* Add a workflow\n\n* Move the files\n\nThese files also seem to be only relevant for tests because nobody ships them.';
  assert.doesNotMatch(allOf(write([small], { body: squashed }).en), /relevant for tests/);
  assert.equal(write([small], { body: squashed }).en.quote, null);
});

test('words of a message that is cited are not those of the change', () => {
  const message =
    'Fix separators\n\nA semicolon should be used as a separator, because a recommendation says so.\n\nThe following commit was for POST only.\nDo not cut data, closes #543';
  const { en } = write([small], { title: 'Fix separators', commitMessages: [message], issues: [543] });
  assert.match(backgroundOf(en), /A semicolon should be used/);
  assert.doesNotMatch(allOf(en), /#543|following commit/);
});

test('the quote does not repeat the background', () => {
  const first = 'The first limit was too low, because large teams send more requests.';
  assert.equal(write([small], { body: first }).en.quote, null);
});

test('what one of several commits says is not told of all, because the next may take it back', () => {
  const { en } = write([small], {
    title: 'Remove the container',
    commitMessages: [
      'Remove the exception\n\nNobody throws the exception, because the process catches everything.',
      'Tidy the tests\n\nThe tests are easier to read like this.',
    ],
  });
  assert.doesNotMatch(backgroundOf(en), /Nobody throws/);
});

test('words are never told as code, and a document has no comments', () => {
  const commented = diffOf(
    'src/a.ts',
    '\n const a = 1;\n+/*\n+ all active versions, and optionally the latest,\n+ when releasing = new ones;\n+*/\n+// nested: <input>\n+const limit = read(1);\n',
  );
  const told = toldOf(write([commented]).en, 'src/a.ts');
  assert.match(told, /`const limit = read\(1\)/);
  assert.doesNotMatch(told, /releasing|nested/);
  const document = diffOf(
    'SPEC.rdoc',
    '\n = Streams\n-* +close+ can be called on the stream to indicate that the any input is not needed.\n+* +close+ can be called on the stream to indicate that any input is not needed.\n',
  );
  assert.doesNotMatch(allOf(write([document]).en), /comment/i);
});

test('lines that say nothing by themselves are not shown, and a part is called one', () => {
  const lines = [
    '+begin();',
    '+} else {',
    '+return',
    '+end',
    ...Array.from({ length: 8 }, (_, index) => `+step(${index}, limit);`),
  ];
  const told = toldOf(
    write([diffOf('lib/tasks.rake', `\n task :x do\n${lines.join('\n')}\n`)]).en,
    'lib/tasks.rake',
  );
  assert.doesNotMatch(told, /`return`|`end`|else/);
  assert.match(told, /among other lines\.$|lines added/);
});

test('files in which only imports change share one sentence', () => {
  const files = Array.from({ length: 5 }, (_, index) =>
    diffOf(`src/i${index}.ts`, `\n-import { a${index} } from './a.ts';\n const b = 1;\n`),
  );
  const { en } = write([small, ...files]);
  assert.match(
    allOf(en),
    /Only imports change in `src\/i0\.ts`, `src\/i1\.ts`, `src\/i2\.ts` and 2 more files\./,
  );
  assert.doesNotMatch(allOf(en), /Removes `import/);
});

test('an entry of a document is compared with the one that is most like it', () => {
  const notes = diffOf(
    'UPGRADING.md',
    '\n # Upgrading\n-* You need to add the `OutputBufferingMiddleware` to the stack of the app.\n+* The app no longer has a container, so that you need to supply your own.\n+* You need to add the `OutputBuffering` middleware to the stack of the app.\n',
  );
  const told = toldOf(write([notes]).en, 'UPGRADING.md');
  assert.doesNotMatch(told, /OutputBufferingMiddleware[^”`]*.{0,20}becomes.{0,20}container/);
  assert.match(told, /Adds to the document: “The app no longer has a container/);
});

test('target frameworks that a project drops are worth attention', () => {
  const project = diffOf(
    'src/App/App.csproj',
    '\n   <PropertyGroup>\n-    <TargetFrameworks>netstandard2.0;netstandard2.1;net5.0</TargetFrameworks>\n+    <TargetFrameworks>netstandard2.0;net8.0</TargetFrameworks>\n',
  );
  const { en, ja } = write([project]);
  assert.match(allOf(en), /Drops the target frameworks `netstandard2\.1` and `net5\.0`\./);
  assert.match(allOf(ja), /対象フレームワークから `netstandard2\.1`、`net5\.0` が外れます。/);
});

test('nothing is said to be gone that a test, an example or a removed file no longer sets', () => {
  const gone = diffOf('lib/old.ts', '\n-const pool = process.env.APP_POOL;\n-run(pool);\n', {
    status: 'removed',
  });
  const table = diffOf('examples/app/migrations/1.sql', '\n+CREATE TABLE people (id int);\n', {
    status: 'added',
  });
  assert.doesNotMatch(allOf(write([gone, table, small]).en), /is gone|database schema changes/);
});

test('an issue of another repository is not closed', () => {
  const background = (closed: string) =>
    backgroundOf(write([small], { body: `Fixes ${closed}, which was about padding.`, issues: [71] }).en);
  assert.doesNotMatch(background('other/project#71'), /closes/);
  assert.doesNotMatch(background('https://github.com/other/project/issues/71'), /closes/);
  assert.match(background('https://github.com/Some/where/issues/71'), /closes #71/);
});

test('titles of commits are told where they are all of them, because a later step may take an earlier one back', () => {
  const background = (commitMessages: string[]) =>
    backgroundOf(write([small], { title: 'Forbid empty limits', commitMessages }).en);
  assert.match(
    background(['Check empty limits in the settings', 'Name the limit in the message']),
    /^Its commits are titled “Check empty limits in the settings” and “Name the limit in the message”\./,
  );
  assert.doesNotMatch(
    background(['Forbid empty limits', 'Check empty limits in the settings', 'Merge branch main']),
    /titled/,
  );
});

test('where only comments change, that is said rather than how many lines do', () => {
  const file = diffOf('src/a.ts', '\n const a = 1;\n-/** @var Route $route */\n const b = 2;\n');
  assert.match(
    toldOf(write([file]).en, 'src/a.ts'),
    /^Only comments or documentation change \(1 line removed\)\.$/,
  );
  assert.match(toldOf(write([file]).ja, 'src/a.ts'), /^コメントや説明文だけが変わります/);
});

test('a sentence that begins like an import is none, and a line that grew is not a new one', () => {
  const words = diffOf(
    'lib/repo.ex',
    '\n   * we recommend\n-      using the library. By default, it is\n+      using the [Telemetry](`:t`) library. By default, it is\n',
  );
  assert.doesNotMatch(allOf(write([words]).en), /imports/);
  const grown = diffOf(
    '.github/workflows/a.yml',
    "\n       run: |\n-          mvn --batch-mode --no-transfer-progress install -DskipTests\n+          mvn --batch-mode --no-transfer-progress install -Dmaven.test.skip --projects '!metrics,!jpms,!shrinker,!native'\n",
  );
  assert.doesNotMatch(allOf(write([grown]).en), /Adds `mvn/);
});

test('what the background says of the changelog is not said once more below', () => {
  const entry = diffOf(
    'CHANGELOG.md',
    '\n ## Unreleased\n+- The limit is read from the settings of the team now. (#12, [@ada])\n',
  );
  const { en } = write([small, entry]);
  assert.equal(allOf(en).split('is read from the settings of the team').length, 2);
});

test('what a comment says does not stand in the place of what the lines do', () => {
  const pay = diffOf(
    'src/pay.ts',
    `
 export function pay(amount: number) {
-  charge(amount);
+  // Use \`FreeVpn\` instead of \`parcel\`.
+  if (amount > 0) charge(amount);
+  audit.record(amount);
 }
`,
  );
  assert.match(toldOf(write([pay]).en, 'src/pay.ts'), /`if \(amount > 0\) charge\(amount\);`/);
});

test('an item, a key, a pattern or a bare call is shown, where that is all that changes', () => {
  const shown = (path: string, body: string) => toldOf(write([diffOf(path, body)]).en, path);
  assert.match(shown('.travis.yml', '\n jdk:\n-  - oraclejdk9\n+  - openjdk11\n'), /`- oraclejdk9` becomes/);
  assert.match(shown('.npmignore', '\n !lib/*\n+!lib/render/*\n'), /Adds `!lib\/render\/\*`/);
  assert.match(
    shown('build.gradle.kts', '\n kotlin {\n     macosArm64()\n+    tvosArm64()\n'),
    /Adds `tvosArm64\(\)`/,
  );
  assert.match(
    shown('pom.xml', '\n <excludes>\n-  <exclude>target/generated/**/*.java</exclude>\n </excludes>\n'),
    /Removes `<exclude>target/,
  );
  assert.match(
    shown(
      'CHANGELOG.md',
      '\n # Changes\n+## 7.0.0 - 2020-06-27\n+\n+No changes since the candidate of June.\n',
    ),
    /No changes since the candidate/,
  );
});
