import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, freshDatabase, type TestApp } from '../../test/build-app.ts';
import { makeClone } from '../../test/make-clone.ts';
import { type Cluster, startCluster } from '../../test/postgres-cluster.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { makeRepositoryPrivate } from '../db/repositories.ts';
import { sql } from '../db/sql.ts';

const root = temporaryFolder();
makeClone(root, 'acme/rocket', 'feat: begin (#1)');
makeClone(root, 'acme/secret', 'feat: hide (#1)');

async function start(): Promise<{
  cluster: Cluster;
  app: TestApp;
  token: string;
  publicId: string;
  secretId: string;
}> {
  const cluster = await startCluster();
  const { PULLQUOTE_DATA = '' } = await freshDatabase();
  const app = await buildTestApp({
    database: { PULLQUOTE_DATA, DATABASE_URL: cluster.url },
    environment: { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann' },
  });
  const token = await app.signUp('ann');
  const write = async (name: string): Promise<string> => {
    const path = `/repos/acme/${name}/pulls/1/article`;
    return (await app.call('POST', path, { token, body: { language: 'en' } })).body.data.id;
  };
  const [publicId, secretId] = [await write('rocket'), await write('secret')];
  await cluster.untilCaughtUp();
  return { cluster, app, token, publicId, secretId };
}

const modeOf = ({ headers }: { headers: Headers }) => headers.get('x-pullquote-mode');

test('without a primary, public articles are read from the standby with a header and a line, all else gets 503, and a promotion ends it', async () => {
  const { cluster, app, token, publicId, secretId } = await start();
  const like = () => app.call('POST', `/articles/${publicId}/language/en/like`, { token });
  assert.equal((await like()).status, 201);
  await app.call('GET', `/articles/${publicId}`);
  await cluster.untilCaughtUp();
  await cluster.primary.stop();
  await waitUntil(
    'the standby is read',
    async () => modeOf(await app.call('GET', '/healthz')) === 'read-only',
  );

  for (const path of [
    `/articles/${publicId}`,
    '/articles',
    '/ranking/articles/likes',
    '/search?q=begin',
    '/meta',
    '/healthz',
  ]) {
    const read = await app.call('GET', path);
    assert.deepEqual([read.status, modeOf(read)], [200, 'read-only'], `${path}: ${read.text}`);
  }
  for (const path of ['/', '/r/acme/rocket/1', '/r/acme/rocket', '/repositories', '/find?q=begin']) {
    for (const credential of [undefined, token]) {
      const page = await app.call('GET', path, { token: credential, headers: { accept: 'text/html' } });
      assert.deepEqual([page.status, modeOf(page)], [200, 'read-only'], path);
      assert.match(page.text, /Read-only for now: the database is moving/, path);
      assert.doesNotMatch(page.text, /acme\/secret/, path);
    }
  }
  const refused = async (answer: ReturnType<typeof like>) => {
    const { status, headers, body, text } = await answer;
    assert.deepEqual(
      [status, modeOf({ headers }), body?.error.code],
      [503, 'read-only', 'UNAVAILABLE'],
      text,
    );
    assert.ok(Number(headers.get('retry-after')) > 0);
  };
  await refused(like());
  await refused(app.call('POST', '/repos/acme/rocket/pulls/1/article', { token, body: { language: 'ja' } }));
  await refused(app.call('POST', '/auth/signup', { token: app.tokenFor('bea') }));
  await refused(app.call('GET', '/users/me', { token }));
  await refused(app.call('GET', `/articles/${secretId}`, { token }));
  assert.equal((await app.call('GET', `/articles/${secretId}`)).status, 404);
  assert.equal((await app.call('GET', `/articles/${publicId}`, { token: 'revoked' })).status, 200);
  // Rounds of the background jobs.
  await app.housekeeping.run();
  await app.lists.run();
  const errors = app.logLines().filter(({ level }) => Number(level) >= 40);
  assert.ok(errors.length < 10, JSON.stringify(errors.slice(0, 12), null, 1));

  await cluster.standby.promote();
  await waitUntil('it takes writes again', async () => (await like()).status < 300);
  const back = await app.call('GET', `/articles/${publicId}`);
  assert.deepEqual([back.status, modeOf(back)], [200, null]);
  assert.equal(await app.database.count(sql`SELECT count(*) FROM article_likes`), 1, 'the acknowledged like');
  assert.equal((await app.call('GET', `/articles/${secretId}`, { token })).status, 200);
});

test('a standby that has not replayed a hidden repository is not read until it has', async () => {
  const { cluster, app, publicId } = await start();
  const { database } = app;
  const [repository] = await database.query<{ id: string }>(
    sql`SELECT id FROM repositories WHERE name = 'rocket'`,
  );
  const statusOf = async () => (await app.call('GET', `/articles/${publicId}`)).status;
  const answers = new Set<number>();
  assert.equal(await statusOf(), 200);
  await cluster.standby.ask((all) => all`SELECT pg_wal_replay_pause()`);
  await makeRepositoryPrivate(database, { repositoryId: repository?.id ?? '', askedAt: app.now() });
  await waitUntil('the primary says how far it is', () =>
    app.database.query(sql`SELECT pg_sleep(1.2)`).then(() => true),
  );
  await cluster.primary.kill();
  await waitUntil('the primary is missed', async () => {
    answers.add(await statusOf());
    return (await app.call('GET', '/articles')).status === 503;
  });
  for (let time = 0; time < 20; time += 1) answers.add(await statusOf());
  assert.deepEqual(
    [...answers].filter((status) => status === 200),
    [],
  );
  assert.equal(modeOf(await app.call('GET', '/articles')), null);

  await cluster.standby.ask((all) => all`SELECT pg_wal_replay_resume()`);
  await waitUntil(
    'the standby is read',
    async () => modeOf(await app.call('GET', '/articles')) === 'read-only',
  );
  assert.equal(await statusOf(), 404);
  // The host now says of another repository that it is private, which cannot be stored.
  await assert.rejects(
    makeRepositoryPrivate(database, { repositoryId: crypto.randomUUID(), askedAt: app.now() }),
  );
  assert.equal((await app.call('GET', '/articles')).status, 503);
});

test('a repository hidden just before the primary was lost keeps the standby from being read', async () => {
  const { cluster, app, publicId } = await start();
  const [repository] = await app.database.query<{ id: string }>(
    sql`SELECT id FROM repositories WHERE name = 'rocket'`,
  );
  await makeRepositoryPrivate(app.database, { repositoryId: repository?.id ?? '', askedAt: app.now() });
  await cluster.primary.kill();
  await waitUntil('the primary is missed', async () => (await app.call('GET', '/articles')).status === 503);
  assert.equal((await app.call('GET', `/articles/${publicId}`)).status, 503);
  await cluster.standby.promote();
  await waitUntil('it is back', async () => (await app.call('GET', '/articles')).status === 200);
});
