import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitDiff } from './diff-tasks.ts';

test('`splitDiff` keeps the same files up to the limit for every chunk size', async () => {
  const file = (name: string) =>
    `diff --git a/${name} b/${name}\nnew file mode 100644\nindex 0000000..1111111\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+${name}\n`;
  const diff = Buffer.from(['a', 'b', 'c', 'd'].map(file).join(''));
  const maxBytes = Math.floor(diff.length * 0.7);
  for (const size of [1, 50, diff.length]) {
    const kept: string[] = [];
    const pieces = Array.from({ length: Math.ceil(diff.length / size) }, (_, place) =>
      diff.subarray(place * size, (place + 1) * size),
    );
    const isWhole = await splitDiff(
      { maxBytes },
      {
        nextChunk: async () => pieces.shift() ?? null,
        nextSummaries: async () => [],
        keep: async (files) => void kept.push(...files.map(({ fileName }) => fileName)),
      },
    );
    assert.deepEqual([isWhole, kept], [false, ['a', 'b']], `in pieces of ${size}`);
  }
});
