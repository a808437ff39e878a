import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fewOf } from '../../../test/few-questions.ts';
import { buildGiteaApp } from '../../../test/gitea/build-gitea-app.ts';
import { deliveryOf, webhookSecret } from '../../../test/gitea/deliver.ts';
import { repository } from '../../../test/gitea/make-repository.ts';
import { pull, tokenOf } from '../../../test/gitea/state.ts';
import { questionsAbout } from '../../../test/leak-questions.ts';

const minute = 60_000;
// The service token can read everything on Gitea, and must reveal only public repositories.
const { app, gitea, join } = await buildGiteaApp({
  environment: { GITEA_TOKEN: tokenOf('service'), GITEA_WEBHOOK_SECRETS: webhookSecret },
});
await join('service');
const people = ['keeper', 'former', 'outsider'] as const;
for (const login of people) await join(login);
gitea.state.repositories.push(repository(71, 'acme/rocket', { pulls: [pull(1, 'rocket')] }));
const read = await app.call('POST', '/repos/acme/rocket/pulls/1/ingest', { token: tokenOf('keeper') });
assert.equal(read.status, 201, read.text);

test('a private repository is shown only to users who can see its pull requests on Gitea, and the service token reveals it to nobody', async () => {
  const canary = 'canary-of-vault';
  const vault = repository(90, 'zoo/vault', {
    isPrivate: true,
    visibleTo: new Set(['keeper', 'former', 'service']),
    pulls: [pull(1, canary)],
  });
  gitea.state.repositories.push(vault);
  const prepared = { owner: 'zoo', repo: 'vault', articleId: '', jobId: '' };
  for (const viewer of ['keeper', 'former']) {
    const asked = { token: tokenOf(viewer), body: { language: 'en' } };
    const article = await app.call('POST', '/repos/zoo/vault/pulls/1/article', asked);
    assert.ok(article.status < 300, article.text);
    prepared.articleId = article.body.data.id;
    await app.call('POST', `/articles/${prepared.articleId}/language/en/like`, asked);
  }
  // A member without code access sees the repository but not its pull requests.
  vault.withoutCode.add('former');
  app.advance(6 * minute);
  const { gets, writes } = questionsAbout(app.server, prepared);
  const reads = fewOf(gets);
  const leaked: string[] = [];
  let seen = 0;
  const askAs = async (viewer: string | null) => {
    for (const { method, path, body, accept } of viewer === 'keeper' ? reads : [...reads, ...writes]) {
      const token = viewer === null ? undefined : tokenOf(viewer);
      const { text } = await app.call(method, path, { token, body, headers: accept ? { accept } : {} });
      if (!text.replaceAll(path, '').includes(canary)) continue;
      if (viewer === 'keeper') seen += 1;
      else leaked.push(`${viewer}: ${method} ${path} ${accept ?? ''}`);
    }
  };
  await Promise.all([...people, null].map(askAs));
  assert.deepEqual(leaked, []);
  assert.ok(seen >= 8, `who may sees it, in ${seen} answers`);
  Object.assign(vault, { isPrivate: false, ownerVisibility: 'limited' });
  app.advance(6 * minute);
  const statuses = [tokenOf('outsider'), undefined].map(
    async (token) => (await app.call('GET', '/repos/zoo/vault/pulls/1', { token })).status,
  );
  assert.deepEqual(await Promise.all(statuses), [404, 404], 'what accounts may see is no public page');
});

test('an article without a description quotes no commit that a later one reverts', async () => {
  const commits = [
    'Keep settings in memory\n\nReading them again took half of each request.',
    'Cache every answer\n\nAnswers are the same for everybody for a minute.',
    'Revert "Cache every answer"\n\nThis reverts commit 0123456.',
  ].map((message, index) => ({ sha: `${index + 1}`.repeat(40), message, author: 'Mona' }));
  gitea.state.repositories.push(
    repository(92, 'zoo/reverts', { pulls: [pull(1, 'settings', { body: '', commits })] }),
  );
  const asked = { token: tokenOf('keeper'), body: { language: 'en' } };
  const article = await app.call('POST', '/repos/zoo/reverts/pulls/1/article', asked);
  assert.match(article.text, /half of each request/);
  assert.doesNotMatch(article.text, /same for everybody/);
});

test('a refusal about the service account does not hide a public pull request', async () => {
  for (const message of [
    'You must change your password. Change it at: https://gitea.example/user/change_password',
    'This account is prohibited from signing in, please contact your site administrator.',
    'What no Gitea says yet.',
  ]) {
    const stop = gitea.script(/./, (response) => {
      response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
    });
    app.advance(6 * minute);
    assert.equal((await app.call('GET', '/repos/acme/rocket/pulls/1')).status, 200, message);
    stop();
    app.advance(6 * minute);
    assert.equal((await app.call('GET', '/repos/acme/rocket/pulls/1')).status, 200, `after: ${message}`);
  }
});

test('a repository that turns private or is replaced during the fetch is not stored as it was', async () => {
  for (const [name, become] of [
    ['flipped', { isPrivate: true }],
    ['another', { id: 9_001 }],
  ] as const) {
    const on = repository(name.length + 100, `zoo/${name}`, { pulls: [pull(1, `late-${name}`)] });
    gitea.state.repositories.push(on);
    const stop = gitea.script(/\.git\//, async (_response, pass) => {
      Object.assign(on, become, { visibleTo: new Set(['keeper', 'service']) });
      await pass();
    });
    const path = `/repos/zoo/${name}/pulls/1`;
    const reply = await app.call('POST', `${path}/ingest`, { token: tokenOf('keeper') });
    stop();
    assert.ok([404, 503].includes(reply.status), reply.text);
    for (const part of ['', '/diff'])
      assert.doesNotMatch((await app.call('GET', `${path}${part}`)).text, /late-/);
  }
});

test('webhooks about pull requests and repositories get 202, and other events get 200', async () => {
  const pullRequest = { number: 1, repository: { id: 71 }, pull_request: { merged: false } };
  const events: [string, object, number][] = [
    ['pull_request', { ...pullRequest, action: 'synchronized' }, 202],
    ['repository', { action: 'deleted', repository: { id: 71 } }, 202],
    ['push', { ref: 'refs/heads/main' }, 200],
  ];
  for (const [event, payload, status] of events) {
    const { headers, body } = deliveryOf({ event, payload });
    const sent = { method: 'POST', url: '/webhooks/gitea', headers, payload: body } as const;
    assert.equal((await app.server.inject(sent)).statusCode, status, event);
  }
});
