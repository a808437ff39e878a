import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { followToGitHub } from '../../../test/github/follow-to-github.ts';
import { startGitHub } from '../../../test/github/stand-in.ts';
import * as hub from '../../../test/github/state.ts';
import { giveToken } from '../../../test/gitlab/answer-applications.ts';
import { buildGitLabApp } from '../../../test/gitlab/build-gitlab-app.ts';
import { deliver, signatureOf, signingToken, webhookSecret } from '../../../test/gitlab/deliver.ts';
import { application, project } from '../../../test/gitlab/state.ts';

const minute = 60_000;
const publicUrl = 'https://pullquote.example.org';
const github = await startGitHub();
const { app, gitlab, join } = await buildGitLabApp({
  environment: {
    CODE_HOST: 'github,gitlab',
    PUBLIC_URL: publicUrl,
    GITHUB_URL: github.url,
    GITHUB_CLIENT_ID: 'Iv1.ours',
    GITHUB_CLIENT_SECRET: 'secret-of-Iv1.ours',
    GITLAB_CLIENT_ID: 'ours',
    GITLAB_CLIENT_SECRET: 'secret-of-ours',
    GITLAB_WEBHOOK_SECRETS: `${webhookSecret},${signingToken}`,
  },
});
const ours = application('ours');
gitlab.state.applications.push(ours);
const ann = await join('ann');
const secret = project(71, 'acme/inner/secret', [{ iid: 1, words: 'canary' }], {
  visibility: 'private',
  members: new Map([['ann', 'reporter']]),
});
gitlab.state.projects.push(secret);
github.state.repositories.push(hub.repository(71, 'acme/secret', { pulls: [hub.pull(1, 'other')] }));
const at = '/repos/acme%2Finner/secret/pulls/1';

test('signing in by browser asks the host that is named, and its token is renewed when it has expired', async () => {
  const page = await app.call('GET', '/sign-in');
  assert.match(page.text, /\/auth\/login\?[^"]*host=gitlab/);
  const begun = await app.call('GET', '/auth/login?host=gitlab&returnTo=/r/acme%252Finner/secret/1');
  const location = begun.headers.get('location') ?? '';
  assert.ok(location.startsWith(`${gitlab.url}/oauth/authorize?`), location);
  const [cookie = ''] = begun.headers.getSetCookie().map((one) => one.split(';')[0] ?? '');
  ours.consents = 'ann';
  const back = (await followToGitHub(location)) ?? assert.fail();
  const done = await app.call('GET', back.pathname + back.search, { headers: { cookie } });
  assert.deepEqual([done.status, done.headers.get('location')], [302, '/r/acme%2Finner/secret/1'], done.text);
  const session = done.headers.getSetCookie().find((one) => one.startsWith('pullquote_session='));
  const read = () =>
    app.call('POST', `${at}/ingest?host=gitlab`, {
      headers: { cookie: session?.split(';')[0] ?? '', origin: publicUrl },
    });
  assert.equal((await read()).status, 201);
  const [first] = ours.tokens.keys();
  app.advance(3 * 60 * minute);
  const later = await read();
  assert.equal(later.status, 200, later.text);
  const [second] = ours.tokens.keys();
  assert.ok(second && second !== first, 'another token was given for the first');
  assert.equal((await app.call('GET', back.pathname + back.search, { headers: { cookie } })).status, 400);
});

test('a token goes to the host that it is of by its shape and to no other, and one that another application was given signs nobody in', async () => {
  github.state.accounts.push(hub.account(1_001, 'ann', 'ghp_tokenOfann'));
  github.takeCalls();
  assert.equal((await app.call('GET', '/users/me', { token: ann })).body.data.hostUsername, 'ann');
  assert.deepEqual(github.takeCalls(), []);
  gitlab.takeCalls();
  assert.equal((await app.call('GET', '/users/me', { token: 'ghp_tokenOfann' })).status, 404);
  for (const token of ['gldt-deployTokenOfSomething', 'glrt-runnerTokenOfSomething', 'a'.repeat(63)])
    assert.equal((await app.call('GET', '/users/me', { token })).status, 401, token);
  const wrong = { token: ann, body: { accessToken: 'ghp_tokenOfann' } };
  assert.equal((await app.call('POST', '/auth/host-token?host=gitlab', wrong)).status, 400);
  assert.deepEqual(gitlab.takeCalls(), []);
  const foreign = application('foreign');
  gitlab.state.applications.push(foreign);
  const now = app.now().getTime();
  const { access_token: theirs } = giveToken(gitlab.state, foreign, 'ann', now);
  const { access_token: own } = giveToken(gitlab.state, ours, 'ann', now);
  assert.equal((await app.call('POST', '/auth/session', { token: theirs })).status, 401);
  assert.equal((await app.call('POST', '/auth/session', { token: own })).status, 201);
  assert.equal((await app.call('POST', '/auth/session', { token: 'f'.repeat(64) })).status, 401);
});

test('a webhook counts with its secret or with a signature of its bytes, once; what takes rights away counts at once, in groups within groups too', async () => {
  const payload = {
    object_kind: 'merge_request',
    object_attributes: { iid: 1, target_project_id: 71, action: 'update' },
  };
  const body = JSON.stringify(payload);
  const said = { id: randomUUID(), at: '1772359200' };
  const signed = {
    'webhook-id': said.id,
    'webhook-timestamp': said.at,
    'webhook-signature': signatureOf(body, said),
  };
  assert.equal(await deliver(app.server, payload), 202);
  assert.equal(await deliver(app.server, payload, signed), 202);
  assert.equal(await deliver(app.server, payload, signed), 200, 'it is the same delivery');
  const another = { id: randomUUID(), at: said.at };
  const bare = signatureOf(body, another, signingToken);
  assert.equal(
    await deliver(app.server, payload, { ...signed, 'webhook-id': another.id, 'webhook-signature': bare }),
    202,
  );
  for (const headers of [
    {},
    { 'x-gitlab-token': '' },
    { 'x-gitlab-token': `${webhookSecret} ` },
    { 'x-gitlab-token': signingToken.slice(0, -1) },
    { ...signed, 'webhook-timestamp': '1772359201' },
    { ...signed, 'webhook-id': randomUUID() },
    { ...signed, 'webhook-signature': signatureOf(`${body} `, said), 'x-gitlab-token': webhookSecret },
    { ...signed, 'webhook-signature': 'v1,' },
  ])
    assert.equal(await deliver(app.server, payload, headers), 401, JSON.stringify(headers));
  assert.equal(await deliver(app.server, { object_kind: 'merge_request' }), 400);
  assert.equal(await deliver(app.server, { object_kind: 'constructor', event_name: 'push' }), 200);
  const shown = () => app.call('GET', `${at}?host=gitlab`, { token: ann });
  assert.equal((await app.call('POST', `${at}/ingest?host=gitlab`, { token: ann })).status, 200);
  for (const news of [
    { event_name: 'user_remove_from_team', project_id: 71 },
    { event_name: 'user_remove_from_group', group_path: 'acme' },
    { event_name: 'group_rename', full_path: 'acme/core', old_full_path: 'acme/inner' },
  ]) {
    assert.equal((await shown()).status, 200);
    secret.members.delete('ann');
    assert.equal(await deliver(app.server, news), 202, JSON.stringify(news));
    assert.equal((await shown()).status, 404, JSON.stringify(news));
    secret.members.set('ann', 'reporter');
    app.advance(1_000);
    assert.equal((await app.call('POST', `${at}/ingest?host=gitlab`, { token: ann })).status, 200);
  }
  assert.equal(await deliver(app.server, { event_name: 'user_remove_from_group', group_path: 'acm' }), 200);
});

test('what a server that is closed to those without an account calls public is private, until it opens', async () => {
  const open = project(72, 'acme/inner/open', [{ iid: 1, words: 'open' }]);
  gitlab.state.projects.push(open);
  gitlab.state.isClosed = true;
  const path = '/repos/acme%2Finner/open/pulls/1';
  assert.equal((await app.call('POST', `${path}/ingest?host=gitlab`, { token: ann })).status, 201);
  assert.equal((await app.call('GET', `${path}?host=gitlab`)).status, 404);
  assert.equal((await app.call('GET', `${path}?host=gitlab`, { token: ann })).status, 200);
  gitlab.state.isClosed = false;
  app.advance(6 * minute);
  assert.equal((await app.call('POST', `${path}/ingest?host=gitlab`, { token: ann })).status, 200);
  assert.equal((await app.call('GET', `${path}?host=gitlab`)).status, 200);
});

test('comments stay whoever reads after one who is told of them, and what issues said goes with all that quotes it when they are hidden', async () => {
  const issue = { iid: 3, title: 'Rockets explode on the pad', body: 'They explode because valves freeze.' };
  const said = project(73, 'acme/inner/said', [
    {
      iid: 1,
      words: 'said',
      description: 'Closes #3',
      discussions: [
        [{ author: 'bo', body: 'approved this merge request', isSystem: true }],
        [{ author: 'cy', body: 'approved this merge request', isSystem: true }],
        [{ author: 'bo', body: 'unapproved this merge request', isSystem: true }],
      ],
      issues: [issue],
    },
    { iid: 2, words: 'beside' },
  ]);
  gitlab.state.projects.push(said);
  const [mergeRequest = assert.fail(), beside = assert.fail()] = said.mergeRequests;
  const path = '/repos/acme%2Finner/said/pulls/1';
  const opened = await app.call('POST', '/auth/session', { token: await join('dee') });
  const session = opened.body.data.accessToken;
  const ingest = async (token: string) => {
    const { status, body, text } = await app.call('POST', `${path}/ingest?host=gitlab`, { token });
    assert.ok(status < 300, text);
    const reviewers = body.data.comments.map(({ author }: { author: string }) => author);
    return [reviewers, body.data.linkedIssues[0]?.title ?? null, body.data.body];
  };
  assert.deepEqual(await ingest(session), [[], issue.title, 'Closes #3'], 'without a token of GitLab');
  assert.deepEqual(await ingest(ann), [['cy'], issue.title, 'Closes #3']);
  gitlab.takeCalls();
  assert.deepEqual(await ingest(session), [['cy'], issue.title, 'Closes #3']);
  assert.ok(!gitlab.takeCalls().some((call) => call.includes('/commits')), 'nothing has changed');
  Object.assign(mergeRequest, { description: 'It closes #3', updatedAt: '2026-03-02T10:00:00.000Z' });
  assert.deepEqual(await ingest(session), [['cy'], issue.title, 'It closes #3']);

  const quotes = async () => {
    const { status, text } = await app.call('GET', `${path}/article?host=gitlab`);
    return status === 200 ? text.includes('explode') : null;
  };
  const write = () =>
    app.call('POST', `${path}/article?host=gitlab`, { token: ann, body: { language: 'en' } });
  assert.equal((await write()).status, 201);
  assert.equal(await quotes(), true);
  // It is closed by another one now, and shown as before.
  [mergeRequest.issues, beside.issues] = [[], [issue]];
  assert.equal((await ingest(session))[1], null);
  assert.equal(await quotes(), true);
  mergeRequest.issues = [issue];
  assert.equal((await ingest(session))[1], issue.title);
  Object.assign(issue, { isConfidential: true });
  assert.equal((await ingest(session))[1], null);
  assert.equal(await quotes(), null);
  Object.assign(issue, { isConfidential: false });
  app.advance(6 * minute);
  assert.equal((await write()).status, 201);
  assert.equal(await quotes(), true);
  const news = {
    object_kind: 'issue',
    event_type: 'confidential_issue',
    object_attributes: { iid: 3, project_id: 73, confidential: true, action: 'update' },
  };
  assert.equal(await deliver(app.server, news), 200, 'it was confidential before');
  const hidden = { ...news, changes: { confidential: { previous: false, current: true } } };
  assert.equal(await deliver(app.server, hidden), 202);
  assert.equal(await quotes(), null);
});
