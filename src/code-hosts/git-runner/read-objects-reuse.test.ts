import assert from 'node:assert/strict';
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { git, makeClone } from '../../../test/make-clone.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { findClone } from '../git/find-clone.ts';
import { PullRequestIndexes } from '../git/pull-request-index.ts';
import { readPullRequest, readTogether } from '../git/read-pull-request.ts';
import { findIndexed } from '../git/summarize-pull-requests.ts';
import { GitSpawner } from './git-spawner.ts';
import { diffBetween, printDiff, treesOf } from './read-objects.ts';
import type { GitRunner } from './run-git.ts';

const root = temporaryFolder();
const folder = makeClone(root, 'acme/rocket');
const spawner = new GitSpawner();
after(() => spawner.close());
// This git logs the parameters of each start.
const programs = temporaryFolder();
writeFileSync(
  join(programs, 'git'),
  `#!/bin/sh\necho "$*" >> ${programs}/log\nPATH='${process.env.PATH}' exec git "$@"\n`,
  { mode: 0o755 },
);
const runner: GitRunner = { path: programs, isolatedFolders: join(root, 'isolated'), spawner };
const clone = (await findClone(root, 'acme', 'rocket')) ?? assert.fail('the clone is there');

const shas = [git(folder, 'rev-parse', 'HEAD').trim()];
function commit(message = 'More'): string {
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--allow-empty', '--message', message);
  const sha = git(folder, 'rev-parse', 'HEAD').trim();
  shas.push(sha);
  return sha;
}

const long = Array.from({ length: 80 }, (_, index) => `line ${index} of something\n`).join('');
writeFileSync(join(folder, 'a b'), long);
writeFileSync(join(folder, 'bytes'), Buffer.from([0, 1, 2, 255]));
commit();
renameSync(join(folder, 'a b'), join(folder, 'lä\n"uft'));
chmodSync(join(folder, 'readme.txt'), 0o755);
writeFileSync(join(folder, 'bytes'), Buffer.from([0, 3]));
commit();
commit('Nothing');
writeFileSync(join(folder, 'end'), `end-1\n${long.repeat(1_500)}no line break`);
const large = commit();
rmSync(join(folder, 'end'));
commit();

const all = async (chunks: AsyncIterable<Buffer>) => Buffer.concat(await Array.fromAsync(chunks)).toString();
const started = () => readFileSync(join(programs, 'log'), 'utf8').split('\n');

test('reused gits print every diff as `git diff` does, concurrently and in sequence', async () => {
  const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
  const [first = '', second = ''] = shas;
  const ranges = [
    ...shas.slice(1).map((head, index) => [shas[index] ?? '', head] as const),
    ...([emptyTree, second, large] as const).map((base) => [base, second] as const),
    [large, first] as const,
  ];
  const together = await Promise.all(ranges.map((range) => all(diffBetween(runner, clone, ...range))));
  const alone: string[] = [];
  for (const range of ranges) alone.push(await all(diffBetween(runner, clone, ...range)));
  const gits = started().filter((line) => line.includes('--no-pager'));
  assert.ok(gits.length <= 8, `${gits.length} gits for ${2 * ranges.length} diffs`);
  assert.equal(gits.filter((line) => line.includes('pager diff ')).length, 0);
  for (const [index, range] of ranges.entries()) {
    const expected = await all(printDiff(runner, clone, ...range));
    assert.ok(together[index] === expected && alone[index] === expected, `differs: ${range.join(' ')}`);
  }
});

test('a missing commit fails, and neither it nor an abandoned read changes later diffs', async () => {
  const [base = '', head = ''] = shas;
  const expected = await all(printDiff(runner, clone, base, head));
  const missing = 'f'.repeat(40);
  await assert.rejects(all(diffBetween(runner, clone, base, missing)), /could not be read/);
  assert.equal(await all(diffBetween(runner, clone, base, head)), expected);
  const countDiffs = () => started().filter((line) => line.includes('pager diff ')).length;
  const before = countDiffs();
  for await (const _ of diffBetween(runner, clone, base, large)) break;
  assert.equal(await all(diffBetween(runner, clone, base, head)), expected);
  const hungUp = new AbortController();
  const aborted = (async () => {
    for await (const _ of diffBetween({ ...runner, signal: hungUp.signal }, clone, base, large))
      hungUp.abort();
  })();
  await assert.rejects(aborted, /was cancelled/);
  assert.equal(await all(diffBetween(runner, clone, base, head)), expected);
  assert.equal(countDiffs(), before, 'a git that stays was asked in the middle of another answer');
});

test('a temporary clone gets a new git for each read, and another clone reuses one', async () => {
  const [sha = ''] = shas;
  const countGits = () => started().filter((line) => line.includes('cat-file')).length;
  const elsewhere = { ...runner, isolatedFolders: join(root, 'elsewhere') };
  const before = countGits();
  for (const isTemporary of [true, true, false, false])
    await treesOf(elsewhere, { ...clone, isTemporary }, [sha]);
  assert.equal(countGits() - before, 3, 'one for each question, and one that stays for two');
});

test('`readTogether` gives the same pull requests as reading each alone, also across merged branches', async () => {
  git(folder, 'switch', '--quiet', '--create', 'side');
  writeFileSync(join(folder, 'side'), 'side\n');
  commit('Beside it');
  git(folder, 'switch', '--quiet', '--create', 'one', 'main');
  writeFileSync(join(folder, 'one'), 'one\n');
  commit('One\n\nWith a body.');
  git(folder, 'switch', '--quiet', 'main');
  writeFileSync(join(folder, 'two'), 'two\n');
  commit('Two (#2)');
  git(folder, 'switch', '--quiet', 'one');
  git(folder, 'merge', '--quiet', '--no-edit', 'main');
  git(folder, 'merge', '--quiet', '--no-edit', 'side');
  commit('After it');
  git(folder, 'switch', '--quiet', 'main');
  git(folder, 'merge', '--quiet', '--no-ff', '--message', 'Merge pull request #3 from rin/one', 'one');
  writeFileSync(join(folder, 'four'), 'four\n');
  commit('Four (#4)');
  const index = (await new PullRequestIndexes(runner).read(clone)) ?? assert.fail('there are commits');
  const parts = { git: runner, clone, index, urlOf: () => null, repositoryUrl: null };
  const numbers = [1, 2, 3, 4].map((number) => findIndexed(index, number) ?? assert.fail(`no ${number}`));
  const shown = ({ diff, fileSummaries, fileTexts, ...rest }: Awaited<ReturnType<typeof readPullRequest>>) =>
    rest;
  const together = await readTogether(parts, numbers, 1_000_000);
  // The first commit has no parent, so it is read alone.
  assert.deepEqual(
    together.map(({ onHost }) => onHost.number),
    [2, 3, 4],
  );
  assert.deepEqual(await readTogether(parts, numbers.slice(0, 1), 1_000_000), []);
  for (const { onHost, diff } of together) {
    const one = numbers[onHost.number - 1] ?? assert.fail(`no ${onHost.number}`);
    const alone = await readPullRequest(parts, one);
    assert.deepEqual(shown(onHost), shown(alone));
    assert.equal(diff.toString(), await all(alone.diff()));
  }
  const commits = together.map(({ onHost }) => onHost.commits.length);
  assert.deepEqual(commits, [1, 5, 1]);
});
