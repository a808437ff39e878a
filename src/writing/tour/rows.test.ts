import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import { write } from '../../../test/write-offline.ts';
import type { FileDiff } from '../../reading/file-diff.ts';

/** The first sentences of stops, and the rows, of an article about some files beside a first one. */
function rowsOf(files: FileDiff[]): string[] {
  const heart = diffOf(
    'src/heart.ts',
    `
 export function beat(pulse: Pulse) {
+  if (pulse.rate > 200) {
+    throw new TooFastError(pulse.rate);
+  }
   return pulse.next();
 }`,
  );
  const { en, ja } = write([heart, ...files], { title: 'The heart fails when it is too fast' });
  assert.deepEqual(
    ja.also.map((row) => row.files),
    en.also.map((row) => row.files),
  );
  for (const { statement } of en.also) assert.notDeepEqual(statement.evidence, [], statement.text);
  return [
    ...en.mainChanges.map(({ fileName, statements }) => `stop: ${statements[0]?.text} | ${fileName}`),
    ...en.also.map(({ kind, statement, files: named }) => `${kind}: ${statement.text} | ${named.join(' ')}`),
  ];
}

const added = (text: string): string => `\n${text.replace(/^/gm, '+')}`;

test('an edit that is told for several files names only what holds for all of them', () => {
  const file = (path: string, of: string) =>
    diffOf(path, `\n impl Extract for ${of} {\n-    type Bound = Sent;\n+    type Bound = Kept;\n }`, {
      start: 10,
    });
  const rows = rowsOf([
    file('tests/a.rs', 'Own'),
    file('tests/b.rs', 'Own'),
    file('tests/c.rs', 'Own'),
    file('tests/d.rs', 'Other'),
    file('tests/e.rs', 'Other'),
  ]);
  for (const row of rows.filter((one) => one.includes('Own'))) assert.ok(!/[de]\.rs/.test(row), row);
  for (const row of rows.filter((one) => one.includes('Other'))) assert.ok(!/[abc]\.rs/.test(row), row);
  for (const name of 'abcde')
    assert.ok(
      rows.some((row) => row.includes(`${name}.rs`)),
      name,
    );
});

test('an edit of a part is told as an edit of the whole list of bounds', () => {
  const rows = rowsOf(
    ['a', 'b', 'c'].map((name) =>
      diffOf(
        `src/${name}.rs`,
        "\n fn run<S>(state: S)\n where\n-    S: Clone + Send + Sync + 'static,\n+    S: Send + Sync + 'static,\n {\n }",
      ),
    ),
  );
  assert.ok(
    rows.some((row) => row.startsWith("sameEdit: `Clone + Send + Sync + 'static` → `Send + Sync + 'static`")),
    rows.join('\n'),
  );
});

test('files that are told by their names are told to be new, gone or edited; those that came from another file say so', () => {
  const body = ['weigh', 'label', 'stamp', 'close'].map((verb) => `  parcel.${verb}(parcel.items, address);`);
  const moved = ['module.exports = (parcel, address) => {', ...body, '};'].join('\n');
  const rows = rowsOf([
    diffOf(
      'src/old.js',
      `\n-function pack(parcel, address) {\n${body.map((line) => `-${line}`).join('\n')}\n-}`,
    ),
    diffOf('src/pack.js', added(moved), { status: 'added' }),
    ...['a', 'b'].map((name) =>
      diffOf(`src/${name}.js`, added(`module.exports = '${name}';`), { status: 'added' }),
    ),
    diffOf('src/gone.js', "\n-module.exports = 'gone';", { status: 'removed' }),
  ]);
  assert.ok(rows.includes('stop: New file, most of it from `src/old.js`. | src/pack.js'), rows.join('\n'));
  assert.ok(rows.includes('other: New. | src/a.js src/b.js'), rows.join('\n'));
  assert.ok(rows.includes('other: Removed. | src/gone.js'), rows.join('\n'));
  assert.ok(!rows.join('\n').includes('module.exports'), rows.join('\n'));
});

test('what is said of files that are not read to the end cites a line of them', () => {
  const lock = diffOf(
    'package-lock.json',
    '\n   "node_modules/zod": {\n-    "version": "3.0.0",\n+    "version": "4.0.0",\n   }',
  );
  assert.ok(rowsOf([lock]).includes('generated: Lock file. | package-lock.json'));
});

test('tests stand with the file that has them, and a list that is cut says how many are left', () => {
  const tests = (count: number, of: string): string =>
    Array.from({ length: count }, (_, at) => `test('${of} number ${at}', () => {\n  run(${at});\n});`).join(
      '\n',
    );
  const rows = rowsOf([
    diffOf('test/many.test.ts', added(tests(9, 'a parcel')), { status: 'added' }),
    diffOf('test/gone.test.ts', `\n${tests(1, 'a letter').replace(/^/gm, '-')}`, { status: 'removed' }),
  ]);
  const many = rows.find((row) => row.endsWith('| test/many.test.ts'));
  assert.match(many ?? '', /^test: New file\. New: “a parcel number 0”, .*“a parcel number 5”, and 3 more\./);
  const gone = rows.find((row) => row.endsWith('| test/gone.test.ts'));
  assert.equal(gone, 'test: File removed. Removed: “a letter number 0”. | test/gone.test.ts');
});

test('of several lines that came, none is shown for the others: entries of one key are counted', () => {
  const entry = (of: string) =>
    `    ignore: ${of} has been deprecated for a long time, use what comes after it`;
  const rows = rowsOf([
    diffOf(
      'setup.cfg',
      `\n [tool:pytest]\n filterwarnings =\n     error\n${['a', 'b', 'c'].map((one) => `+${entry(one)}`).join('\n')}`,
    ),
    diffOf('.npmrc', '\n fund=false\n+audit=false\n+save-exact=true'),
  ]);
  assert.ok(
    rows.some((row) => /^build: New.*: 3 lines that begin with `ignore`\. \| setup\.cfg$/.test(row)),
    rows.join('\n'),
  );
  assert.ok(
    rows.some((row) => row.includes('`audit=false` and `save-exact=true`')),
    rows.join('\n'),
  );
});

test('a file of which only places can be told has no row of its own, and a piece of a comment is no edit', () => {
  const noted = (name: string) =>
    diffOf(
      `src/${name}.ts`,
      `\n export interface Options${name} {\n+  /**\n+  Whether it is open.\n+\n+  @default false\n+  */\n   isOpen: boolean;\n }`,
    );
  const rows = rowsOf([noted('A'), noted('B'), noted('C')]);
  assert.ok(!rows.some((row) => row.includes('@default')), rows.join('\n'));
  assert.ok(!rows.some((row) => /: In `/.test(row)), rows.join('\n'));
});

test('a file whose largest part only loses lines is told by its name like the others', () => {
  const gone = ['one', 'two', 'three', 'four', 'five'].map((name) => `-${name} of them`).join('\n');
  const rows = rowsOf([diffOf('notes.conf', [' wait\n+six of them\n end', ` open\n close\n${gone}`])]);
  assert.ok(rows.includes('other: Edited. | notes.conf'), rows.join('\n'));
});
