import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, type TestApp } from '../../test/build-app.ts';
import { makeClone } from '../../test/make-clone.ts';
import { operatorOf } from '../../test/operator-of.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { sql } from '../db/sql.ts';

/** DATABASE_CONNECTIONS of the service. */
const connections = 3;

/** Opens all connections of the pool, because none can be opened while the test blocks new ones. */
async function makeAllConnections({ database }: TestApp) {
  const made = Promise.withResolvers<void>();
  let count = 0;
  await Promise.all(
    Array.from({ length: connections }, () =>
      database.transaction(async () => {
        count += 1;
        if (count === connections) made.resolve();
        await made.promise;
      }),
    ),
  );
}

const root = temporaryFolder();
makeClone(root, 'acme/rocket', 'feat: begin (#1)');
const start = (writers: string) =>
  buildTestApp({
    environment: { GIT_REPOS: root, WRITERS: writers, DATABASE_CONNECTIONS: String(connections) },
  });
const path = '/repos/acme/rocket/pulls/1/article';

test('while database notifications are lost, the cache is bypassed; afterwards notifications work again', async () => {
  const app = await start('1');
  const operator = operatorOf(app);
  const token = await app.signUp('ann');
  const { id, pullRequestId } = (await app.call('POST', path, { token, body: { language: 'en' } })).body.data;
  const readTitle = async () => (await app.call('GET', `/articles/${id}`)).body.data.title;
  const rename = (title: string) =>
    app.database.query(sql`UPDATE pull_requests SET title = ${title} WHERE id = ${pullRequestId}`);
  const heard = (text: string) => app.logLines().filter(({ msg }) => String(msg).includes(text)).length;
  await readTitle();

  // The connection breaks and is made again: notifications in between are lost, so the cache is cleared.
  await operator.endListeners();
  await rename('Renamed in passing');
  await waitUntil('it is heard of', async () => (await readTitle()) === 'Renamed in passing');

  await makeAllConnections(app);
  await operator.silence();
  await waitUntil('deafness is noticed', () => heard('not listening for database changes') > 0);
  for (const title of ['First in silence', 'Second in silence']) {
    await rename(title);
    assert.equal(await readTitle(), title, 'read from the database each time');
  }
  await operator.allowConnections(true);
  await waitUntil('changes are heard', () => heard('listening for database changes again') > 0);
  await readTitle();
  await rename('Heard');
  await waitUntil('it is heard of', async () => (await readTitle()) === 'Heard');
});

test('requests waiting for a job and its event stream end although notifications are lost', async () => {
  const app = await start('0');
  const operator = operatorOf(app);
  const token = await app.signUp('ann');
  const body = { language: 'en' };
  const asked = await app.call('POST', path, { token, body, headers: { prefer: 'respond-async' } });
  const waiting = app.call('POST', path, { token: await app.signUp('bea'), body });
  await waitUntil('both have asked', async () => {
    const askers = await app.database.query(sql`SELECT FROM job_requesters`);
    return askers.length === 2;
  });
  const following = await fetch(`${app.url}/jobs/${asked.body.data.id}/events`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await makeAllConnections(app);
  await operator.silence();
  await app.database.query(sql`
    UPDATE jobs SET state = 'cancelled', version = version + 1, finished_at = now()`);
  assert.equal((await waiting).body.error.code, 'ARTICLE_NOT_FOUND');
  assert.match(await following.text(), /event: failed/);
  await operator.allowConnections(true);
  // A connection that the driver opens after the test would keep the process alive.
  await operator.untilListening();
});
