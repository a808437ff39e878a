import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { shareProcesses } from './share-processes.ts';
import { temporaryFolder } from './temporary-folder.ts';

test('test files share a process one after another, each closed before the next, and a file that exits is named and not rerun', () => {
  const folder = temporaryFolder();
  const write = (name: string, text: string) => {
    const file = join(folder, `${name}.test.mjs`);
    writeFileSync(file, `import { after, test } from 'node:test';\n${text}`);
    return file;
  };
  const say = (name: string) => `
    await new Promise(setImmediate);
    after(() => console.log('${name} is closed'));
    test('${name} passes', () => {});`;
  const own = write('alone', `process.on('exit', () => {});`);
  const shared = [write('c', `${say('c')}process.exit(0);`), write('b', say('b')), write('a', say('a'))];
  const { files, findUnfinished, remove } = shareProcesses([own, ...shared], 1);
  after(remove);
  assert.equal(files.length, 2);
  assert.equal(files[0], own);
  const environment = { ...process.env, NODE_TEST_CONTEXT: undefined };
  const run = () => spawnSync(process.execPath, [files[1] ?? ''], { encoding: 'utf8', env: environment });
  const ended = run();
  assert.deepEqual([ended.status, findUnfinished().length], [0, 3], ended.stdout + ended.stderr);
  const { stdout } = run();
  assert.match(stdout, /a is closed[\s\S]*b is closed|b is closed[\s\S]*a is closed/);
  assert.match(stdout, /✔ a passes[\s\S]*✔ .*a\.test\.mjs/);
  assert.deepEqual(findUnfinished(), shared.slice(0, 1), 'it was begun, and is not begun again');
});
