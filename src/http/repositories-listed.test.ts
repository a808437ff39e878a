import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildGitHubApp } from '../../test/github/build-github-app.ts';
import { pull, repository, type StandInRepository } from '../../test/github/state.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { SavedTokens } from '../actions/accounts/saved-tokens.ts';
import { createCallerOn } from '../actions/repositories/find-repository.ts';
import { renewListedRepositories } from '../actions/repositories/renew-listed-repositories.ts';
import { RepositoryRenewals } from '../actions/repositories/renew-repositories.ts';
import { loadSecretKeys } from '../data-folder.ts';
import { sql } from '../db/sql.ts';

const minute = 60_000;
const hour = 60 * minute;
const { app, github, join } = await buildGitHubApp({ environment: { GITHUB_TOKEN: 'ghp_tokenOfservice' } });
await join('service');
const token = await join('reader');

let ids = 100;

/** A repository with an article; the reader likes it and follows the repository. */
async function write(repo: string, rest: Partial<StandInRepository> = {}): Promise<StandInRepository> {
  ids += 1;
  const on = repository(ids, `zoo/${repo}`, { pulls: [pull(1, `canary-of-${repo}`)], ...rest });
  github.state.repositories.push(on);
  const body = { language: 'en' };
  const written = await app.call('POST', `/repos/zoo/${repo}/pulls/1/article`, { token, body });
  assert.equal(written.status, 201, written.text);
  await app.call('POST', `/articles/${written.body.data.id}/language/en/like`, { token });
  await app.call('POST', '/users/me', { token, body: { owner: 'zoo', repo } });
  return on;
}

const remove = (on: StandInRepository): void => {
  github.state.repositories.splice(github.state.repositories.indexOf(on), 1);
};

/** Changes of a public repository. */
const fates: Record<string, (on: StandInRepository) => void> = {
  private: (on) => Object.assign(on, { visibility: 'private' }),
  deleted: remove,
  replaced: (on) => {
    remove(on);
    ids += 1;
    const another = repository(ids, `${on.owner}/${on.name}`, { pulls: [pull(1, 'another')] });
    github.state.repositories.push(another);
  },
};

const publicLists = [
  '/articles?limit=100',
  '/articles?owner=zoo&limit=100',
  '/ranking/articles/likes?limit=100',
  '/ranking/articles/likes?owner=zoo&limit=100&period=all',
  '/',
  '/?period=all',
].map((path) => ({ path, by: undefined }));
const ownLists = [
  '/articles?limit=100',
  '/',
  '/users/me/liked-articles?limit=100',
  '/users/me/favorite-repositories?limit=100',
  '/liked',
].map((path) => ({ path, by: token }));
const lists = [...publicLists, ...ownLists];

/** The lists that mention a repository, each with its total. */
async function listsThatTell(words: string, among: { path: string; by: string | undefined }[] = lists) {
  const told: string[] = [];
  for (const { path, by } of among) {
    const { text, body } = await app.call('GET', path, { token: by });
    if (text.includes(words)) told.push(`${path} (${body?.data.pagination.totalItems})`);
  }
  return told;
}

/** Empties all lists before a test. */
const forget = () =>
  app.database.runScript(
    'TRUNCATE repositories CASCADE; TRUNCATE ranking_totals, ranking_sums, article_totals, article_sums',
  );

/** Records requests for repositories by id: whether they were conditional, and their status. */
function watchQuestions(): { answers: string[]; stop: () => void } {
  const answers: string[] = [];
  const stop = github.script(/^\/repositories\/\d+$/, async (response, pass, request) => {
    await pass();
    const known = request.headers['if-none-match'] ? 'known' : 'unknown';
    answers.push(`${request.url?.replace(/.*\//, '')} ${known} ${response.statusCode}`);
  });
  return { answers, stop };
}

test('a repository that is private, gone or replaced leaves every list when LIST_HOURS pass without confirmation', async () => {
  for (const [fate, become] of Object.entries(fates)) {
    await forget();
    const on = await write(`lists-first-${fate}`);
    const shown = await listsThatTell(on.name);
    assert.equal(shown.length, lists.length, shown.join());
    become(on);
    app.advance(24 * hour - 1);
    assert.equal(
      (await listsThatTell(on.name)).length,
      lists.length,
      'they go by what was said within a day',
    );
    app.advance(1);
    assert.deepEqual(await listsThatTell(on.name), []);
    for (const { path, by } of lists) {
      const { body } = await app.call('GET', path, { token: by });
      assert.equal(body?.data.pagination.totalItems ?? 0, 0, path);
    }
    app.advance(39 * 24 * hour);
    assert.deepEqual(await listsThatTell(on.name), []);
  }
});

test('a repository that is private, gone or replaced leaves every list when its article is read after five minutes', async () => {
  for (const [fate, become] of Object.entries(fates)) {
    await forget();
    const on = await write(`details-first-${fate}`);
    await listsThatTell(on.name);
    become(on);
    app.advance(5 * minute);
    assert.equal((await app.call('GET', `/repos/zoo/${on.name}/pulls/1`)).status, 404);
    await waitUntil('memory has heard of it', async () => (await listsThatTell(on.name)).length === 0);
  }
});

test('in the background, listed repositories are confirmed by id with conditional requests; renames stay, others leave', async () => {
  await forget();
  const stays = await write('stays');
  const renamed = await write('renamed');
  const others = [];
  for (const fate of Object.keys(fates)) others.push(await write(`background-${fate}`));
  const watched = watchQuestions();
  const round = async () => {
    app.advance(21 * hour);
    await app.lists.run();
    return watched.answers.splice(0).toSorted();
  };
  const all = [stays, renamed, ...others];
  assert.deepEqual(await round(), all.map(({ id }) => `${id} unknown 200`).toSorted());
  renamed.name = 'another-name';
  for (const [index, become] of Object.values(fates).entries()) become(others[index] ?? assert.fail());
  const expected = [
    `${stays.id} known 304`,
    `${renamed.id} known 200`,
    ...others.map(({ id }) => `${id} known 404`),
  ];
  assert.deepEqual(await round(), expected.toSorted());
  for (const on of others) assert.deepEqual(await listsThatTell(on.name), []);
  const still = [
    `${stays.id} known 304`,
    `${renamed.id} known 304`,
    ...others.map(({ id }) => `${id} known 404`),
  ];
  assert.deepEqual(await round(), still.toSorted(), 'those that are gone, whether they are back');
  watched.stop();
  for (const on of [stays, renamed]) assert.equal((await listsThatTell(on.name)).length, lists.length);
});

test("a background round of access checks uses a minute's share of a tenth of GitHub's limit, even if two start at once, and pauses when GitHub asks; after three failures the quota is 0 for 30 s", async () => {
  await forget();
  for (let index = 0; index < 12; index += 1) await write(`many-${index}`);
  const { database, codeHosts, config } = app;
  const clock = app.now;
  const { confirmedWithinMs } = config;
  const other = () => {
    const callerOn = createCallerOn(new SavedTokens({ database, secretKeys: loadSecretKeys(config), clock }));
    const renewals = new RepositoryRenewals({ database, codeHosts, callerOn, clock });
    return renewListedRepositories({ database, codeHosts, renewals, clock, confirmedWithinMs });
  };
  github.takeCalls();
  const said = { status: 200, headers: {} as Record<string, string> };
  const stop = github.script(/^\/repositories\//, async (response, pass) => {
    for (const [name, value] of Object.entries(said.headers)) response.setHeader(name, value);
    if (said.status === 0) return void response.destroy();
    if (said.status === 200) return pass();
    response.writeHead(said.status).end('{"message":"no"}');
  });
  const asked = async () => {
    await Promise.all([app.lists.run(), other()]);
    return github.takeCalls().length;
  };
  app.advance(20 * hour);
  assert.equal(await asked(), 8, '500 an hour of 5,000, a minute of them at a time');
  app.advance(57 * 1_000);
  assert.equal(await asked(), 0, 'it is not yet time');
  app.advance(1_000);
  assert.equal(await asked(), 4, 'the rest');

  app.advance(21 * hour);
  Object.assign(said, { headers: { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '1' } });
  assert.equal(await asked(), 1, 'the first answer says that it is sixty');
  app.advance(minute);
  assert.equal(await asked(), 1);
  app.advance(9 * minute);
  assert.equal(await asked(), 0, 'six an hour of sixty');
  app.advance(minute);
  assert.equal(await asked(), 1);

  Object.assign(said, { status: 429, headers: { 'retry-after': '1800' } });
  app.advance(10 * minute);
  assert.equal(await asked(), 1);
  Object.assign(said, { status: 200, headers: { 'x-ratelimit-limit': '5000' } });
  app.advance(29 * minute);
  assert.equal(await asked(), 0, 'it said to wait');
  app.advance(minute);
  assert.ok((await asked()) >= 1);

  Object.assign(said, { status: 0 });
  app.advance(20 * hour);
  for (const spare of [500, 500, 0]) {
    app.advance(minute);
    await asked();
    assert.equal(codeHosts[0]?.backgroundQuota(), spare, 'it is silent after three failures');
  }
  app.advance(30_000);
  assert.equal(codeHosts[0]?.backgroundQuota(), 500);
  stop();
});

test('a repository that always fails is asked for at growing intervals, without delaying others', async () => {
  await forget();
  const stuck = await write('stuck');
  const fine = await write('fine');
  const questions: number[] = [];
  let start = app.now().getTime();
  const stop = github.script(new RegExp(`^/repositories/${stuck.id}$`), (response) => {
    questions.push(Math.round((app.now().getTime() - start) / minute));
    response.writeHead(500).end('{"message":"no"}');
  });
  app.advance(20 * hour);
  start = app.now().getTime();
  for (let passed = 0; passed < 10 * 60; passed += 10) {
    await app.lists.run();
    app.advance(10 * minute);
  }
  stop();
  const pauses = questions.slice(1).map((at, index) => at - (questions[index] ?? 0));
  assert.ok(pauses.length >= 3 && pauses.length <= 8, questions.join());
  assert.deepEqual(
    pauses,
    pauses.toSorted((one, next) => one - next),
  );
  assert.equal((await listsThatTell(fine.name)).length, lists.length);
  assert.deepEqual(await listsThatTell(stuck.name), []);
});

test("a private repository is confirmed with its viewer's own token after they open a list, or leaves their lists", async () => {
  await forget();
  const visibleTo = new Set(['reader', 'service']);
  const on = await write('mine', { visibility: 'private', visibleTo });
  const own = ownLists.map(({ path }) => path);
  assert.deepEqual(
    (await listsThatTell(on.name)).map((told) => told.replace(/ .*/, '')),
    own,
  );
  github.takeCalls();
  app.advance(21 * hour);
  await app.lists.run();
  assert.deepEqual(github.takeCalls(), [], 'nobody else is asked with');
  const confirmed = async () => {
    const [row] = await app.database.query<{ at: Date }>(
      sql`SELECT confirmed_at AS at FROM repository_grants WHERE NOT withdrawn`,
    );
    return row?.at.getTime();
  };
  const held = Promise.withResolvers<void>();
  const stop = github.script(/^\/repositories\//, async (_response, pass) => {
    await held.promise;
    await pass();
  });
  assert.equal((await listsThatTell(on.name, ownLists)).length, own.length, 'the answer waits for nobody');
  held.resolve();
  await waitUntil('it is confirmed', async () => (await confirmed()) === app.now().getTime());
  stop();
  app.advance(23 * hour);
  // An earlier request may still be pending, and must not see the next change.
  const told = Promise.withResolvers<void>();
  const end = github.script(/^\/repositories\//, async (_response, pass) => {
    await told.promise;
    await pass();
  });
  assert.equal((await listsThatTell(on.name, ownLists.slice(0, 1))).length, 1);
  visibleTo.delete('reader');
  told.resolve();
  await waitUntil('it is noticed', async () => (await confirmed()) === undefined);
  end();
  assert.deepEqual(await listsThatTell(on.name), []);
});
