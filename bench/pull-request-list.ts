import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createGitHost } from '../src/code-hosts/git/git-host.ts';
import { programSearchPath } from '../src/config.ts';
import { parseSecretKeys } from '../src/domain/secrets.ts';
import { nobody } from '../test/read-from-host.ts';
import { runGit } from './mirrors.ts';

// Times the first page of the pull-request list of a mirror: when nothing is known of it, when the index is on disk,
// and when it is in memory; and a page from the middle, for the first time and again; against the time git takes to print
// the refs of its pull requests.
// Usage: node bench/pull-request-list.ts MIRROR

const [, , mirror = ''] = process.argv;
const folder = mkdtempSync(join(tmpdir(), 'pullquote-bench-'));
mkdirSync(join(folder, 'repos/some'), { recursive: true });
symlinkSync(resolve(mirror), join(folder, 'repos/some/mirror.git'));

const secretKeys = parseSecretKeys(`1:${'k'.repeat(43)}`);
if (!secretKeys) throw new Error('The key of this benchmark is wrong.');
const createHost = () =>
  createGitHost({
    root: join(folder, 'repos'),
    git: { path: programSearchPath(), isolatedFolders: join(folder, 'git') },
    webUrl: null,
    privateRepositories: [],
    secretKeys,
    clock: () => new Date(),
  });

async function readPage(host: ReturnType<typeof createHost>, offset = 0) {
  const start = performance.now();
  const repository = await host.findRepository('some', 'mirror', nobody);
  if (!repository) throw new Error(`${mirror} is no mirror.`);
  const { items, total } = await host.listPullRequests(
    repository,
    { state: 'all', limit: 20, offset },
    nobody,
  );
  return { ms: performance.now() - start, items: items.length, total };
}

const refsStart = performance.now();
runGit(mirror, ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/pull/']);
const git = performance.now() - refsStart;

const cold = await readPage(createHost());
const host = createHost();
const fromDisk = await readPage(host);
const warm: number[] = [];
for (let round = 0; round < 9; round += 1) warm.push((await readPage(host)).ms);
const median = warm.sort((one, other) => one - other)[4] ?? 0;
const middle = Math.floor((cold.total ?? 0) / 2);
const unseen = await readPage(host, middle);
const seen = await readPage(host, middle);
await host.close();
rmSync(folder, { recursive: true, force: true });

console.log(`${cold.total} pull requests, first page of ${cold.items}`);
const row = (ms: number) => ({ ms: Math.round(ms), 'ratio to git': Number((ms / git).toFixed(1)) });
console.table({
  'git prints the refs': row(git),
  'cold: nothing known': row(cold.ms),
  'index on disk': row(fromDisk.ms),
  'warm: index in memory': row(median),
  'from the middle': row(unseen.ms),
  'from the middle again': row(seen.ms),
});
