import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import { allOf, write } from '../../../test/write-offline.ts';
import { parseDiff } from '../../reading/parse-diff.ts';

const picture = (path: string, ...header: string[]): string =>
  [
    `diff --git a/${path} b/${path}`,
    ...header,
    'index 1111111..2222222',
    `Binary files a/${path} and b/${path} differ`,
    '',
  ].join('\n');

test('files that nobody reads are new, removed, moved or changed, as others are', () => {
  const diff = parseDiff(
    Buffer.from(
      [
        ...['a.png', 'b.png'].map((path) => picture(path, 'deleted file mode 100644')),
        ...['c.png', 'd.png'].map((path) => picture(path, 'new file mode 100644')),
        ...['e.png', 'f.png'].map((path) => picture(path)),
        'diff --git a/g.png b/docs/g.png\nsimilarity index 100%\nrename from g.png\nrename to docs/g.png\n',
      ].join(''),
    ),
  );
  const { en, ja } = write(diff);
  assert.match(allOf(en), /2 files that are binary are removed: `a\.png` and `b\.png`\./);
  assert.match(allOf(en), /2 files that are binary are new: `c\.png` and `d\.png`\./);
  assert.match(allOf(en), /2 files that are binary change: `e\.png` and `f\.png`\./);
  assert.match(allOf(en), /Moved here from `g\.png`, otherwise unchanged\./);
  assert.match(allOf(ja), /`a\.png`、`b\.png`\) が削除されます。/);
});

test('what lies among copies is told by where it lies, and not as a copy', () => {
  const { en, ja } = write([diffOf('vendor/darwin/Layer.odin', '\n+begin :: proc() {}\n')]);
  assert.match(
    allOf(en),
    /This file is below `vendor`, where copies from elsewhere are kept as a rule, and changes \(1 line added\)\./,
  );
  assert.match(allOf(ja), /ふつう外から取り込んだものを置く `vendor` の下にあるファイルで、内容が変わります/);
});
