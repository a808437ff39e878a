import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { makeClone } from '../../test/make-clone.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

const minute = 60_000;
const hour = 60 * minute;
const root = temporaryFolder();
makeClone(root, 'acme/secret', 'feat: begin (#1)');
makeClone(root, 'acme/rocket', 'feat: begin (#1)');
const app = await buildTestApp({
  environment: { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann' },
  frozen: true,
});
const ann = await app.signUp('ann');
for (const repo of ['secret', 'rocket']) {
  const fetched = await app.call('POST', `/repos/acme/${repo}/pulls/1/ingest`, { token: ann });
  assert.equal(fetched.status, 201);
}

/** Makes writes to these tables fail as on a full disk. */
await app.database.runScript(`
  CREATE FUNCTION refuse_for_want_of_room() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
  CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON repositories EXECUTE FUNCTION refuse_for_want_of_room();
  CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON repository_grants EXECUTE FUNCTION refuse_for_want_of_room();
  CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON pull_requests EXECUTE FUNCTION refuse_for_want_of_room();
  CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON sessions EXECUTE FUNCTION refuse_for_want_of_room()`);

test('a write that the database has no room for is 507', async () => {
  const { status, body } = await app.call('POST', '/auth/session', { token: ann });
  assert.deepEqual([status, body.error.code], [507, 'STORAGE_FULL']);
});

test('a repository stays readable if its access check cannot be stored', async () => {
  app.advance(6 * minute);
  for (const repo of ['secret', 'rocket']) {
    assert.equal((await app.call('GET', `/repos/acme/${repo}/pulls/1`, { token: ann })).status, 200, repo);
  }
  assert.equal((await app.call('GET', '/repos/acme/rocket/pulls/1')).status, 200);
  assert.equal((await app.call('GET', '/repos/acme/secret/pulls', { token: ann })).status, 200);
});

test('a pull request stays readable if its use cannot be stored', async () => {
  app.advance(2 * hour);
  const token = app.tokenFor('ann');
  for (const path of ['', '/files', '/diff'])
    assert.equal((await app.call('GET', `/repos/acme/rocket/pulls/1${path}`, { token })).status, 200, path);
  app.advance(-2 * hour);
});

test('a repository that its host no longer shows is hidden even if that cannot be stored', async () => {
  const [git = assert.fail('there is no host')] = app.codeHosts;
  git.findRepositoryById = async () => null;
  app.advance(6 * minute);
  for (const repo of ['secret', 'rocket']) {
    assert.equal((await app.call('GET', `/repos/acme/${repo}/pulls/1`, { token: ann })).status, 404, repo);
  }
  assert.equal((await app.call('GET', '/repos/acme/rocket/pulls/1')).status, 404);
});
