import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { takeExclusiveLock } from '../../db/embedded/exclusive-lock.ts';
import { GitSpawner } from '../git/git-spawner.ts';
import { createFetchByGit } from './fetch-by-git.ts';
import { FetchedPlaces } from './fetched-places.ts';

test('a start removes what the dead have left, whatever their number was, and nothing of those who live', async () => {
  const folder = join(temporaryFolder(), 'fetched');
  for (const left of ['of-process-dead/place-1', `${process.pid}-left`, '1-left'])
    mkdirSync(join(folder, left, 'fetched.git'), { recursive: true });
  const living = new FetchedPlaces(folder, takeExclusiveLock);
  const place = await living.make();
  await new FetchedPlaces(folder, takeExclusiveLock).removeLeft();
  assert.equal(readdirSync(folder).length, 1);
  assert.ok(existsSync(place));
  await living.close();
  assert.deepEqual(readdirSync(folder), []);
});

test('a git that does not know what keeps it on its way is not let out, and whoever asks is told which it takes', async () => {
  const searchPath = temporaryFolder();
  const log = join(searchPath, 'log');
  writeFileSync(join(searchPath, 'git'), `#!/bin/sh\necho "$@" >> ${log}\necho git version 2.30.2\n`);
  chmodSync(join(searchPath, 'git'), 0o755);
  const places = new FetchedPlaces(join(temporaryFolder(), 'fetched'), takeExclusiveLock);
  const spawner = new GitSpawner();
  const fetchByGit = createFetchByGit({
    searchPath,
    places,
    web: 'https://github.example',
    mostBytes: 1_000_000,
    spawner,
    network: async () => ({ environment: {}, configuration: {}, certificates: null }),
    clock: () => new Date(),
  });
  const caller = { isService: false, token: null, signal: new AbortController().signal };
  const range = { owner: 'acme', name: 'rocket', base: 'a'.repeat(40), head: 'b'.repeat(40) };
  const { diff } = fetchByGit(range, caller);
  const read = diff(
    async () => {},
    (work) => work(),
  );
  await assert.rejects(read.next(), { code: 'HOST_ERROR', message: /takes git 2\.37 or newer/ });
  assert.equal(readFileSync(log, 'utf8'), 'version\n');
  await spawner.close();
  await places.close();
});
