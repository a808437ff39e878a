import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { git, makeClone } from '../../../test/make-clone.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { findClone } from '../git/find-clone.ts';
import { GitSpawner } from './git-spawner.ts';
import { readFileTexts } from './read-objects.ts';

const root = temporaryFolder();
const folder = makeClone(root, 'acme/rocket');
const spawner = new GitSpawner();
const runner = {
  path: process.env.PATH ?? '',
  isolatedFolders: join(temporaryFolder(), 'stand-ins'),
  spawner,
};

const commit = (): string => {
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'More');
  return git(folder, 'rev-parse', 'HEAD').trim();
};

const readAll = async (wanted: Parameters<typeof readFileTexts>[2]) => {
  const clone = (await findClone(root, 'acme', 'rocket')) ?? assert.fail('the clone is there');
  return Array.fromAsync(readFileTexts(runner, clone, wanted));
};

test('`readFileTexts` reads the requested side of each file and leaves out paths that are missing, empty, outside the clone or contain a line break', async () => {
  writeFileSync(join(folder, 'a b'), 'before\n');
  const base = commit();
  writeFileSync(join(folder, 'a b'), 'after\n');
  writeFileSync(join(folder, 'two\nlines'), 'never asked for\n');
  writeFileSync(join(folder, 'läuft.py'), '');
  symlinkSync('a b', join(folder, 'link'));
  const head = commit();
  const wanted = [
    { path: 'a b', side: 'old' },
    { path: 'two\nlines', side: 'new' },
    { path: 'läuft.py', side: 'new' },
    { path: 'läuft.py', side: 'old' },
    { path: '../../etc/passwd', side: 'new' },
    { path: '', side: 'new' },
    { path: 'a b', side: 'new' },
  ] as const;
  assert.deepEqual(await readAll({ base, head, wanted: [...wanted] }), [
    { place: 0, text: 'before\n' },
    { place: 2, text: '' },
    { place: 6, text: 'after\n' },
  ]);
});

test('`readFileTexts` skips a file above 1 MiB and stops after 20 MiB in total', async () => {
  const size = 1024 * 1024;
  for (let index = 0; index < 22; index++)
    writeFileSync(join(folder, `file-${index}`), String(index).padEnd(size, '.'));
  writeFileSync(join(folder, 'larger'), '.'.repeat(size + 1));
  const head = commit();
  const names = ['larger', ...Array.from({ length: 22 }, (_, index) => `file-${index}`)];
  const wanted = names.map((path) => ({ path, side: 'new' as const }));
  const read = await readAll({ base: head, head, wanted });
  assert.deepEqual(
    read.map(({ place }) => place),
    Array.from({ length: 20 }, (_, index) => index + 1),
  );
  assert.ok(read.every(({ place, text }) => text.startsWith(`${place - 1}.`) && text.length === size));
});
