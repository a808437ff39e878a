import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fewOf } from '../../../test/few-questions.ts';
import type { ScriptedAnswer } from '../../../test/github/stand-in.ts';
import { buildGitLabApp } from '../../../test/gitlab/build-gitlab-app.ts';
import { deliver, signatureOf, signingToken, webhookSecret } from '../../../test/gitlab/deliver.ts';
import { mergedAt, project } from '../../../test/gitlab/state.ts';
import { questionsAbout } from '../../../test/leak-questions.ts';
import { nobody } from '../../../test/read-from-host.ts';

const minute = 60_000;
// The service token can read everything on GitLab, and must reveal only public projects.
const { app, gitlab, join } = await buildGitLabApp({
  environment: {
    GITLAB_TOKEN: 'glpat-tokenOfservice',
    GITLAB_WEBHOOK_SECRETS: `${webhookSecret},${signingToken}`,
  },
});
await join('service');
const ann = await join('ann');
const outsider = await join('outsider');

const rocket = project(71, 'acme/inner/rocket', [
  {
    iid: 7,
    words: 'seven',
    description: 'Because of seven. Closes #3',
    discussions: [
      [
        {
          author: 'bo',
          body: 'approved this merge request',
          isSystem: true,
          createdAt: '2026-03-01T10:00:01.000Z',
        },
      ],
      [{ author: 'bo', body: 'added 1 commit', isSystem: true }],
      [{ author: 'bo', body: 'between ourselves', isInternal: true }],
      [
        {
          type: 'DiffNote',
          author: 'cy',
          body: 'Why here?',
          createdAt: '2026-03-01T10:00:02.000Z',
          position: { new_path: 'src/file-0.ts', old_path: 'src/file-0.ts', new_line: 1, old_line: null },
        },
        { type: 'DiscussionNote', author: 'mona', body: 'Because.', createdAt: '2026-03-01T10:00:03.000Z' },
      ],
    ],
    issues: [
      { iid: 3, title: 'It is not told', body: 'It should be.' },
      { iid: 4, title: 'A hole', body: 'Quiet.', isConfidential: true },
      { iid: 3, projectId: 72, title: 'Elsewhere', body: 'Other.' },
    ],
  },
]);
rocket.members.set('ann', 'reporter').set('service', 'reporter');
gitlab.state.projects.push(rocket, project(72, 'acme/other'));
const at = '/repos/acme%2Finner/rocket/pulls/7';

test('a merge request in a nested group is read with its diff and discussions, and without internal notes and confidential issues', async () => {
  const { status, body, text } = await app.call('POST', `${at}/ingest`, { token: ann });
  assert.equal(status, 201, text);
  const { owner, repo, hostPrUrl, labels, state, files, comments, commits, linkedIssues, headSha, baseSha } =
    body.data;
  assert.deepEqual(
    commits.map(({ message }: { message: string }) => message),
    ['feat: tell of seven'],
  );
  assert.deepEqual([owner, repo, state, labels], ['acme/inner', 'rocket', 'open', ['enhancement']]);
  assert.equal(hostPrUrl, `${gitlab.url}/acme/inner/rocket/-/merge_requests/7`);
  const [mergeRequest] = rocket.mergeRequests;
  assert.deepEqual([headSha, baseSha], [mergeRequest?.headSha, mergeRequest?.baseSha]);
  assert.deepEqual(
    files.map(({ fileName, additions }: { fileName: string; additions: number }) => [fileName, additions]),
    [['src/file-0.ts', 1]],
  );
  assert.deepEqual(
    comments.map(({ kind, author, path, line }: Record<string, unknown>) => [kind, author, path, line]),
    [
      ['review', 'bo', undefined, undefined],
      ['reviewComment', 'cy', 'src/file-0.ts', 1],
      ['comment', 'mona', undefined, undefined],
    ],
  );
  assert.deepEqual(linkedIssues, [{ number: 3, title: 'It is not told', body: 'It should be.' }]);
  gitlab.takeCalls();
  assert.equal((await app.call('POST', `${at}/ingest`, { token: ann })).status, 200);
  // A repeated ingest reads the texts again but not the diff.
  assert.deepEqual(gitlab.takeCalls().toSorted(), [
    'GET /projects/71',
    'GET /projects/71/merge_requests/7',
    'GET /projects/71/merge_requests/7/closes_issues?per_page=100&page=1',
    'GET /projects/71/merge_requests/7/commits?per_page=100&page=1',
    'GET /projects/71/merge_requests/7/discussions?per_page=100&page=1',
    'GET /projects/71/merge_requests/7/versions?per_page=100&page=1',
    'GET /projects/71/merge_requests?per_page=1&view=simple',
    'GET /projects/71/merge_requests?per_page=1&view=simple',
    'GET /projects/acme%2Finner%2Frocket',
    'GET /projects/acme%2Finner%2Frocket/merge_requests/7',
  ]);
});

test('a merge request into a deleted branch is read by its own ref when the git server serves no ids', async () => {
  const gone = project(77, 'acme/inner/gone', [{ iid: 1, words: 'gone' }]);
  gitlab.state.projects.push(gone);
  execFileSync('git', ['update-ref', '-d', 'refs/heads/main'], { cwd: gone.gitFolder });
  gitlab.state.hasOldGit = true;
  const { status, text } = await app.call('POST', '/repos/acme%2Finner/gone/pulls/1/ingest', { token: ann });
  gitlab.state.hasOldGit = false;
  assert.equal(status, 201, text);
});

test('a nested group works as owner in pages, lists, feeds, searches, following and links', async () => {
  const written = await app.call('POST', `${at}/article`, { token: ann, body: { language: 'en' } });
  assert.equal(written.status, 201, written.text);
  const cited = /"hostUrl":"([^"]+)"/.exec(written.text)?.[1] ?? '';
  const head = rocket.mergeRequests[0]?.headSha;
  assert.equal(cited, `${gitlab.url}/acme/inner/rocket/-/blob/${head}/src/file-0.ts#L1`);
  const old = { fileName: 'src/a.ts', startLine: 3, endLine: 4, side: 'old' } as const;
  const [host] = app.codeHosts;
  assert.match(
    host?.linesUrl(`${gitlab.url}/a/b/-/merge_requests/1`, 'x', old) ?? '',
    /\/merge_requests\/1\/diffs#[0-9a-f]{40}$/,
  );
  const follow = await app.call('POST', '/users/me', {
    token: ann,
    body: { owner: 'acme/inner', repo: 'rocket' },
  });
  assert.deepEqual([follow.status, follow.body.data.repositoryFullName], [201, 'acme/inner/rocket']);
  const anonymous = [
    '/r/acme%2Finner/rocket',
    '/r/acme%2Finner/rocket/7',
    '/feeds/r/acme%2Finner/rocket.atom',
    '/articles?owner=acme/inner&repo=rocket',
    '/search?q=repo:acme/inner/rocket',
    '/find?q=repo:ACME/inner/rocket+seven',
    `${at}/article`,
  ];
  for (const path of anonymous) {
    const { status, text } = await app.call('GET', path);
    assert.deepEqual([status, text.includes('seven')], [200, true], path);
    assert.ok(!text.includes('/acme/inner/rocket/7'), path);
  }
  const { text } = await app.call('GET', '/');
  assert.match(text, /href="\/r\/acme%2Finner\/rocket\/7/);
  const leads = async (url: string) =>
    (await app.call('GET', `/go?url=${encodeURIComponent(url)}`)).headers.get('location');
  const page = '/r/acme%2Finner/rocket/7';
  assert.equal(await leads(`${gitlab.url}/acme/inner/rocket/-/merge_requests/7/diffs`), page);
  assert.equal(await leads('acme/inner/rocket!7'), page);
  assert.equal(await leads('acme/inner/rocket'), '/r/acme%2Finner/rocket');
  assert.equal(await leads('acme/inner/nothing'), '/find?q=acme%2Finner%2Fnothing');
  for (const wrong of ['acme%2F..', '%2Facme', 'acme%2F%2Finner', 'acme%2F'])
    assert.equal((await app.call('GET', `/repos/${wrong}/rocket/pulls/7`)).status, 400, wrong);
});

test('private, internal and members-only projects, merge requests and code are hidden from users without access', async () => {
  const guest = await join('guest');
  const rights = [
    ['private', 'enabled', [guest, undefined]],
    ['public', 'private', [outsider, undefined]],
    ['internal', 'enabled', [undefined]],
    // Members-only code makes merge requests members-only too.
    ['public', 'private', [guest, undefined], 'private'],
  ] as const;
  for (const [place, [visibility, mergeRequestsLevel, hidden, repositoryLevel]] of rights.entries()) {
    const name = `${visibility}-${place}`;
    const canary = `canary-${name}`;
    const change = {
      iid: 1,
      words: canary,
      description: `Because of ${canary}. Closes #3`,
      issues: [{ iid: 3, title: 'For members', body: 'Between ourselves.' }],
    };
    const secret = project(200 + place, `zoo/inner/${name}`, [change], {
      visibility,
      mergeRequestsLevel,
      repositoryLevel: repositoryLevel ?? 'enabled',
      issuesLevel: 'private',
      members: new Map([
        ['ann', 'reporter'],
        ['service', 'reporter'],
        ['guest', 'guest'],
      ]),
    });
    gitlab.state.projects.push(secret);
    const written = { owner: 'zoo/inner', repo: name, articleId: '', jobId: '' };
    const asked = { token: ann, body: { language: 'en' } };
    const article = await app.call('POST', `/repos/zoo%2Finner/${name}/pulls/1/article`, asked);
    assert.equal(article.status, 201, article.text);
    written.articleId = article.body.data.id;
    // Issues are members-only here, so their texts must not be stored: every viewer of the merge request would see them.
    const stored = await app.call('GET', `/repos/zoo%2Finner/${name}/pulls/1`, { token: ann });
    assert.deepEqual(stored.body.data.linkedIssues, [{ number: 3, title: '', body: null }], visibility);
    const { gets, writes } = questionsAbout(app.server, written);
    // Writes come first: one that wrongly succeeds would create a grant that the reads then reveal.
    for (const token of hidden)
      for (const { method, path, body, accept } of fewOf([...writes, ...gets])) {
        const { text } = await app.call(method, path, { token, body, headers: accept ? { accept } : {} });
        assert.ok(
          !text.replaceAll(path, '').includes(canary),
          `${method} ${path} tells ${token ?? 'nobody'}`,
        );
      }
    const shown = `/repos/zoo%2Finner/${name}/pulls/1/article`;
    assert.equal((await app.call('GET', shown, { token: ann })).status, 200);
    secret.members.delete('ann');
    secret.visibility = 'private';
    app.advance(6 * minute);
    assert.equal((await app.call('GET', shown, { token: ann })).status, 404);
  }
});

test('a token without repository access gives HOST_TOKEN_INVALID, and a diff that GitLab has not prepared gives UNREADABLE', async () => {
  const narrow = await join('narrow');
  gitlab.state.narrowTokens.add(narrow);
  gitlab.state.projects.push(project(75, 'acme/inner/unread', [{ iid: 1, words: 'unread' }]));
  const unread = await app.call('POST', '/repos/acme%2Finner/unread/pulls/1/ingest', { token: narrow });
  assert.deepEqual([unread.status, unread.body.error.code], [409, 'HOST_TOKEN_INVALID']);
  const [mergeRequest] = rocket.mergeRequests;
  Object.assign(mergeRequest ?? {}, { diffRefs: null, updatedAt: '2026-03-02T10:00:00.000Z' });
  const unprepared = await app.call('POST', `${at}/ingest`, { token: outsider });
  assert.deepEqual([unprepared.status, unprepared.body.error.code], [422, 'UNREADABLE']);
  Object.assign(mergeRequest ?? {}, { diffRefs: undefined });
});

const say =
  (status: number, body: object, headers: Record<string, string> = {}): ScriptedAnswer =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));

const terms =
  'must accept the Terms of Service in order to perform this action. Please access GitLab from a web browser to accept these terms.';

test('a refusal about the service account does not hide a project, a plain 403 does, and the project returns once GitLab shows it', async () => {
  const read = async () => (await app.call('GET', at)).status;
  const release = '/repos/acme%2Finner/rocket/release?from=main&to=topic';
  const ask = async () => (await app.call('GET', release)).body.error?.code;
  const accountsFault = [
    `You (@service) ${terms}`,
    'Your account has been blocked.',
    'This action cannot be performed by internal users',
  ];
  for (const why of accountsFault) {
    const takeBack = gitlab.script(/./, say(403, { message: `403 Forbidden - ${why}` }));
    app.advance(6 * minute);
    assert.deepEqual([await read(), await ask()], [200, 'HOST_ERROR'], why);
    const own = await app.call('POST', `${at}/ingest`, { token: outsider });
    assert.deepEqual([own.status, /Sign in to GitLab/.test(own.text)], [401, true], why);
    takeBack();
    app.advance(6 * minute);
    assert.equal(await read(), 200, `after ${why}`);
  }
  const takeBack = gitlab.script(/^\/projects\/71$/, say(403, { message: '403 Forbidden' }));
  app.advance(6 * minute);
  assert.equal(await read(), 404);
  for (const [minutes, status] of [
    [61, 404],
    [59, 404],
    [2, 200],
  ] as const) {
    app.advance(minutes * minute);
    await app.lists.run();
    takeBack();
    assert.equal(await read(), status, `${minutes}`);
  }
});

test('closed lists include merged requests, `mergedSince` returns new merges, and `lastMerged` skips those of bots', async () => {
  const list = project(74, 'acme/inner/list', [
    { iid: 1, words: 'one', ...mergedAt(new Date('2026-03-01T11:00:00Z')) },
    { iid: 2, words: 'two', state: 'closed' },
    { iid: 3, words: 'three' },
    { iid: 4, words: 'four', ...mergedAt(new Date('2026-03-01T12:00:00Z')), author: 'project_9_bot_0a' },
  ]);
  gitlab.state.projects.push(list);
  const numbers = async (query: string) => {
    const { body } = await app.call('GET', `/repos/acme%2Finner/list/pulls?${query}`, { token: ann });
    const { items, pagination } = body.data;
    return [items.map(({ prNumber }: { prNumber: number }) => prNumber), pagination.totalItems];
  };
  assert.deepEqual(await numbers('state=all&limit=2'), [[4, 3], 4]);
  assert.deepEqual(await numbers('state=open'), [[3], 1]);
  assert.deepEqual(await numbers('state=closed'), [[4, 2, 1], 3]);
  assert.deepEqual(await numbers('state=closed&limit=1&offset=1'), [[2], 3]);
  const [host] = app.codeHosts;
  const caller = { identity: null, token: null, signal: new AbortController().signal };
  const repository = (await host?.findRepository('acme/inner', 'list', caller)) ?? assert.fail();
  const since = async (cursor: string | null) =>
    (await host?.mergedSince(repository, cursor, caller)) ?? assert.fail();
  const begun = await since(null);
  assert.deepEqual(begun.merged, []);
  const quiet = await since((await since(begun.cursor)).cursor);
  assert.deepEqual([quiet.repository, quiet.merged], [null, []]);
  Object.assign(list.mergeRequests[2] ?? {}, mergedAt(new Date('2026-03-01T13:00:00Z')));
  const news = await since(quiet.cursor);
  assert.deepEqual(
    [news.repository?.name, news.merged.map(({ number }) => number)],
    ['list', [3, 4]],
    'what may have been told late is told again',
  );
  assert.deepEqual((await since((await since(news.cursor)).cursor)).merged, []);
  const last = await host?.lastMerged(repository, { most: 2, isWanted: ({ isBot }) => !isBot }, caller);
  assert.deepEqual(
    last?.map(({ number }) => number),
    [3, 1],
  );
});

test('closed merge requests are listed at any offset in a few calls, or rejected as too far back', async () => {
  const long = project(76, 'acme/inner/long', [{ iid: 1, words: 'long' }]);
  const states = ['merged', 'opened', 'closed', 'merged', 'merged'] as const;
  const [first = assert.fail()] = long.mergeRequests;
  long.mergeRequests = Array.from({ length: 3_000 }, (_, index) => ({
    ...first,
    iid: index + 1,
    // The 600 oldest are all closed.
    state: index < 600 ? 'closed' : (states[index % states.length] ?? 'opened'),
  }));
  gitlab.state.projects.push(long);
  const numbers = long.mergeRequests.filter(({ state }) => state !== 'opened').map(({ iid }) => iid);
  const all = numbers.toReversed();
  const [host = assert.fail()] = app.codeHosts;
  const known = { hostRepoId: 76, owner: 'acme/inner', name: 'long', isPrivate: false };
  const list = async (offset: number, limit: number, rest = {}) => {
    gitlab.takeCalls();
    const page = { state: 'closed', limit, offset, ...rest } as const;
    const { items } = await host.listPullRequests(known, page, nobody);
    return items.map(({ number }) => number);
  };
  for (const [offset, limit, questions] of [
    [0, 20, 2],
    [99, 100, 6],
    [1_234, 50, 12],
    [all.length - 5, 20, 14],
    [all.length, 20, 14],
    [150_000, 20, 24],
  ] as const) {
    assert.deepEqual(await list(offset, limit), all.slice(offset, offset + limit), `${offset}`);
    // Two more calls check whether the project is still visible, and public.
    assert.ok(gitlab.takeCalls().length <= questions + 2, `${offset}`);
  }
  const without = new Set([all[0] ?? 0, all[7] ?? 0]);
  const left = all.filter((number) => !without.has(number));
  assert.deepEqual(await list(150, 20, { without }), left.slice(150, 170));
  const endless = Array.from({ length: 100 }, (_, index) => ({
    iid: index + 1,
    project_id: 76,
    title: 'long',
    state: 'merged',
    created_at: first.createdAt,
    updated_at: first.updatedAt,
  }));
  const next = { link: '<https://any/>; rel="next"' };
  const takeBack = gitlab.script(/^\/projects\/76\/merge_requests\?/, say(200, endless, next));
  await assert.rejects(list(20_000, 20, { without }), { code: 'INVALID_REQUEST' });
  takeBack();
});

test('a release lists the merge requests behind merge, squash and rebase commits, and a direct commit on its own', async () => {
  const { gitFolder } = rocket;
  const by = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
  const git = (...parameters: string[]) =>
    execFileSync('git', [...by, ...parameters], { cwd: gitFolder })
      .toString()
      .trim();
  const tree = git('rev-parse', 'main^{tree}');
  const commit = (message: string, ...parents: string[]) =>
    git('commit-tree', '-m', message, ...parents.flatMap((parent) => ['-p', parent]), tree);
  const base = git('rev-parse', 'main');
  const topic = rocket.mergeRequests[0]?.headSha ?? '';
  const merge = commit(
    "Merge branch 'topic' into 'main'\n\nSee merge request acme/inner/rocket!7",
    base,
    topic,
  );
  const squash = commit('feat: squashed', merge);
  const direct = commit('chore: by hand', squash);
  const tank = commit('feat: a tank', direct);
  const pump = commit('feat: a pump', tank);
  git('update-ref', 'refs/heads/main', pump);
  git('update-ref', 'refs/tags/v1.0.0', base);
  rocket.tags = ['v1.0.0'];
  const done = mergedAt(new Date('2026-11-17T12:00:00Z'));
  const [first] = rocket.mergeRequests;
  Object.assign(first ?? {}, done, { mergeCommitSha: merge });
  rocket.mergeRequests.push({
    ...(first ?? assert.fail()),
    iid: 8,
    title: 'feat: squashed',
    mergeCommitSha: null,
    squashCommitSha: squash,
    headSha: base,
  });
  rocket.mergeRequests.push({
    ...(first ?? assert.fail()),
    iid: 9,
    title: 'Fuel',
    mergeCommitSha: null,
    baseSha: direct,
    headSha: pump,
  });
  const { status, body, text } = await app.call(
    'GET',
    '/repos/acme%2Finner/rocket/release?from=v1.0.0&to=main',
  );
  assert.equal(status, 200, text);
  const told = JSON.stringify(body.data);
  assert.match(told, /"prNumber":7\b/);
  assert.match(told, /"prNumber":8\b/);
  assert.match(told, /"prNumber":9\b/);
  assert.deepEqual(
    body.data.withoutPullRequest.items.map(({ subject }: { subject: string }) => subject),
    ['chore: by hand'],
  );
  const unknown = await app.call('GET', '/repos/acme%2Finner/rocket/release?from=v1.0&to=main');
  assert.deepEqual([unknown.status, unknown.text.includes('v1.0.0')], [404, true]);
});

test('a webhook about a removed member or a renamed group, also of a parent group, hides a project at once', async () => {
  const secret = project(87, 'acme/inner/secret', [{ iid: 1, words: 'canary' }], {
    visibility: 'private',
    members: new Map([['ann', 'reporter']]),
  });
  gitlab.state.projects.push(secret);
  const path = '/repos/acme%2Finner/secret/pulls/1';
  const ingest = async () => (await app.call('POST', `${path}/ingest`, { token: ann })).status;
  const shown = async () => (await app.call('GET', path, { token: ann })).status;
  assert.equal(await ingest(), 201);
  for (const news of [
    { event_name: 'user_remove_from_team', project_id: 87 },
    { event_name: 'user_remove_from_group', group_path: 'acme' },
    { event_name: 'group_rename', full_path: 'acme/core', old_full_path: 'acme/inner' },
  ]) {
    assert.equal(await shown(), 200);
    secret.members.delete('ann');
    assert.equal(await deliver(app.server, news), 202, JSON.stringify(news));
    assert.equal(await shown(), 404, JSON.stringify(news));
    secret.members.set('ann', 'reporter');
    app.advance(1_000);
    assert.equal(await ingest(), 200);
  }
  for (const news of [
    { event_name: 'user_remove_from_group', group_path: 'acm' },
    { object_kind: 'constructor', event_name: 'push' },
  ])
    assert.equal(await deliver(app.server, news), 200, JSON.stringify(news));
});

test('a webhook signature is valid for five minutes, and a signing token is not accepted as a secret', async () => {
  const payload = { object_kind: 'constructor', event_name: 'push' };
  const signed = (at: string) => {
    const id = crypto.randomUUID();
    const signature = signatureOf(JSON.stringify(payload), { id, at });
    return { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature };
  };
  const minutesAgo = (minutes: number) => String(Math.round(app.now().getTime() / 1_000 - minutes * 60));
  for (const [status, headers] of [
    [200, signed(minutesAgo(0))],
    [200, signed(minutesAgo(4))],
    [200, signed(minutesAgo(-4))],
    [401, signed(minutesAgo(6))],
    [401, signed(minutesAgo(-6))],
    [401, signed('1000000000')],
    [401, signed('')],
    [401, signed('now')],
    [200, { 'x-gitlab-token': webhookSecret }],
    [401, { 'x-gitlab-token': signingToken }],
    [401, { 'x-gitlab-token': signingToken, ...signed('1000000000') }],
  ] as [number, Record<string, string>][])
    assert.equal(await deliver(app.server, payload, headers), status, JSON.stringify(headers));
});
