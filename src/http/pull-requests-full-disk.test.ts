import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { makeClone } from '../../test/make-clone.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { sql } from '../db/sql.ts';

const root = temporaryFolder();
for (const name of ['open', 'hidden']) makeClone(root, `acme/${name}`, 'Begin (#1)');
const app = await buildTestApp({ environment: { GIT_REPOS: root, GIT_PRIVATE: 'acme/hidden=ann' } });
const token = await app.signUp('ann');

/** Makes every write about a repository fail as on a full disk. */
async function fillDisk(): Promise<void> {
  await app.database.query(sql`
    CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN RAISE EXCEPTION ''no room'' USING ERRCODE = ''disk_full''; END'`);
  for (const table of [sql`repositories`, sql`repository_grants`]) {
    await app.database.query(
      sql`CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON ${table} EXECUTE FUNCTION no_room()`,
    );
  }
}

test('on a full disk pull requests are listed, also of private repositories, and ingests get 507', async () => {
  await fillDisk();
  for (const name of ['open', 'hidden']) {
    const { status, body, text } = await app.call('GET', `/repos/acme/${name}/pulls`, { token });
    assert.equal(status, 200, text);
    assert.equal(body.data.items.length, 1);
    const ingested = await app.call('POST', `/repos/acme/${name}/pulls/1/ingest`, { token });
    assert.equal(ingested.status, 507, ingested.text);
  }
  const stranger = await app.signUp('bo');
  assert.equal((await app.call('GET', '/repos/acme/hidden/pulls', { token: stranger })).status, 404);
});
