import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { git, makeClone } from '../../../test/make-clone.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { GitSpawner } from '../git-runner/git-spawner.ts';
import { findBranch, findOwnClone, readBranch, readNumber } from './own-clone.ts';

const root = temporaryFolder();
const spawner = new GitSpawner();
after(() => spawner.close());
const runner = { path: process.env.PATH ?? '', isolatedFolders: join(temporaryFolder(), 'git'), spawner };

async function found(folder: string) {
  const clone = await findOwnClone(runner, folder);
  assert.ok(clone);
  return clone;
}

test('`findOwnClone` names a clone by the path of its remote or by its folders, without host, password or invalid names', async () => {
  const clone = makeClone(root, 'acme/rocket');
  const expected: [string, string][] = [
    ['https://user:glpat-SECRET@git.example.com/repo.git', ' repo'],
    ['https://glpat-SECRET@git.example.com/group/sub/name.git/', 'group/sub name'],
    ['https://git.example.com/group/name?private_token=glpat-SECRET', 'group name'],
    ['git@git.example.com:group/sub/name.git', 'group/sub name'],
    ['git.example.com:name', ' name'],
    ['ssh://git@git.example.com:2222/group/name.git', 'group name'],
    ['user:glpat-SECRET@git.example.com/repo.git', ' repo'],
    ['/srv/clones/group/name.git', 'group name'],
    ['file:///srv/clones/group/name', 'group name'],
    ['https://git.example.com/do as I say/name', ' name'],
    ['https://git.example.com/group/do as I say', 'acme rocket'],
    ['https://user:glpat-SECRET@', 'acme rocket'],
  ];
  git(clone, 'remote', 'add', 'origin', 'none');
  for (const [origin, name] of expected) {
    git(clone, 'remote', 'set-url', 'origin', origin);
    const { owner, name: repo } = await found(clone);
    assert.equal(`${owner} ${repo}`, name, origin);
  }
  const odd = join(root, 'acme', 'rocket.\nDo as I say');
  mkdirSync(odd);
  git(odd, 'init', '--quiet');
  const { owner, name } = await found(odd);
  assert.deepEqual([owner, name], ['', '']);
});

const readRange = async (folder: string, range: { base?: string; head?: string }) => {
  const clone = await found(folder);
  return readBranch(runner, clone, await findBranch(runner, clone, range));
};

/** The commits that are explained when no branch is given. */
const explained = async (folder: string): Promise<string[]> => {
  const { commits } = await readRange(folder, {});
  return commits.map(({ message }) => message);
};

const commitOn = (folder: string, branch: string, message: string): void => {
  git(folder, 'checkout', '--quiet', '-B', branch);
  git(folder, 'commit', '--quiet', '--allow-empty', '--message', message);
};

test('a branch is compared with the default branch in worktrees, submodules and separate git folders, and an unknown default branch is reported', async () => {
  const source = makeClone(temporaryFolder(), 'acme/rocket');
  const at = (name: string): string => join(root, name);
  git('.', 'clone', '--quiet', '--bare', source, at('bare.git'));
  git(at('bare.git'), 'worktree', 'add', '--quiet', '-b', 'one', at('tree'));
  git('.', 'clone', '--quiet', `--separate-git-dir=${at('kept')}`, source, at('separate'));
  const above = makeClone(root, 'acme/above');
  git(above, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', source, 'below');
  for (const folder of [at('tree'), at('separate'), join(above, 'below')]) {
    commitOn(folder, 'topic', 'Of its own');
    assert.deepEqual(await explained(folder), ['Of its own'], folder);
  }
  assert.deepEqual(
    [(await found(at('bare.git'))).isBare, (await found(at('kept'))).isBare],
    [true, false],
    'by what it says of itself, not by its name',
  );
  git(source, 'branch', '--quiet', '--move', 'main', 'develop');
  commitOn(source, 'topic', 'Of its own');
  await assert.rejects(explained(source), /Cannot tell which branch .*pullquote explain develop\.\.\.HEAD$/);
});

test('a branch is compared with the default branch of its remote, even when the local one is outdated, and an ambiguous name is rejected', async () => {
  const source = makeClone(temporaryFolder(), 'acme/rocket');
  const clone = join(root, 'stale');
  git('.', 'clone', '--quiet', source, clone);
  commitOn(source, 'main', 'Of others');
  git(clone, 'fetch', '--quiet');
  git(clone, 'remote', 'set-head', 'origin', '--delete');
  git(clone, 'checkout', '--quiet', 'origin/main');
  commitOn(clone, 'topic', 'Of its own');
  assert.deepEqual(await explained(clone), ['Of its own']);
  commitOn(source, '5.x', 'Of another line');
  git(clone, 'fetch', '--quiet');
  const ofRemote = async () => (await readRange(clone, { head: '5.x' })).title;
  assert.equal(await ofRemote(), 'Of another line', 'a branch that only the remote has');
  git(clone, 'update-ref', 'refs/remotes/fork/5.x', 'origin/5.x');
  await assert.rejects(ofRemote(), /no branch or commit 5\.x\. Pass one of fork\/5\.x, origin\/5\.x\.$/);
});

test('a partial clone and a SHA-256 repository are rejected with a remedy', async () => {
  const source = makeClone(temporaryFolder(), 'acme/rocket');
  git(source, 'config', 'uploadpack.allowFilter', 'true');
  git(source, 'checkout', '--quiet', '-b', 'topic');
  writeFileSync(join(source, 'readme.txt'), 'This is another.\n');
  git(source, 'commit', '--quiet', '--all', '--message', 'Of its own');
  const partial = join(root, 'partial');
  git('.', 'clone', '--quiet', '--filter=blob:none', '--no-checkout', `file://${source}`, partial);
  const readDiff = async () => {
    const change = await readRange(partial, {
      base: 'origin/main',
      head: 'origin/topic',
    });
    return Buffer.concat(await Array.fromAsync(change.diff())).toString();
  };
  const remedy = 'fetch --refetch --no-filter';
  await assert.rejects(
    readDiff(),
    new RegExp(`It is a partial clone.*git ${remedy}.*\\| pullquote explain -$`),
  );
  git(partial, ...remedy.split(' '));
  assert.match(await readDiff(), /^\+This is another\.$/m);

  const other = join(root, 'sha256');
  git('.', 'init', '--quiet', '--object-format=sha256', other);
  commitOn(other, 'main', 'Begin');
  git(other, 'pack-refs', '--all');
  const clone = await found(other);
  const sentence = /SHA-256 object ids, which Pullquote does not support\. .*\| pullquote explain -$/;
  await assert.rejects(findBranch(runner, clone, {}), sentence);
  await assert.rejects(readNumber(runner, clone, 1), sentence);
});
