import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { giveToken } from '../../test/github/answer-apps.ts';
import { buildGitHubApp } from '../../test/github/build-github-app.ts';
import { placesOfTokens } from '../../test/github/find-tokens.ts';
import { pull, repository, standInApp } from '../../test/github/state.ts';
import { makeLargeRepository } from '../../test/make-large-repository.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { sql } from '../db/sql.ts';

const minute = 60_000;
const { app, github, answers, join } = await buildGitHubApp({
  logLevel: 'trace',
  environment: {
    PUBLIC_URL: 'https://pullquote.example.org',
    GITHUB_CLIENT_ID: 'Iv1.ours',
    GITHUB_CLIENT_SECRET: 'secret-of-Iv1.ours',
  },
});
const ours = standInApp('Iv1.ours', { expiresIn: 8 * 60 * 60 });
github.state.apps.push(ours);
const sessionOf = async (login: string): Promise<string> => {
  const token = await join(login);
  return (await app.call('POST', '/auth/session', { token })).body.data.accessToken;
};
const sessions = { alice: await sessionOf('alice'), mallory: await sessionOf('mallory') };
const visibleTo = new Set(['alice']);
github.state.repositories.push(
  repository(1, 'acme/vault', { visibility: 'private', visibleTo, pulls: [pull(1, 'the vault')] }),
);

const give = (login: string) => {
  const given = giveToken(github.state, ours, login, app.now().getTime());
  assert.ok('refresh_token' in given);
  return { accessToken: given.access_token, refreshToken: given.refresh_token };
};
const save = async (token: string, body: object) => {
  const saved = await app.call('POST', '/auth/host-token', { token, body });
  assert.equal(saved.status, 200, saved.text);
};
/** Saves a token and lets time pass until some minutes before it expires. */
async function saveWithLeft(session: string, minutes: number, given = give('alice')) {
  await save(session, given);
  app.advance((8 * 60 - minutes) * minute);
  github.takeCalls();
  return given;
}
const list = async (token = sessions.alice) => {
  const { status, body } = await app.call('GET', '/repos/acme/vault/pulls', { token });
  return body.error?.code ?? status;
};
const isExchange = (call: string) => call === 'POST /login/oauth/access_token';
const exchanges = () => github.takeCalls().filter(isExchange).length;
/** Delays GitHub's response to a token refresh. */
function holdExchange() {
  const held = Promise.withResolvers<void>();
  const state = { isAsked: false, isOpen: false };
  const stop = github.script(/access_token$/, async (response, pass) => {
    Object.assign(state, { isAsked: true, isOpen: true });
    response.on('close', () => {
      state.isOpen = false;
    });
    await held.promise;
    if (state.isOpen) await pass();
  });
  const letGo = () => {
    stop();
    held.resolve();
  };
  return { state, letGo, asked: waitUntil('GitHub is asked', () => state.isAsked) };
}
const savedRow = async () => {
  const [row] = await app.database.query<{ sealed: string; generation: number }>(sql`
    SELECT sealed, generation FROM host_tokens JOIN identities ON id = identity_id WHERE username = 'alice'`);
  return row;
};

test("a token saved after another was deleted is not overwritten by the deleted one's refresh", async () => {
  await saveWithLeft(sessions.alice, -1);
  const exchange = holdExchange();
  const first = list();
  await exchange.asked;
  assert.equal((await app.call('DELETE', '/auth/host-token', { token: sessions.alice })).status, 200);
  app.advance(1_000);
  await save(sessions.alice, { accessToken: 'ghp_tokenOfalice' });
  const saved = await savedRow();
  exchange.letGo();
  await first;
  assert.deepEqual(await savedRow(), saved);
  assert.equal(ours.tokens.size, 0, 'what it was exchanged for is revoked');
});

test('a refresh that another process marked as refused still works for the process that got a token', async () => {
  await saveWithLeft(sessions.alice, -1);
  const exchange = holdExchange();
  const first = list();
  await exchange.asked;
  // Another process took over the refresh, because this one seemed to be dead.
  await app.database.query(sql`UPDATE host_tokens SET refresh_refused = true, refresh_claimed_until = NULL`);
  exchange.letGo();
  assert.equal(await first, 200);
  assert.equal(await list(), 200);
});

test('a refreshed token of another account is neither used nor kept', async () => {
  const { accessToken } = give('mallory');
  const { refreshToken } = give('alice');
  await saveWithLeft(sessions.mallory, 4, { accessToken, refreshToken });
  const before = new Set(ours.tokens.keys());
  assert.equal(await list(sessions.mallory), 'HOST_TOKEN_INVALID');
  assert.equal(await list(sessions.mallory), 'HOST_TOKEN_INVALID');
  assert.equal(exchanges(), 1);
  assert.deepEqual(
    [...ours.tokens.keys()].filter((token) => !before.has(token)),
    [],
  );
});

test('a refreshed token whose owner GitHub does not confirm is not used until it does, and not lost', async () => {
  await saveWithLeft(sessions.alice, -1);
  const stop = github.script(/^\/applications\//, (response) => void response.writeHead(503).end());
  const unconfirmed = await list();
  stop();
  assert.equal(unconfirmed, 'HOST_ERROR');
  assert.equal(await list(), 200);
  assert.equal(exchanges(), 2);
});

test('a refresh that fails because of the app or GitHub keeps the saved token', async () => {
  const failures: [number, string][] = [
    [404, 'Not Found'],
    [200, '{"error":"server_error"}'],
    [200, '{"error":"incorrect_client_credentials"}'],
    [200, '<html>'],
    [503, ''],
  ];
  for (const [status, text] of failures) {
    const { accessToken } = await saveWithLeft(sessions.alice, 30);
    // Rejected early, as after a process died during a refresh.
    for (const { tokens } of github.state.accounts) tokens.delete(accessToken);
    const stop = github.script(/access_token$/, (response) => void response.writeHead(status).end(text));
    const refused = await list();
    app.advance(31 * minute);
    const expired = await list();
    stop();
    assert.deepEqual([refused, expired, await list()], ['HOST_ERROR', 'HOST_ERROR', 200], text);
  }
});

test('a request with a valid token does not wait for a slow refresh, whose late result is kept', async () => {
  await saveWithLeft(sessions.alice, 4);
  const before = await savedRow();
  const exchange = holdExchange();
  // The first request has little time left after waiting; later requests do not wait.
  assert.match(String(await list()), /^(?:200|HOST_TIMEOUT)$/);
  assert.equal(await list(), 200);
  assert.equal(exchange.state.isOpen, true, 'GitHub is still waited for');
  exchange.letGo();
  await waitUntil('it is kept', async () => (await savedRow())?.generation !== before?.generation);
  assert.equal(await list(), 200);
  assert.equal(exchanges(), 1);
});

test('while another process refreshes a token, a valid one is used', async () => {
  await saveWithLeft(sessions.alice, 4);
  const until = new Date(app.now().getTime() + minute);
  await app.database.query(sql`UPDATE host_tokens SET refresh_claimed_until = ${until}`);
  assert.equal(await list(), 200);
  assert.equal(exchanges(), 0);
});

test('a git fetch whose token is refreshed meanwhile continues with the new token', async () => {
  const { gitFolder, base, head } = makeLargeRepository(1);
  const range = {
    base: { ref: 'main', sha: base },
    head: { ref: 'topic', sha: head },
    mergeBase: base,
    changedFiles: 1,
    diff: null,
  };
  const pulls = [pull(1, 'large', range)];
  github.state.repositories.push(
    repository(2, 'acme/large', { visibility: 'private', visibleTo, gitFolder, pulls }),
  );
  const { accessToken } = await saveWithLeft(sessions.alice, 30);
  const isDead = ({ headers }: IncomingMessage) =>
    Buffer.from(headers.authorization?.replace('Basic ', '') ?? '', 'base64').includes(accessToken);
  const stop = github.script(/\.git\//, (response, pass, request) => {
    for (const { tokens } of github.state.accounts) tokens.delete(accessToken);
    if (!isDead(request)) return pass();
    response.writeHead(401, { 'www-authenticate': 'Basic realm="GitHub"' }).end();
  });
  const ingested = await app.call('POST', '/repos/acme/large/pulls/1/ingest', { token: sessions.alice });
  stop();
  assert.equal(ingested.status, 201, ingested.text);
  assert.equal(exchanges(), 1);
});

test('no token is in the log, the database or a response', async () => {
  assert.deepEqual(await placesOfTokens(app, answers), []);
});
