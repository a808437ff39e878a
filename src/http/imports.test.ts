import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { buildTestApp, freshDatabase, type Reply, type TestApp } from '../../test/build-app.ts';
import { buildGitHubApp } from '../../test/github/build-github-app.ts';
import { pull, repository } from '../../test/github/state.ts';
import { makeClone } from '../../test/make-clone.ts';
import { makeHistory } from '../../test/make-history.ts';
import { writeObligingly } from '../../test/model/obliging-writer.ts';
import { startScriptedModel } from '../../test/model/scripted-model.ts';
import { readEvents } from '../../test/read-events.ts';
import { scriptHost } from '../../test/script-host.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { removeRepository } from '../actions/repositories/remove-repository.ts';
import { claimJobs, noteJobWaiting, type PlannedArticle, putJobBack } from '../db/job-queue.ts';
import { sql } from '../db/sql.ts';
import { replanPolls } from '../db/webhooks.ts';

const root = temporaryFolder();
makeHistory(root, 'acme/rocket', 5);
makeHistory(root, 'acme/comet', 5);
makeHistory(root, 'acme/secret', 1);
const environment = { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann', WRITERS: '4' };
const idleEnvironment = { ...environment, WRITERS: '0' };
const database = await freshDatabase();
const app = await buildTestApp({ environment });
/** A service without writers: planned articles are never started. */
const idle = await buildTestApp({ database, environment: idleEnvironment });
for (const on of [app, idle]) for (const name of ['ann', 'bea']) await on.signUp(name);

const post = (on: TestApp, body: object, { repo = 'rocket', by = 'ann' } = {}): Promise<Reply> =>
  on.call('POST', `/repos/acme/${repo}/import`, { token: on.tokenFor(by), body });

async function begin(on: TestApp, body: object, more = {}): Promise<string> {
  const { status, text, headers, body: answer } = await post(on, body, more);
  assert.equal(status, 202, text);
  assert.equal(headers.get('location'), `/jobs/${answer.data.id}`);
  return answer.data.id;
}

const jobOf = async (on: TestApp, id: string, by = 'ann') =>
  (await on.call('GET', `/jobs/${id}`, { token: on.tokenFor(by) })).body.data;

async function untilOver(on: TestApp, id: string) {
  await waitUntil('the import is over', async () =>
    ['done', 'failed', 'cancelled'].includes((await jobOf(on, id)).state),
  );
  return jobOf(on, id);
}

const numbersOf = async (on: TestApp, id: string) =>
  (
    await on.database.query<{ number: number }>(
      sql`SELECT pr_number AS number FROM jobs WHERE parent_id = ${id} ORDER BY turn`,
    )
  ).map(({ number }) => number);

test('an import writes each merged pull request once, lists the others with their errors, and sends its progress as events', async () => {
  const id = await begin(app, { numbers: [3, 6, 2, 3, 77], language: 'en' });
  const events = [];
  const headers = { authorization: `Bearer ${app.tokenFor('ann')}` };
  for await (const event of readEvents(`${app.url}/jobs/${id}/events`, headers)) events.push(event);
  const last = events.at(-1)?.data;
  assert.equal(events.at(-1)?.event, 'done');
  const job = await jobOf(app, id);
  assert.deepEqual(job, { ...last, failures: job.failures });
  assert.deepEqual(job.progress, { step: 'writing', done: 4, total: 4 });
  assert.deepEqual(job.written, [2, 3]);
  assert.deepEqual(job.current, []);
  assert.deepEqual(
    job.failures.map(({ prNumber, error }: { prNumber: number; error: { code: string } }) => [
      prNumber,
      error.code,
    ]),
    [
      [6, 'INVALID_REQUEST'],
      [77, 'PULL_REQUEST_NOT_FOUND'],
    ],
  );
  for (const number of [2, 3])
    assert.equal((await app.call('GET', `/repos/acme/rocket/pulls/${number}/article`)).status, 200);
});

test('`last` and `since` select merged pull requests in merge order, and an identical import is the same job', async () => {
  const id = await begin(idle, { last: 3, language: 'en' });
  assert.deepEqual(await numbersOf(idle, id), [3, 4, 5]);
  assert.equal(await begin(idle, { numbers: [4, 3, 5, 5], language: 'en' }), id);
  assert.notEqual(await begin(idle, { last: 3, language: 'ja' }), id);
  const all = await begin(idle, { since: `${idle.now().getUTCFullYear() - 1}-01-31` });
  assert.deepEqual(await numbersOf(idle, all), [1, 2, 3, 4, 5]);
  const none = await begin(idle, { since: idle.now().toISOString() });
  assert.equal((await jobOf(idle, none)).state, 'done');
  const asked = await Promise.all([1, 2, 4].map((last) => post(idle, { last })));
  const refused = asked.filter(({ status }) => status !== 202);
  assert.deepEqual(
    refused.map(({ status, body }) => [status, body.error.code]),
    [[429, 'RATE_LIMITED']],
    'of requests at once as well',
  );
  await idle.database.query(sql`DELETE FROM jobs`);
});

test('`since` finds a late merge behind 2,000 pull requests opened later, and refuses a range that is too large', async () => {
  const folder = makeClone(root, 'acme/long');
  const opened = Array.from({ length: 2_100 }, (_, index) => index + 2);
  const merge = (number: number, day: string) => {
    const message = `Change (#${number})`;
    const committer = `committer Rin <rin@example.org> ${Date.parse(day) / 1000} +0000`;
    return `commit refs/heads/main\n${committer}\ndata ${message.length}\n${message}\n`;
  };
  const all = [...opened.map((number) => merge(number, '2026-01-10')), merge(1, '2026-02-02')];
  execFileSync('git', ['-C', folder, 'fast-import', '--quiet', '--force'], { input: all.join('') });
  const id = await begin(idle, { since: '2026-02-01' }, { repo: 'long' });
  assert.deepEqual(await numbersOf(idle, id), [1]);
  const { status, body } = await post(idle, { since: '2026-01-01' }, { repo: 'long' });
  assert.deepEqual(
    [status, body.error.details[0].field],
    [400, 'since'],
    'of too many, none is left out silently',
  );
  await idle.database.query(sql`DELETE FROM jobs`);
});

test('`since` is refused if more than 2,000 pull requests have changed since then', async () => {
  const { app: on, github, join } = await buildGitHubApp();
  const token = await join('ann');
  const pulls = Array.from({ length: 2_001 }, (_, index) => pull(index + 1, 'noise', { state: 'closed' }));
  github.state.repositories.push(repository(71, 'acme/rocket', { pulls }));
  const asked = await on.call('POST', '/repos/acme/rocket/import', { token, body: { since: '2026-01-01' } });
  assert.deepEqual([asked.status, asked.body.error?.details[0].field], [400, 'since'], asked.text);
  assert.match(asked.body.error.message, /More than 2,000 closed pull requests have changed since then/);
});

test('an invalid import is 400 before the repository and the user are checked, and creates no job', async () => {
  const bad = [
    {},
    { numbers: [] },
    { numbers: [0] },
    { numbers: Array.from({ length: 201 }, (_, index) => index + 1) },
    { last: 0 },
    { last: 201 },
    { last: 1, numbers: [1] },
    { last: 1, since: '2026-01-01' },
    { since: '2999-01-01' },
    { since: '2026-02-31' },
    { since: 'yesterday' },
    { since: '2026' },
    { first: 1 },
    { last: 1, language: 'xx' },
  ];
  for (const body of bad) {
    const { status, body: answer } = await post(idle, body);
    assert.deepEqual([status, answer.error.code], [400, 'INVALID_REQUEST'], JSON.stringify(body));
  }
  const both = { last: 1, since: '2026-01-01' };
  assert.equal(
    (await post(idle, both, { repo: 'nowhere' })).status,
    400,
    'before the repository is looked for',
  );
  assert.equal((await post(idle, both, { by: 'stranger' })).status, 400, 'before who is no user is told so');
  assert.equal((await post(idle, { last: 1 }, { by: 'stranger' })).body.error.code, 'USER_NOT_FOUND');
  assert.equal((await post(idle, { last: 1, language: 'fr' })).body.error.code, 'LANGUAGE_UNAVAILABLE');
  assert.equal((await idle.database.query(sql`SELECT 1 FROM jobs`)).length, 0);
});

test('an import is visible only to its requester, while the repository is visible to them', async () => {
  const secret = await begin(idle, { last: 1 }, { repo: 'secret' });
  assert.equal((await jobOf(idle, secret)).progress.total, 1);
  const nowhere = await post(idle, { last: 1 }, { repo: 'nowhere', by: 'bea' });
  const hidden = await post(idle, { last: 1 }, { repo: 'secret', by: 'bea' });
  assert.deepEqual([hidden.status, hidden.body.error.code], [404, 'REPOSITORY_NOT_FOUND']);
  assert.equal(hidden.body.error.message, nowhere.body.error.message.replace('nowhere', 'secret'));
  for (const [method, path] of [
    ['GET', `/jobs/${secret}`],
    ['GET', `/jobs/${secret}/events`],
    ['DELETE', `/jobs/${secret}`],
  ] as const)
    assert.equal((await idle.call(method, path, { token: idle.tokenFor('bea') })).status, 404);
  assert.equal((await jobOf(idle, secret)).state, 'queued');
  await removeRepository(
    { database: idle.database, clock: idle.now },
    { host: 'git', owner: 'acme', name: 'secret', number: null },
  );
  assert.equal((await idle.call('GET', `/jobs/${secret}`, { token: idle.tokenFor('ann') })).status, 404);
  await begin(idle, { last: 1 }, { by: 'bea' });
  await idle.call('DELETE', '/users/me', { token: idle.tokenFor('bea') });
  assert.equal((await idle.database.query(sql`SELECT 1 FROM jobs`)).length, 0);
});

async function claimPlanned({ database, now }: TestApp): Promise<PlannedArticle | null> {
  const [job] = await claimJobs(database, 'planned', now());
  return job?.work === 'planned' ? job : null;
}

/** Claims a planned article and requests it, as a worker does, and stops there. */
async function beginOne(on: TestApp): Promise<string> {
  const planned = await claimPlanned(on);
  assert.ok(planned, 'nothing is due');
  const { body } = await on.call('POST', `/repos/acme/${planned.name}/pulls/${planned.prNumber}/article`, {
    token: on.tokenFor('ann'),
    body: { language: 'en' },
    headers: { prefer: 'respond-async' },
  });
  assert.equal(await noteJobWaiting(on.database, planned, body.data.id), true);
  return body.data.id;
}

test('cancelling an import cancels its running article and its remaining plans', async () => {
  const id = await begin(idle, { last: 3, language: 'en' }, { repo: 'comet' });
  const running = await beginOne(idle);
  assert.deepEqual((await jobOf(idle, id)).current, [
    { prNumber: 3, progress: { step: 'queued', done: 0, total: 0 } },
  ]);
  const cancelled = await idle.call('DELETE', `/jobs/${id}`, { token: idle.tokenFor('ann') });
  assert.deepEqual([cancelled.status, cancelled.body.data.state], [200, 'cancelled']);
  assert.equal(cancelled.body.data.error.code, 'ARTICLE_NOT_FOUND');
  assert.equal((await jobOf(idle, running)).state, 'cancelled');
  assert.equal(await claimPlanned(idle), null);
  idle.advance(25 * 60 * 60 * 1000);
  await idle.housekeeping.run();
  assert.equal((await idle.database.query(sql`SELECT 1 FROM jobs`)).length, 0);
});

test('an article that another import of the same user waits for is cancelled only with the last import', async () => {
  const ids = [];
  for (const numbers of [[5], [5, 4], [5, 3]]) ids.push(await begin(idle, { numbers, language: 'en' }));
  const [first, ...others] = ids;
  const plansOfFive = sql`
    UPDATE jobs SET turn = 0 WHERE pr_number = 5 AND parent_id = ANY(${ids}::uuid[])`;
  await idle.database.query(plansOfFive);
  const running = await beginOne(idle);
  for (const _ of others) assert.equal(await beginOne(idle), running);
  const cancel = (id: string | undefined) =>
    idle.call('DELETE', `/jobs/${id}`, { token: idle.tokenFor('ann') });
  await cancel(first);
  assert.equal((await jobOf(idle, running)).state, 'queued');
  await Promise.all(others.map(cancel));
  assert.equal((await jobOf(idle, running)).state, 'cancelled');
});

test('an abandoned import is continued without writing an article twice, and a push during a rewrite outlives its worker', async () => {
  await idle.database.query(sql`DELETE FROM jobs`);
  const id = await begin(idle, { last: 5, language: 'en' }, { repo: 'comet' });
  await beginOne(idle);
  await claimJobs(idle.database, 'writing', idle.now());
  // This worker requested the article and died before it noted that.
  const asked = await beginOne(idle);
  await idle.database.query(sql`UPDATE jobs SET waits_for = NULL WHERE waits_for = ${asked}`);
  // The workers might be alive, so old heartbeats mark them as dead.
  await idle.database.query(sql`UPDATE jobs SET heartbeat_at = '2026-01-01Z' WHERE heartbeat_at IS NOT NULL`);
  const next = await buildTestApp({ database, environment });
  next.advance(idle.now().getTime() - next.now().getTime());
  const job = await untilOver(next, id);
  assert.deepEqual([job.state, job.failures, job.written], ['done', [], [1, 2, 3, 4, 5]]);
  const [count] = await next.database.query<{ twice: number; contents: number }>(sql`
    SELECT (SELECT count(pull_request_id) - count(DISTINCT pull_request_id) FROM jobs) AS twice, (SELECT count(*) FROM article_contents) AS contents`);
  assert.deepEqual(count, { twice: 0, contents: 5 });
  await next.close();
  await assertPushesSurvive(idle);
});

/** A push during a rewrite is requested again after the worker died or stopped, and does not count as written. */
async function assertPushesSurvive(on: TestApp): Promise<void> {
  const { database, now, call, tokenFor } = on;
  const token = tokenFor('ann');
  const { body } = await call('POST', '/users/me', { token, body: { owner: 'acme', repo: 'comet' } });
  const watch = `/users/me/favorite-repositories/${body.data.id}/watch`;
  assert.equal((await call('PUT', watch, { token, body: { language: 'en' } })).status, 201);
  const [row] = await database.query<{ repositoryId: string }>(
    sql`SELECT repository_id AS "repositoryId" FROM watches`,
  );
  const push = () => replanPolls(database, [{ repositoryId: row?.repositoryId ?? '', number: 1 }], now());
  const claim = async () => (await claimPlanned(on)) ?? assert.fail('nothing is due');
  await push();
  await noteJobWaiting(database, await claim(), crypto.randomUUID());
  await push();
  await database.query(sql`UPDATE jobs SET heartbeat_at = NULL`);
  const afterDeath = await claim();
  assert.equal(afterDeath.waitsFor, null);
  await noteJobWaiting(database, afterDeath, crypto.randomUUID());
  await putJobBack(database, afterDeath, { now: now() });
  await push();
  assert.equal((await claim()).waitsFor, null);
}

const model = await startScriptedModel(writeObligingly);
// Frozen, so that daily counts stay within one day.
const on = await buildTestApp({
  frozen: true,
  environment: {
    ...environment,
    AI_MODEL: 'compatible/scripted',
    AI_BASE_URL: model.url,
    AI_JUDGE_MODEL: 'off',
    AI_ARTICLES_PER_DAY: '3',
  },
});
for (const name of ['ann', 'bea', 'cleo']) await on.signUp(name);

test('an exhausted quota fails the oldest pull requests of an import with QUOTA_EXHAUSTED', async () => {
  await untilOver(on, await begin(on, { numbers: [5], language: 'en' }));
  const id = await begin(on, { last: 4, language: 'en' });
  assert.deepEqual(await numbersOf(on, id), [3, 4, 5, 2]);
  const job = await untilOver(on, id);
  assert.deepEqual([job.state, job.error.code, job.written], ['failed', 'QUOTA_EXHAUSTED', [3, 4, 5]]);
  assert.deepEqual(
    job.failures.map(({ prNumber, error }: { prNumber: number; error: { code: string } }) => [
      prNumber,
      error.code,
    ]),
    [[2, 'QUOTA_EXHAUSTED']],
  );
});

test('cancelling an import while a pull request is fetched also cancels the article requested afterwards', async () => {
  model.play([{ silent: true }]);
  const fetched = Promise.withResolvers<void>();
  scriptHost(on).beforePullRequest = () => fetched.promise;
  const id = await begin(on, { numbers: [1], language: 'en' }, { repo: 'comet', by: 'bea' });
  await begin(on, { numbers: [2], language: 'en' }, { repo: 'comet', by: 'cleo' });
  const running = async () => {
    const [row] = await on.database.query<{ count: number; newest: Date | null }>(
      sql`SELECT count(*) AS count, max(heartbeat_at) AS newest FROM jobs WHERE work = 'planned' AND state = 'running'`,
    );
    return { count: row?.count, newest: row?.newest?.getTime() };
  };
  await waitUntil('both are fetched', async () => (await running()).count === 2);
  await on.call('DELETE', `/jobs/${id}`, { token: on.tokenFor('bea') });
  const before = (await running()).newest;
  // The worker learns with its next heartbeat that the import is cancelled.
  await waitUntil('a heartbeat', async () => (await running()).newest !== before);
  fetched.resolve();
  const states = async () =>
    (
      await on.database.query<{ state: string }>(sql`
        SELECT jobs.state FROM jobs
        JOIN pull_requests ON pull_requests.id = pull_request_id
        JOIN repositories ON repositories.id = jobs.repository_id WHERE name = 'comet' ORDER BY number`)
    ).map(({ state }) => state);
  await waitUntil('it is given up', async () => (await states()).join() === 'cancelled,running');
});

test('an import waits when a host answers 429, and needs a saved token for a private repository', async () => {
  const { app: on, github, join } = await buildGitHubApp();
  const merged = { state: 'closed', mergedAt: '2026-01-02T00:00:00Z' } as const;
  const pulls = [1, 2].map((number) => pull(number, 'canary', merged));
  const early = pull(3, 'canary', { ...merged, mergedAt: '2025-12-31T00:00:00Z' });
  const token = await join('ann');
  github.state.repositories.push(
    repository(71, 'acme/rocket', { pulls: [...pulls, early] }),
    repository(72, 'acme/vault', { pulls, visibility: 'private', visibleTo: new Set(['ann']) }),
  );
  const hidden = await on.call('POST', '/repos/acme/vault/import', { token, body: { last: 1 } });
  assert.deepEqual([hidden.status, hidden.body.error?.code], [409, 'HOST_TOKEN_REQUIRED'], hidden.text);
  let refusals = 0;
  const stop = github.script(/^\/repos\/acme\/rocket\/pulls\/\d$/, (response) => {
    refusals += 1;
    response
      .writeHead(429, { 'content-type': 'application/json', 'retry-after': '90' })
      .end('{"message":"Slow"}');
  });
  const asked = await on.call('POST', '/repos/acme/rocket/import', { token, body: { since: '2026-01-01' } });
  const see = async () => (await on.call('GET', `/jobs/${asked.body.data.id}`, { token })).body.data;
  assert.equal((await see()).progress.total, 2);
  const waiting = () =>
    on.database.query(sql`SELECT 1 FROM jobs WHERE not_before > ${on.now()} AND state = 'queued'`);
  await waitUntil('both wait', async () => (await waiting()).length === 2);
  assert.ok(refusals <= 2, 'what would be refused as well is not asked for');
  assert.equal((await see()).state, 'running');
  stop();
  on.advance(91_000);
  await waitUntil('both are written', async () => (await see()).state === 'done');
  assert.deepEqual((await see()).written.toSorted(), [1, 2]);

  const again = github.script(/^\/repos\/acme\/rocket\/pulls\/3$/, (response) => {
    response
      .writeHead(429, { 'content-type': 'application/json', 'retry-after': '90' })
      .end('{"message":"Slow"}');
  });
  const moved = await on.call('POST', '/repos/acme/rocket/import', { token, body: { numbers: [3] } });
  await waitUntil('it waits', async () => (await waiting()).length === 1);
  again();
  const [rocket] = github.state.repositories;
  assert.ok(rocket);
  rocket.name = 'rocket-before';
  github.state.repositories.push(repository(73, 'acme/rocket', { pulls: [early] }));
  on.advance(91_000);
  // Read from the database, because a request could learn the new name from the host first.
  const over = () =>
    on.database.query<{ state: string; code: string }>(sql`
      SELECT state, error->>'code' AS code FROM jobs WHERE id = ${moved.body.data.id} AND finished_at IS NOT NULL`);
  await waitUntil('it is over', async () => (await over()).length === 1);
  const [end] = await over();
  assert.deepEqual(end, { state: 'failed', code: 'REPOSITORY_NOT_FOUND' }, 'another one has its name');
});
