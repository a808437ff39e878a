import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { startCluster } from '../../test/postgres-cluster.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { parseDatabaseUrl } from '../domain/database-address.ts';
import { asDatabaseFailure } from './failures.ts';
import { openPostgres } from './postgres.ts';
import { sql } from './sql.ts';

const isUnavailable = (error: unknown) => asDatabaseFailure(error)?.code === 'UNAVAILABLE';

test('`DATABASE_URL` names hosts, ports and sockets as libpq reads them', () => {
  const hostsOf = (url: string) =>
    parseDatabaseUrl(url)?.hosts.map(({ host, port }) => `${host} ${port ?? ''}`);
  const attributes = '?target_session_attrs=read-write';
  assert.deepEqual(hostsOf(`postgres://u:p@a:6432,b,[::1]:5433/pullquote${attributes}`), [
    'a 6432',
    'b ',
    '::1 5433',
  ]);
  assert.deepEqual(hostsOf('postgres:///pullquote?host=/run/a,/run/b&port=5433,5434'), [
    '/run/a 5433',
    '/run/b 5434',
  ]);
  assert.deepEqual(hostsOf('postgresql://a,b/x?port=6432'), ['a 6432', 'b 6432']);
  assert.deepEqual(hostsOf('postgresql://u@/x?host=%2Frun'), ['/run ']);
  assert.equal(
    parseDatabaseUrl(`postgres://u:p@a,b/x${attributes}&sslmode=require`)?.driverUrl,
    'postgres://u:p@a/x?sslmode=require',
  );
  for (const wrong of [
    'mysql://a/x',
    'postgres://a,b/x?target_session_attrs=standby',
    'postgres://a,b,c/x?port=1,2',
    'postgres://a:70000/x',
    'postgres://a:b:c/x',
    'postgres://u:%zz@a/x',
  ])
    assert.equal(parseDatabaseUrl(wrong), null, wrong);
});

test('a promoted standby is found within 2 s, what was acknowledged is there, and the former primary is never written to again', async () => {
  const cluster = await startCluster();
  const { primary, standby } = cluster;
  const database = await openPostgres(cluster.url, { migrates: false });
  const heard: string[] = [];
  let listening = 0;
  await database.listen('news', {
    onMessage: (message) => void heard.push(message),
    onListening: () => {
      listening += 1;
    },
  });
  await database.runScript('CREATE TABLE rows (name text)');
  await database.query(sql`INSERT INTO rows VALUES ('acknowledged')`);
  await cluster.untilCaughtUp();

  const inFlight = assert.rejects(database.query(sql`SELECT pg_sleep(60)`), isUnavailable);
  await waitUntil(
    'the statement runs',
    async () =>
      (
        await database.query(sql`
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_sleep(60)%' AND state = 'active' AND pid <> pg_backend_pid()`)
      ).length > 0,
  );
  await primary.kill();
  await inFlight;
  await assert.rejects(database.query(sql`INSERT INTO rows VALUES ('nowhere')`), isUnavailable);

  await standby.promote();
  const promoted = performance.now();
  const write = () =>
    database.query(sql`INSERT INTO rows VALUES ('moved')`).then(
      () => true,
      () => false,
    );
  await waitUntil('writes go to the new primary', write);
  await waitUntil('it listens again', () => listening === 2);
  assert.ok(performance.now() - promoted < 2_000, `${performance.now() - promoted} ms`);
  await database.query(sql`SELECT pg_notify('news', 'from the new primary')`);
  await waitUntil('news arrive', () => heard.length === 1);

  // The former primary does not know that another took its place.
  await primary.start();
  await standby.ask(
    (all) =>
      all`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'pullquote'`,
  );
  await waitUntil('it is connected again', write);
  await Promise.all(
    Array.from({ length: 20 }, () =>
      database.transaction((tx) => tx.query(sql`INSERT INTO rows VALUES ('moved')`)),
    ),
  );
  const names = (server: typeof primary) =>
    server.ask((all) => all`SELECT DISTINCT name FROM rows ORDER BY name`);
  assert.deepEqual([...(await names(primary))], [{ name: 'acknowledged' }]);
  assert.deepEqual([...(await names(standby))], [{ name: 'acknowledged' }, { name: 'moved' }]);
  await database.close();
});

test('a primary that stops answering is left within 2 s of a promotion, and its statements fail at once', async () => {
  const cluster = await startCluster();
  const { primary, standby } = cluster;
  const database = await openPostgres(cluster.url, { migrates: false });
  await database.listen('news', { onMessage: () => {} });
  await database.runScript('CREATE TABLE rows (name text)');
  await cluster.untilCaughtUp();
  primary.freeze();
  const stuck = assert.rejects(database.query(sql`INSERT INTO rows VALUES ('nowhere')`), isUnavailable);
  await standby.promote();
  const promoted = performance.now();
  await stuck;
  await waitUntil('writes go to the new primary', () =>
    database.query(sql`INSERT INTO rows VALUES ('moved')`).then(
      () => true,
      () => false,
    ),
  );
  assert.ok(performance.now() - promoted < 2_000, `${performance.now() - promoted} ms`);
  primary.thaw();
  await database.close();
});

test('a first host that drops packets and one that closes connections delay a connection by less than a second', async () => {
  const cluster = await startCluster();
  const open = new Set<Socket>();
  const silent = createServer((socket) => void open.add(socket));
  const rude = createServer((socket) => void socket.destroy());
  for (const server of [silent, rude]) await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const [first, second] = [silent, rude].map(
    (server) => `127.0.0.1:${(server.address() as { port: number }).port}`,
  );
  const began = performance.now();
  const database = await openPostgres(
    `postgres://pullquote@${first},${second},${cluster.primary.host}/postgres`,
    { migrates: false },
  );
  assert.ok(performance.now() - began < 1_500, `${performance.now() - began} ms`);
  const again = performance.now();
  await Promise.all(Array.from({ length: 5 }, () => database.transaction((tx) => tx.query(sql`SELECT 1`))));
  assert.ok(performance.now() - again < 500, `${performance.now() - again} ms`);
  await database.close();
  for (const socket of open) socket.destroy();
  silent.close();
  rude.close();
});

test('a start without a primary names each server and what is wrong with it', async () => {
  const cluster = await startCluster();
  await cluster.primary.stop();
  await assert.rejects(openPostgres(cluster.url), (error: Error) => {
    assert.match(
      error.message,
      new RegExp(`at ${cluster.primary.host}, ${cluster.standby.host}: no server is the primary`),
    );
    assert.match(
      error.message,
      new RegExp(`${cluster.standby.host} is a standby; ${cluster.primary.host}: .*ECONNREFUSED`),
    );
    return true;
  });
});
