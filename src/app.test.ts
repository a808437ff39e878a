import assert from 'node:assert/strict';
import { test } from 'node:test';
import postgres from 'postgres';
import { buildTestApp, freshDatabase } from '../test/build-app.ts';
import { makeClone } from '../test/make-clone.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

test('a failed start leaves no worker thread behind, and the next start on the same database succeeds', async () => {
  const root = temporaryFolder();
  makeClone(root, 'acme/rocket');
  const database = await freshDatabase();
  const start = (environment: Record<string, string>) => buildTestApp({ database, environment });
  await assert.rejects(start({ GIT_REPOS: `${root}/elsewhere` }), /elsewhere/);
  const before = process.getActiveResourcesInfo().filter((name) => name === 'Worker').length;
  assert.equal(before, 0);
  const METRICS_TOKEN = 'a-token-of-the-operator';
  const app = await start({ GIT_REPOS: root, METRICS_TOKEN });
  assert.equal((await app.call('GET', '/healthz')).status, 200);
  const { text } = await app.call('GET', '/metrics', { token: METRICS_TOKEN });
  assert.match(text, /^pullquote_database_up 1$/m, 'what is asked of the database runs');
});

test('a start waits for row locks that a killed process left behind', async () => {
  const root = temporaryFolder();
  makeClone(root, 'acme/rocket');
  const database = await freshDatabase();
  const environment = { GIT_REPOS: root };
  const before = await buildTestApp({ database, environment });
  const token = await before.signUp('ann');
  assert.equal((await before.call('POST', '/repos/acme/rocket/pulls/1/ingest', { token })).status, 201);
  await before.close();
  const dead = postgres(database.DATABASE_URL ?? '', { max: 1 });
  await dead.unsafe('BEGIN; SELECT FROM repositories FOR UPDATE');
  const started = buildTestApp({ database, environment, databasePatienceMs: 1_000 });
  // A single wait for a lock times out after half a second, so the start has to retry.
  await dead`SELECT pg_sleep(1)`;
  await dead.unsafe('COMMIT');
  assert.equal((await (await started).call('GET', '/healthz')).status, 200);
  await dead.end();
});
