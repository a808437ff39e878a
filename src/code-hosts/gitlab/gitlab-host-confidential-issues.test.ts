import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildGitLabApp } from '../../../test/gitlab/build-gitlab-app.ts';
import { deliver, webhookSecret } from '../../../test/gitlab/deliver.ts';
import { project } from '../../../test/gitlab/state.ts';
import { waitUntil } from '../../../test/wait-until.ts';

const minute = 60_000;
const { app, gitlab, join } = await buildGitLabApp({
  environment: { GITLAB_WEBHOOK_SECRETS: webhookSecret },
});
const ann = await join('ann');

test('approvals stay after a read that lacks them, and an article about an issue is hidden when the issue becomes confidential', async () => {
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
  assert.deepEqual(await ingest(session), [['cy'], issue.title, 'Closes #3']);
  Object.assign(mergeRequest, { description: 'It closes #3', updatedAt: '2026-03-02T10:00:00.000Z' });
  assert.deepEqual(await ingest(session), [['cy'], issue.title, 'It closes #3']);

  const isShown = async () => {
    const { status } = await app.call('GET', `${path}/article?host=gitlab`);
    return status === 200 ? true : null;
  };
  const write = () =>
    app.call('POST', `${path}/article?host=gitlab`, { token: ann, body: { language: 'en' } });
  assert.equal((await write()).status, 201);
  assert.equal(await isShown(), true);
  // Another merge request closes the issue now, and the article stays visible.
  [mergeRequest.issues, beside.issues] = [[], [issue]];
  assert.equal((await ingest(session))[1], null);
  assert.equal(await isShown(), true);
  mergeRequest.issues = [issue];
  assert.equal((await ingest(session))[1], issue.title);
  Object.assign(issue, { isConfidential: true });
  assert.equal((await ingest(session))[1], null);
  await waitUntil('memory has heard that it is hidden', async () => (await isShown()) === null);
  Object.assign(issue, { isConfidential: false });
  app.advance(6 * minute);
  assert.equal((await write()).status, 201);
  assert.equal(await isShown(), true);
  const news = {
    object_kind: 'issue',
    event_type: 'confidential_issue',
    object_attributes: { iid: 3, project_id: 73, confidential: true, action: 'update' },
  };
  assert.equal(await deliver(app.server, news), 200, 'it was confidential before');
  const hidden = { ...news, changes: { confidential: { previous: false, current: true } } };
  assert.equal(await deliver(app.server, hidden), 200, 'GitLab shows it to everybody');
  const ofGroup = { ...hidden, object_kind: 'work_item', object_attributes: { iid: 3, project_id: null } };
  assert.equal(await deliver(app.server, ofGroup), 200);
  // The article quotes the issue, even when another merge request closes it.
  [mergeRequest.issues, beside.issues] = [[], [issue]];
  assert.equal((await ingest(session))[1], null);
  assert.equal(await isShown(), true);
  Object.assign(issue, { isConfidential: true });
  assert.equal(await deliver(app.server, hidden), 202);
  await waitUntil('memory has heard of it', async () => (await isShown()) === null);
});
