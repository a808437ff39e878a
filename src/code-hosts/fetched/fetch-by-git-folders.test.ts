import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { takeExclusiveLock } from '../../db/local-server/server-folder.ts';
import { GitSpawner } from '../git-runner/git-spawner.ts';
import { createFetchByGit, TemporaryFolders } from './fetch-by-git.ts';

test('`removeLeft` deletes folders of dead processes, even one with a living process id, and keeps folders of living processes', async () => {
  const folder = join(temporaryFolder(), 'fetched');
  for (const left of ['of-process-dead/fetch-1', `${process.pid}-left`, '1-left'])
    mkdirSync(join(folder, left, 'fetched.git'), { recursive: true });
  const living = new TemporaryFolders(folder, takeExclusiveLock);
  const fetched = await living.make();
  await new TemporaryFolders(folder, takeExclusiveLock).removeLeft();
  assert.equal(readdirSync(folder).length, 1);
  assert.ok(existsSync(fetched));
  await living.close();
  assert.deepEqual(readdirSync(folder), []);
});

test('`TemporaryFolders.make` succeeds after a failed attempt, and the failed attempt leaves no folder', async () => {
  const folder = join(temporaryFolder(), 'fetched');
  let isFull = true;
  const folders = new TemporaryFolders(folder, (file) => {
    if (isFull) throw new Error('no space left on device');
    return takeExclusiveLock(file);
  });
  await assert.rejects(folders.make(), /no space left/);
  isFull = false;
  assert.ok(existsSync(await folders.make()));
  await folders.close();
  assert.deepEqual(readdirSync(folder), []);
});

test('`TemporaryFolders.make` makes another folder when its own is locked or deleted by another process', async () => {
  const folder = join(temporaryFolder(), 'fetched');
  const taken: string[] = [];
  const folders = new TemporaryFolders(folder, (file) => {
    taken.push(file);
    const release = taken.length === 1 ? takeExclusiveLock(file) : () => {};
    if (taken.length === 2) rmSync(dirname(file), { recursive: true });
    try {
      return takeExclusiveLock(file);
    } finally {
      release();
    }
  });
  assert.ok(existsSync(await folders.make()));
  assert.equal(new Set(taken).size, 3, 'one was held, one was gone');
  assert.equal(readdirSync(folder).length, 1);
  await folders.close();
});

test('`TemporaryFolders.remove` deletes a folder that is still being written to', async () => {
  const folders = new TemporaryFolders(join(temporaryFolder(), 'fetched'), takeExclusiveLock);
  const folder = await folders.make();
  const script =
    'i=0; while : > "$0/$i"; do i=$((i+1)); [ $i -eq 10 ] && echo; [ $i -lt 3000 ] || exit; done';
  const writer = spawn('sh', ['-c', script, folder], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(writer, 'exit');
  await once(writer.stdout, 'data');
  await folders.remove(folder);
  assert.equal(existsSync(folder), false);
  await ended;
  await folders.close();
});

const caller = { isService: false, token: null, signal: new AbortController().signal };
const range = { owner: 'acme', name: 'rocket', base: 'a'.repeat(40), head: 'b'.repeat(40) };

/** Reads a pull request with a git that only prints its version, and returns the error and the commands git got. */
async function readWithGit({ freeBytes }: { freeBytes?: number } = {}) {
  const searchPath = temporaryFolder();
  const log = join(searchPath, 'log');
  writeFileSync(log, '');
  writeFileSync(join(searchPath, 'git'), `#!/bin/sh\necho "$@" >> ${log}\necho git version 2.30.2\n`);
  chmodSync(join(searchPath, 'git'), 0o755);
  const folders = new TemporaryFolders(join(temporaryFolder(), 'fetched'), takeExclusiveLock);
  const spawner = new GitSpawner();
  const { diff } = createFetchByGit({
    searchPath,
    folders,
    id: 'github',
    name: 'GitHub',
    web: 'https://github.example',
    gitUser: 'x-access-token',
    mostBytes: 1_000_000,
    spawner,
    network: async () => ({ environment: {}, configuration: {}, certificates: null }),
    clock: () => new Date(),
    ...(freeBytes !== undefined && { freeBytes: async () => freeBytes }),
  })(range, caller);
  const failure = await diff(async () => {})
    .next()
    .then(
      () => assert.fail('nothing can be read'),
      (error) => error,
    );
  await spawner.close();
  await folders.close();
  return { failure, orders: readFileSync(log, 'utf8') };
}

test('a git that is too old for network restrictions runs only `git version`, and the error names the version needed', async () => {
  const { failure, orders } = await readWithGit();
  assert.deepEqual([failure.code, orders], ['HOST_ERROR', 'version\n']);
  assert.match(failure.message, /needs git 2\.37 or newer/);
});

test('a fetch on a nearly full disk fails with STORAGE_FULL before git runs', async () => {
  const { failure, orders } = await readWithGit({ freeBytes: 200 * 1024 * 1024 });
  assert.deepEqual([failure.code, orders], ['STORAGE_FULL', '']);
});
