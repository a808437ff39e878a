import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshDatabase } from '../../test/build-app.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { openPostgres } from './postgres.ts';
import { sql } from './sql.ts';

test('connections that are idle for `idleMs` are closed, and later statements get new ones', async () => {
  const { DATABASE_URL = '' } = await freshDatabase();
  const onlooker = await openPostgres(DATABASE_URL, { connections: 1 });
  const database = await openPostgres(DATABASE_URL, { connections: 4, idleMs: 40 });
  const connections = async (): Promise<number> =>
    (await onlooker.value<number>(sql`
      SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`)) ??
    0;
  let [waiting, mostOpen] = [0, 0];
  const allAreWaiting = Promise.withResolvers<void>();
  const hold = () =>
    database.transaction(async () => {
      waiting += 1;
      if (waiting === 4) allAreWaiting.resolve();
      await allAreWaiting.promise;
      mostOpen = Math.max(mostOpen, await connections());
    });
  await Promise.all([hold(), hold(), hold(), hold()]);
  assert.equal(mostOpen, 4);
  await waitUntil('no connection is left', async () => (await connections()) === 0);
  assert.equal(await database.value<number>(sql`SELECT 1`), 1);
  await database.close();
  await onlooker.close();
});
