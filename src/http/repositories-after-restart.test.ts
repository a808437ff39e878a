import assert from 'node:assert/strict';
import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp, freshDatabase, type TestApp } from '../../test/build-app.ts';
import { makeHistory } from '../../test/make-history.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { examineAll } from '../cli/doctor/doctor.ts';
import { sql } from '../db/sql.ts';

const minute = 60_000;
const code = temporaryFolder();
const elsewhere = temporaryFolder();
const database = await freshDatabase();
const html = { accept: 'text/html' };

let announced: string[] = [];

function start(environment: Record<string, string> = {}): Promise<TestApp> {
  announced = [];
  const settings = { OPERATORS: 'olga,otto', WRITERS: '1', ...environment };
  return buildTestApp({ database, environment: settings, announced });
}

let app = await start({ GIT_ROOTS: code });
const token = app.tokenFor('olga');
await app.call('POST', '/auth/signup', { token, body: { language: 'en' } });

/** Restarts the service on the same database with other settings. */
async function restart(environment: Record<string, string> = {}): Promise<void> {
  await app.close();
  app = await start(environment);
}

const call = (method: string, path: string, body?: object, by = token) =>
  app.call(method, path, { token: by, body });
const statusOf = async (path: string, by?: string) => (await app.call('GET', path, { token: by })).status;
const page = async (path: string, by?: string) =>
  (await app.call('GET', path, { token: by, headers: html })).text;
const watchOf = async () => (await call('GET', '/users/me/watches')).body.data.items[0];

/** Adds a clone with two merged pull requests and an article about the second. */
async function addWritten(name: string, more: object = {}): Promise<{ folder: string; articleId: string }> {
  const folder = makeHistory(code, `acme/${name}`, 2);
  assert.equal((await call('POST', '/added-repositories', { location: folder, ...more })).status, 201);
  const article = await call('POST', `/repos/acme/${name}/pulls/2/article`, { language: 'en' });
  assert.equal(article.status, 201, article.text);
  return { folder, articleId: article.body.data.id };
}

const comet = await addWritten('comet');
await addWritten('covert', { private: true });
assert.equal((await call('POST', `/articles/${comet.articleId}/language/en/like`)).status, 201);
const favorite = await call('POST', '/users/me', { owner: 'acme', repo: 'comet' });
await call('PUT', `/users/me/favorite-repositories/${favorite.body.data.id}/watch`, { language: 'en' });
await app.watching.run();

test('clones added with GIT_ROOTS stay readable without it, with their articles, likes and follows', async () => {
  await restart();
  assert.deepEqual(announced, []);
  assert.equal(await statusOf('/repos/acme/comet/pulls/2/article'), 200);
  const ranked = (await call('GET', '/ranking/articles/likes')).body.data.items;
  assert.deepEqual([ranked.length, ranked[0].likeCount], [1, 1]);
  assert.equal((await watchOf()).paused, null);
  assert.equal((await call('GET', '/repos/acme/comet/pulls?state=closed')).body.data.items.length, 3);
  assert.equal(await statusOf('/repos/acme/covert/pulls/2/article', token), 200);
  assert.equal(await statusOf('/repos/acme/covert/pulls/2/article'), 404);
  // The follow may have written the article already.
  const written = await call('POST', '/repos/acme/comet/pulls/1/article', { language: 'en' });
  assert.ok(written.status === 201 || written.status === 200, written.text);
  const added = await call('POST', '/added-repositories', { location: comet.folder });
  assert.match(added.body.error.message, /does not accept paths\. Set GIT_ROOTS/);
});

test('a clone replaced by a link out of its folder stays unreadable, even if GIT_ROOTS contains the target', async () => {
  const moved = join(elsewhere, 'comet');
  renameSync(comet.folder, moved);
  symlinkSync(moved, comet.folder);
  await restart({ GIT_ROOTS: elsewhere });
  assert.match(
    announced.join('\n'),
    /acme\/comet in .* is skipped: its folder was moved and replaced by a link/,
  );
  assert.equal(await statusOf('/repos/acme/comet/pulls/2/article', token), 404);
  assert.equal((await watchOf()).paused.reason, 'noRights');
  assert.doesNotMatch(await page('/favorites', token), /lost access|its owners/i);
  assert.match(await page('/add', token), /folder was moved and replaced by a link/);
  rmSync(comet.folder);
  renameSync(moved, comet.folder);
  await restart();
  assert.equal(await statusOf('/repos/acme/comet/pulls/2/article'), 200);
});

test('a clone without a stored root is unreadable until a start with GIT_ROOTS containing it, and readable at later starts without it', async () => {
  await restart();
  await app.database.query(sql`UPDATE added_repositories SET root = NULL`);
  await restart();
  assert.match(announced.join('\n'), /acme\/comet in .* no folder in GIT_ROOTS contains it/);
  assert.equal(await statusOf('/repos/acme/comet/pulls/2/article', token), 404);
  await restart({ GIT_ROOTS: elsewhere });
  assert.equal(await statusOf('/repos/acme/comet/pulls/2/article', token), 404);
  await restart({ GIT_ROOTS: code });
  await restart();
  assert.deepEqual(announced, []);
  assert.equal(await statusOf('/repos/acme/comet/pulls/2/article'), 200);
  assert.equal(await statusOf('/repos/acme/covert/pulls/2/article', token), 200);
  assert.equal((await watchOf()).paused, null);
});

test('a missing folder is reported at start, by doctor, on /add and on its page, and its articles stay', async () => {
  const away = join(elsewhere, 'away');
  renameSync(code, away);
  await restart();
  const named = new RegExp(`acme/comet in ${comet.folder}/.git is skipped: its folder is missing`);
  assert.match(announced.join('\n'), named);
  const findings = await examineAll(app.config);
  assert.match(findings.map(({ sentence }) => sentence).join('\n'), named);
  assert.match(await page('/add', token), /The folder is missing/);
  for (const by of [undefined, token])
    assert.match(await page('/r/acme/comet', by), /folder of this clone is missing on the server/);
  assert.equal(await statusOf('/repos/acme/comet/pulls/2/article'), 200);
  assert.equal(await statusOf('/repos/acme/covert/pulls/2/article', token), 200);
  assert.equal(await statusOf('/repos/acme/covert/pulls/2/article', await app.signUp('otto')), 404);
  const unread = await call('POST', '/repos/acme/comet/pulls/3/article', { language: 'en' });
  assert.deepEqual([unread.status, unread.body.error.code], [502, 'HOST_ERROR']);
  assert.match(unread.body.error.message, /folder of acme\/comet is missing/);
  app.advance(11 * minute);
  await app.watching.run();
  assert.equal((await watchOf()).paused.reason, 'hostAway');
  assert.match((await watchOf()).paused.message, /clone cannot be read/);
  assert.match(await page('/favorites', token), /its clone can’t be read at the moment/);
  app.advance(2 * 60 * minute);
  assert.equal(
    await statusOf('/repos/acme/comet/pulls/2/article'),
    200,
    'after longer than a host may be silent',
  );

  await restart({ GIT_PRIVATE: 'vault/comet=ann' });
  assert.equal(await statusOf('/repos/acme/comet/pulls/2/article', token), 404, 'it may be the private one');
  renameSync(away, code);
  await restart();
  assert.deepEqual(announced, []);
  assert.equal((await call('GET', '/repos/acme/comet/pulls?state=closed')).status, 200);
  assert.doesNotMatch(await page('/r/acme/comet', token), /missing on the server/);
});
