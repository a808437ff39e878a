import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { test } from 'node:test';
import postgres from 'postgres';
import { freshDatabase } from '../../test/build-app.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { asDatabaseFailure } from './failures.ts';
import { openPostgres } from './postgres.ts';
import { sql } from './sql.ts';

/** Short enough to wait for, and long enough for ordinary statements on a busy machine. */
const patienceMs = 2_000;

const isUnavailable = (error: unknown) => asDatabaseFailure(error)?.code === 'UNAVAILABLE';

async function open(settings: { connections?: number } = {}) {
  const { DATABASE_URL: url = '' } = await freshDatabase();
  return { url, database: await openPostgres(url, { ...settings, patienceMs }) };
}

/** A proxy in front of the database that can cut connections at the first message after they opened. */
async function cutConnections(databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl);
  let left = 0;
  const between = createServer((client) => {
    const server = connect(Number(port), hostname);
    const isCut = left > 0;
    left -= Number(isCut);
    let words = 0;
    client.on('data', (bytes) => {
      words += 1;
      // The first message is the startup message.
      if (isCut && words > 1) client.destroy();
      else server.write(bytes);
    });
    client.on('close', () => server.destroy());
    server.pipe(client);
  });
  between.listen(0, '127.0.0.1');
  await once(between, 'listening');
  const url = new URL(databaseUrl);
  url.port = String((between.address() as AddressInfo).port);
  return {
    url: url.href,
    left: () => left,
    cut: (connections: number) => {
      left = connections;
    },
    close: () => between.close(),
  };
}

test('a connection lost within a transaction fails only that transaction and stores none of it', async () => {
  const { database } = await open();
  await database.runScript('CREATE TABLE rows (name text)');
  for (const isNoticed of [false, true]) {
    const lost = database.transaction(async (tx) => {
      await tx.query(sql`INSERT INTO rows VALUES ('lost')`);
      const [row] = await tx.query<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`);
      await database.query(sql`SELECT pg_terminate_backend(${row?.pid}, 10000)`);
      if (isNoticed) await assert.rejects(tx.query(sql`SELECT 1`), isUnavailable);
      await tx.query(sql`INSERT INTO rows VALUES ('outside')`);
    });
    await assert.rejects(lost, isUnavailable);
  }
  const asked = Array.from({ length: 30 }, () => database.query(sql`SELECT 1`));
  const stored = Array.from({ length: 30 }, () =>
    database.transaction((tx) => tx.query(sql`INSERT INTO rows VALUES ('stored')`)),
  );
  await Promise.all([...asked, ...stored]);
  const rows = await database.query(sql`SELECT name, count(*) AS count FROM rows GROUP BY name`);
  assert.deepEqual([...rows], [{ name: 'stored', count: 30 }]);
  await database.close();
});

test('a connection lost as soon as it is open fails only its own transaction', async () => {
  const { DATABASE_URL: url = '' } = await freshDatabase();
  const between = await cutConnections(url);
  const database = await openPostgres(between.url, { patienceMs });
  between.cut(2);
  const asked = await Promise.allSettled(
    Array.from({ length: 4 }, () => database.transaction((tx) => tx.query(sql`SELECT 1`))),
  );
  const failed = asked.filter((one) => one.status === 'rejected');
  assert.deepEqual([between.left(), failed.length], [0, 2]);
  for (const { reason } of failed) assert.ok(isUnavailable(reason), reason);
  await Promise.all(Array.from({ length: 4 }, () => database.query(sql`SELECT 1`)));
  await database.close();
  between.close();
});

test('a statement behind slow ones on every connection succeeds, and the slow ones are ended', async () => {
  const { database } = await open({ connections: 3 });
  const slow = Array.from({ length: 3 }, () =>
    assert.rejects(database.query(sql`SELECT pg_sleep(600)`), isUnavailable),
  );
  const slowTransactions = assert.rejects(
    database.transaction((tx) => tx.query(sql`SELECT pg_sleep(600)`)),
    isUnavailable,
  );
  await database.query(sql`SELECT 1`);
  await Promise.all([...slow, slowTransactions]);
  await waitUntil('statements that were given up have ended', async () => {
    const running = await database.query(sql`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_sleep(600)%'
        AND state = 'active' AND pid <> pg_backend_pid()`);
    return running.length === 0;
  });
  await database.close();
});

test('a statement that waits too long for a lock fails with UNAVAILABLE, and later statements succeed', async () => {
  const { url, database } = await open();
  await database.runScript('CREATE TABLE rows (name text)');
  const other = postgres(url, { max: 1 });
  await other.unsafe('BEGIN; LOCK TABLE rows');
  await assert.rejects(
    database.transaction((tx) => tx.query(sql`INSERT INTO rows VALUES ('waits')`)),
    isUnavailable,
  );
  await other.unsafe('COMMIT');
  await database.query(sql`INSERT INTO rows VALUES ('stored')`);
  assert.equal((await database.query(sql`SELECT 1 FROM rows`)).length, 1);
  await other.end();
  await database.close();
});

test('a start waits for the migrations of another process beyond the statement timeout', async (t) => {
  const { DATABASE_URL: url = '' } = await freshDatabase();
  const other = postgres(url, { max: 1 });
  t.after(() => other.end());
  await other.unsafe('BEGIN; LOCK TABLE schema_migrations');
  const isWaiting = async () => {
    const waiting = await other`
      SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
      WHERE NOT granted AND datname = current_database()`;
    return waiting.length === 1;
  };
  const started = openPostgres(url, { patienceMs });
  await waitUntil('it waits', isWaiting);
  // The wait outlasts the statement timeout.
  await other`SELECT pg_sleep(2.5)`;
  assert.ok(await isWaiting());
  await other.unsafe('COMMIT');
  await (await started).close();
});

test('TCP keepalives let the server notice a lost process within 30 seconds', async () => {
  const { database } = await open();
  const settings = await database.query<{ name: string; setting: string }>(
    sql`SELECT name, setting FROM pg_settings WHERE name LIKE 'tcp_keepalives_%'`,
  );
  const { tcp_keepalives_idle: idle, ...tries } = Object.fromEntries(
    settings.map(({ name, setting }) => [name, Number(setting)]),
  );
  const { tcp_keepalives_interval: interval = 0, tcp_keepalives_count: count = 0 } = tries;
  const seconds = (idle ?? 0) + interval * count;
  assert.ok(seconds > 0 && seconds < 30, `${seconds} s`);
  await database.close();
});
