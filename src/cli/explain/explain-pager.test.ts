import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runToEnd } from '../../../test/start-service.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

test('`showLines` survives a pager that exits early, leaves Ctrl-C to the pager, and prints directly without a pager or for a short text', async () => {
  const file = join(temporaryFolder(), 'page.mjs');
  const module = JSON.stringify(join(import.meta.dirname, 'explain.ts'));
  writeFileSync(
    file,
    `import { showLines } from ${module};
const lines = Array.from({ length: Number(process.argv[2]) }, (_, number) => 'line ' + number);
await showLines(lines, Object.assign(process.stdout, { isTTY: true, rows: 24 }));
process.stderr.write('shown');\n`,
  );
  const page = (pager: string, lines: number) =>
    runToEnd({ command: [process.execPath, file, String(lines)], environment: { PAGER: pager } });
  // A million lines exceed the buffer of the pipe, so the write fails once the pager exits.
  const [early, stopped, none, short] = await Promise.all([
    page('head -n 1', 1_000_000),
    page('kill -INT $PPID; tail -n 1', 1_000),
    page('no-such-pager', 1_000),
    page('echo not asked for', 23),
  ]);
  assert.deepEqual([early.code, early.stdout, early.stderr], [0, 'line 0\n', 'shown']);
  assert.deepEqual([stopped.code, stopped.stdout, stopped.stderr], [0, 'line 999\n', 'shown']);
  assert.deepEqual([none.code, none.stdout.split('\n').length], [0, 1_001]);
  assert.match(short.stdout, /^line 0\n/);
});
