import assert from 'node:assert/strict';
import { test } from 'node:test';
import { push, repository } from '../../../test/gitea/make-repository.ts';
import { openGitea } from '../../../test/gitea/open-gitea.ts';
import { startGitea } from '../../../test/gitea/stand-in.ts';
import { account, merged, pull, tokenOf } from '../../../test/gitea/state.ts';
import { git, makeClone } from '../../../test/make-clone.ts';
import { makeReleases } from '../../../test/make-releases.ts';
import { nobody } from '../../../test/read-from-host.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { Failure } from '../../domain/errors.ts';
import type { Caller } from '../code-host.ts';

const gitea = await startGitea({ folder: '/gitea' });
const { state } = gitea;
const host = await openGitea(gitea.url);
const as = (login: string): Caller => ({ ...nobody, token: tokenOf(login) });
for (const [place, login] of ['ann', 'bea', 'cid'].entries())
  state.accounts.push(account(place + 1, login, tokenOf(login)));
const ann = as('ann');

const day = '2026-03-02T10:00:00Z';
const said = { author: 'rin', body: 'Here?', createdAt: '2026-03-04T10:00:00Z' };
const discussed = pull(7, 'canary', {
  files: 40,
  // Only #3 is an issue: #4 does not exist, and #8 is a pull request.
  body: 'Fixes #3, closes #4, fixes #8.',
  author: null,
  comments: [{ author: 'bea', body: 'Why?', createdAt: day }],
  reviews: [
    {
      id: 1,
      author: 'rin',
      body: 'Good.',
      state: 'APPROVED',
      submittedAt: '2026-03-03T10:00:00Z',
      comments: [{ ...said, path: 'src/file-3.ts', line: 1 }],
    },
    {
      id: 2,
      author: 'ann',
      body: 'Not said yet.',
      state: 'PENDING',
      submittedAt: day,
      comments: [{ ...said, body: 'Nor this.', path: 'src/file-4.ts', line: 1 }],
    },
    { id: 3, author: 'rin', body: '', state: 'REQUEST_REVIEW', submittedAt: day, comments: [] },
  ],
});
const rocket = repository(71, 'Acme/Rocket', {
  pulls: [discussed, pull(8, 'merged long ago', { state: 'closed', mergedAt: day })],
  issues: [{ number: 3, title: 'It lacks words', body: 'They are missing.' }],
});
state.repositories.push(rocket);
const textOf = async (diff: AsyncIterable<Buffer>) => Buffer.concat(await Array.fromAsync(diff)).toString();

test('a pull request is read with its submitted comments and reviews, its visible issues and its diff, in 13 API calls', async () => {
  gitea.takeCalls();
  const found = (await host.findPullRequest('acme', 'rocket', 7, ann)) ?? assert.fail();
  const { pullRequest } = found;
  assert.equal(found.repository.isPrivate, false);
  const glance = await pullRequest?.glance();
  assert.deepEqual(
    [glance?.authorLogin, glance?.changedFiles, glance?.lines],
    ['Ghost', 40, { additions: 40, deletions: 0 }],
  );
  const read = (await pullRequest?.read()) ?? assert.fail();
  assert.equal(read.url, `${gitea.url}/Acme/Rocket/pulls/7`);
  assert.deepEqual(
    read.comments.map(({ kind, author, body, path, line }) => [kind, author, body, path, line]),
    [
      ['comment', 'bea', 'Why?', undefined, undefined],
      ['review', 'rin', 'Good.', undefined, undefined],
      ['reviewComment', 'rin', 'Here?', 'src/file-3.ts', 1],
    ],
  );
  assert.deepEqual(read.linkedIssues, [{ number: 3, title: 'It lacks words', body: 'They are missing.' }]);
  assert.deepEqual(
    read.commits.map(({ message, author }) => [message, author]),
    [['feat: tell of canary', 'Mona']],
  );
  const diff = await textOf(read.diff());
  assert.equal(diff.match(/^diff --git /gm)?.length, 40);
  const calls = gitea.takeCalls().filter((call) => !call.includes('.git/'));
  // Two calls find it, one checks anonymous access, eight read its texts, and two check it again.
  assert.equal(calls.length, 13, calls.join('\n'));
});

test('the newest 250 of 300 commits are read, oldest first', async () => {
  const commits = Array.from({ length: 300 }, (_, index) => ({
    sha: (index + 1).toString(16).padStart(40, '0'),
    message: `Step ${index + 1}`,
    author: 'Mona',
  }));
  state.repositories.push(repository(93, 'zoo/steps', { pulls: [pull(1, 'steps', { commits })] }));
  const found = (await host.findPullRequest('zoo', 'steps', 1, ann)) ?? assert.fail();
  const read = (await found.pullRequest?.read()) ?? assert.fail();
  assert.deepEqual(
    read.commits.map(({ message }) => message),
    commits.slice(50).map(({ message }) => message),
  );
});

test('a merged pull request keeps its version when its branch moves on, and a push to its own ref makes another version', async () => {
  const [, done] = rocket.pulls;
  assert.ok(done);
  const find = async () => {
    gitea.takeCalls();
    const { pullRequest } = (await host.findPullRequest('Acme', 'Rocket', 8, ann)) ?? assert.fail();
    return { found: pullRequest ?? assert.fail(), calls: gitea.takeCalls().length };
  };
  const first = await find();
  const { calls } = await find();
  assert.equal(calls, 2, 'it is what it was, and so is its ref; nobody is asked whether it is public');
  done.branchSha = push(rocket, { number: 999, head: done.head }, 'later work');
  const { found, calls: callsAfterPush } = await find();
  assert.deepEqual([callsAfterPush, found.version], [3, first.found.version]);
  const read = await found.read();
  assert.equal(read.headSha, done.head);
  const diff = await textOf(read.diff());
  assert.doesNotMatch(diff, /later work/);
  state.hasOldGit = true;
  assert.equal(await textOf(read.diff()), diff, 'by its ref, where git gives out nothing by its id');
  state.hasOldGit = false;
  assert.deepEqual([(await found.glance()).changedFiles, (await found.glance()).lines], [1, null]);
  push(rocket, done, 'pushed');
  await assert.rejects(textOf(read.diff()), { code: 'UNAVAILABLE' }, 'it has moved since it was found');
  const { found: again } = await find();
  assert.notEqual(again.version, found.version);
  assert.match(await textOf((await again.read()).diff()), /pushed/);
});

test('a repository restricted to members, accounts or sign-in, or with code or pull requests off, is not public, and its issue texts are not read', async () => {
  const visibleTo = new Set(['ann', 'bea']);
  const pulls = [pull(1, 'hidden', { body: 'Closes #3.' })];
  const issues = [{ number: 3, title: 'Between ourselves', body: 'For those who are given issues.' }];
  state.repositories.push(
    repository(81, 'zoo/inner', { isPrivate: true, visibleTo, withoutCode: new Set(['bea']), pulls, issues }),
    repository(82, 'zoo/limited', { ownerVisibility: 'limited', pulls, issues }),
    repository(83, 'zoo/members', { ownerVisibility: 'private', visibleTo, pulls, issues }),
    repository(89, 'zoo/off', { hasPulls: false, visibleTo, pulls, issues }),
    repository(94, 'zoo/codeless', { hasCode: false, admins: new Set(['ann']), pulls, issues }),
  );
  const shown = async (name: string, caller: Caller) => {
    const found = await host.findRepository('zoo', name, caller);
    const pullRequest = await host.findPullRequest('zoo', name, 1, caller);
    assert.deepEqual(pullRequest?.repository ?? null, found, 'whichever way it is asked for');
    // Stored texts are shown to every viewer of the pull request, and some of them may not see its issues.
    const read = await pullRequest?.pullRequest?.read();
    if (read) assert.deepEqual(read.linkedIssues, [{ number: 3, title: '', body: null }], name);
    return found && (found.isPrivate ? 'private' : 'public');
  };
  const seen = await Promise.all(
    ['inner', 'limited', 'members', 'off', 'codeless'].map((name) =>
      Promise.all([nobody, as('cid'), as('bea'), ann].map((caller) => shown(name, caller))),
    ),
  );
  assert.deepEqual(seen, [
    [null, null, null, 'private'],
    [null, 'private', 'private', 'private'],
    [null, null, 'private', 'private'],
    [null, null, null, null],
    [null, null, null, 'private'],
  ]);
  state.requiresSignIn = true;
  const closed = await openGitea(gitea.url);
  const withToken = await openGitea(gitea.url, { giteaToken: tokenOf('cid') });
  const outcomes = await Promise.all([
    closed.findRepository('acme', 'rocket', nobody),
    closed.findRepository('acme', 'rocket', ann),
    withToken.findRepository('acme', 'rocket', nobody),
    withToken.findRepository('zoo', 'limited', nobody),
  ]);
  state.requiresSignIn = false;
  assert.deepEqual(
    outcomes.map((found) => found?.isPrivate),
    [undefined, true, undefined, undefined],
  );
});

test('a repository is found under its former names, and is not mistaken for another that took its name', async () => {
  const old = repository(84, 'zoo/now', {
    formerNames: ['zoo/before'],
    pulls: [pull(1, 'moved')],
    tags: ['v1'],
  });
  state.repositories.push(old);
  const known = (await host.findRepository('zoo', 'before', nobody)) ?? assert.fail();
  assert.deepEqual([known.hostRepoId, known.name], [84, 'now']);
  const found = await host.findPullRequest('zoo', 'before', 1, nobody);
  assert.equal((await found?.pullRequest?.read())?.title, 'feat: tell of moved');
  const before = { ...known, name: 'before' };
  const tagsOf = async () => (await host.listTags(before, 5, ann)).map(({ name }) => name);
  assert.deepEqual(await tagsOf(), ['v1']);
  state.repositories.push(
    repository(85, 'zoo/before', { pulls: [merged(1, new Date(), {})], tags: ['other'] }),
  );
  assert.deepEqual(await host.findRepositoryById(before, ann), known);
  assert.equal(await host.findRepositoryById(before, nobody), null, 'by its number it shows to tokens alone');
  const page = { state: 'all', limit: 20, offset: 0 } as const;
  assert.deepEqual((await host.listPullRequests(before, page, ann)).items, []);
  assert.equal(await host.mergedSince(before, null, ann), null);
  assert.deepEqual(await tagsOf(), ['v1'], 'under the name that it has');
});

test('pull requests, merges and reviews are read without gaps or repeats at page sizes of 50 and 30', async () => {
  const at = (minutes: number) => new Date(Date.UTC(2026, 3, 1, 10, minutes));
  const pulls = Array.from({ length: 120 }, (_, index) => merged(index + 1, at(index)));
  const reviews = Array.from({ length: 60 }, (_, index) => ({
    id: index + 1,
    author: 'rin',
    body: `Review ${index}.`,
    state: 'COMMENT' as const,
    submittedAt: day,
    comments: [],
  }));
  const long = repository(86, 'zoo/long', { pulls: [...pulls, pull(121, 'reviewed', { reviews })] });
  state.repositories.push(long);
  const known = (await host.findRepository('zoo', 'long', nobody)) ?? assert.fail();
  const numbers = async (offset: number, limit: number, rest = {}) => {
    const asked = { state: 'all', limit, offset, ...rest } as const;
    const { items, total } = await host.listPullRequests(known, asked, nobody);
    assert.equal(total, 'without' in rest ? null : 121);
    return items.map(({ number }) => number);
  };
  const down = (from: number, count: number) => Array.from({ length: count }, (_, index) => from - index);
  for (const mostItems of [50, 30]) {
    state.mostItems = mostItems;
    assert.deepEqual(await numbers(0, 100), down(121, 100), String(mostItems));
    assert.deepEqual(await numbers(100, 100), down(21, 21));
    assert.deepEqual(await numbers(37, 20), down(84, 20));
    assert.deepEqual(await numbers(0, 20, { without: new Set([121, 119]) }), [120, ...down(118, 19)]);
    const cursor = (await host.mergedSince(known, null, nobody))?.cursor ?? assert.fail();
    assert.deepEqual(
      (await host.mergedSince(known, cursor, nobody))?.merged.length,
      2,
      'those of the last minute',
    );
    const early = JSON.stringify({ until: at(10).toISOString(), tag: null });
    const told = (await host.mergedSince(known, early, nobody)) ?? assert.fail();
    assert.deepEqual(
      told.merged.map(({ number }) => number).sort((a, b) => a - b),
      down(120, 111).reverse(),
    );
    const last = await host.lastMerged(known, { most: 3, isWanted: () => true }, nobody);
    assert.deepEqual(
      last?.map(({ number }) => number),
      [120, 119, 118],
    );
    const read = await (await host.findPullRequest('zoo', 'long', 121, nobody))?.pullRequest?.read();
    assert.equal(read?.comments.length, 60);
  }
  state.mostItems = 50;
});

test('`readRange` returns the commits that git counts between two refs, with their pull requests, and suggests a ref for an unknown one', async () => {
  const folder = makeReleases(temporaryFolder(), 'zoo/released');
  const { execFileSync } = await import('node:child_process');
  const git = (...parameters: string[]) =>
    execFileSync('git', ['-C', folder, ...parameters])
      .toString()
      .trim();
  const shaOf = (subject: string) => git('log', '--all', '--format=%H', '-F', `--grep=${subject}`, '-1');
  const pulls = [
    merged(2, new Date(), { title: 'feat: engines for all', mergeCommitSha: shaOf('engines for all (#2)') }),
    merged(3, new Date(), { title: 'Add fuel', mergeCommitSha: shaOf('Merge pull request #3') }),
    merged(7, new Date(), { title: 'Fix the <nozzle>', mergeCommitSha: shaOf('Fix the <nozzle> (#7)') }),
  ];
  state.repositories.push(
    repository(87, 'zoo/released', { gitFolder: folder, pulls, tags: ['v3', 'v2', 'v1.1', 'v1'] }),
  );
  const known = (await host.findRepository('zoo', 'released', ann)) ?? assert.fail();
  const range = (await host.readRange(known, { from: 'v1', to: 'v2' }, ann)) ?? assert.fail();
  assert.deepEqual(
    [range.total, range.read, range.behind, range.toSha],
    [Number(git('rev-list', '--count', 'v1..v2')), range.total, 0, git('rev-parse', 'v2^{commit}')],
  );
  const brought = range.changes.flatMap(({ pullRequest }) => pullRequest?.number ?? []);
  assert.deepEqual(brought, [7, 3, 2]);
  const apart = await host.readRange(known, { from: 'v1.1', to: 'v2' }, ann);
  assert.equal(apart?.behind, Number(git('rev-list', '--count', 'v2..v1.1')));
  await assert.rejects(host.readRange(known, { from: 'v1', to: 'v22' }, ann), (error) => {
    assert.ok(error instanceof Failure);
    assert.match(error.message, /no tag, branch or commit v22\. Available: v2/);
    return true;
  });
});

test('`readRange` assigns all commits of a rebased pull request to it, and none that was pushed before', async () => {
  const folder = makeClone(temporaryFolder(), 'zoo/rebased');
  const commit = (message: string): string => {
    git(folder, 'commit', '--quiet', '--allow-empty', '--message', message);
    return git(folder, 'rev-parse', 'HEAD').trim();
  };
  git(folder, 'tag', 'v1');
  commit('By hand');
  const messages = ['Add a pump (#846)', 'Add a valve\n\nIt closes.', 'Add a tank'];
  const last = messages.map(commit).at(-1) ?? assert.fail();
  commit('Add a hose');
  const single = commit('Add a hose (#5)');
  git(folder, 'tag', 'v2');
  const before = messages.map((message, place) => ({ sha: `${place}`.repeat(40), message, author: 'Mona' }));
  const pulls = [
    merged(4, new Date(), { title: 'Fuel', mergeCommitSha: last, commits: before }),
    merged(5, new Date(), { title: 'Add a hose', mergeCommitSha: single }),
  ];
  state.repositories.push(repository(88, 'zoo/rebased', { gitFolder: folder, pulls }));
  const known = (await host.findRepository('zoo', 'rebased', ann)) ?? assert.fail();
  const range = (await host.readRange(known, { from: 'v1', to: 'v2' }, ann)) ?? assert.fail();
  assert.deepEqual(
    range.changes.map(({ pullRequest, commits }) => [
      pullRequest?.number ?? null,
      commits.map(({ subject }) => subject),
    ]),
    [
      [5, ['Add a hose (#5)']],
      [null, ['Add a hose']],
      [4, ['Add a tank', 'Add a valve', 'Add a pump (#846)']],
      [null, ['By hand']],
    ],
  );
});
