import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildGiteaApp } from '../../../test/gitea/build-gitea-app.ts';
import { deliveryOf } from '../../../test/gitea/deliver.ts';
import { repository } from '../../../test/gitea/make-repository.ts';
import { pull, standInApp, tokenOf } from '../../../test/gitea/state.ts';
import { placesOfTokens } from '../../../test/github/find-tokens.ts';
import { followToGitHub } from '../../../test/github/follow-to-github.ts';
import { startGitHub } from '../../../test/github/stand-in.ts';
import {
  account as githubAccount,
  pull as githubPull,
  repository as githubRepository,
} from '../../../test/github/state.ts';
import { questionsAbout } from '../../../test/leak-questions.ts';

const minute = 60_000;
const secrets = ['an-older-secret-of-gitea', 'a-secret-of-gitea'];
const github = await startGitHub();
const { app, gitea, answers, join } = await buildGiteaApp({
  logLevel: 'trace',
  environment: {
    CODE_HOST: 'gitea,github',
    GITHUB_URL: github.url,
    PUBLIC_URL: 'https://pullquote.example.org',
    // Sees everything on Gitea, and shows only what is public.
    GITEA_TOKEN: tokenOf('service'),
    GITEA_CLIENT_ID: 'ours',
    GITEA_CLIENT_SECRET: 'secret-of-ours',
    GITEA_WEBHOOK_SECRETS: secrets.join(','),
  },
});
const ours = standInApp('ours', { consents: 'keeper' });
gitea.state.apps.push(ours);
await join('service');
const people = ['keeper', 'former', 'outsider'] as const;
for (const login of people) await join(login);

const rocket = repository(71, 'acme/rocket', { pulls: [pull(1, 'of-gitea')] });
gitea.state.repositories.push(rocket);
const seenByGitHub: string[] = [];
github.script(/./, (_response, pass, request) => {
  seenByGitHub.push(request.headers.authorization ?? '');
  return pass();
});
github.state.accounts.push(githubAccount(1_001, 'octo', 'ghp_tokenOfocto'));
github.state.repositories.push(githubRepository(71, 'acme/rocket', { pulls: [githubPull(1, 'of-github')] }));

test('two hosts have their own accounts, repositories and tokens, and ?host= says which is meant', async () => {
  const octo = 'ghp_tokenOfocto';
  assert.equal((await app.call('POST', '/auth/signup', { token: octo, body: {} })).status, 201);
  const [first, second] = await Promise.all(
    [tokenOf('keeper'), octo].map((token) => app.call('GET', '/users/me', { token })),
  );
  assert.equal(first?.body.data.hostUserId, second?.body.data.hostUserId, 'the same number');
  assert.notEqual(first?.body.data.id, second?.body.data.id);
  const path = '/repos/acme/rocket/pulls/1';
  for (const [host, token] of [
    ['', tokenOf('keeper')],
    ['?host=github', octo],
    ['?host=gitea', octo],
    ['?host=github', tokenOf('keeper')],
  ] as const)
    assert.ok((await app.call('POST', `${path}/ingest${host}`, { token })).status < 300);
  const title = async (host: string) => (await app.call('GET', `${path}${host}`)).body.data.title;
  assert.deepEqual(
    [await title(''), await title('?host=gitea'), await title('?host=github')],
    ['feat: tell of of-gitea', 'feat: tell of of-gitea', 'feat: tell of of-github'],
  );
  const { body } = await app.call('GET', `${path}?host=gitea`);
  assert.equal(body.data.hostPrUrl, `${gitea.url}/acme/rocket/pulls/1`);
  assert.match((await app.call('GET', '/meta')).text, /"giteaToken","browser","githubToken"/);
  const toGitea = gitea.takeCredentials().join('\n');
  assert.doesNotMatch(toGitea, /ghp_/);
  assert.doesNotMatch(seenByGitHub.join('\n'), /c0ffee/);
  assert.ok(seenByGitHub.includes(`Bearer ${octo}`) && toGitea.includes(tokenOf('keeper')));
});

test('what is private shows to those whom Gitea shows its pull requests, and to nobody by the token of the service', async () => {
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
  // Still a member, who sees the repository and neither its code nor its pull requests.
  vault.withoutCode.add('former');
  app.advance(6 * minute);
  const { gets, writes } = questionsAbout(app.server, prepared);
  const leaked: string[] = [];
  let seen = 0;
  const askAs = async (viewer: string | null) => {
    for (const { method, path, body, accept } of viewer === 'keeper' ? gets : [...gets, ...writes]) {
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

test('a refusal about the account of the service hides nothing that is public', async () => {
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

test('what turns private or becomes another while git fetches it is not stored as what it was', async () => {
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

test('what one host sends a browser back with is not taken where another host would send it, or in its name', async () => {
  for (const [address, issuer] of [
    ['/auth/callback', ''],
    ['/auth/callback/gitlab', ''],
    ['/auth/callback/gitea', '&iss=https://another.example'],
  ] as const) {
    const login = await app.call('GET', '/auth/login');
    const { search } = (await followToGitHub(login.headers.get('location') ?? '')) ?? assert.fail();
    const headers = { cookie: login.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
    const reply = await app.call('GET', address + search + issuer, { headers });
    assert.deepEqual([reply.status, reply.headers.getSetCookie().length], [400, 0], address);
  }
});

test('signing in by browser saves a token that is renewed, with whose rights the session sees', async () => {
  const login = await app.call('GET', '/auth/login?returnTo=/r/zoo/inner/1');
  const back = (await followToGitHub(login.headers.get('location') ?? '')) ?? assert.fail();
  const [kept = ''] = login.headers.getSetCookie();
  const headers = { cookie: kept.split(';')[0] ?? '' };
  const callback = await app.call('GET', back.pathname + back.search, { headers });
  assert.deepEqual([callback.status, callback.headers.get('location')], [302, '/r/zoo/inner/1']);
  const session = callback.headers
    .getSetCookie()
    .flatMap((one) => /^pullquote_session=([^;]+)/.exec(one)?.[1] ?? []);
  const inner = { isPrivate: true, visibleTo: new Set(['keeper']), pulls: [pull(1, 'inner')] };
  gitea.state.repositories.push(repository(91, 'zoo/inner', inner));
  const ingest = () => app.call('POST', '/repos/zoo/inner/pulls/1/ingest', { token: session[0] });
  assert.equal((await ingest()).status, 201);
  app.advance(61 * minute);
  assert.equal((await ingest()).status, 200, 'by another token');
  assert.equal(ours.tokens.size, 1);
});

test('deliveries count where Gitea or Forgejo signed them with one of the secrets, each once', async () => {
  const payload = { action: 'closed', number: 1, repository: { id: 71 }, pull_request: { merged: true } };
  const post = async (headers: Record<string, string>, body: string, host = 'gitea') =>
    (await app.server.inject({ method: 'POST', url: `/webhooks/${host}`, headers, payload: body }))
      .statusCode;
  const [older = '', newer = ''] = secrets;
  const first = deliveryOf({ event: 'pull_request', payload, secret: older });
  const fromForgejo = deliveryOf({ event: 'pull_request', payload, secret: newer, from: 'Forgejo' });
  assert.deepEqual(
    [
      await post(first.headers, first.body),
      await post(first.headers, first.body),
      await post(fromForgejo.headers, fromForgejo.body),
      await post(first.headers, first.body, 'github'),
    ],
    [202, 200, 202, 404],
  );
  const forged = deliveryOf({ event: 'pull_request', payload, secret: 'no-secret-of-this-service' });
  // What GitHub would sign with is sent too, and is not what counts.
  const mixed = {
    ...forged.headers,
    'x-hub-signature-256': fromForgejo.headers['x-hub-signature-256'] ?? '',
  };
  const empty = { ...first.headers, 'x-gitea-signature': '' };
  for (const headers of [forged.headers, mixed, empty, {}])
    assert.equal(await post(headers, first.body), 401);
  const events: [string, object, number][] = [
    ['repository', { action: 'deleted', repository: { id: 71 } }, 202],
    ['pull_request', { ...payload, action: 'synchronized' }, 202],
    ['pull_request', { action: 'closed' }, 400],
    ['push', { ref: 'refs/heads/main' }, 200],
  ];
  for (const [event, told, status] of events) {
    const sent = deliveryOf({ event, payload: told, secret: newer });
    assert.equal(await post(sent.headers, sent.body), status, event);
  }
});

test('after all this, tokens stand in no log, answer, table or file', async () => {
  assert.ok(app.logLines().length > 20);
  const known = ['c0ffee', ...people.map((login) => btoa(`x-access-token:${tokenOf(login)}`))];
  assert.deepEqual(await placesOfTokens(app, answers, known), []);
});
