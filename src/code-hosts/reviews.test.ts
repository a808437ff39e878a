import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { repository as giteaRepository } from '../../test/gitea/make-repository.ts';
import { openGitea } from '../../test/gitea/open-gitea.ts';
import { startGitea } from '../../test/gitea/stand-in.ts';
import { account as giteaAccount, pull as giteaPull, tokenOf } from '../../test/gitea/state.ts';
import { standInCertificate, startGitHub } from '../../test/github/stand-in.ts';
import { account, pull, repository, shaOf } from '../../test/github/state.ts';
import { startGitLab } from '../../test/gitlab/stand-in.ts';
import * as lab from '../../test/gitlab/state.ts';
import { nobody } from '../../test/read-from-host.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { takeExclusiveLock } from '../db/local-server/server-folder.ts';
import type { Discussion } from '../domain/reviews.ts';
import { createEgressClient, networkForGit } from '../egress/egress-client.ts';
import type { CodeHost } from './code-host.ts';
import { openGitHubHost } from './github/github-host.ts';
import { openGitLabHost } from './gitlab/gitlab-host.ts';
import { discussionCommentOf, discussionOf, hunkAt } from './reviews.ts';

const [first, second] = [shaOf('the first push'), shaOf('the second push')];
const hunk = '@@ -1,2 +1,3 @@ function begin()\n one\n+two\n three';
const at = (minute: number): string => `2026-03-01T10:${String(minute).padStart(2, '0')}:00Z`;
const network = { extraCaFile: standInCertificate };
const deps = {
  searchPath: process.env.PATH ?? '',
  clock: () => new Date(),
  connect: (rules: Parameters<typeof createEgressClient>[1]) => createEgressClient(network, rules),
  networkForGit: (rules: Parameters<typeof networkForGit>[1]) => networkForGit(network, rules),
  takeLock: takeExclusiveLock,
};
const common = { dataFolder: temporaryFolder(), maxDiffBytes: 1024 * 1024, gitCloneBytes: 1024 * 1024 };

async function readAs(host: CodeHost, token: string | null) {
  const found = await host.findPullRequest('acme', 'rocket', 1, { ...nobody, token });
  const read = (await found?.pullRequest?.read()) ?? assert.fail('it was not found');
  return { ...read, version: found?.pullRequest?.version ?? '' };
}

/** The authors and texts of comments, in order. */
const saidIn = ({ reviews, comments, threads }: Discussion) => ({
  reviews: reviews.map(({ author, state, sha, body }) => [author, state, sha, body]),
  comments: comments.map(({ author, isBot, body, createdAt, anchor }) => [
    author,
    isBot,
    body,
    createdAt,
    anchor,
  ]),
  threads: threads.map(({ comments: said, ...thread }) => ({
    ...thread,
    said: said.map(({ author, body, anchor }) => [author, body, anchor]),
  })),
});

test('GitHub: reviews, threads, forced pushes and mentions are read in two more calls, without hidden or pending ones and those of other repositories', async () => {
  const github = await startGitHub();
  const remark = { createdAt: at(2), path: 'src/a.ts', line: 3, commit: first, hunk };
  github.state.accounts.push(account(1, 'ann', 'ghp_ann'));
  github.state.repositories.push(
    repository(71, 'acme/rocket', {
      texts: { [`${first}:src/a.ts`]: 'one\ntwo\nthree\nfour' },
      pulls: [
        pull(1, 'begin', {
          comments: [
            { author: 'rin', body: 'Why?', createdAt: at(1) },
            { author: 'codecov[bot]', body: 'Coverage.', createdAt: at(3) },
            { author: 'spammer', body: 'hidden words', createdAt: at(4), isHidden: true },
          ],
          reviews: [
            {
              id: 11,
              author: 'rin',
              body: '',
              state: 'CHANGES_REQUESTED',
              submittedAt: at(2),
              commit: first,
            },
            {
              id: 12,
              author: 'ann',
              body: 'pending words',
              state: 'PENDING',
              submittedAt: null,
              visibleTo: 'ann',
            },
            {
              id: 13,
              author: 'x',
              body: 'hidden words',
              state: 'COMMENTED',
              submittedAt: at(3),
              isHidden: true,
            },
          ],
          reviewComments: [
            {
              ...remark,
              id: 21,
              reviewId: 11,
              author: 'rin',
              body: 'Two?',
              resolvedBy: 'octocat',
              isOutdated: true,
            },
            { ...remark, id: 22, reviewId: 11, replyTo: 21, author: 'octocat', body: 'Done.' },
            {
              ...remark,
              id: 23,
              reviewId: 11,
              replyTo: 21,
              author: 'x',
              body: 'hidden words',
              isHidden: true,
            },
            { ...remark, id: 24, reviewId: 12, author: 'ann', body: 'pending words' },
          ],
          forcedPushes: [{ at: at(5), before: first, after: second }],
          mentionedBy: [
            { number: 2, merged: true, repositoryId: 71 },
            { number: 3, merged: true, repositoryId: 99 },
          ],
        }),
      ],
    }),
  );
  const settings = {
    githubUrl: new URL(github.url),
    githubToken: undefined,
    githubClientId: undefined,
    githubClientSecret: undefined,
    githubScopes: '',
    githubWebhookSecrets: [],
    ...common,
  };
  const host = await openGitHubHost(settings, deps);
  after(() => host.close());
  const { discussion = assert.fail(), comments, unavailable, version } = await readAs(host, 'ghp_ann');
  assert.equal(github.takeCalls().filter((call) => call.includes('graphql')).length, 3);
  assert.deepEqual(saidIn(discussion), {
    reviews: [['rin', 'changesRequested', first, '']],
    comments: [
      ['rin', false, 'Why?', at(1), 'issuecomment-5000'],
      ['codecov[bot]', true, 'Coverage.', at(3), 'issuecomment-5001'],
    ],
    threads: [
      {
        path: 'src/a.ts',
        side: 'new',
        sha: first,
        startLine: 3,
        line: 3,
        hunk: hunk.replace('-1,2 +1,3', '-1 +1'),
        behind: ['four'],
        isResolved: true,
        isOutdated: true,
        resolvedBy: 'octocat',
        said: [
          ['rin', 'Two?', 'discussion_r21'],
          ['octocat', 'Done.', 'discussion_r22'],
        ],
      },
    ],
  });
  assert.deepEqual(discussion.pushes, [{ at: at(5), before: first, after: second, isForced: true }]);
  assert.deepEqual(discussion.references, [{ number: 2, isMerged: true }]);
  assert.equal(unavailable, undefined);
  assert.equal(comments.length, 7);
  const anonymous = await readAs(host, null);
  assert.deepEqual([anonymous.discussion, anonymous.unavailable], [undefined, ['discussion']]);
  assert.ok(version.startsWith(`${anonymous.version} `));
});

test('GitHub: a hidden comment is left out even after a hundred others', async () => {
  const github = await startGitHub();
  const comments = Array.from({ length: 130 }, (_, index) => ({
    author: 'rin',
    body: `No. ${index}`,
    createdAt: at(1),
    isHidden: index === 120,
  }));
  github.state.accounts.push(account(1, 'ann', 'ghp_ann'));
  github.state.repositories.push(repository(71, 'acme/rocket', { pulls: [pull(1, 'begin', { comments })] }));
  const settings = {
    githubUrl: new URL(github.url),
    githubToken: undefined,
    githubClientId: undefined,
    githubClientSecret: undefined,
    githubScopes: '',
    githubWebhookSecrets: [],
    ...common,
  };
  const host = await openGitHubHost(settings, deps);
  after(() => host.close());
  const { discussion } = await readAs(host, 'ghp_ann');
  assert.deepEqual([discussion?.comments.length, discussion?.hasMore], [129, false]);
});

test('GitHub: what general comments and reviews quote is read from the files of the head that they are about', async () => {
  const github = await startGitHub();
  github.state.accounts.push(account(1, 'ann', 'ghp_ann'));
  github.state.repositories.push(
    repository(71, 'acme/rocket', {
      texts: { [`${first}:src/file-0.ts`]: 'one();\ntwo(413);\nthree();' },
      pulls: [
        pull(1, 'begin', {
          comments: [
            { author: 'rin', body: 'Is `413` right?', createdAt: at(1) },
            { author: 'octocat', body: 'I think `413` is.', createdAt: at(1) },
            { author: 'rin', body: 'And `413` now?', createdAt: at(5) },
          ],
          reviews: [
            {
              id: 11,
              author: 'kim',
              body: 'See `three`.',
              state: 'COMMENTED',
              submittedAt: at(2),
              commit: first,
            },
          ],
          forcedPushes: [{ at: at(3), before: second, after: shaOf('the last push') }],
        }),
      ],
    }),
  );
  const host = await openGitHubHost(
    {
      githubUrl: new URL(github.url),
      githubToken: undefined,
      githubClientId: undefined,
      githubClientSecret: undefined,
      githubScopes: '',
      githubWebhookSecrets: [],
      ...common,
    },
    deps,
  );
  after(() => host.close());
  const { discussion = assert.fail() } = await readAs(host, 'ghp_ann');
  const path = 'src/file-0.ts';
  assert.deepEqual(
    [...discussion.comments, ...discussion.reviews].map(({ quoted }) => quoted),
    [
      { sha: first, files: [{ path, lines: ['two(413);'] }] },
      undefined,
      undefined,
      { sha: first, files: [{ path, lines: ['three();'] }] },
    ],
  );
});

test('GitLab: threads, approvals, pushes and mentions are read with the hunk that was commented on, without internal notes', async () => {
  const { url, state, takeCalls } = await startGitLab();
  const position = { new_path: 'src/a.ts', old_path: 'src/a.ts', new_line: 2, old_line: null };
  const system = { author: 'rin', isSystem: true };
  state.accounts.push(lab.account(1, 'ann', 'glpat-tokenOfAnn'));
  const [rocket] = [
    lab.project(71, 'acme/rocket', [
      {
        iid: 1,
        words: 'begin',
        discussions: [
          [
            {
              type: 'DiffNote',
              author: 'rin',
              body: 'Two?',
              createdAt: '2026-03-01T10:02:00.000Z',
              position: { head_sha: first, ...position },
              resolvedBy: 'mona',
            },
            {
              type: 'DiffNote',
              author: 'mona',
              body: 'Done.',
              createdAt: '2026-03-01T10:03:00.000Z',
              position,
            },
            { author: 'mona', isSystem: true, body: 'changed this line in version 2 of the diff' },
          ],
          [{ author: 'project_71_bot_c0ffee', body: 'Coverage.', createdAt: '2026-03-01T10:01:00.123Z' }],
          [{ author: 'rin', body: 'internal words', isInternal: true }],
          [{ author: 'rin', body: 'Is `three` enough?', createdAt: '2026-03-01T10:02:30.000Z' }],
          [{ ...system, body: 'requested changes', createdAt: '2026-03-01T10:02:00.000Z' }],
          [{ ...system, body: 'approved this merge request', createdAt: '2026-03-01T10:05:00.000Z' }],
          [{ ...system, body: 'mentioned in merge request !2' }],
          [{ ...system, body: 'mentioned in merge request other/project!3' }],
        ],
      },
    ]),
  ];
  const [mergeRequest = assert.fail()] = rocket.mergeRequests;
  const diffs = [{ path: 'src/a.ts', diff: `${hunk}\n` }];
  mergeRequest.versions = [
    { head: first, at: '2026-03-01T10:00:00.000Z', diffs },
    { head: mergeRequest.headSha, at: '2026-03-01T10:04:00.000Z', diffs: [] },
  ];
  state.projects.push(rocket);
  const settings = {
    gitlabUrl: new URL(url),
    gitlabToken: undefined,
    gitlabClientId: undefined,
    gitlabClientSecret: undefined,
    gitlabScopes: '',
    gitlabWebhookSecrets: [],
    ...common,
  };
  const host = await openGitLabHost(settings, deps);
  after(() => host.close());
  const { discussion = assert.fail() } = await readAs(host, 'glpat-tokenOfAnn');
  assert.equal(takeCalls().filter((call) => call.includes('/versions')).length, 2);
  assert.deepEqual(saidIn(discussion), {
    reviews: [['rin', 'approved', null, '']],
    comments: [
      ['project_71_bot_c0ffee', true, 'Coverage.', at(1), 'note_4'],
      ['rin', false, 'Is `three` enough?', '2026-03-01T10:02:30Z', 'note_6'],
    ],
    threads: [
      {
        path: 'src/a.ts',
        side: 'new',
        sha: first,
        startLine: 2,
        line: 2,
        hunk: hunk.replace('-1,2 +1,3', '-1 +1'),
        behind: [],
        isResolved: true,
        isOutdated: null,
        resolvedBy: 'mona',
        said: [
          ['rin', 'Two?', 'note_1'],
          ['mona', 'Done.', 'note_2'],
        ],
      },
    ],
  });
  assert.deepEqual(discussion.pushes, [
    { at: at(0), before: null, after: first, isForced: null },
    { at: at(4), before: first, after: mergeRequest.headSha, isForced: null },
  ]);
  assert.deepEqual(discussion.references, [{ number: 2, isMerged: null }]);
  assert.deepEqual(
    discussion.comments.map(({ quoted }) => quoted),
    [undefined, { sha: first, files: [{ path: 'src/a.ts', lines: ['three'] }] }],
  );
  const anonymous = await readAs(host, null);
  assert.equal(anonymous.discussion, undefined);
  assert.ok(anonymous.unavailable?.includes('discussion'));
});

test('Gitea: reviews, threads, pushes and mentions are read without the words of a review that was not submitted', async () => {
  const { url, state } = await startGitea();
  const remark = { createdAt: at(2), path: 'src/a.ts', line: 2, hunk };
  state.accounts.push(giteaAccount(1, 'ann', tokenOf('ann')));
  state.repositories.push(
    giteaRepository(71, 'acme/rocket', {
      pulls: [
        giteaPull(1, 'begin', {
          comments: [{ author: 'gitea-actions', body: 'Coverage.', createdAt: at(1) }],
          reviews: [
            {
              id: 1,
              author: 'rin',
              body: 'Please look.',
              state: 'REQUEST_CHANGES',
              submittedAt: at(2),
              commit: first,
              comments: [
                { ...remark, author: 'rin', body: 'Two?', resolver: 'mona' },
                { ...remark, author: 'mona', body: 'Done.', createdAt: at(3) },
                { ...remark, author: 'rin', body: 'And here?', line: 3 },
              ],
            },
            {
              id: 2,
              author: 'ann',
              body: 'pending words',
              state: 'PENDING',
              submittedAt: at(3),
              comments: [{ ...remark, author: 'ann', body: 'pending words' }],
            },
            {
              id: 3,
              author: 'rin',
              body: 'Better.',
              state: 'APPROVED',
              submittedAt: at(4),
              isDismissed: true,
              comments: [],
            },
          ],
          pushes: [
            { at: at(0), isForced: false, commits: [shaOf('a'), first] },
            { at: at(3), isForced: true, commits: [first, second] },
          ],
          mentionedBy: [
            { number: 2, isMerged: true, repository: 'acme/rocket' },
            { number: 3, isMerged: true, repository: 'acme/vault' },
          ],
        }),
      ],
    }),
  );
  const { discussion = assert.fail() } = await readAs(await openGitea(url), tokenOf('ann'));
  assert.ok(!JSON.stringify(discussion).includes('pending words'));
  const { reviews, comments, threads } = saidIn(discussion);
  assert.deepEqual(reviews, [
    ['rin', 'changesRequested', first, 'Please look.'],
    ['rin', 'dismissed', null, 'Better.'],
  ]);
  assert.deepEqual(comments, [['gitea-actions', true, 'Coverage.', at(1), 'issuecomment-5000']]);
  assert.deepEqual(
    threads.map(({ sha, line, isResolved, resolvedBy, said }) => [
      sha,
      line,
      isResolved,
      resolvedBy,
      said.length,
    ]),
    [
      [first, 2, true, 'mona', 2],
      [first, 3, false, null, 1],
    ],
  );
  assert.deepEqual(discussion.pushes, [
    { at: at(0), before: null, after: first, isForced: false },
    { at: at(3), before: first, after: second, isForced: true },
  ]);
  assert.deepEqual(discussion.references, [{ number: 2, isMerged: true }]);
});

test('a discussion keeps the oldest thousand comments, four thousand characters of each, and the end of a long hunk with its lines', () => {
  const said = (index: number, body: string) => ({
    author: 'rin',
    isBot: false,
    body,
    isCut: false,
    createdAt: new Date(index * 1_000).toISOString().replace('.000Z', 'Z'),
    anchor: null,
  });
  const lines = Array.from({ length: 500 }, (_, index) => `+line ${index}`);
  const thread = {
    path: 'a.ts',
    side: 'new' as const,
    sha: null,
    startLine: null,
    line: 500,
    hunk: ['@@ -0,0 +1,500 @@', ...lines].join('\n'),
    behind: [],
    isResolved: null,
    resolvedBy: null,
    isOutdated: null,
    comments: [said(0, 'the first')],
  };
  const comments = Array.from({ length: 1_200 }, (_, index) => said(index + 1, 'a'));
  const empty = { reviews: [], pushes: [], references: [], hasMore: false };
  const discussion = discussionOf({ ...empty, threads: [thread], comments });
  assert.deepEqual([discussion.comments.length, discussion.hasMore], [999, true]);
  const [header = '', ...kept] = discussion.threads[0]?.hunk?.split('\n') ?? [];
  assert.equal(kept.at(-1), '+line 499');
  assert.equal(header, `@@ -0 +${501 - kept.length} @@`);
  assert.ok(kept.join('\n').length <= 4_000);
  const long = { author: 'rin', isBot: false, body: 'é'.repeat(5_000), at: at(1), anchor: null };
  const { body, isCut } = discussionCommentOf(long);
  assert.deepEqual([body.length, isCut], [4_000, true]);
});

test('`hunkAt` returns the hunk that has a line on its side, and null for a line outside the diff', () => {
  const diff = `${hunk}\n@@ -9,2 +10,2 @@\n-nine\n+nine!\n ten\n`;
  assert.equal(hunkAt(diff, 'new', 2), hunk);
  assert.equal(hunkAt(diff, 'old', 9), '@@ -9,2 +10,2 @@\n-nine\n+nine!\n ten');
  assert.equal(hunkAt(diff, 'new', 7), null);
});
