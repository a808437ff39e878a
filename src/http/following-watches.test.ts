import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp, freshDatabase } from '../../test/build-app.ts';
import { git, makeClone } from '../../test/make-clone.ts';
import { onlyTo, scriptHost } from '../../test/script-host.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { removeRepository } from '../actions/repositories/remove-repository.ts';
import { sql } from '../db/sql.ts';

const minute = 60_000;
const root = temporaryFolder();
const rocket = makeClone(root, 'acme/rocket', 'feat: change 1 (#1)');
const vault = makeClone(root, 'acme/vault', 'feat: change 1 (#1)');
const empty = makeClone(root, 'acme/empty', 'Begin');
for (const name of ['anvil', 'glider', 'gone']) makeClone(root, `acme/${name}`, 'Begin');
const environment = { GIT_REPOS: root, WATCHES_PER_USER: '3', WRITERS: '1' };
const settings = await freshDatabase();
const app = await buildTestApp({ environment, database: settings, frozen: true });
const script = scriptHost(app);
const { call, database } = app;

/** Merges a pull request into a clone, by an author and on a date. */
function merge(clone: string, number: number, { author = 'Rin <rin@example.org>', day = '' } = {}): void {
  writeFileSync(join(clone, `file-${number}.ts`), `export const change = ${number};\n`);
  git(clone, 'add', '.');
  const date = day ? ['--date', day] : [];
  git(
    clone,
    'commit',
    '--quiet',
    '--author',
    author,
    ...date,
    '--message',
    `feat: change ${number} (#${number})`,
  );
}

async function favorite(token: string, repo: string): Promise<string> {
  return (await call('POST', '/users/me', { token, body: { owner: 'acme', repo } })).body.data.id;
}

const watch = (token: string, id: string, body: object = {}) =>
  call('PUT', `/users/me/favorite-repositories/${id}/watch`, { token, body });

const watches = async (token: string) => (await call('GET', '/users/me/watches', { token })).body.data.items;

/** The planned articles, in the order in which they are written. */
async function planned(repo: string): Promise<string[]> {
  const rows = await database.query<{ number: number; language: string }>(sql`
    SELECT pr_number AS number, language_code AS language
    FROM jobs JOIN repositories ON repositories.id = repository_id
    WHERE work = 'planned' AND parent_id IS NULL AND name = ${repo} ORDER BY jobs.created_at, language_code, turn`);
  return rows.map(({ number, language }) => `${number} ${language}`);
}

const written = async (token: string, repo: string): Promise<number[]> => {
  const { body } = await call('GET', `/articles?owner=acme&repo=${repo}&limit=100`, { token });
  return body.data.items.map(({ prNumber }: { prNumber: number }) => prNumber);
};

test('a watch is created, changed and deleted once, and the favorite keeps its seven fields', async () => {
  const token = await app.signUp('ann');
  const id = await favorite(token, 'anvil');
  const first = await watch(token, id);
  assert.equal(first.status, 201);
  const begun = {
    favoriteId: id,
    host: 'git',
    owner: 'acme',
    repo: 'anvil',
    language: 'ja',
    labels: [],
    includeBots: false,
    since: app.now().toISOString(),
    lastSeenAt: null,
    paused: null,
  };
  assert.deepEqual(first.body.data, { ...begun, language: first.body.data.language });
  const again = await watch(token, id, { language: 'en', labels: [], includeBots: true });
  assert.equal(again.status, 200);
  const changed = { ...begun, language: 'en', includeBots: true };
  assert.deepEqual(again.body.data, changed);
  assert.deepEqual(await watches(token), [changed]);
  const [shown] = (await call('GET', '/users/me/favorite-repositories', { token })).body.data.items;
  assert.equal(Object.keys(shown).length, 7);
  const end = () => call('DELETE', `/users/me/favorite-repositories/${id}/watch`, { token });
  assert.deepEqual([(await end()).status, (await end()).status], [200, 404]);
  assert.deepEqual(await watches(token), []);
});

test("a watch of another user's favorite, with invalid fields, or beyond WATCHES_PER_USER is refused", async () => {
  const token = await app.signUp('bea');
  const id = await favorite(token, 'anvil');
  const other = await app.signUp('cid');
  assert.equal((await watch(other, id)).status, 404);
  assert.equal((await watch(other, crypto.randomUUID())).status, 404);
  assert.equal((await watch(token, 'one')).status, 400);
  const refused = [
    { language: 'english' },
    { language: null },
    { labels: 'bug' },
    // Clones have no labels.
    { labels: ['bug'] },
    { labels: [''] },
    { labels: ['x'.repeat(51)] },
    { labels: Array.from({ length: 21 }, (_, index) => `label ${index}`) },
    { includeBots: 'yes' },
    { bots: true },
  ];
  for (const body of refused) assert.equal((await watch(token, id, body)).status, 400, JSON.stringify(body));
  assert.equal((await watch(token, id, { language: 'fr' })).body.error.code, 'LANGUAGE_UNAVAILABLE');
  assert.equal((await call('PUT', `/users/me/favorite-repositories/${id}/watch`, { body: {} })).status, 401);
  const ids = await Promise.all(['rocket', 'empty', 'glider'].map((repo) => favorite(token, repo)));
  const all = await Promise.all([id, ...ids].map((one) => watch(token, one, { language: 'en' })));
  assert.deepEqual(all.map(({ status }) => status).toSorted(), [201, 201, 201, 403]);
  const tooMany = all.find(({ status }) => status === 403);
  assert.match(tooMany?.body.error.message, /already watch 3 repositories.*WATCHES_PER_USER/);
  assert.equal((await watches(token)).length, 3);
  await call('DELETE', '/users/me', { token });
});

test('a watch ends with its favorite, its account and the removal of its repository', async () => {
  const [one, two] = [await app.signUp('dan'), await app.signUp('eve')];
  for (const token of [one, two]) {
    await watch(token, await favorite(token, 'glider'), { language: 'en' });
    await watch(token, await favorite(token, 'gone'), { language: 'en' });
  }
  const count = async () =>
    (await database.query<{ all: number }>(sql`SELECT count(*) AS all FROM watches`))[0]?.all;
  assert.equal(await count(), 4);
  const [{ favoriteId }] = (await watches(one)).filter(({ repo }: { repo: string }) => repo === 'glider');
  await call('DELETE', `/users/me/favorite-repositories/${favoriteId}`, { token: one });
  assert.equal(await count(), 3);
  await removeRepository(
    { database, clock: app.now },
    { host: 'git', owner: 'acme', name: 'gone', number: null },
  );
  assert.equal(await count(), 1);
  await call('DELETE', '/users/me', { token: two });
  assert.equal(await count(), 0);
  app.advance(11 * minute);
  await app.watching.run();
  assert.equal((await database.query(sql`SELECT 1 FROM watched_repositories`)).length, 0);
});

test('a followed clone gets its last five merges, then new ones once each, regardless of their commit dates', async () => {
  for (let number = 2; number <= 7; number += 1) merge(rocket, number);
  const [token, other] = [await app.signUp('fay'), await app.signUp('gus')];
  await watch(token, await favorite(token, 'rocket'), { language: 'en' });
  await app.watching.run();
  assert.deepEqual((await planned('rocket')).length, 5);
  await waitUntil('the last five are written', async () => (await written(token, 'rocket')).length === 5);
  assert.equal((await watches(token))[0].lastSeenAt, app.now().toISOString());

  await watch(other, await favorite(other, 'rocket'), { language: 'ja', includeBots: true });
  await app.watching.run();
  assert.deepEqual(
    (await planned('rocket')).slice(5).every((one) => one.endsWith(' ja')),
    true,
  );
  const before = (await planned('rocket')).length;
  merge(rocket, 8, { day: '2001-02-03T04:05:06Z' });
  merge(rocket, 9, { author: 'dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>' });
  merge(rocket, 10);
  await app.watching.run();
  assert.equal((await planned('rocket')).length, before, 'it is not asked before its time');
  for (let round = 0; round < 3; round += 1) {
    app.advance(10 * minute);
    await app.watching.run();
  }
  const after = (await planned('rocket')).slice(before);
  assert.deepEqual(after.toSorted(), ['10 en', '10 ja', '8 en', '8 ja', '9 ja']);
  await waitUntil('they are written', async () => (await written(token, 'rocket')).includes(10));
});

test('a followed clone without pull requests gets an article for the first merge', async () => {
  const token = await app.signUp('hal');
  await watch(token, await favorite(token, 'empty'), { language: 'en' });
  await app.watching.run();
  assert.deepEqual(await planned('empty'), []);
  merge(empty, 1);
  app.advance(10 * minute);
  await app.watching.run();
  assert.deepEqual(await planned('empty'), ['1 en']);
});

test('a follower without access sees a paused watch and no news, and it resumes with access', async () => {
  const [keeper, former] = [await app.signUp('ivy'), await app.signUp('jon')];
  script.decide = async (found, viewer) =>
    found.name === 'vault' ? onlyTo('ivy', 'jon')(found, viewer) : found;
  for (const token of [keeper, former])
    await watch(token, await favorite(token, 'vault'), { language: token === former ? 'ja' : 'en' });
  await app.watching.run();
  assert.deepEqual(await planned('vault'), ['1 en', '1 ja']);
  const [known] = await watches(former);
  script.decide = async (found, viewer) => (found.name === 'vault' ? onlyTo('ivy')(found, viewer) : found);
  app.advance(10 * minute);
  assert.equal((await call('GET', '/repos/acme/vault/pulls/1', { token: former })).status, 404);
  merge(vault, 2);
  await app.watching.run();
  const [paused] = await watches(former);
  assert.deepEqual({ ...paused, paused: null }, known);
  assert.equal(paused.paused.reason, 'noRights');
  assert.deepEqual(await planned('vault'), ['1 en', '1 ja', '2 en'], 'nothing is written for them');
  assert.equal((await watches(keeper))[0].paused, null);

  script.decide = async (found, viewer) => (found.name === 'vault' ? onlyTo()(found, viewer) : found);
  app.advance(10 * minute);
  await app.watching.run();
  assert.equal((await watches(keeper))[0].paused.reason, 'noRights');
  merge(vault, 3);
  app.advance(10 * minute);
  await app.watching.run();
  assert.equal((await planned('vault')).length, 3);

  script.decide = async (found, viewer) => (found.name === 'vault' ? onlyTo('jon')(found, viewer) : found);
  app.advance(10 * minute);
  await app.watching.run();
  assert.equal((await watches(former))[0].paused, null, 'it resumes with whoever may see it');
  assert.equal((await watches(keeper))[0].paused.reason, 'noRights');
  assert.deepEqual((await planned('vault')).slice(3), ['3 ja']);
  script.decide = async (found) => found;
});

test('a process that starts does not poll a repository that another process has claimed', async () => {
  await app.close();
  const next = await buildTestApp({ environment, database: settings, frozen: true });
  const until = new Date(next.now().getTime() + 4 * minute);
  merge(empty, 2);
  await next.database.query(
    sql`UPDATE watched_repositories SET due_at = ${next.now()}, claimed_until = ${until}`,
  );
  await next.watching.run();
  const isPlanned = await next.database.query(
    sql`SELECT 1 FROM jobs JOIN repositories ON repositories.id = repository_id
        WHERE name = 'empty' AND pr_number = 2`,
  );
  assert.equal(isPlanned.length, 0);
});
