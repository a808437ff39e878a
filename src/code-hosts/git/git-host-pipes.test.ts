import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { git, makeClone } from '../../../test/make-clone.ts';
import { openClones } from '../../../test/open-clones.ts';
import { nobody, readFromHost } from '../../../test/read-from-host.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

const root = temporaryFolder();
const host = openClones(root);

/** Replaces a path by a pipe without a writer, which blocks its readers. */
function plantPipe(path: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  execFileSync('mkfifo', [path]);
}

async function plantSocket(path: string): Promise<void> {
  rmSync(path, { recursive: true, force: true });
  const server = createServer().listen(path);
  after(() => server.close());
  await once(server, 'listening');
}

/** Finds a clone, lists its pull requests and reads one to the end. */
async function ask(fullName: string): Promise<'passed over' | 'read'> {
  const [owner = '', name = ''] = fullName.split('/');
  const repository = await host.findRepository(owner, name, nobody);
  if (!repository) return 'passed over';
  const { items } = await host.listPullRequests(repository, { state: 'all', limit: 20, offset: 0 }, nobody);
  assert.equal(items.length, 1);
  const found = (await readFromHost(host, repository, 1)) ?? assert.fail();
  assert.match(Buffer.concat(await Array.fromAsync(found.diff())).toString(), /readme\.txt/);
  return 'read';
}

/** Paths in a clone, with the outcome for a pipe at each. */
const places: [string, 'passed over' | 'read'][] = [
  ['.git/HEAD', 'passed over'],
  ['.git/packed-refs', 'passed over'],
  ['.git/shallow', 'passed over'],
  ['.git/refs', 'passed over'],
  ['.git/refs/heads/main', 'passed over'],
  ['.git/refs/pull', 'passed over'],
  ['.git/refs/pull/1/head', 'passed over'],
  ['.git/refs/pull/2/merge', 'passed over'],
  ['.git/objects', 'passed over'],
  ['.git/objects/info/alternates', 'passed over'],
  ['.git/objects/info/commit-graph', 'passed over'],
  ['.git/objects/pack/pack-1234.idx', 'passed over'],
  ['.git/objects/12/34567890', 'passed over'],
  ['.git', 'passed over'],
  ['', 'passed over'],
  // Git runs in an isolated folder that does not contain these files.
  ['.git/config', 'read'],
  ['.git/index', 'read'],
  ['.git/commondir', 'read'],
  ['.git/info/attributes', 'read'],
  ['.git/info/grafts', 'read'],
  ['.git/hooks/post-checkout', 'read'],
  ['.gitattributes', 'read'],
];

test('a clone with a pipe is skipped where git would read the pipe, read elsewhere, and never blocks', {
  timeout: 120_000,
}, async () => {
  makeClone(root, 'acme/beside', 'Begin (#1)');
  for (const [index, [path, expected]] of places.entries()) {
    const clone = makeClone(root, `acme/piped${index}`, 'Begin (#1)');
    git(clone, 'update-ref', 'refs/pull/1/head', 'HEAD');
    plantPipe(join(clone, path));
    assert.equal(await ask(`acme/piped${index}`), expected, path);
  }
  execFileSync('mkfifo', [join(root, 'owner')]);
  assert.equal(await ask('owner/any'), 'passed over');
  assert.equal(await ask('acme/beside'), 'read');
});

test('a clone with a socket in HEAD, a ref or alternates is skipped', { timeout: 120_000 }, async () => {
  for (const [index, path] of [
    '.git/HEAD',
    '.git/refs/pull/1/head',
    '.git/objects/info/alternates',
  ].entries()) {
    const clone = makeClone(root, `acme/wired${index}`, 'Begin (#1)');
    git(clone, 'update-ref', 'refs/pull/1/head', 'HEAD');
    await plantSocket(join(clone, path));
    assert.equal(await ask(`acme/wired${index}`), 'passed over', path);
  }
});

test('a clone that gets a pipe after it was read is skipped from then on', {
  timeout: 300_000,
}, async () => {
  for (const [index, path] of ['.git/HEAD', '.git/shallow', '.git/refs/pull/1/head'].entries()) {
    const name = `acme/late${index}`;
    const clone = makeClone(root, name, 'Begin (#1)');
    git(clone, 'update-ref', 'refs/pull/1/head', 'HEAD');
    assert.equal(await ask(name), 'read');
    plantPipe(join(clone, path));
    assert.equal(await ask(name), 'passed over', path);
  }
});
