import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, freshDatabase } from '../test/build-app.ts';
import { makeClone } from '../test/make-clone.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

test('a start that fails leaves nothing open, so that the next can have the same folders', async () => {
  const root = temporaryFolder();
  makeClone(root, 'acme/rocket');
  const database = await freshDatabase();
  const start = (environment: Record<string, string>) => buildTestApp({ database, environment });
  await assert.rejects(start({ GIT_REPOS: `${root}/elsewhere` }), /elsewhere/);
  const before = process.getActiveResourcesInfo().filter((name) => name === 'Worker').length;
  assert.equal(before, 0);
  const app = await start({ GIT_REPOS: root });
  assert.equal((await app.call('GET', '/healthz')).status, 200);
});
