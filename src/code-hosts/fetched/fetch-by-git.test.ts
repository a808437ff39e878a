import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { serveGit } from '../../../test/github/serve-git.ts';
import { git, gitInTurn, makeClone } from '../../../test/make-clone.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { takeExclusiveLock } from '../../db/embedded/exclusive-lock.ts';
import { Failure } from '../../domain/errors.ts';
import { MovedMeanwhile } from '../code-host.ts';
import { GitSpawner } from '../git-runner/git-spawner.ts';
import { createFetchByGit } from './fetch-by-git.ts';
import { TemporaryFolders } from './temporary-folders.ts';

/** A history whose second commit holds more than may be fetched, and whose last lies behind refs/pull/1/head. */
const clone = makeClone(temporaryFolder(), 'acme/rocket');
const commit = ['commit', '--quiet', '--message'];
writeFileSync(join(clone, 'large'), randomBytes(400_000));
gitInTurn(clone, [
  ['add', '.'],
  [...commit, 'Add'],
]);
writeFileSync(join(clone, 'readme.txt'), 'This is told.\n');
gitInTurn(clone, [
  ['rm', '--quiet', 'large'],
  [...commit, 'Remove'],
  ['add', '.'],
  [...commit, 'Tell'],
  ['update-ref', 'refs/pull/1/head', 'HEAD'],
]);
const [head = '', parent = '', , first = ''] = git(clone, 'log', '--format=%H').trim().split('\n');

const server = createServer((request, response) => {
  const rest = (request.url ?? '').replace('/acme/rocket.git', '');
  void serveGit(join(clone, '.git'), rest, request, response, { isOld: true });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const folders = new TemporaryFolders(join(temporaryFolder(), 'fetched'), takeExclusiveLock);
const spawner = new GitSpawner();
after(async () => {
  server.close();
  await spawner.close();
  await folders.close();
});

const read = async (base: string, to: string, mostBytes: number): Promise<string> => {
  const { diff } = createFetchByGit({
    searchPath: process.env.PATH ?? '',
    folders,
    hostId: 'example',
    hostName: 'Example',
    web: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    gitUser: 'example',
    mostBytes,
    spawner,
    network: async () => ({ environment: {}, configuration: {}, certificates: null }),
    clock: () => new Date(),
  })(
    { owner: 'acme', name: 'rocket', base, head: to, refs: ['refs/pull/1/head'] },
    { isService: false, token: null, signal: new AbortController().signal },
  );
  const chunks = await Array.fromAsync(
    diff(
      async () => {},
      (work) => work(),
    ),
  );
  return Buffer.concat(chunks).toString();
};

test('refs are followed back to a base that no ref names', async () => {
  assert.match(await read(parent, head, 1_000_000), /^\+This is told\.$/m);
});

test('a commit that is gone has changed meanwhile, however large the history is that it was looked for in', async () => {
  await assert.rejects(read(parent, 'b'.repeat(40), 200_000), MovedMeanwhile);
  await assert.rejects(read('b'.repeat(40), head, 1_000_000), MovedMeanwhile);
});

test('a history too large to be looked through is no lasting fault of the pull request', async () => {
  await assert.rejects(read(first, head, 200_000), (error: unknown) => {
    assert.ok(error instanceof Failure);
    assert.deepEqual([error.code, /history/.test(error.message)], ['HOST_ERROR', true]);
    return true;
  });
});
