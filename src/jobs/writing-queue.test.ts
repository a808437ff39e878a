import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, freshDatabase } from '../../test/build-app.ts';
import { hasQueueTables } from '../db/queue-tables.ts';

test('the queue has its tables before anybody is served, who would wait while they are made', async () => {
  const { database } = await buildTestApp({ database: await freshDatabase({ isEmpty: true }) });
  assert.equal(await hasQueueTables(database), true);
});
