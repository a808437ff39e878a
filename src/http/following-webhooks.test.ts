import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, freshDatabase } from '../../test/build-app.ts';
import { buildGitHubApp } from '../../test/github/build-github-app.ts';
import { deliver, deliveryOf, post, webhookSecret } from '../../test/github/deliver.ts';
import { pull, repository, shaOf } from '../../test/github/state.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { announceQueuedJobs } from '../db/job-queue.ts';
import { sql } from '../db/sql.ts';
import { restsForMs } from '../domain/pull-requests.ts';

const settings = await freshDatabase();
const { app, github, join, environment } = await buildGitHubApp({
  database: settings,
  environment: { GITHUB_WEBHOOK_SECRETS: webhookSecret },
});
const { server, database, call } = app;
const minute = 60_000;
const ann = await join('ann');
await call('POST', '/auth/host-token', { token: ann, body: { accessToken: ann } });

const rocket = repository(81, 'acme/rocket', {
  pulls: Array.from({ length: 9 }, (_, index) => pull(index + 1, `change-${index + 1}`)),
});
github.state.repositories.push(rocket);
const favorite = await call('POST', '/users/me', { token: ann, body: { owner: 'acme', repo: 'rocket' } });
const watched = `/users/me/favorite-repositories/${favorite.body.data.id}/watch`;
assert.equal((await call('PUT', watched, { token: ann, body: { language: 'en' } })).status, 201);
await app.watching.run();

const pullOf = (number: number) => {
  const found = rocket.pulls.find((one) => one.number === number);
  assert.ok(found);
  return found;
};

function merge(number: number): void {
  app.advance(1_000);
  const now = app.now().toISOString();
  Object.assign(pullOf(number), { state: 'closed', mergedAt: now, updatedAt: now });
}

const payloadOf = (action: string, number: number, said: object = {}) => ({
  action,
  number,
  pull_request: said,
  repository: { id: rocket.id },
});
const tell = (action: string, number: number, said?: object) =>
  deliver(server, 'pull_request', payloadOf(action, number, said));

const listed = async (): Promise<number[]> => {
  const { body } = await call('GET', '/articles?owner=acme&repo=rocket&limit=100', { token: ann });
  return body.data.items.map(({ prNumber }: { prNumber: number }) => prNumber).sort();
};

/** The revision of each article. */
const revisions = async (): Promise<Record<number, number>> => {
  const rows = await database.query<{ number: number; revision: number }>(sql`
    SELECT number, revision FROM article_contents JOIN articles ON articles.id = article_id
    JOIN pull_requests ON pull_requests.id = pull_request_id ORDER BY number`);
  return Object.fromEntries(rows.map(({ number, revision }) => [number, revision]));
};

const dueIn = async (): Promise<number> => {
  const [row] = await database.query<{ dueAt: Date }>(
    sql`SELECT due_at AS "dueAt" FROM watched_repositories`,
  );
  return ((row?.dueAt.getTime() ?? 0) - app.now().getTime()) / minute;
};

/** Waits until a rewrite is planned after a delay, and passes that time: repeated pushes delay a rewrite. */
async function rest(number: number, ms: number): Promise<void> {
  await waitUntil('it rests', async () => {
    const [plan] = await database.query<{ state: string; notBefore: Date }>(
      sql`SELECT state, not_before AS "notBefore" FROM jobs WHERE pr_number = ${number} AND work = 'planned'`,
    );
    return plan?.state === 'queued' && plan.notBefore.getTime() - app.now().getTime() === ms;
  });
  app.advance(ms);
  await database.query(announceQueuedJobs);
}

test('a merge event writes the article at once and only once, and makes polling hourly until events stop', async () => {
  assert.equal(await dueIn(), 10);
  const told = [3, 1, 2];
  for (const number of [1, 2, 3]) merge(number);
  for (const number of [...told, ...told])
    assert.equal(await tell('closed', number, { merged: true }), 202, 'each time another delivery');
  assert.equal(await tell('opened', 1), 200, 'what came first arrives last');
  assert.ok((await dueIn()) <= 0);
  await app.watching.run();
  await waitUntil('they are written', async () => (await listed()).length === 3);
  assert.deepEqual(await revisions(), { 1: 1, 2: 1, 3: 1 });
  assert.equal(await dueIn(), 10, 'what is told may come to the lists of GitHub a little later');
  app.advance(11 * minute);
  await app.watching.run();
  assert.equal(await dueIn(), 60, 'webhooks arrive');
  app.advance(25 * 60 * minute);
  await app.watching.run();
  assert.equal(await dueIn(), 10, 'none has arrived for a day');
});

test('a merge without an event ends hourly polling until the next event', async () => {
  assert.equal(await tell('labeled', 1), 200);
  app.advance(11 * minute);
  await app.watching.run();
  assert.equal(await dueIn(), 60);
  rocket.pulls.push(pull(10, 'change-10'));
  merge(10);
  app.advance(60 * minute);
  await app.watching.run();
  await waitUntil('it is written', async () => (await listed()).includes(10));
  assert.equal(await dueIn(), 10);
  assert.equal(await tell('labeled', 1), 200);
  app.advance(11 * minute);
  await app.watching.run();
  assert.equal(await dueIn(), 60);
});

test('a process that starts polls hourly repositories at once', async () => {
  assert.equal(await dueIn(), 60);
  rocket.pulls.push(pull(11, 'change-11'));
  merge(11);
  const next = await buildTestApp({
    database: settings,
    frozen: true,
    environment: { ...environment, WRITERS: '0' },
  });
  next.advance(app.now().getTime() - next.now().getTime());
  await next.watching.run();
  await waitUntil('it is written', async () => (await listed()).includes(11));
});

test('a merge during a poll starts another poll, and a host that said to wait is not polled early', async () => {
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  let questions = 0;
  const end = github.script(/\/pulls\?/, async (_, pass) => {
    questions += 1;
    if (questions === 2) merge(4);
    asked.resolve();
    await answered.promise;
    await pass();
  });
  app.advance(11 * minute);
  const running = app.watching.run();
  await asked.promise;
  assert.equal(await tell('closed', 4, { merged: true }), 202);
  answered.resolve();
  await running;
  end();
  assert.equal(questions, 2);
  await waitUntil('it is written', async () => (await listed()).includes(4));
  app.advance(2 * 60 * minute);
  const limit = github.script(/pulls\?/, (response) => {
    response.writeHead(429, { 'retry-after': '600' }).end('{"message":"slow down"}');
  });
  await app.watching.run();
  const due = await dueIn();
  assert.ok(due >= 10);
  merge(5);
  assert.equal(await tell('closed', 5, { merged: true }), 202);
  assert.equal(await dueIn(), due - 1 / 60);
  limit();
  app.advance(due * minute);
  await app.watching.run();
  await waitUntil('it is written after the wait', async () => (await listed()).includes(5));
});

test('21 pushes to a followed article rewrite it at most twice, with the last state; without an article a push is ignored', async () => {
  const before = await revisions();
  const moving = pullOf(1);
  const reached = Promise.withResolvers<void>();
  const going = Promise.withResolvers<void>();
  const end = github.script(/^\/repos\/acme\/rocket\/pulls\/1$/, async (_, pass) => {
    reached.resolve();
    await going.promise;
    await pass();
  });
  const push = async (words: string) => {
    app.advance(1_000);
    Object.assign(moving, { updatedAt: app.now().toISOString() });
    moving.head.sha = shaOf(words);
    assert.equal(await tell('synchronize', 1, { head: { sha: shaOf('made up') } }), 202);
  };
  github.takeCalls();
  await push('first');
  await reached.promise;
  for (let round = 0; round < 20; round += 1) await push(`push ${round}`);
  going.resolve();
  end();
  await rest(1, restsForMs);
  const path = '/repos/acme/rocket/pulls/1/article';
  await waitUntil('the last push is told', async () => {
    const { headSha, contents } = (await call('GET', path, { token: ann })).body.data;
    return headSha === shaOf('push 19') && !contents.en.stale;
  });
  const untilDone = () =>
    waitUntil('nothing is under way', async () => {
      const rows = await database.query(
        sql`SELECT 1 FROM jobs WHERE work = 'planned' AND state IN ('queued', 'running')`,
      );
      return rows.length === 0;
    });
  await untilDone();
  const after = await revisions();
  const times = (after[1] ?? 0) - (before[1] ?? 0);
  assert.ok(times >= 1 && times <= 2, `written ${times} times for 21 pushes`);
  const diffs = github.takeCalls().filter((one) => one.endsWith('/pulls/1/files?per_page=100')).length;
  assert.ok(diffs <= 3, `fetched ${diffs} times`);
  await push('once more');
  await rest(1, restsForMs - 1_000);
  await untilDone();
  assert.equal((await revisions())[1], (after[1] ?? 0) + 1);
  assert.equal(await tell('synchronize', 9), 200, 'nobody has read or written about it');
  assert.equal((await listed()).includes(9), false);
});

test('a delivery whose work failed can be redelivered and then works', async () => {
  const { headers, body } = deliveryOf({
    event: 'pull_request',
    payload: payloadOf('synchronize', 2),
  });
  const send = async () => (await post(server, headers, body)).json().data.outcome;
  const failing = github.script(/^\/repos\/acme\/rocket\/pulls\/2$/, (response) => {
    response.writeHead(404).end('{"message":"Not Found"}');
  });
  app.advance(1_000);
  assert.equal(await send(), 'queued');
  await waitUntil('it has failed', async () => {
    const rows = await database.query(sql`SELECT 1 FROM jobs WHERE pr_number = 2 AND state = 'failed'`);
    return rows.length > 0;
  });
  failing();
  app.advance(1_000);
  assert.equal(await send(), 'queued', 'its name is free');
  await waitUntil('it is done', async () => {
    const rows = await database.query(sql`SELECT 1 FROM jobs WHERE pr_number = 2 AND state = 'done'`);
    return rows.length > 0;
  });
  assert.equal(await send(), 'repeated');
});
