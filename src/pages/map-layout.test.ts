import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChangedFile } from '../contract/pull-requests.ts';
import { foldersOf, layOutFolders, layOutMap } from './map-layout.ts';

const file = (fileName: string, additions = 1, kind: ChangedFile['kind'] = 'source'): ChangedFile => ({
  fileName,
  status: 'modified',
  kind,
  additions,
  deletions: 0,
});
const many = (folder: string, count: number, lines = 1, kind: ChangedFile['kind'] = 'source') =>
  Array.from({ length: count }, (_, index) => file(`${folder}/${index}.ts`, lines, kind));

test('`foldersOf` splits a large change into at most 40 folders, and every file is in exactly one', () => {
  const files = [
    ...Array.from({ length: 60 }, (_, index) => many(`packages/p${index}/src`, 30)).flat(),
    ...many('api/src', 420, 3),
    ...many('api/test', 210, 2, 'test'),
    file('readme.md', 1, 'documentation'),
  ];
  const folders = foldersOf(files);
  assert.ok(folders.length <= 40, String(folders.length));
  assert.deepEqual(
    folders.slice(0, 3).map(({ path, files: own }) => [path, own.length]),
    [
      ['api/src', 420],
      ['packages/…', 720],
      ['api/test', 210],
    ],
  );
  assert.equal(
    folders.reduce((sum, { files: own }) => sum + own.length, 0),
    files.length,
  );
});

test("a folder's area is proportional to its changed lines, with a band for each kind of file", () => {
  const folders = foldersOf([
    ...many('src', 200, 9),
    ...many('src', 100, 9, 'test'),
    ...many('docs', 100, 9, 'documentation'),
  ]);
  const blocks = layOutFolders(folders, { width: 960, height: 260, gap: 2 });
  const [src, docs] = ['src', 'docs'].map(
    (path) => blocks.find(({ folder }) => folder.path === path) ?? assert.fail(path),
  );
  assert.ok(src && docs);
  const ratio = (src.width * src.height) / (docs.width * docs.height);
  assert.ok(ratio > 2.8 && ratio < 3.2, String(ratio));
  assert.deepEqual(
    src.bands.map(({ kind }) => kind),
    ['source', 'test'],
  );
  assert.equal(
    src.bands.reduce((sum, { height }) => sum + height, 0),
    src.height,
  );
});

test('3,000 files in one folder, or 300 in the root, are one block', () => {
  assert.deepEqual(
    foldersOf(many('a/b/c', 3000)).map(({ path, files }) => [path, files.length]),
    [['a/b/c', 3000]],
  );
  assert.deepEqual(
    foldersOf(Array.from({ length: 300 }, (_, index) => file(`${index}.ts`, 0))).map(({ path }) => path),
    [''],
  );
});

const size = { width: 960, height: 190, gap: 2 };

test("a file's area is proportional to its changed lines, inside the map and without overlaps", () => {
  const blocks = layOutMap([file('src/a.ts', 60), file('src/b.ts', 30), file('docs/c.md', 10)], size);
  const area = (name: string) => {
    const block = blocks.find((one) => one.file.fileName === name) ?? assert.fail(name);
    return block.width * block.height;
  };
  const ratio = area('src/a.ts') / area('src/b.ts');
  assert.ok(ratio > 1.9 && ratio < 2.1, String(ratio));
  for (const one of blocks) {
    assert.ok(one.x >= 0 && one.y >= 0 && one.x + one.width <= 960 && one.y + one.height <= 190);
    for (const other of blocks)
      assert.ok(
        one === other ||
          one.x + one.width <= other.x ||
          other.x + other.width <= one.x ||
          one.y + one.height <= other.y ||
          other.y + other.height <= one.y,
      );
  }
});

test('a change without lines still maps its files, and a change without files has no map', () => {
  assert.equal(layOutMap([file('a.png', 0), file('b.png', 0)], size).length, 2);
  assert.deepEqual(layOutMap([], size), []);
});
