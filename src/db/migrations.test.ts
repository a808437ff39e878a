import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { freshDatabase, onPostgres } from '../../test/build-app.ts';
import { connectDatabase, type Database } from './connect.ts';
import { sql } from './sql.ts';

async function open({ PULLQUOTE_DATA = '', DATABASE_URL }: Record<string, string>): Promise<Database> {
  const database = await connectDatabase({ dataFolder: PULLQUOTE_DATA, databaseUrl: DATABASE_URL }, () => {});
  after(() => database.close());
  return database;
}

test('a database newer than the code is refused with a sentence', async () => {
  const settings = await freshDatabase();
  const database = await open(settings);
  await database.query(
    sql`INSERT INTO schema_migrations (number, name) VALUES (9999, 'from-the-future.sql')`,
  );
  await database.close();
  await assert.rejects(open(settings), /newer than this version of Pullquote: it has schema 9999/);
});

test('both databases answer the same types, and integers of any size that JSON can carry', async () => {
  const database = await open(await freshDatabase());
  const moment = new Date('2026-03-01T09:30:00.123Z');
  const largest = Number.MAX_SAFE_INTEGER;
  const rows = await database.query(sql`
    SELECT ${largest}::bigint AS big, 7 AS small, count(*) AS counted, ${moment}::timestamptz(3) AS moment,
      ${null}::text AS nothing, ${true}::boolean AS flag, ${'naïve \u{1f40c} "quoted"'}::text AS words,
      ${['a', 'b,"c']}::text[] AS list
    FROM (VALUES (1), (2)) AS two`);
  await database.close();
  assert.deepEqual(
    [{ ...(rows[0] as object) }],
    [
      {
        big: largest,
        small: 7,
        counted: 2,
        moment,
        nothing: null,
        flag: true,
        words: 'naïve \u{1f40c} "quoted"',
        list: ['a', 'b,"c'],
      },
    ],
  );
});

test('a transaction that throws leaves nothing behind', async () => {
  const database = await open(await freshDatabase());
  const work = database.transaction(async (tx) => {
    await tx.query(sql`INSERT INTO refused_tokens (token_hash, expires_at) VALUES ('x', now())`);
    throw new Error('changed my mind');
  });
  await assert.rejects(work, /changed my mind/);
  assert.equal((await database.query(sql`SELECT 1 FROM refused_tokens`)).length, 0);
  await database.close();
});

test('several processes that start at once apply each migration once', {
  skip: !onPostgres && 'one process',
}, async () => {
  const settings = await freshDatabase();
  const databases = await Promise.all(Array.from({ length: 5 }, () => open(settings)));
  const rows = await databases[0]?.query<{ times: number }>(
    sql`SELECT count(*) AS times FROM schema_migrations GROUP BY number`,
  );
  assert.ok(rows && rows.length > 0);
  for (const { times } of rows) assert.equal(times, 1);
  await Promise.all(databases.map((database) => database.close()));
});

test('a database that cannot be reached is named without its password', {
  skip: !onPostgres && 'no server',
}, async () => {
  const unreachable = { DATABASE_URL: 'postgres://someone:hush@127.0.0.1:1/nowhere' };
  await assert.rejects(open(unreachable), (error: Error) => {
    assert.match(error.message, /nowhere at 127\.0\.0\.1:1: .*ECONNREFUSED/);
    assert.equal(error.message.includes('hush'), false);
    return true;
  });
});
