import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import { write } from '../../../test/write-offline.ts';
import { type FileDiff, linesOf } from '../../reading/file-diff.ts';
import type { Hunk, WrittenArticle } from '../articles.ts';

const signs = { added: '+', removed: '-', context: ' ' } as const;

const hunksOf = ({ mainChanges }: WrittenArticle): Hunk[] => mainChanges.flatMap(({ hunk }) => hunk ?? []);
const printed = ({ lines }: Hunk): string[] => lines.map(({ kind, text }) => `${signs[kind]}${text}`);
const captionsOf = ({ mainChanges }: WrittenArticle): string[] =>
  mainChanges.flatMap(({ statements }) => statements.map(({ text }) => text));
const numbered = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');

/** Asserts that a hunk is one stretch of the diff. */
function assertWithin(hunk: Hunk, diff: FileDiff[]): void {
  const file = diff.find(({ path }) => path === hunk.fileName);
  const all = (file?.hunks ?? []).flatMap((one) => [linesOf(one)]);
  const own = hunk.lines.map(({ kind, ...line }) => JSON.stringify({ side: kind, ...line }));
  const isWithin = all.some((lines) => {
    const known = lines.map(({ side, oldLine, newLine, text }) =>
      JSON.stringify({ side, oldLine, newLine, text }),
    );
    const start = known.indexOf(own[0] ?? '');
    return start >= 0 && own.every((line, at) => line === known[start + at]);
  });
  assert.ok(isWithin, `a stretch of the diff: ${own.join('\n')}`);
}

const condition = diffOf(
  'src/print.ts',
  `
 export function print(page: Page) {
-  if (page.isOpen) {
+  if (page.isOpen && page.lines.length > 0) {
     send(page);
   }
 }`,
);

test('a small change is shown whole, with both sides and its function, and without a caption', () => {
  const print = { name: 'print', isFunction: true, side: 'new', startLine: 1, endLine: 5 } as const;
  const { en, ja } = write([condition], {
    outlines: new Map([['src/print.ts', { fileName: 'src/print.ts', ranges: [print] }]]),
  });
  const [hunk] = hunksOf(en);
  assert.deepEqual(printed(hunk as Hunk), [
    ' export function print(page: Page) {',
    '-  if (page.isOpen) {',
    '+  if (page.isOpen && page.lines.length > 0) {',
    '     send(page);',
    '   }',
    ' }',
  ]);
  assert.equal(hunk?.heading, 'print');
  assert.deepEqual([captionsOf(en), captionsOf(ja)], [[], []]);
  assert.deepEqual(hunksOf(ja), hunksOf(en));
});

test('a long new function is cut after a statement, and the lines left out are counted', () => {
  const body = numbered(80, (at) => `+  if (at === ${at}) {\n+    send(${at});\n+  }`);
  const diff = [
    diffOf(
      'src/send.ts',
      `\n const a = 1;\n+export function sendAll(at: number) {\n${body}\n+}\n const b = 1;`,
    ),
  ];
  const [hunk] = hunksOf(write(diff).en);
  assert.ok(hunk);
  assertWithin(hunk, diff);
  assert.equal(printed(hunk)[0], '+export function sendAll(at: number) {');
  assert.equal(printed(hunk).at(-1), '+  }');
  assert.ok(hunk.lines.length <= 16);
  assert.equal(hunk.lines.length + hunk.moreAfter, 242);
});

test('a long edit is one stretch with both sides, and the lines left out are counted', () => {
  const gone = numbered(60, (at) => `-  oldStep(${at});`);
  const come = numbered(60, (at) => `+  newStep(${at}, options);`);
  const diff = [diffOf('src/steps.ts', `\n function steps() {\n${gone}\n${come}\n }`)];
  const [hunk] = hunksOf(write(diff).en);
  assert.ok(hunk);
  assertWithin(hunk, diff);
  const kinds = new Set(hunk.lines.map(({ kind }) => kind));
  assert.ok(kinds.has('added') && kinds.has('removed'));
  const shown = hunk.lines.filter(({ kind }) => kind !== 'context').length;
  assert.equal(shown + hunk.moreBefore + hunk.moreAfter, 120);
});

test('a large change shows at most 60 changed lines and names the remaining files', () => {
  const files = Array.from({ length: 20 }, (_, at) =>
    diffOf(
      `src/part${at}.ts`,
      `\n export function part${at}(page: Page) {\n${numbered(8, (line) => `+  if (page.has${at}(${line})) return ${line};`)}\n   return 0;\n }`,
    ),
  );
  const outlines = new Map(
    files.map(({ path }, at) => {
      const part = { name: `part${at}`, isFunction: true, side: 'new', startLine: 1, endLine: 11 } as const;
      return [path, { fileName: path, ranges: [part] }];
    }),
  );
  const { en } = write(files, { outlines });
  const changed = hunksOf(en).flatMap(({ lines }) => lines.filter(({ kind }) => kind !== 'context'));
  assert.ok(changed.length <= 60, `${changed.length} changed lines`);
  for (const hunk of hunksOf(en)) assertWithin(hunk, files);
  assert.match(
    en.also[0]?.statement.text ?? '',
    /^Other changed files: `src\/part\d+\.ts`, .* and \d+ more\.$/,
  );
});

test('the subject of the title comes before a constant', () => {
  const diff = [
    diffOf('src/limits.ts', '\n-export const mostPages = 10;\n+export const mostPages = 20;\n'),
    condition,
  ];
  const { en } = write(diff, { title: 'Print only pages that have lines' });
  assert.deepEqual(
    hunksOf(en).map(({ fileName }) => fileName),
    ['src/print.ts', 'src/limits.ts'],
  );
});

test('an option comes before behaviour, and a respelled literal last', () => {
  const option = diffOf(
    'src/cli.ts',
    "\n const cli = start();\n+cli.option('--wait', 'Wait for the page');\n",
  );
  const mode = diffOf('src/open.ts', '\n-open(path, 0750);\n+open(path, 0o750);\n');
  const { en } = write([mode, condition, option]);
  assert.deepEqual(
    hunksOf(en).map(({ fileName }) => fileName),
    ['src/cli.ts', 'src/print.ts', 'src/open.ts'],
  );
});

test('lines that only moved are not shown beside others', () => {
  const moved = diffOf('src/serve.ts', [
    '\n start();\n-  listen(3000);\n route();',
    '\n route(all);\n+listen(3000);\n stop();',
  ]);
  assert.deepEqual(
    hunksOf(write([moved, condition]).en).map(({ fileName }) => fileName),
    ['src/print.ts'],
  );
});

test('a short line that comes here and goes there is no move', () => {
  const diff = diffOf('src/serve.ts', [
    '\n start();\n-  return;\n route();',
    '\n route(all);\n+  return;\n stop();',
  ]);
  assert.equal(hunksOf(write([diff, condition]).en).length, 3);
});

test('tests and documents are not shown beside code', () => {
  const tested = diffOf(
    'test/print.test.ts',
    "\n+test('prints no empty page', () => {\n+  print(empty);\n+});\n",
  );
  const { en } = write([
    condition,
    tested,
    diffOf('README.md', '\n # Printing\n+Empty pages are left out.\n'),
  ]);
  assert.deepEqual(
    hunksOf(en).map(({ fileName }) => fileName),
    ['src/print.ts'],
  );
  assert.deepEqual(en.tests?.added, ['prints no empty page']);
  assert.deepEqual(
    en.also.map(({ statement }) => statement.text),
    ['Other changed files: `README.md`.'],
  );
});

test('a function that only moved to another file gets a caption instead of a hunk', () => {
  const body = [
    'function area(shape: Shape) {',
    '  const width = shape.right - shape.left;',
    '  const height = shape.bottom - shape.top;',
    '  return width * height;',
    '}',
  ];
  const diff = [
    diffOf('src/old.ts', `\n start();\n${body.map((line) => `-${line}`).join('\n')}\n stop();`),
    diffOf('src/new.ts', `\n begin();\n${body.map((line) => `+${line}`).join('\n')}\n end();`),
  ];
  const { en, ja } = write(diff);
  assert.deepEqual(hunksOf(en), []);
  assert.deepEqual(captionsOf(en), ['`area` moved from `src/old.ts` to `src/new.ts`, otherwise unchanged.']);
  assert.deepEqual(captionsOf(ja), ['`area` を `src/old.ts` から `src/new.ts` へ移動。内容の変更なし。']);
});

test('a name that both sides declare is neither added nor removed', () => {
  const { en } = write([
    diffOf('src/stubs.ts', '\n-export function draw(page: Page) {\n-  return null;\n-}\n start();'),
    diffOf(
      'src/draw.ts',
      `\n+export function draw(page: Page, options: Options) {\n${numbered(4, (at) => `+  send(page, ${at}, options);`)}\n+}`,
      { status: 'added' },
    ),
    condition,
  ]);
  assert.deepEqual(
    hunksOf(en).filter(({ fileName }) => fileName === 'src/draw.ts'),
    [],
  );
  assert.doesNotMatch(en.also.map(({ statement }) => statement.text).join(' '), /(?:added|removed):.*`draw`/);
});

test('very long lines are not shown, and their file is named', () => {
  const { en } = write([
    diffOf('data/pages.json', `\n-["${'a'.repeat(400)}"]\n+["${'b'.repeat(400)}"]`),
    condition,
  ]);
  assert.deepEqual(
    hunksOf(en).map(({ fileName }) => fileName),
    ['src/print.ts'],
  );
  assert.deepEqual(
    en.also.map(({ statement }) => statement.text),
    ['Other changed files: `data/pages.json`.'],
  );
});

test('an import is shown if it is the only change', () => {
  const { en } = write([
    diffOf('src/a.py', '\n import os\n-from ctypes import c_int\n+from ctypes import c_int, c_long\n'),
  ]);
  assert.equal(hunksOf(en).length, 1);
});

test('reordered lines are shown', () => {
  const { en } = write([
    diffOf(
      'src/open.ts',
      `
 function open(door: Door) {
+  if (door.isLocked) throw new LockedError(door);
   door.turnHandle();
-  if (door.isLocked) throw new LockedError(door);
 }`,
    ),
  ]);
  assert.deepEqual(
    hunksOf(en).map(({ lines }) => lines.length),
    [5],
  );
});

test('a change of layout is not shown, and its file is named', () => {
  const { en } = write([diffOf('src/a.ts', '\n-send(first,   second);\n+send(first, second);\n'), condition]);
  assert.deepEqual(
    hunksOf(en).map(({ fileName }) => fileName),
    ['src/print.ts'],
  );
  assert.deepEqual(
    en.also.map(({ statement }) => statement.text),
    ['Other changed files: `src/a.ts`.'],
  );
});

test('the same edit in other files is mentioned with the first', () => {
  const edit = (path: string, name: string): FileDiff =>
    diffOf(path, `\n function ${name}() {\n-  log('starting up');\n-  run();\n+  if (isReady()) run();\n }`);
  const { en, ja } = write([edit('src/a.ts', 'one'), edit('src/b.ts', 'two'), edit('src/c.ts', 'three')]);
  assert.equal(hunksOf(en).length, 1);
  assert.match(
    captionsOf(en)[0] ?? '',
    /^The edit below is made in 2 more places: `src\/.\.ts`, `src\/.\.ts`\.$/,
  );
  assert.match(captionsOf(ja)[0] ?? '', /にも以下と同じ変更（2 か所）。$/);
});

test('a rename over six files is one hunk with a caption', () => {
  const files = ['a', 'b', 'c', 'd', 'e'].map((name) =>
    diffOf(
      `src/${name}.ts`,
      `\n start${name}();\n-${name}.push(readPage(input));\n+${name}.push(parsePage(input));\n stop();`,
    ),
  );
  const declared = diffOf(
    'src/parse.ts',
    '\n-export function readPage(input: string) {\n+export function parsePage(input: string) {\n   return input;\n }',
  );
  const { en, ja } = write([...files, declared]);
  assert.equal(hunksOf(en).length, 1);
  assert.deepEqual(captionsOf(en), ['`readPage` renamed to `parsePage` in 6 files.']);
  assert.deepEqual(captionsOf(ja), ['`readPage` の名前を `parsePage` に変更（6 ファイル）。']);
});

test('a sentence about an unread file counts as one verified claim', () => {
  const { en } = write([condition, diffOf('vendor/a/a.go', '\n-package a\n+package b\n')]);
  assert.deepEqual(
    en.also.map(({ statement }) => statement.text),
    ['Not read: 1 vendored file.'],
  );
  assert.deepEqual(en.verification, {
    claims: 1,
    verified: 1,
    dropped: 0,
    repaired: 0,
    judged: 0,
    unjudged: 0,
  });
});
