import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after } from 'node:test';
import { createGitHost } from '../src/code-hosts/git/git-host.ts';
import { parseSecretKeys } from '../src/domain/secrets.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The git host over a folder of clones, closed when the tests end. */
export function openClones(root: string, path = process.env.PATH ?? '') {
  const host = createGitHost({
    root,
    git: { path, isolatedFolders: join(temporaryFolder(), 'isolated') },
    webUrl: null,
    privateRepositories: [],
    secretKeys: parseSecretKeys(`1:${'k'.repeat(43)}`) ?? assert.fail(),
    clock: () => new Date(),
  });
  after(host.close);
  return host;
}
