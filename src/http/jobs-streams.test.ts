import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { buildTestApp, freshDatabase, type TestApp } from '../../test/build-app.ts';
import { buildGitHubApp } from '../../test/github/build-github-app.ts';
import { pull, repository } from '../../test/github/state.ts';
import { makeClone } from '../../test/make-clone.ts';
import { readEvents, type ServerSentEvent } from '../../test/read-events.ts';
import { startIssuer } from '../../test/start-issuer.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { sql } from '../db/sql.ts';

const minute = 60_000;
const root = temporaryFolder();
for (const name of ['rocket', 'secret', 'comet']) makeClone(root, `acme/${name}`, 'feat: begin (#1)');
const environment = { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann', WRITERS: '0' };
const database = await freshDatabase();
const patience = { heartbeatMs: 300 };
const app = await buildTestApp({ database, environment, patience });
/** Another process, whose streams have no heartbeat during the tests. */
const quiet = await buildTestApp({ database, environment });

/** Asks for an article that no worker writes; returns the id of the job. */
async function ask(on: TestApp, token: string, repo = 'rocket'): Promise<string> {
  const { status, text, body } = await on.call('POST', `/repos/acme/${repo}/pulls/1/article`, {
    token,
    body: { language: 'en' },
    headers: { prefer: 'respond-async' },
  });
  assert.equal(status, 202, text);
  return body.data.id;
}

async function openSession(on: TestApp, token: string): Promise<{ id: string; accessToken: string }> {
  const { status, text, body } = await on.call('POST', '/auth/session', { token });
  assert.equal(status, 201, text);
  return body.data;
}

interface Followed {
  events: ServerSentEvent[];
  /** Whether the stream ended normally; a broken one never does. */
  hasEnded: boolean;
}

/** Follows a job until its stream ends; settles when the first event is there. */
async function follow(on: TestApp, token: string, id: string): Promise<Followed> {
  const followed: Followed = { events: [], hasEnded: false };
  const read = async (): Promise<void> => {
    for await (const event of readEvents(`${on.url}/jobs/${id}/events`, { authorization: `Bearer ${token}` }))
      followed.events.push(event);
    followed.hasEnded = true;
  };
  read().catch(() => {});
  await waitUntil('the first event is there', () => followed.events.length === 1);
  return followed;
}

const hasEnded = (followed: Followed) => waitUntil('the stream ends', () => followed.hasEnded);

test('an event stream ends when its credential ends, and streams of other credentials continue', async () => {
  const token = await app.signUp('many');
  const id = await ask(app, token);
  const stays = await openSession(app, token);
  const others = await follow(app, stays.accessToken, id);

  const loggedOut = await openSession(app, token);
  const revoked = await openSession(app, token);
  const expired = await openSession(app, token);
  const streams = await Promise.all(
    [loggedOut, revoked, expired].map(({ accessToken }) => follow(app, accessToken, id)),
  );
  const byToken = await follow(app, token, id);
  const shortLived = app.tokenFor('many', { expiresInMs: 10 * minute });
  const byShortLived = await follow(app, shortLived, id);

  await app.call('POST', '/auth/logout', { token: loggedOut.accessToken });
  await app.call('DELETE', `/auth/sessions/${revoked.id}`, { token });
  await app.database.query(sql`UPDATE sessions SET expires_at = ${app.now()} WHERE id = ${expired.id}`);
  for (const stream of streams) await hasEnded(stream);
  assert.ok(!byToken.hasEnded && !byShortLived.hasEnded);

  await app.call('POST', '/auth/logout', { token });
  await hasEnded(byToken);
  assert.ok(!byShortLived.hasEnded);

  app.advance(11 * minute);
  await hasEnded(byShortLived);

  for (const { events } of [...streams, byToken, byShortLived]) assert.equal(events.length, 1);
  assert.ok(!others.hasEnded);
  await app.call('DELETE', `/jobs/${id}`, { token: stays.accessToken });
  await hasEnded(others);
  assert.deepEqual(
    others.events.map(({ event }) => event),
    ['progress', 'failed'],
  );
});

test('an event stream ends when its account is deleted', async () => {
  const token = await app.signUp('leaver');
  const id = await ask(app, token);
  const stream = await follow(app, token, id);
  assert.equal((await app.call('DELETE', '/users/me', { token })).status, 200);
  await hasEnded(stream);
});

test('an event stream ends when its user loses access to the repository', async () => {
  const ann = await app.signUp('ann');
  const secret = await follow(app, ann, await ask(app, ann, 'secret'));
  const comet = await follow(app, ann, await ask(app, ann, 'comet'));
  await app.database.query(sql`UPDATE repository_grants SET withdrawn = true`);
  await hasEnded(secret);
  assert.ok(!comet.hasEnded);
  rmSync(join(root, 'acme', 'comet'), { recursive: true });
  app.advance(6 * minute);
  await hasEnded(comet);
});

test('a credential that has just ended gets no further event of a job', async () => {
  const token = await quiet.signUp('quick');
  const id = await ask(quiet, token);
  const { accessToken } = await openSession(quiet, token);
  const [stream, others] = [await follow(quiet, accessToken, id), await follow(quiet, token, id)];
  await quiet.call('POST', '/auth/logout', { token: accessToken });
  await quiet.call('DELETE', `/jobs/${id}`, { token });
  await Promise.all([hasEnded(stream), hasEnded(others)]);
  assert.deepEqual([stream.events.length, others.events.length], [1, 2]);
});

test('an event stream ends when its credential is ended on another process', async () => {
  const token = await quiet.signUp('replica');
  const { accessToken } = await openSession(quiet, token);
  const stream = await follow(app, accessToken, await ask(quiet, token));
  await quiet.call('POST', '/auth/logout', { token: accessToken });
  await hasEnded(stream);
});

test('an event stream ends without a logged error if its access cannot be checked', async (context) => {
  const token = await app.signUp('cutoff');
  const stream = await follow(app, token, await ask(app, token));
  const { query } = app.database;
  context.mock.method(app.database, 'query', async (statement: Parameters<typeof query>[0]) => {
    if (!statement.render().text.includes('job_requesters')) return query(statement);
    throw Object.assign(new Error('the connection is lost'), { code: 'CONNECTION_CLOSED' });
  });
  await hasEnded(stream);
  assert.deepEqual(
    app.logLines().filter(({ level }) => Number(level) >= 40),
    [],
  );
});

/** Counts the queries for jobs and credentials. */
function countLooks(context: TestContext): () => number {
  const { query } = app.database;
  const { mock } = context.mock.method(app.database, 'query', (statement: Parameters<typeof query>[0]) =>
    query(statement),
  );
  return () =>
    mock.calls.filter(({ arguments: [statement] }) =>
      /job_requesters|refused_tokens|FROM sessions/.test(statement?.render().text ?? ''),
    ).length;
}

test('event streams that are due together share their access checks', async (context) => {
  const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
  const tokens = await Promise.all(names.map((name) => app.signUp(name)));
  const ids = await Promise.all(tokens.map((token) => ask(app, token)));
  const leaving = new AbortController();
  let beats = 0;
  const countBeats = async (token: string): Promise<void> => {
    const headers = { authorization: `Bearer ${token}` };
    const { body } = await fetch(`${app.url}/jobs/${ids[0]}/events`, { headers, signal: leaving.signal });
    for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? [])
      beats += text.split(': still here').length - 1;
  };
  const streams = Array.from({ length: 15 }, () => tokens).flat();
  for (const token of streams) countBeats(token).catch(() => {});
  await waitUntil('all are there', () => beats >= 2 * streams.length);
  const [looks, before] = [countLooks(context), beats];
  await waitUntil('all had their turn', () => beats >= before + 4 * streams.length);
  leaving.abort();
  // Each stream needs two checks: its credential and its job.
  const alone = 2 * (beats - before);
  assert.ok(looks() < alone / 4, `${looks()} looks, where ${alone} would be made alone`);
});

test('an event stream ends when GitHub rejects its token, or when its signed token expires', async () => {
  const issuer = await startIssuer([1_001]);
  const { app, github, join } = await buildGitHubApp({
    patience,
    environment: {
      WRITERS: '0',
      OIDC_ISSUER: issuer.url,
      OIDC_AUDIENCE: issuer.audience,
      OIDC_HOST_USER_CLAIM: '/sub',
    },
  });
  github.state.repositories.push(repository(1, 'acme/rocket', { pulls: [pull(1, 'the rocket')] }));
  const tokens = { alice: await join('alice'), bob: await join('bob') };
  const ids = { alice: await ask(app, tokens.alice), bob: await ask(app, tokens.bob) };
  const alice = github.state.accounts.find(({ login }) => login === 'alice') ?? assert.fail();
  const exp = Math.floor(app.now().getTime() / 1000) + 20 * 60;
  const claims = { iss: issuer.url, aud: issuer.audience, sub: String(alice.id), exp };
  const bySignature = await follow(app, await issuer.sign(claims), ids.alice);
  const byToken = await follow(app, tokens.alice, ids.alice);
  const others = await follow(app, tokens.bob, ids.bob);
  alice.tokens.clear();
  app.advance(6 * minute);
  await hasEnded(byToken);
  assert.ok(!bySignature.hasEnded);
  app.advance(16 * minute);
  await hasEnded(bySignature);
  assert.ok(!others.hasEnded);
});
