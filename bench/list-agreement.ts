import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { HostPullRequestSummary } from '../src/code-hosts/code-host.ts';
import { findClone } from '../src/code-hosts/git/find-clone.ts';
import { createGitHost } from '../src/code-hosts/git/git-host.ts';
import { PullRequestIndexes } from '../src/code-hosts/git/pull-request-index.ts';
import { findIndexed, summarize } from '../src/code-hosts/git/summarize-pull-requests.ts';
import { GitSpawner } from '../src/code-hosts/git-runner/git-spawner.ts';
import { programSearchPath } from '../src/config.ts';
import { Failure } from '../src/domain/errors.ts';
import { parseSecretKeys } from '../src/domain/secrets.ts';
import { nobody, readFromHost } from '../test/read-from-host.ts';

// Asks for every pull request of some mirrors alone, whole and summarized, and in pages of 100 of every state, and counts
// the fields that differ: there must be none.
// Usage: node bench/list-agreement.ts MIRROR…

const folder = mkdtempSync(join(tmpdir(), 'pullquote-bench-'));
const secretKeys = parseSecretKeys(`1:${'k'.repeat(43)}`);
if (!secretKeys) throw new Error('The key of this benchmark is wrong.');
const root = join(folder, 'repos');
const paths = { path: programSearchPath(), isolatedFolders: join(folder, 'git') };
const webUrl = 'https://host.example.org';
/** A host that remembers nothing of what another has found out. */
const createHost = () =>
  createGitHost({
    root,
    git: paths,
    webUrl,
    privateRepositories: [],
    secretKeys,
    clock: () => new Date(),
  });
const git = { ...paths, spawner: new GitSpawner() };
const indexes = new PullRequestIndexes(git);

const fieldsOf = ({ number, title, authorLogin, url, state, createdAt }: HostPullRequestSummary) => ({
  number,
  title,
  authorLogin,
  url,
  state,
  createdAt: createdAt.toISOString(),
});

type Fields = ReturnType<typeof fieldsOf>;

let compared = 0;
let different = 0;

function compare(name: string, one: Fields | null, other: Fields | null): void {
  for (const key of ['number', 'title', 'authorLogin', 'url', 'state', 'createdAt'] as const) {
    compared += 1;
    if (one?.[key] === other?.[key] && one) continue;
    different += 1;
    console.log(`${name} ${key}: ${one?.[key]} | ${other?.[key]}`);
  }
}

async function compareAll(name: string): Promise<number> {
  const whole = createHost();
  const repository = await whole.findRepository('some', name, nobody);
  const clone = await findClone(root, 'some', name);
  const index = clone && (await indexes.read(clone));
  if (!repository || !index) throw new Error(`${name} is no mirror.`);
  const alone = new Map<number, Fields>();
  for (const number of new Set([...index.heads.keys(), ...index.merged.keys()])) {
    const indexed = findIndexed(index, number);
    const forgetful = { ...index, firstCommits: new Map() };
    const [summary] = indexed ? await summarize({ git, clone, index: forgetful, webUrl }, [indexed]) : [];
    if (!summary) throw new Error(`Pull request ${number} of ${name} is missing.`);
    if (summary instanceof Failure) throw summary;
    alone.set(number, fieldsOf(summary.shown));
    const found = await readFromHost(whole, repository, number);
    compare(`${name}#${number} whole`, fieldsOf(summary.shown), found && fieldsOf(found));
  }
  await whole.close();
  for (const state of ['all', 'open', 'closed'] as const) {
    const pages = createHost();
    for (let offset = 0, total = 1; offset < total; offset += 100) {
      const page = await pages.listPullRequests(repository, { state, limit: 100, offset }, nobody);
      total = page.total ?? 0;
      for (const item of page.items)
        compare(`${name}#${item.number} in ${state}`, alone.get(item.number) ?? null, fieldsOf(item));
    }
    await pages.close();
  }
  return alone.size;
}

mkdirSync(join(folder, 'repos/some'), { recursive: true });
for (const [index, mirror] of process.argv.slice(2).entries()) {
  symlinkSync(resolve(mirror), join(folder, 'repos/some', `mirror${index}.git`));
  const before = { compared, different };
  const pullRequests = await compareAll(`mirror${index}`);
  console.log(
    `${mirror}: ${pullRequests} pull requests, ${different - before.different} of ${compared - before.compared} fields differ`,
  );
}
await git.spawner.close();
rmSync(folder, { recursive: true, force: true });
console.log(`${different} of ${compared} fields differ`);
