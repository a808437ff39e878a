import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChangedFile } from '../../contract/pull-request.ts';
import { layOutMap } from './lay-out-map.ts';

const file = (fileName: string, additions: number, deletions = 0): ChangedFile => ({
  fileName,
  status: 'modified',
  kind: 'source',
  additions,
  deletions,
});
const size = { width: 960, height: 190, gap: 2 };

test('a file has an area as large as what changed in it, inside the map and over no other', () => {
  const blocks = layOutMap([file('src/a.ts', 60), file('src/b.ts', 20, 10), file('docs/c.md', 10)], size);
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

test('a change without lines has a map of its files, and one without files has none', () => {
  assert.equal(layOutMap([file('a.png', 0), file('b.png', 0)], size).length, 2);
  assert.deepEqual(layOutMap([], size), []);
});
