import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { git, makeClone } from '../../../test/make-clone.ts';
import { serveGit } from '../../../test/serve-git.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { takeExclusiveLock } from '../../db/local-server/server-folder.ts';
import { GitSpawner } from '../git-runner/git-spawner.ts';
import { TemporaryFolders } from './fetch-by-git.ts';
import { TreeCopies } from './tree-copies.ts';

const root = temporaryFolder();
const clone = makeClone(root, 'acme/rocket');
const shas = Array.from({ length: 3 }, (_, at) => {
  writeFileSync(join(clone, 'fuel.txt'), `${at} litres\n`);
  writeFileSync(join(clone, 'large'), randomBytes(200_000));
  git(clone, 'add', '.');
  git(clone, 'commit', '--quiet', '--message', 'Fill');
  return git(clone, 'rev-parse', 'HEAD').trim();
});
let fetches = 0;
const server = createServer((request, response) => {
  if (request.url?.endsWith('git-upload-pack')) fetches += 1;
  const [, rest = ''] = /^\/acme\/rocket\.git(.*)$/.exec(request.url ?? '') ?? [];
  void serveGit(join(clone, '.git'), rest, request, response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const data = temporaryFolder();
const folders = new TemporaryFolders(join(data, 'fetched'), takeExclusiveLock);
const spawner = new GitSpawner();
after(async () => {
  server.close();
  await spawner.close();
  await folders.close();
});

const copies = (mostBytes: number, kept: string) =>
  new TreeCopies({
    searchPath: process.env.PATH ?? '',
    folders,
    kept: join(data, kept),
    id: 'example',
    name: 'Example',
    web: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    gitUser: 'example',
    mostBytes,
    spawner,
    network: async () => ({ environment: {}, configuration: {}, certificates: null }),
    clock: () => new Date(),
  });

const { signal } = new AbortController();
const caller = { isService: true, token: null, signal };
const rocket = { hostRepoId: 1, owner: 'acme', name: 'rocket' };
const range = (head: number) => ({ ...rocket, base: shas[head - 1] ?? '', head: shas[head] ?? '' });
const ok = { isPrivate: false, lastCheck: async () => {} };
const temporary = () =>
  readdirSync(join(data, 'fetched')).flatMap((own) =>
    readdirSync(join(data, 'fetched', own)).filter((name) => name.startsWith('fetch-')),
  );

test('the tree of a public repository is fetched once, with both sides, and the oldest tree is deleted when space runs out', async () => {
  const trees = copies(1_000_000, 'trees');
  assert.equal(await trees.find(range(1), signal), null);
  const tree = await trees.fetch(range(1), caller, ok);
  assert.deepEqual(await tree.changedPaths(), ['fuel.txt', 'large']);
  const lines = async (side: 'old' | 'new') => (await tree.find(side, ['litres'])).hits;
  assert.deepEqual(await lines('old'), [{ path: 'fuel.txt', line: 1, text: '0 litres' }]);
  assert.deepEqual(await lines('new'), [{ path: 'fuel.txt', line: 1, text: '1 litres' }]);
  assert.deepEqual(await tree.read('new', ['fuel.txt', 'large', '../x']), [
    { path: 'fuel.txt', text: '1 litres\n' },
  ]);
  await tree.close();
  const before = fetches;
  const known = (await trees.find(range(1), signal)) ?? assert.fail('it is kept');
  assert.deepEqual(await known.read('old', ['fuel.txt']), [{ path: 'fuel.txt', text: '0 litres\n' }]);
  assert.equal(fetches, before);
  const small = copies(600_000, 'trees');
  await small.fetch(range(2), caller, ok);
  assert.equal(await small.find(range(1), signal), null);
  assert.notEqual(await small.find(range(2), signal), null);
});

test('the tree of a private repository is deleted when it is closed, and one that may not be shown is not stored', async () => {
  const trees = copies(1_000_000, 'private');
  const tree = await trees.fetch(range(1), caller, { ...ok, isPrivate: true });
  assert.equal((await tree.find('new', ['litres'])).hits.length, 1);
  assert.equal(temporary().length, 1);
  await tree.close();
  const hide = async () => {
    throw new Error('hidden');
  };
  await assert.rejects(trees.fetch(range(1), caller, { isPrivate: false, lastCheck: hide }), /hidden/);
  assert.deepEqual(temporary(), []);
  assert.equal(await trees.find(range(1), signal), null);
});

test('a tree that is larger than the limit is not stored', async () => {
  await assert.rejects(copies(100_000, 'none').fetch(range(1), caller, ok), /exceed the limit/);
  assert.deepEqual(temporary(), []);
});
