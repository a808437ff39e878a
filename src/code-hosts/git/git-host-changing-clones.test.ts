import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { placeByGit } from '../../../test/clone-oracle.ts';
import { Comparison } from '../../../test/compare-with-git.ts';
import { git, makeClone } from '../../../test/make-clone.ts';
import { MovingClone } from '../../../test/moving-clone.ts';
import { openClones } from '../../../test/open-clones.ts';
import { nobody, readFromHost } from '../../../test/read-from-host.ts';
import { runsWholeTables } from '../../../test/tables.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

/** The git host over a folder of clones, with reads of one pull request and of a list. */
function openHost(root: string, path?: string) {
  const host = openClones(root, path);
  const repository = async (name: string) =>
    (await host.findRepository('acme', name, nobody)) ?? assert.fail(`${name} is not found`);
  return {
    host,
    repository,
    read: async (number: number) =>
      (await readFromHost(host, await repository('rocket'), number)) ?? assert.fail(`no ${number}`),
    list: async () => {
      const page = { state: 'all', limit: 100, offset: 0 } as const;
      const { items } = await host.listPullRequests(await repository('rocket'), page, nobody);
      return new Map(items.map((item) => [item.number, item]));
    },
  };
}

/** Commits a file that is named after the subject. */
function commit(folder: string, subject: string, author = 'Rin Example'): string {
  writeFileSync(join(folder, `${subject.replaceAll(/\W/g, '-')}.txt`), `${subject}\n`);
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--author', `${author} <a@example.org>`, '--message', subject);
  return git(folder, 'rev-parse', 'HEAD').trim();
}

function branchOff(folder: string, name: string, start: string): void {
  git(folder, 'switch', '--quiet', '--create', name, start);
}

function merge(folder: string, branch: string, message: string): void {
  git(folder, 'merge', '--quiet', '--no-ff', '--message', message, branch);
}

test('each pull request of a changing clone is what git computes after every step', async () => {
  const root = temporaryFolder();
  const comparison = new Comparison();
  const clone = new MovingClone(join(root, 'acme', 'moving.git'), 4);
  const standing = openHost(root);
  for (let step = 0; step < (runsWholeTables ? 15 : 5); step += 1) {
    clone.step();
    await comparison.compare(standing.host, await standing.repository('moving'), clone);
  }
  const fresh = openHost(root);
  await comparison.compare(fresh.host, await fresh.repository('moving'), clone);
  assert.deepEqual(comparison.wrong, []);
  assert.ok(comparison.answers > (runsWholeTables ? 200 : 50), `${comparison.answers}`);
});

test('a stacked pull request contains only its own part once the one below is merged', async () => {
  const root = temporaryFolder();
  const folder = makeClone(root, 'acme/rocket');
  branchOff(folder, 'lower', 'main');
  git(folder, 'update-ref', 'refs/pull/2/head', commit(folder, 'Lower', 'Ada'));
  branchOff(folder, 'upper', 'lower');
  git(folder, 'update-ref', 'refs/pull/3/head', commit(folder, 'Upper', 'Bo'));
  git(folder, 'switch', '--quiet', 'main');
  const { read, list } = openHost(root);
  assert.deepEqual(
    (await (await read(3)).fileSummaries()).map(({ path }) => path),
    ['Lower.txt', 'Upper.txt'],
  );
  merge(folder, 'lower', 'Merge pull request #2 from ada/lower\n\nThe lower one');
  const upper = await read(3);
  assert.equal(upper.baseSha, git(folder, 'rev-parse', 'lower').trim());
  assert.deepEqual(
    (await upper.fileSummaries()).map(({ path }) => path),
    ['Upper.txt'],
  );
  assert.deepEqual([upper.title, upper.authorLogin], ['Upper', 'Bo']);
  assert.equal((await list()).get(3)?.authorLogin, 'Bo');
});

test('an author with a Windows account name is shown without the machine name', async () => {
  const root = temporaryFolder();
  const folder = makeClone(root, 'acme/rocket');
  branchOff(folder, 'two', 'main');
  git(folder, 'update-ref', 'refs/pull/2/head', commit(folder, 'Two', 'U-DESKTOP-07IKGBD\\Ada Lovelace'));
  git(folder, 'switch', '--quiet', 'main');
  const { read, list } = openHost(root);
  const { authorLogin, commits } = await read(2);
  assert.deepEqual([authorLogin, ...commits.map(({ author }) => author)], ['Ada Lovelace', 'Ada Lovelace']);
  assert.equal((await list()).get(2)?.authorLogin, 'Ada Lovelace');
});

test('a pull request that was merged into another keeps its own title, author and files after the other is merged', async () => {
  const root = temporaryFolder();
  const folder = makeClone(root, 'acme/rocket');
  branchOff(folder, 'lower', 'main');
  commit(folder, 'Lower', 'Ada');
  branchOff(folder, 'upper', 'lower');
  git(folder, 'update-ref', 'refs/pull/3/head', commit(folder, 'Upper', 'Bo'));
  git(folder, 'switch', '--quiet', 'lower');
  merge(folder, 'upper', 'Merge pull request #3 from bo/upper\n\nThe upper one');
  git(folder, 'update-ref', 'refs/pull/2/head', 'lower');
  git(folder, 'switch', '--quiet', 'main');
  merge(folder, 'lower', 'Merge pull request #2 from ada/lower\n\nThe lower one');
  const { read, list } = openHost(root);
  const { state, title, authorLogin, ...upper } = await read(3);
  assert.deepEqual([state, title, authorLogin], ['merged', 'The upper one', 'Bo']);
  assert.deepEqual(
    (await upper.fileSummaries()).map(({ path }) => path),
    ['Upper.txt'],
  );
  assert.deepEqual(
    [...(await list()).values()].map((item) => [item.number, item.state, item.authorLogin]),
    [
      [3, 'merged', 'Bo'],
      [2, 'merged', 'Ada'],
    ],
  );
});

test('the older of two merges that join the same head counts, even when it is seen later', async () => {
  const root = temporaryFolder();
  const folder = makeClone(root, 'acme/rocket', 'Begin');
  branchOff(folder, 'two', 'main');
  git(folder, 'update-ref', 'refs/pull/2/head', commit(folder, 'Two', 'Ada'));
  // Branch "three" keeps the first merge of 2, and the rewritten default branch merges 2 again.
  branchOff(folder, 'three', 'main');
  merge(folder, 'two', 'Merge pull request #2 from ada/two\n\nThe second, at first');
  const older = git(folder, 'rev-parse', 'HEAD').trim();
  git(folder, 'update-ref', 'refs/pull/3/head', commit(folder, 'Three', 'Bo'));
  git(folder, 'switch', '--quiet', 'main');
  commit(folder, 'Instead');
  merge(folder, 'two', 'Merge pull request #2 from ada/two\n\nThe second, again');
  const { read, list } = openHost(root);
  assert.equal((await read(2)).headSha, git(folder, 'rev-parse', 'HEAD').trim());
  merge(folder, 'three', 'Merge pull request #3 from bo/three\n\nThe third');
  const { headSha, baseSha, title } = await read(2);
  assert.deepEqual({ headSha, baseSha }, placeByGit(folder, 2));
  assert.deepEqual([headSha, title], [older, 'The second, at first']);
  assert.equal((await list()).get(2)?.title, title);
});

test('a list gives each pull request the same title, author, date and state as reading it alone', async () => {
  const root = temporaryFolder();
  const folder = makeClone(root, 'acme/rocket');
  // The head of 2 is a commit of the default branch, at which 3 and 4 begin.
  git(folder, 'update-ref', 'refs/pull/2/head', commit(folder, 'On the default branch', 'Ada'));
  branchOff(folder, 'three', 'main');
  git(folder, 'update-ref', 'refs/pull/3/head', commit(folder, 'Three', 'Bo'));
  git(folder, 'switch', '--quiet', 'main');
  merge(folder, 'three', 'Merge pull request #3 from bo/three\n\nThe third');
  branchOff(folder, 'four', 'main~1');
  git(folder, 'update-ref', 'refs/pull/4/head', commit(folder, 'Four', 'Chidi'));
  // The first parents of 5 lead to a branch that was merged before.
  branchOff(folder, 'five', 'three');
  git(folder, 'update-ref', 'refs/pull/5/head', commit(folder, 'Five', 'Dunja'));
  git(folder, 'switch', '--quiet', 'main');
  merge(folder, 'five', 'Merge pull request #5 from dunja/five\n\nThe fifth');
  const { read, list } = openHost(root);
  const listed = await list();
  const told = [...listed.values()].map(({ number, title, authorLogin }) => [number, title, authorLogin]);
  assert.deepEqual(told, [
    [5, 'The fifth', 'Dunja'],
    [4, 'Four', 'Chidi'],
    [3, 'The third', 'Bo'],
    [2, 'On the default branch', 'Ada'],
  ]);
  for (const [number, { title, authorLogin, createdAt, state }] of listed) {
    const alone = await read(number);
    assert.deepEqual(
      [alone.title, alone.authorLogin, alone.createdAt, alone.state],
      [title, authorLogin, createdAt, state],
    );
  }
});

test('a merged branch without a pull request ref has the author of its first commit', async () => {
  const root = temporaryFolder();
  const folder = makeClone(root, 'acme/rocket', 'Begin');
  branchOff(folder, 'two', 'main');
  commit(folder, 'First', 'Ada');
  commit(folder, 'Second', 'Bo');
  git(folder, 'switch', '--quiet', 'main');
  merge(folder, 'two', 'Merge pull request #2 from ada/two\n\nThe second');
  const { read, list } = openHost(root);
  assert.equal((await list()).get(2)?.authorLogin, 'Ada');
  const { headSha, baseSha, commits } = await read(2);
  assert.deepEqual(
    [headSha, baseSha],
    ['main', 'main^1'].map((name) => git(folder, 'rev-parse', name).trim()),
  );
  assert.deepEqual(
    commits.map(({ message }) => message),
    ['First', 'Second'],
  );
});

test('a shallow clone gives no diff from the empty tree: missing history fails with a remedy', async () => {
  const root = temporaryFolder();
  const source = makeClone(temporaryFolder(), 'acme/rocket', 'Begin');
  commit(source, 'More (#2)');
  commit(source, 'Even more (#3)');
  const folder = join(root, 'acme/rocket');
  git('.', 'clone', '--quiet', '--depth=2', `file://${source}`, folder);
  const { read, list } = openHost(root);
  assert.deepEqual([...(await list()).keys()], [3, 2]);
  assert.deepEqual(
    (await (await read(3)).fileSummaries()).map(({ path }) => path),
    ['Even-more---3-.txt'],
  );
  await assert.rejects(read(2), { code: 'HOST_ERROR', message: /git fetch --unshallow/ });
  git(folder, 'fetch', '--quiet', '--unshallow');
  assert.deepEqual(
    (await (await read(2)).fileSummaries()).map(({ path }) => path),
    ['More---2-.txt'],
  );
});

test('a git that fails gives HOST_ERROR and no diff from the empty tree', async () => {
  const root = temporaryFolder();
  const folder = makeClone(root, 'acme/rocket');
  branchOff(folder, 'two', 'main');
  git(folder, 'update-ref', 'refs/pull/2/head', commit(folder, 'Two'));
  git(folder, 'switch', '--quiet', 'main');
  const path = temporaryFolder();
  const realGit = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
  const script = `#!/bin/sh\ncase "$*" in *merge-base*|*rev-parse*) exit 128 ;; esac\nexec ${realGit} "$@"\n`;
  writeFileSync(join(path, 'git'), script, { mode: 0o755 });
  const { read } = openHost(root, path);
  await assert.rejects(read(2), { code: 'HOST_ERROR', message: /acme\/rocket could not be read/ });
});

test('the first commit, and a branch unrelated to the default one, are compared with the empty tree', async () => {
  const root = temporaryFolder();
  const folder = makeClone(root, 'acme/rocket', 'Begin (#1)');
  git(folder, 'update-ref', 'refs/pull/1/head', 'HEAD');
  git(folder, 'switch', '--quiet', '--orphan', 'island');
  git(folder, 'update-ref', 'refs/pull/2/head', commit(folder, 'Island'));
  git(folder, 'switch', '--quiet', 'main');
  const { read } = openHost(root);
  const emptyTree = git(folder, 'hash-object', '-t', 'tree', '/dev/null').trim();
  for (const [number, files] of [
    [1, ['readme.txt']],
    [2, ['Island.txt']],
  ] as const) {
    const { baseSha, fileSummaries } = await read(number);
    assert.equal(baseSha, emptyTree);
    assert.deepEqual(
      (await fileSummaries()).map(({ path }) => path),
      files,
    );
  }
});

test('`mergedSince` on a rewritten default branch returns only new merges, and the last merges when the cursor is gone', async () => {
  const root = temporaryFolder();
  const folder = makeClone(root, 'acme/rocket', 'Begin');
  const kept = commit(folder, 'One (#1)');
  const stood = commit(folder, 'Two (#2)');
  git(folder, 'reset', '--quiet', '--hard', kept);
  for (const subject of ['Instead', 'Three (#3)', 'Two (#2)', 'Four (#4)']) commit(folder, subject);
  const { host, repository } = openHost(root);
  const told = async (cursor: string) => {
    const since = await host.mergedSince(await repository('rocket'), cursor, nobody);
    return since?.merged?.map(({ number }) => number).sort();
  };
  assert.deepEqual(await told(stood), [3, 4]);
  assert.deepEqual(await told('1'.repeat(40)), [1, 2, 3, 4], 'where that commit is gone, the last ones are');
});
