import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { RangeChange } from '../src/code-hosts/code-host.ts';
import { createGitHost } from '../src/code-hosts/git/git-host.ts';
import { programSearchPath } from '../src/config.ts';
import { settleChanges } from '../src/domain/releases.ts';
import { parseSecretKeys } from '../src/domain/secrets.ts';
import { nobody } from '../test/read-from-host.ts';
import { type Oracle, openOracle } from './releases/oracle.ts';

// Reads the releases between tags of some mirrors and holds them against git, asked in the plainest way by code that shares
// nothing with the service: counts pull requests that are missing, not in the range, or told of twice; reverts that stand
// beside what they revert; and pairs that git does not bear out. There must be none of any.
// Usage: node bench/releases.ts [--pairs 6] MIRROR…

const parameters = process.argv.slice(2);
const given = parameters.indexOf('--pairs');
const pairsOfEach = given === -1 ? 6 : Number(parameters.splice(given, 2)[1]);
const folder = mkdtempSync(join(tmpdir(), 'pullquote-bench-'));
const root = join(folder, 'repos');
mkdirSync(join(root, 'some'), { recursive: true });
const secretKeys = parseSecretKeys(`1:${'k'.repeat(43)}`);
if (!secretKeys) throw new Error('The key of this benchmark is wrong.');
const host = createGitHost({
  root,
  git: { path: programSearchPath(), isolatedFolders: join(folder, 'git') },
  webUrl: null,
  privateRepositories: [],
  secretKeys,
  clock: () => new Date(),
});

const sums = { ranges: 0, told: 0, missing: 0, extra: 0, doubled: 0, bare: 0, unlike: 0 };
const pairs = { reverted: 0, wronglyReverted: 0, leftStanding: 0, backported: 0, wronglyBackported: 0 };

const changeOf = ({ pullRequest, commits }: RangeChange) => ({
  number: pullRequest?.number ?? null,
  title: pullRequest?.title ?? commits[0]?.subject ?? '',
  body: pullRequest ? (pullRequest.body ?? '') : (commits[0]?.body ?? ''),
  commits,
});

function complain(what: string, where: string, found: unknown[]): number {
  if (found.length > 0) console.log(`  ${what} in ${where}: ${found.slice(0, 10).join(', ')}`);
  return found.length;
}

async function readOne(oracle: Oracle, name: string, from: string, to: string): Promise<void> {
  const repository = await host.findRepository('some', name, nobody);
  const range = repository && (await host.readRange(repository, { from, to }, nobody));
  if (!range) throw new Error(`${name} is no mirror.`);
  const where = `${name} ${from}..${to}`;
  const expected = oracle.pullRequestsIn(from, to);
  const told = range.changes.flatMap(({ pullRequest }) => pullRequest?.number ?? []);
  const once = new Set(told);
  const { kept, reverted, backported } = settleChanges(range.changes.map(changeOf), repository);
  const bare = range.changes.flatMap(({ pullRequest, commits }) =>
    pullRequest ? [] : (commits[0]?.sha ?? ''),
  );
  const copies = range.changes.flatMap((change) => change.copies.map(({ sha }) => sha));
  const bareByGit = oracle.bareCommits(from, to, expected.values()).filter((sha) => !copies.includes(sha));
  sums.ranges += 1;
  sums.told += once.size;
  sums.missing += complain(
    'missing',
    where,
    [...expected.keys()].filter((number) => !once.has(number)),
  );
  sums.extra += complain(
    'extra',
    where,
    [...once].filter((number) => !expected.has(number)),
  );
  sums.doubled += complain('doubled', where, told.length === once.size ? [] : told);
  sums.bare += bareByGit.length;
  const isIn = (shas: string[]) => (sha: string) => shas.includes(sha);
  sums.unlike += complain(
    'bare commits that only git has',
    where,
    bareByGit.filter((sha) => !isIn(bare)(sha)),
  );
  sums.unlike += complain(
    'bare commits that git has not',
    where,
    bare.filter((sha) => !isIn(bareByGit)(sha)),
  );
  pairs.reverted += reverted.length;
  pairs.wronglyReverted += complain(
    'wrongly reverted',
    where,
    reverted
      .filter(({ change, other }) => !oracle.bearsOut(other.commits, other.title, change))
      .map(({ change, other }) => `${change.title} by ${other.title}`),
  );
  pairs.leftStanding += complain(
    'reverted and left standing',
    where,
    kept.filter((change) => oracle.takesBackOneOf(change, kept)).map(({ title }) => title),
  );
  pairs.backported += backported.length + copies.length;
  pairs.wronglyBackported += complain(
    'wrongly back-ported',
    where,
    backported
      .filter(({ change, other }) => !oracle.isCopy(change, other))
      .map(({ change, other }) => `${change.title} of ${other.title}`),
  );
}

try {
  for (const mirror of parameters) {
    const name =
      resolve(mirror)
        .split('/')
        .findLast((part) => part !== 'repo') ?? 'mirror';
    symlinkSync(resolve(mirror), join(root, 'some', name.replaceAll('+', '-')));
    const oracle = openOracle(resolve(mirror));
    const before = performance.now();
    for (const [from, to] of oracle.pairsOfTags(pairsOfEach))
      await readOne(oracle, name.replaceAll('+', '-'), from, to);
    console.log(`${name}: ${Math.round(performance.now() - before)} ms, git's own part included`);
  }
  console.log(sums, pairs);
} finally {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode =
  sums.missing +
    sums.extra +
    sums.doubled +
    pairs.wronglyReverted +
    pairs.leftStanding +
    pairs.wronglyBackported >
  0
    ? 1
    : 0;
