import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { mintLocalToken } from '../../src/code-hosts/git/local-token.ts';
import { loadSecretKeys } from '../../src/load-secret-keys.ts';
import { freshDatabase } from '../build-app.ts';
import { projectFolder, startService } from '../start-service.ts';
import { waitUntil } from '../wait-until.ts';

test('while the embedded database hangs, what is kept is served, the rest is 503, and the service can be ended', {
  skip: onPostgres && 'about the embedded database',
}, async () => {
  const database = await freshDatabase();
  const service = await startService({
    environment: { ...database, NODE_OPTIONS: `--import=${join(projectFolder, 'test/hang-database.ts')}` },
  });
  const keys = loadSecretKeys({ dataFolder: database.PULLQUOTE_DATA ?? '', secretKeys: undefined });
  const expiresAt = new Date(Date.now() + 3_600_000);
  const token = mintLocalToken(keys, { name: 'ann', expiresAt, singleUse: false });
  const get = (path: string, headers = {}) => fetch(`${service.url}${path}`, { headers });
  // Nothing is kept before the service hears of changes; two answers of the same moment are one that is kept.
  let ranking = '';
  await waitUntil('the ranking is kept', async () => {
    const before = ranking;
    ranking = await (await get('/ranking/articles/likes')).text();
    return ranking === before;
  });

  service.child.kill('SIGUSR2');
  await waitUntil('it hangs', () => service.output().stdout.includes('The database hangs.'));
  const kept = await get('/ranking/articles/likes');
  assert.deepEqual([kept.status, await kept.text()], [200, ranking]);
  const health = await get('/healthz');
  assert.equal(health.status, 503);
  assert.match(await health.text(), /"field":"database","problem":"does not answer/);
  for (const attempt of ['who waits', 'who comes later']) {
    const refused = await get('/users/me', { authorization: `Bearer ${token}` });
    assert.equal(refused.status, 503, attempt);
    assert.match(await refused.text(), /"code":"UNAVAILABLE"/);
  }
  await service.stop();
});
