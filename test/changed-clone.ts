import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { GitSpawner } from '../src/code-hosts/git-runner/git-spawner.ts';
import { printDiff } from '../src/code-hosts/git-runner/read-objects.ts';
import { readTree } from '../src/code-hosts/git-runner/read-tree.ts';
import { parseDiff } from '../src/reading/parse-diff.ts';
import { Looker } from '../src/writing/ai/looks/looker.ts';
import { git, makeClone } from './make-clone.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const root = temporaryFolder();
const spawner = new GitSpawner();
after(() => spawner.close());
const runner = {
  path: process.env.PATH ?? '',
  isolatedFolders: join(temporaryFolder(), 'isolated'),
  spawner,
};

export type Files = Record<string, string | Buffer>;

/** A clone with a change, and what can be looked at around it. */
export async function changed(name: string, before: Files, now: Files, prepare = (_folder: string) => {}) {
  const folder = makeClone(root, `acme/${name}`);
  const commit = (files: Files): string => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    git(folder, 'add', '--all', '--force');
    git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'More');
    return git(folder, 'rev-parse', 'HEAD').trim();
  };
  prepare(folder);
  const range = { base: commit(before), head: commit(now) };
  const clone = { owner: 'acme', name, gitFolder: join(folder, '.git') };
  const printed = await Array.fromAsync(printDiff(runner, clone, range.base, range.head));
  const diff = parseDiff(Buffer.concat(printed));
  const tree = readTree(runner, clone, range);
  return {
    folder,
    diff,
    tree,
    looker: (room = { lines: 400, bytes: 40_000 }) => new Looker(tree, diff, room),
  };
}
