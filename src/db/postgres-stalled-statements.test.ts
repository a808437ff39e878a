import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { freshDatabase } from '../../test/build-app.ts';
import { waitUntil } from '../../test/wait-until.ts';
import type { Database } from './database.ts';
import { asDatabaseFailure } from './failures.ts';
import { openPostgres } from './postgres.ts';
import { sql } from './sql.ts';

/** Short enough to wait for, and long enough for ordinary statements on a busy machine. */
const patienceMs = 2_000;

/** Longer than the statement timeout, and shorter than the limit for a hung connection. */
const stall = sql`SELECT pg_sleep(4)`;

async function openWithRows() {
  const { DATABASE_URL = '' } = await freshDatabase();
  const database = await openPostgres(DATABASE_URL, { patienceMs });
  await database.runScript('CREATE TABLE rows (name text PRIMARY KEY)');
  return database;
}

const insert = (name: string) => sql`INSERT INTO rows VALUES (${name})`;
const names = async (database: Database) =>
  (await database.query<{ name: string }>(sql`SELECT name FROM rows ORDER BY name`)).map(({ name }) => name);

const isUnavailable = (error: unknown) => asDatabaseFailure(error)?.code === 'UNAVAILABLE';

const untilAnswered = (database: Database) =>
  waitUntil('what stalls is over', () =>
    database.ping().then(
      () => true,
      () => false,
    ),
  );

// These tests mostly wait, so they run concurrently.
describe('stalled statements', { concurrency: true }, () => {
  test('a transaction with a stalled statement is rolled back, and later commits stay', async () => {
    const database = await openWithRows();
    await assert.rejects(
      database.transaction(async (tx) => {
        await tx.query(insert('rolled back'));
        await tx.query(stall);
      }),
      isUnavailable,
    );
    await untilAnswered(database);
    assert.deepEqual(await names(database), []);
    await database.query(insert('acknowledged'));
    await assert.rejects(database.query(insert('acknowledged')), { code: '23505' });
    await database.transaction((tx) => tx.query(insert('acknowledged too')));
    assert.deepEqual(await names(database), ['acknowledged', 'acknowledged too']);
    await database.close();
  });

  test('a transaction with an abandoned statement is not committed, even when its work goes on', async () => {
    const database = await openWithRows();
    await assert.rejects(
      database.transaction(async (tx) => {
        await tx.query(insert('before'));
        await tx.query(stall).catch(() => {});
      }),
      isUnavailable,
    );
    await untilAnswered(database);
    await assert.rejects(
      database.transaction(async (tx) => {
        await tx.query(insert('before'));
        await tx.query(sql`SELECT 1 / 0`).catch(() => {});
      }),
      { code: '25P02' },
    );
    assert.deepEqual(await names(database), []);
    await database.close();
  });

  test('a commit that stalls fails with UNAVAILABLE and leaves no transaction open', async () => {
    const database = await openWithRows();
    await database.runScript(`
    CREATE FUNCTION stall() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(4); RETURN NULL; END';
    CREATE CONSTRAINT TRIGGER late AFTER INSERT ON rows DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (NEW.name = 'late') EXECUTE FUNCTION stall()`);
    await assert.rejects(
      database.transaction((tx) => tx.query(insert('late'))),
      isUnavailable,
    );
    await untilAnswered(database);
    await database.query(insert('after'));
    await assert.rejects(database.query(insert('after')), { code: '23505' });
    assert.ok((await names(database)).includes('after'));
    await database.close();
  });

  test('a transaction during a stall stores all of its rows or none', async () => {
    const database = await openWithRows();
    const stalled = Array.from({ length: 10 }, () => database.query(stall).catch(() => {}));
    const refused = await Promise.allSettled(
      Array.from({ length: 5 }, (_, index) =>
        database.transaction(async (tx) => {
          await tx.query(insert(`first ${index}`));
          await tx.query(insert(`second ${index}`));
        }),
      ),
    );
    await Promise.all(stalled);
    await untilAnswered(database);
    const done = refused.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []));
    const stored = await names(database);
    for (const index of done) assert.ok(stored.includes(`first ${index}`));
    for (const index of refused.keys())
      assert.equal(stored.includes(`first ${index}`), stored.includes(`second ${index}`));
    await database.close();
  });
});
