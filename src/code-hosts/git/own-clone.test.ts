import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { git, makeClone } from '../../../test/make-clone.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { GitSpawner } from '../git-runner/git-spawner.ts';
import { findOwnClone } from './find-own-clone.ts';

const root = temporaryFolder();
const spawner = new GitSpawner();
after(() => spawner.close());
const runner = { path: process.env.PATH ?? '', isolatedFolders: join(temporaryFolder(), 'git'), spawner };

async function found(folder: string) {
  const clone = await findOwnClone(runner, folder);
  assert.ok(clone);
  return clone;
}

test('a clone is called by the path of its remote alone, or by its folders: no password, no host, nothing that is no name', async () => {
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
