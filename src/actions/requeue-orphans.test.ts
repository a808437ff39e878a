import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, freshDatabase, onPostgres } from '../../test/build-app.ts';
import { makeClone } from '../../test/make-clone.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { sql } from '../db/sql.ts';

const root = temporaryFolder();
makeClone(root, 'acme/rocket', 'feat: begin (#1)');
const settings = await freshDatabase();
const start = (writers: string) =>
  buildTestApp({ database: settings, environment: { GIT_REPOS: root, WRITERS: writers } });
type Started = Awaited<ReturnType<typeof start>>;

async function ask(app: Started, token: string): Promise<string> {
  const { body } = await app.call('POST', '/repos/acme/rocket/pulls/1/article', {
    token,
    body: { language: 'en', regenerate: true },
    headers: { prefer: 'respond-async' },
  });
  return body.data.id;
}

const stateOf = async (app: Started, token: string, id: string) =>
  (await app.call('GET', `/jobs/${id}`, { token })).body.data.state;

/** As if the message of every job had expired, or had been removed by somebody. */
const loseMessages = ({ database }: Started) => database.query(sql`DELETE FROM pgboss.job`);

const countMessages = async ({ database }: Started) =>
  (await database.query(sql`SELECT FROM pgboss.job WHERE state < 'completed'`)).length;

test('a job whose message is gone is put back into the queue soon after the next start, and done', async () => {
  const before = await start('0');
  const token = await before.signUp('ann');
  const id = await ask(before, token);
  await loseMessages(before);
  assert.equal(await ask(before, await before.signUp('bea')), id, 'who comes later joins it');
  await before.database.query(sql`UPDATE writing_jobs SET updated_at = now() - interval '2 minutes'`);
  await before.close();

  const app = await start('1');
  await waitUntil('the job is done', async () => (await stateOf(app, app.tokenFor('ann'), id)) === 'done');
  await app.close();
});

test('housekeeping puts back what waits, and what a worker that is gone has left running, once each', async () => {
  const apps = [await start('0'), ...(onPostgres ? [await start('0')] : [])];
  const [app = assert.fail('no service')] = apps;
  const token = app.tokenFor('ann');
  const keep = () => Promise.all(apps.map(({ housekeeping }) => housekeeping.run()));
  const id = await ask(app, token);
  await loseMessages(app);
  await keep();
  assert.equal(await countMessages(app), 0, 'what was asked for a moment ago may be on its way');
  for (const one of apps) one.advance(2 * 60 * 1000);
  await keep();
  assert.equal(await countMessages(app), 1);
  await keep();
  assert.equal(await countMessages(app), 1, 'what is in the queue is left alone');

  await app.database.query(sql`UPDATE writing_jobs SET state = 'running' WHERE id = ${id}`);
  await loseMessages(app);
  for (const one of apps) one.advance(5 * 60 * 1000);
  await keep();
  assert.equal(await stateOf(app, token, id), 'running', 'its worker may live');
  for (const one of apps) one.advance(10 * 60 * 1000);
  await keep();
  assert.equal(await stateOf(app, token, id), 'queued');
  assert.equal(await countMessages(app), 1);
});
