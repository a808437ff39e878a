import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { buildTestApp, freshDatabase, onPostgres } from '../../test/build-app.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { StartupProblem } from '../domain/errors.ts';
import { takeExclusiveLock } from './embedded/exclusive-lock.ts';
import { openEmbedded } from './embedded.ts';
import { isTokenRefused, refuseToken } from './sessions.ts';
import { sql } from './sql.ts';

const skip = onPostgres && 'about the embedded database';

test('each acknowledged write is one fsync', { skip }, async () => {
  const { PULLQUOTE_DATA: folder = '' } = await freshDatabase();
  const database = await openEmbedded(folder, () => {});
  const before = database.syncs();
  for (let index = 0; index < 25; index += 1) await refuseToken(database, `token ${index}`, new Date());
  assert.equal(database.syncs() - before, 25);
  const read = database.syncs();
  assert.equal(await isTokenRefused(database, 'token 3'), true);
  assert.equal(database.syncs(), read, 'reading needs none');
  await database.close();
});

test('a data folder that is in use is refused with the pid of its user', { skip }, async () => {
  const folder = temporaryFolder();
  const release = takeExclusiveLock(join(folder, 'database.lock'));
  await assert.rejects(
    openEmbedded(folder, () => {}),
    new RegExp(`data folder ${folder} is in use by process ${process.pid}\\. Stop that process first`),
  );
  assert.equal(existsSync(join(folder, 'database')), false);
  release();
  takeExclusiveLock(join(folder, 'database.lock'))();
});

test('a data folder that cannot be locked is refused with what to mend', { skip }, async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'database.lock'));
  await assert.rejects(
    openEmbedded(folder, () => {}),
    (error) => error instanceof StartupProblem && /database\.lock in it must be a file/.test(error.message),
  );
});

test('a file where the database should be is refused with what to mend', { skip }, async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'database'), '');
  await assert.rejects(
    openEmbedded(folder, () => {}),
    (error) =>
      error instanceof StartupProblem && /cannot be opened\. That must be a folder/.test(error.message),
  );
});

test('an initialisation that was cut off is done again', { skip }, async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'database.new'));
  writeFileSync(join(folder, 'database.new', 'PG_VERSION'), '18');
  const said: string[] = [];
  const database = await openEmbedded(folder, (sentence) => said.push(sentence));
  await database.ping();
  await database.close();
  assert.equal(said.length, 1);
  assert.equal(existsSync(join(folder, 'database.new')), false);
});

test('a database that gives up is opened again, with all it has acknowledged, and goes on telling', {
  skip,
}, async () => {
  const { PULLQUOTE_DATA: folder = '' } = await freshDatabase();
  const database = await openEmbedded(folder, () => {});
  const heard: string[] = [];
  let begun = 0;
  await database.listen('news', {
    onMessage: (message) => heard.push(message),
    onListening: () => {
      begun += 1;
    },
  });
  await refuseToken(database, 'acknowledged', new Date());
  const log = join(folder, 'database', 'pg_wal');
  renameSync(log, `${log}.gone`);
  // Its log cannot go on, which no server survives either.
  await database.runScript('SELECT pg_switch_wal()').catch(() => {});
  await assert.rejects(refuseToken(database, 'refused', new Date()), { code: 'CONNECTION_ENDED' });
  renameSync(`${log}.gone`, log);
  await waitUntil('it is open again', () => begun === 2);
  assert.equal(await isTokenRefused(database, 'acknowledged'), true);
  assert.equal(await isTokenRefused(database, 'refused'), false);
  await database.runScript("SELECT pg_notify('news', 'again')");
  assert.deepEqual(heard, ['again']);
  await database.close();
});

test('housekeeping removes what has expired and lets the database tidy up', async () => {
  const app = await buildTestApp();
  const day = 24 * 60 * 60 * 1000;
  const token = await app.signUp('tidy');
  const session = (await app.call('POST', '/auth/session', { token })).body.data;
  await app.housekeeping.run();
  assert.equal((await app.call('GET', '/auth/sessions', { token })).body.data.pagination.totalItems, 1);
  app.advance(15 * day);
  await app.housekeeping.run();
  assert.equal(app.housekeeping.isHealthy(), true);
  app.advance(-15 * day);
  const gone = await app.call('GET', '/users/me', { token: session.accessToken });
  assert.equal(gone.status, 401, 'the row is gone, not only past its time');
  await app.database.close();
  await app.housekeeping.run();
  assert.equal(app.housekeeping.isHealthy(), false);
});

test('its log is begun anew whenever much was written, so that it never takes long', { skip }, async () => {
  const { PULLQUOTE_DATA: folder = '' } = await freshDatabase();
  const database = await openEmbedded(folder, () => {});
  const begin = async () =>
    (await database.runScript('SELECT redo_lsn::text FROM pg_control_checkpoint()'))[0];
  const before = await begin();
  await database.runScript('CREATE TABLE large (bytes bytea)');
  const bytes = randomBytes(1024 * 1024);
  for (let count = 0; count < 20; count += 1) await database.query(sql`INSERT INTO large VALUES (${bytes})`);
  await waitUntil('the log is begun anew', async () => !isDeepStrictEqual(await begin(), before));
  await database.close();
});

test('large values are tidied up after only when some have gone', { skip }, async () => {
  const { PULLQUOTE_DATA: folder = '' } = await freshDatabase();
  const database = await openEmbedded(folder, () => {});
  await database.runScript('CREATE TABLE large (bytes bytea)');
  const tidied = async () =>
    (
      await database.runScript(`
        SELECT pg_stat_get_vacuum_count(oid)::integer AS itself, pg_stat_get_vacuum_count(reltoastrelid)::integer AS values
        FROM pg_class WHERE relname = 'large'`)
    )[0];
  await database.query(sql`INSERT INTO large VALUES (${randomBytes(100_000)})`);
  await database.maintain();
  assert.deepEqual(await tidied(), { itself: 1, values: 0 });
  await database.runScript('DELETE FROM large');
  await database.maintain();
  assert.deepEqual(await tidied(), { itself: 2, values: 1 });
  await database.close();
});
