import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import { write } from '../../../test/write-offline.ts';
import type { FileDiff } from '../../reading/file-diff.ts';
import type { WrittenArticle } from '../written-article.ts';

const signs = { added: '+', removed: '-', context: ' ', gap: '⋯' } as const;

const captionsOf = ({ mainChanges }: WrittenArticle): string[] =>
  mainChanges.flatMap(({ statements }) => statements.map(({ text }) => text));
const excerptsOf = ({ mainChanges }: WrittenArticle): string[][] =>
  mainChanges.flatMap(({ excerpts }) =>
    excerpts.map(({ lines }) => lines.map(({ kind, text }) => `${signs[kind]}${text}`)),
  );
const rowsOf = ({ also }: WrittenArticle): string[] =>
  also.map(
    ({ kind, statement, times, files }) => `${kind}${times ?? ''} ${statement.text} | ${files.join(' ')}`,
  );
const tell = (diff: FileDiff[], title?: string) => write(diff, title === undefined ? {} : { title });

test('a changed condition is shown with what it was, and said where it is certain', () => {
  const { en, ja } = tell([
    diffOf(
      'src/print.ts',
      `
 export function print(page: Page) {
-  if (page.isOpen) {
+  if (page.isOpen && page.lines.length > 0) {
     send(page);
   }
 }`,
    ),
  ]);
  assert.deepEqual(captionsOf(en), ['In `print`, the condition now also needs `page.lines.length > 0`.']);
  assert.deepEqual(captionsOf(ja), ['`print` で、条件に `page.lines.length > 0` も必要になった。']);
  assert.deepEqual(excerptsOf(en)[0]?.slice(0, 3), [
    ' export function print(page: Page) {',
    '-  if (page.isOpen) {',
    '+  if (page.isOpen && page.lines.length > 0) {',
  ]);
});

test('a failure that is new is told with its condition', () => {
  const { en } = tell([
    diffOf(
      'src/send.ts',
      `
 export function send(parcel: Parcel) {
+  if (parcel.weight > 30) {
+    throw new TooHeavyError(parcel.weight);
+  }
   queue.push(parcel);
 }`,
    ),
  ]);
  assert.deepEqual(captionsOf(en), ['`send` fails with `TooHeavyError` when `parcel.weight > 30`.']);
});

test('what callers can no longer use is to be watched for, also where a caption tells that it went', () => {
  const { en } = tell([
    diffOf('src/shelf.ts', '\n const a = 1;\n-export function shut(lid: Lid) {\n-  lid.turn();\n-}\n-\n'),
  ]);
  assert.deepEqual(captionsOf(en), ['Removed: `shut`.']);
  assert.deepEqual(
    en.notablePoints.flatMap(({ statements }) => statements.map(({ text }) => text)),
    ['No longer there for callers: `shut`.'],
  );
});

test('what a function inside of another does is not told of the outer one', () => {
  const { en } = tell([
    diffOf(
      'src/store.ts',
      `
 export function openStore(pool: Pool) {
   return {
     async bookWindow(id: string) {
       const row = await pool.find(id);
+      if (row === null) return false;
       return pool.book(row);
     },
   };
 }`,
    ),
  ]);
  assert.ok(
    !captionsOf(en).some((caption) => caption.includes('`openStore` returns')),
    captionsOf(en).join(' '),
  );
});

test('the use of a new helper is shown before the helper', () => {
  const { en } = tell([
    diffOf(
      'src/label.ts',
      `
 export function label(parcel: Parcel) {
-  return parcel.name;
+  return shortenLabel(parcel.name);
 }
+
+function shortenLabel(name: string) {
+  return name.slice(0, 20);
+}`,
    ),
  ]);
  assert.deepEqual(captionsOf(en), [
    '`label` returns `shortenLabel(parcel.name)` instead of `parcel.name`.',
    'New function `shortenLabel`.',
  ]);
});

test('what only moved or was laid out anew is no news', () => {
  const moved = 'export function weigh(parcel: Parcel) {\n  return parcel.items.length * gramsPerItem;\n}';
  const sign = (mark: string) => `\n${moved.replace(/^/gm, mark)}`;
  const { en } = tell([diffOf('src/a.ts', sign('-')), diffOf('src/b.ts', sign('+'))]);
  assert.ok(!JSON.stringify(captionsOf(en)).includes('New'), captionsOf(en).join(' '));
  assert.deepEqual(excerptsOf(en), []);
  const { en: layout } = tell([
    diffOf('src/a.ts', '\n-send(parcel, address);\n+send(\n+  parcel,\n+  address,\n+);'),
  ]);
  assert.deepEqual(captionsOf(layout), ['Only laid out anew: white space and line breaks.']);
});

test('an edit of one shape is one row, and tests and documents have theirs', () => {
  const use = (name: string) =>
    diffOf(
      `src/${name}.ts`,
      `\n-export const ${name} = open({});\n+export const ${name} = open(Object.create(null));`,
    );
  const { en } = tell([
    use('one'),
    use('two'),
    use('three'),
    diffOf(
      'test/one.test.ts',
      "\n+test('names that objects have are no keys', () => {\n+  assert.ok(one);\n+});",
    ),
    diffOf('docs/guide.md', '\n ## Keys\n+Names that objects have are plain keys.'),
  ]);
  const rows = rowsOf(en);
  assert.ok(
    rows.includes('sameEdit3 `{}` → `Object.create(null)` | src/one.ts src/two.ts src/three.ts'),
    rows.join('\n'),
  );
  assert.ok(
    rows.some((row) => row.startsWith('test New: “names that objects have are no keys”')),
    rows.join('\n'),
  );
  assert.ok(
    rows.includes('documentation “Names that objects have are plain keys.” | docs/guide.md'),
    rows.join('\n'),
  );
});

test('an excerpt has at most sixteen lines, twelve of them changed, and marks what it leaves out', () => {
  const body = Array.from({ length: 40 }, (_, index) => `+  step${index}(parcel, ${index});`).join('\n');
  const { en } = tell([diffOf('src/run.ts', `\n+export function run(parcel: Parcel) {\n${body}\n+}`)]);
  const [excerpt = []] = excerptsOf(en);
  assert.ok(
    excerpt.length <= 16 && excerpt.filter((line) => /^[+-]/.test(line)).length <= 12,
    excerpt.join('\n'),
  );
  assert.equal(excerpt[0], '+export function run(parcel: Parcel) {');
  assert.ok(excerpt.includes('⋯'));
});

test('every file that changed is in a stop or a row, also where nothing can be read', () => {
  const { en } = tell([
    diffOf('src/a.ts', '\n-const a = 1;\n+const a = 2;'),
    diffOf('package-lock.json', '\n-"a": 1\n+"a": 2'),
    diffOf('vendor/lib/x.js', '\n-a\n+b'),
  ]);
  const named = JSON.stringify([en.mainChanges, en.also]);
  for (const path of ['src/a.ts', 'package-lock.json', 'vendor/lib/x.js'])
    assert.ok(named.includes(path), path);
});

test('a file in which the same was done is told once: by its name beside the first, or by a row', () => {
  const letters = [...'abcdefgh'];
  const { en, ja } = tell(
    letters.map((letter) =>
      diffOf(
        `src/part-${letter}.ts`,
        `
-export default make({ name: '${letter}', isLoud: false, level: 'low' });
+export default make({ name: '${letter}', isLoud: true, isSharp: true, level: 'high' });`,
      ),
    ),
  );
  const [, same = ''] = captionsOf(en);
  assert.match(same, /^The same in `src\/part-b\.ts`, .* and more\.$/);
  assert.match(captionsOf(ja)[1] ?? '', /ほか でも同じ。$/);
  const named = letters.filter((letter) => same.includes(`part-${letter}.ts`));
  const inRows = letters.filter((letter) => rowsOf(en).some((row) => row.includes(`part-${letter}.ts`)));
  assert.deepEqual([...'a', ...named, ...inRows], letters);
});

test('a caption names only those routes that the excerpt below it shows', () => {
  const routes = Array.from(
    { length: 3 },
    (_, index) => `
+  app.get('/part${index}', async (c) => {
+    const part = await read(c, ${index});
+    if (part === null) {
+      throw new LostError(c.req.path);
+    }
+    return send(c, part, ${index});
+  });`,
  ).join('');
  const { en } = tell([diffOf('src/app.ts', `\n export function build(app: App) {${routes}\n }`)]);
  const [caption = ''] = captionsOf(en);
  const shown = excerptsOf(en).flat().join('\n');
  const named = caption.match(/\/part\d/g) ?? [];
  assert.ok(named.length > 0 && named.length < 3, caption);
  assert.match(caption, / and more\.$/);
  for (const route of named) assert.ok(shown.includes(`'${route}'`), `${caption}\n${shown}`);
});

test('a route that is a pattern is shown whole, as code', () => {
  const { en } = tell([
    diffOf('shop/urls.py', "\n urlpatterns = [\n+    re_path(r'^a/(?P<year>[0-9]{4})/$', views.year),\n ]"),
  ]);
  assert.deepEqual(captionsOf(en), ['New route `^a/(?P<year>[0-9]{4})/$`.']);
});

test('what one language has no room for above the article keeps no sentence of another from its own lines', () => {
  const [from, to] = ["matchEach('/start(\\\\h+)$/D', text)", "matchEach('/start(\\\\h+)$/sD', text)"];
  const name = `lineOf${'Statement'.repeat(11)}`;
  const { en, ja } = tell([
    diffOf(
      'src/indent.ts',
      `\n export function ${name}(text: string) {\n-  return ${from};\n+  return ${to};\n }`,
    ),
    diffOf('README.md', '\n ## Indent\n+Lines are indented as those above.'),
  ]);
  assert.equal(en.standfirst, null);
  assert.notEqual(ja.standfirst, null);
  for (const { mainChanges, also } of [en, ja]) {
    assert.deepEqual(
      [...new Set(mainChanges[0]?.statements[0]?.evidence.map(({ fileName }) => fileName))],
      ['src/indent.ts'],
    );
    assert.deepEqual(
      also.map(({ files }) => files),
      [['README.md']],
    );
  }
});

test('what a comment says stands without its marks, and types with parameters as code', () => {
  const { en } = tell([
    diffOf(
      'src/types.ts',
      `
 export type Name = string;
+/** Older compilers than :class:\`Host\` do not know Awaited<T> yet. */
+export type Awaited<T> = T extends Promise<infer V> ? V : T;`,
    ),
  ]);
  assert.match(captionsOf(en)[0] ?? '', /: Older compilers than `Host` do not know `Awaited<T>` yet\.$/);
});

test('a remark in an example of a document is no section', () => {
  const source = diffOf('src/wait.ts', '\n-const wait = 1;\n+const wait = 2;');
  const guide =
    '\n Keys\n ----\n+Flush them so::\n+\n+    # Optional: send everything so far.\n+    batch.flush()\n';
  const { en } = tell([source, diffOf('docs/guide.rst', guide)]);
  assert.doesNotMatch(rowsOf(en).join(), /section/);
});

test('a new test whose name is cut off elsewhere is not told as changed besides', () => {
  const name = `keeps ${'the order of jobs '.repeat(8)}`.trim();
  const it = `+  it('${name}', () => {\n+    assert.ok(queue.isOrdered);\n+  });`;
  const test = diffOf('src/queue.test.ts', `\n describe('queue', () => {\n${it}\n });`);
  const place = { name: `queue › ${name}`.slice(0, 119).concat('…'), isFunction: true, side: 'new' as const };
  const { en, ja } = write(
    [
      diffOf('src/queue.ts', '\n-const wait = 1;\n+const wait = 2;'),
      test,
      diffOf('src/b.test.ts', "\n+it('is new', () => {});"),
    ],
    {
      outlines: new Map([
        [
          'src/queue.test.ts',
          { fileName: 'src/queue.test.ts', ranges: [{ ...place, startLine: 2, endLine: 4 }] },
        ],
      ]),
    },
  );
  assert.deepEqual(rowsOf(en), [
    `test New: “${name}”. | src/queue.test.ts`,
    'test New: “is new”. | src/b.test.ts',
  ]);
  assert.deepEqual(rowsOf(ja), [
    `test 新規：「${name}」。 | src/queue.test.ts`,
    'test 新規：「is new」。 | src/b.test.ts',
  ]);
});

test('a file from which everything moved is told with the lines that went', () => {
  const lines = (sign: string) =>
    [
      "export type Kind = 'IPv6' | 'IPv4' | 'unknown'",
      '',
      'export type Place = {',
      "  transport?: 'tcp' | 'udp'",
      '  address?: string',
      '  kind?: Kind',
      '}',
    ]
      .map((line) => `\n${sign}${line}`)
      .join('');
  const { en } = tell([
    diffOf('src/index.ts', `${lines('-')}\n+export type { Kind, Place } from './types'`),
    diffOf('src/types.ts', lines('+'), { status: 'added' }),
  ]);
  const told = [...captionsOf(en), ...en.also.map(({ statement }) => statement.text)].join(' ');
  assert.match(told, /`Kind` moved to `src\/types\.ts`\./);
  assert.equal(en.verification.dropped, 0);
});
