import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import postgres from 'postgres';
import { openDatabase } from './backups.ts';
import { freshDatabase } from './build-app.ts';
import { countLockWaits } from './operator-of.ts';
import { waitUntil } from './wait-until.ts';

test('every test query about sessions or locks of the server names its database', () => {
  const files = globSync(['src/**/*.test.ts', 'test/**/*.ts']);
  const ofServer = /pg_(?:locks|stat_activity)/;
  const found = files.flatMap((file) =>
    (readFileSync(file, 'utf8').match(/`[^`]*`/g) ?? [])
      .filter((text) => ofServer.test(text) && !/datname = /.test(text))
      .map((text) => `${file}: ${text}`),
  );
  assert.deepEqual(found, []);
});

test('`countLockWaits` counts the sessions of its own database only', async () => {
  const [busy, quiet] = [await freshDatabase(), await freshDatabase()];
  const other = await openDatabase(quiet);
  const database = await openDatabase(busy);
  const client = postgres(busy.DATABASE_URL ?? '', { max: 1 });
  await client`SELECT 1`;
  await database.transaction(async (tx) => {
    await tx.runScript('LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
    const waiting = client`SELECT 1 FROM users`.then(() => {});
    await waitUntil('it waits', async () => (await countLockWaits(database)) === 1);
    assert.equal(await countLockWaits(other), 0);
    waiting.catch(() => {});
  });
  await client.end();
  await database.close();
  await other.close();
});
