import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { giveToken } from '../../test/github/answer-apps.ts';
import { buildGitHubApp } from '../../test/github/build-github-app.ts';
import { deliver, webhookSecret } from '../../test/github/deliver.ts';
import { placesOfTokens } from '../../test/github/find-tokens.ts';
import { pull, repository, standInApp } from '../../test/github/state.ts';
import { serveBeside } from '../../test/serve-beside.ts';
import { sql } from '../db/sql.ts';
import { parseSecretKeys } from '../domain/secrets.ts';

const minute = 60_000;
const entry = (version: number) => `${version}:${randomBytes(32).toString('base64url')}`;
const [key1, key2] = [entry(1), entry(2)];
const keysOf = (...entries: string[]) => parseSecretKeys(entries.join(',')) ?? assert.fail('no keys');
const { app, github, answers, join } = await buildGitHubApp({
  logLevel: 'trace',
  environment: {
    CODE_HOST: 'git,github',
    PUBLIC_URL: 'https://pullquote.example.org',
    GITHUB_CLIENT_ID: 'Iv1.ours',
    GITHUB_CLIENT_SECRET: 'secret-of-Iv1.ours',
    GITHUB_WEBHOOK_SECRETS: webhookSecret,
    SECRET_KEYS: key1,
  },
});
const ours = standInApp('Iv1.ours', { expiresIn: 8 * 60 * 60 });
github.state.apps.push(ours);
for (const login of ['alice', 'mallory', 'outsider']) await join(login);
const tokenOf = (login: string) => `ghp_tokenOf${login}`;
const sessionOf = async (login: string): Promise<string> =>
  (await app.call('POST', '/auth/session', { token: tokenOf(login) })).body.data.accessToken;
const sessions = { alice: await sessionOf('alice'), outsider: await sessionOf('outsider') };

const vault = repository(1, 'acme/vault', {
  visibility: 'private',
  visibleTo: new Set(['alice', 'mallory']),
  pulls: [pull(1, 'the vault')],
});
github.state.repositories.push(vault);
const path = '/repos/acme/vault/pulls/1';
const host = '?host=github';
const first = await app.call('POST', `${path}/ingest${host}`, { token: tokenOf('alice') });
assert.equal(first.status, 201, first.text);

const save = (token: string, body: object, query = '') =>
  app.call('POST', `/auth/host-token${query}`, { token, body });
const forget = (token: string) => app.call('DELETE', '/auth/host-token', { token });
const read = async (token: string) => {
  app.advance(6 * minute);
  const { status, body } = await app.call('GET', path + host, { token });
  return body.error?.code ?? status;
};
/** Saves an expiring token that GitHub issued to the configured app. */
async function saveExpiring(token: string, login: string) {
  const given = giveToken(github.state, ours, login, app.now().getTime());
  assert.ok('refresh_token' in given);
  const body = { accessToken: given.access_token, refreshToken: given.refresh_token };
  const saved = await save(token, body);
  assert.equal(saved.status, 200, saved.text);
  return body;
}
const refreshes = () => github.takeCalls().filter((call) => call === 'POST /login/oauth/access_token').length;

test('a session has the access of its saved token until the token is deleted', async () => {
  assert.equal(await read(sessions.alice), 'HOST_TOKEN_REQUIRED');
  const saved = await save(sessions.alice, { accessToken: tokenOf('alice') });
  assert.equal(saved.status, 200, saved.text);
  const { host: savedFor, hostUsername, savedAt } = saved.body.data;
  assert.deepEqual([savedFor, hostUsername, savedAt], ['github', 'alice', app.now().toISOString()]);
  assert.equal(await read(sessions.alice), 200);
  const asked: [string, string, object?][] = [
    ['GET', `/repos/acme/vault/pulls${host}`],
    ['POST', `${path}/ingest${host}`],
    ['POST', `/users/me${host}`, { owner: 'acme', repo: 'vault' }],
  ];
  for (const [method, where, body] of asked) {
    const reply = await app.call(method, where, { token: sessions.alice, body });
    assert.ok(reply.status < 300, `${method} ${where}: ${reply.text}`);
  }
  assert.equal(await read(sessions.outsider), 'PULL_REQUEST_NOT_FOUND', 'it is nobody else who may see it');
  for (const _ of ['once', 'again']) assert.equal((await forget(sessions.alice)).status, 200);
  assert.equal(await read(sessions.alice), 'HOST_TOKEN_REQUIRED');
});

test('without a saved token, a repository that may be private hints to save one, alike for an absent one', async () => {
  const opened = await app.call('POST', '/auth/session', {
    token: tokenOf('outsider'),
    body: { cookie: true },
  });
  const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const headers = { cookie, 'accept-language': 'en' };
  const tell = async (name: string) => {
    const api = await app.call('POST', `/repos/${name}/pulls/1/ingest${host}`, { token: sessions.outsider });
    const page = await app.call('GET', `/r/${name}/1${host}`, { headers });
    assert.deepEqual([api.status, page.status], [404, 404], page.text);
    return [api.body.error?.message ?? '', page.text].map((text) => text.replaceAll(name, 'NAME'));
  };
  const [message = '', page = ''] = await tell('acme/vault');
  assert.match(
    message,
    /you do not have access to it\. .*If it is private, save your token for that host in Settings/,
  );
  assert.match(page, /<p>If it is private, save your token .*<a href="\/settings">/);
  assert.equal((await tell('acme/absent'))[0], message);
  assert.match((await tell('acme/absent'))[1] ?? '', /<p>If it is private, save your token/);
  await save(sessions.outsider, { accessToken: tokenOf('outsider') });
  for (const text of await tell('acme/vault')) assert.doesNotMatch(text, /If it is private/);
  await forget(sessions.outsider);
});

test("a local user with a saved GitHub token sees what the token's owner sees", async () => {
  const local = await app.signUp('lena');
  assert.equal((await app.call('POST', `${path}/ingest${host}`, { token: local })).status, 404);
  const saved = await save(local, { accessToken: tokenOf('alice') }, host);
  assert.deepEqual([saved.status, saved.body.data.hostUsername], [200, 'alice']);
  const ingested = await app.call('POST', `${path}/ingest${host}`, { token: local });
  assert.equal(ingested.status, 200, ingested.text);
  assert.equal(await read(local), 200);
  const statusNow = async () => (await app.call('GET', path + host, { token: local })).status;
  vault.visibleTo.delete('alice');
  assert.equal(await statusNow(), 200, 'what GitHub said holds for five minutes');
  const revoked = { action: 'revoked', sender: { id: vault.id } };
  assert.equal(await deliver(app.server, 'github_app_authorization', revoked), 202);
  app.advance(1_000);
  assert.equal(await statusNow(), 404, 'whose token it is that ended is not known');
  vault.visibleTo.add('alice');
  app.advance(6 * minute);
  assert.equal((await app.call('POST', `${path}/ingest${host}`, { token: local })).status, 200);
  await app.call('DELETE', `/auth/host-token${host}`, { token: local });
  assert.equal(await read(local), 'HOST_TOKEN_REQUIRED');
});

test('an invalid token is refused with the reason, and the saved one stays', async () => {
  await save(sessions.alice, { accessToken: tokenOf('alice') });
  const foreign = standInApp('Iv1.foreign');
  github.state.apps.push(foreign);
  const { access_token: another } = giveToken(github.state, foreign, 'alice', 0);
  const cases: [object, string, number, string][] = [
    [{ accessToken: 'hello' }, '', 400, 'INVALID_REQUEST'],
    [{ accessToken: sessions.alice }, '', 400, 'INVALID_REQUEST'],
    [{ accessToken: 'ghr_1' }, '', 400, 'INVALID_REQUEST'],
    [{ accessToken: tokenOf('alice'), refreshToken: 'x' }, '', 400, 'INVALID_REQUEST'],
    [{ accessToken: tokenOf('alice') }, '?host=git', 400, 'INVALID_REQUEST'],
    [{}, '', 400, 'INVALID_REQUEST'],
    [{ accessToken: tokenOf('mallory') }, '', 409, 'HOST_TOKEN_INVALID'],
    [{ accessToken: 'ghp_revoked' }, '', 409, 'HOST_TOKEN_INVALID'],
    [{ accessToken: another }, '', 409, 'HOST_TOKEN_INVALID'],
  ];
  for (const [body, query, status, code] of cases) {
    const reply = await save(sessions.alice, body, query);
    assert.deepEqual([reply.status, reply.body.error.code], [status, code], reply.text);
    assert.doesNotMatch(reply.text, /gh[pour]_/);
  }
  assert.equal((await save('', {})).status, 401);
  assert.equal(await read(sessions.alice), 200);
});

test('a saved token that GitHub rejects is HOST_TOKEN_INVALID on every route that needs it', async () => {
  const alice = github.state.accounts.find(({ login }) => login === 'alice') ?? assert.fail();
  alice.tokens.add('ghp_savedOfalice');
  await save(sessions.alice, { accessToken: 'ghp_savedOfalice' });
  assert.equal(await read(sessions.alice), 200);
  const listed = async (token: string | undefined) => {
    const { text } = await app.call('GET', '/users/me/favorite-repositories', { token });
    return text.includes('acme/vault');
  };
  assert.equal(await listed(sessions.alice), true);
  alice.tokens.delete('ghp_savedOfalice');
  app.advance(6 * minute);
  for (const [method, where] of [
    ['GET', path],
    ['GET', `${path}/diff`],
    ['GET', '/repos/acme/vault/pulls'],
    ['POST', `${path}/ingest`],
  ]) {
    const { body } = await app.call(method ?? '', where + host, { token: sessions.alice });
    assert.equal(body.error.code, 'HOST_TOKEN_INVALID', `${method} ${where}`);
    assert.match(body.error.message, /POST \/auth\/host-token/);
  }
  assert.equal(await listed(sessions.alice), false, 'lists no longer show what the token does not open');
  const fallAway = github.script(/./, (response) => void response.writeHead(502).end());
  assert.notEqual(await read(sessions.alice), 200, 'what was refused is not shown for want of an answer');
  fallAway();
  assert.equal(await read(sessions.outsider), 'PULL_REQUEST_NOT_FOUND');
  assert.equal(
    (await app.call('GET', path + host, { token: tokenOf('alice') })).status,
    200,
    'what is presented counts',
  );
  assert.equal(await listed(sessions.alice), true, 'GitHub has shown it to her since');
});

test("a saved token is encrypted in the database, and cannot be used from another user's row", async () => {
  await save(sessions.alice, { accessToken: tokenOf('alice') });
  await save(sessions.outsider, { accessToken: tokenOf('outsider') });
  const rows = await app.database.query<{ dump: string; sealed: string; host: string; username: string }>(sql`
    SELECT host_tokens::text AS dump, sealed, host_tokens.host, username
    FROM host_tokens JOIN identities ON identities.id = identity_id`);
  for (const { dump } of rows) assert.doesNotMatch(dump, /ghp_/);
  const of = (name: string) => rows.find(({ username }) => username === name)?.sealed;
  assert.ok(of('alice'));
  await app.database.query(sql`
    UPDATE host_tokens SET sealed = ${of('alice')} FROM identities
    WHERE identities.id = identity_id AND username = 'outsider'`);
  const moved = await app.call('POST', `${path}/ingest${host}`, { token: sessions.outsider });
  assert.deepEqual([moved.status, moved.body.error.code], [409, 'HOST_TOKEN_INVALID']);
  await forget(sessions.outsider);
});

test('tokens are encrypted with the first key, decrypted with any, and re-encrypted on use', async () => {
  await save(sessions.alice, { accessToken: tokenOf('alice') });
  const clock = app.now;
  const ask = async (...keys: string[]) => {
    const server = await serveBeside(app, { secretKeys: keysOf(...keys), clock });
    const headers = { authorization: `Bearer ${sessions.alice}` };
    const { statusCode, body } = await server.inject({
      method: 'POST',
      url: `${path}/ingest${host}`,
      headers,
    });
    const [row] = await app.database.query<{ sealed: string }>(sql`SELECT sealed FROM host_tokens LIMIT 1`);
    return [statusCode, JSON.parse(body).error?.code, row?.sealed.split('.')[0]];
  };
  assert.deepEqual(await ask(key1, key2), [200, undefined, '1']);
  assert.deepEqual(await ask(key2, key1), [200, undefined, '2']);
  assert.deepEqual(await ask(key2), [200, undefined, '2']);
  assert.deepEqual(await ask(key1), [409, 'HOST_TOKEN_INVALID', '2']);
});

test('an expiring token is refreshed once for simultaneous requests on two processes', async () => {
  const beside = await serveBeside(app, { clock: app.now });
  for (const round of [1, 2]) {
    await saveExpiring(sessions.alice, 'alice');
    app.advance(8 * 60 * minute - (round === 2 ? -minute : 4 * minute));
    github.takeCalls();
    const headers = { authorization: `Bearer ${sessions.alice}` };
    const url = `/repos/acme/vault/pulls${host}`;
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async (_, index) =>
        index % 2 === 0
          ? (await app.call('GET', url, { headers })).status
          : (await beside.inject({ url, headers })).statusCode,
      ),
    );
    assert.deepEqual(new Set(statuses), new Set([200]));
    assert.equal(refreshes(), 1);
  }
});

test('a request whose token is refreshed meanwhile continues with the new one', async () => {
  const { accessToken } = await saveExpiring(sessions.alice, 'alice');
  github.takeCalls();
  ours.tokens.delete(accessToken);
  for (const { tokens } of github.state.accounts) tokens.delete(accessToken);
  const reply = await app.call('POST', `${path}/ingest${host}`, { token: sessions.alice });
  assert.equal(reply.status, 200, reply.text);
  assert.equal(refreshes(), 1);
});

test('a token whose refresh is rejected is HOST_TOKEN_INVALID; while GitHub is silent the old one is used until it expires', async () => {
  await saveExpiring(sessions.alice, 'alice');
  app.advance(8 * 60 * minute - 4 * minute);
  const stop = github.script(/access_token$/, (response) => void response.writeHead(503).end());
  const list = async () => {
    const { status, body } = await app.call('GET', `/repos/acme/vault/pulls${host}`, {
      token: sessions.alice,
    });
    return body.error?.code ?? status;
  };
  assert.equal(await list(), 200);
  app.advance(5 * minute);
  assert.equal(await list(), 'HOST_ERROR');
  stop();
  ours.refreshTokens.clear();
  assert.equal(await list(), 'HOST_TOKEN_INVALID');
  github.takeCalls();
  assert.equal(await list(), 'HOST_TOKEN_INVALID');
  assert.equal(refreshes(), 0, 'it is asked once');
  await saveExpiring(sessions.alice, 'alice');
  assert.equal(await list(), 200);
});

test('when the process that refreshes a token dies, another one refreshes it', async () => {
  await saveExpiring(sessions.alice, 'alice');
  app.advance(8 * 60 * minute - 4 * minute);
  const until = new Date(app.now().getTime() + 15_000);
  await app.database.query(sql`UPDATE host_tokens SET refresh_claimed_until = ${until}`);
  const asked = app.call('GET', `/repos/acme/vault/pulls${host}`, { token: sessions.alice });
  app.advance(16_000);
  assert.equal((await asked).status, 200);
});

test('a deleted token is revoked at GitHub, also with its account, without waiting for a silent GitHub', async () => {
  const isAlive = ({ accessToken }: { accessToken: string }) => ours.tokens.has(accessToken);
  const forgotten = await saveExpiring(sessions.alice, 'alice');
  assert.equal((await forget(sessions.alice)).status, 200);
  assert.equal(isAlive(forgotten), false);

  const held = await saveExpiring(sessions.alice, 'alice');
  const { promise: never } = Promise.withResolvers<void>();
  const stop = github.script(/^\/applications\//, () => never);
  assert.equal((await forget(sessions.alice)).status, 200, 'although GitHub is silent');
  stop();
  assert.equal(isAlive(held), true);

  const last = await saveExpiring(sessions.outsider, 'outsider');
  assert.equal((await app.call('DELETE', '/users/me', { token: sessions.outsider })).status, 200);
  assert.equal(isAlive(last), false);
  const [left] = await app.database.query<{ count: number }>(sql`SELECT count(*) AS count FROM host_tokens
    JOIN identities ON identities.id = identity_id WHERE username IN ('alice', 'outsider')`);
  assert.equal(left?.count, 0);
});

test('no token is in the log, the database or a response', async () => {
  await saveExpiring(sessions.alice, 'alice');
  assert.deepEqual(await placesOfTokens(app, answers), []);
});
