import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, freshDatabase, type TestApp } from '../../test/build-app.ts';
import { makeClone } from '../../test/make-clone.ts';
import { makeLargePullRequest } from '../../test/make-large-pull-request.ts';
import { proxyToDatabase } from '../../test/proxy-to-database.ts';
import { readEvents } from '../../test/read-events.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { sql } from '../db/sql.ts';

const root = temporaryFolder();
const clone = makeClone(root, 'acme/rocket', 'feat: begin (#1)');
makeClone(root, 'acme/secret', 'feat: hide something (#1)');
makeLargePullRequest(clone, 2, 400);
makeLargePullRequest(clone, 3, 3);

const environment = { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann', WRITERS: '1' };
const app = await buildTestApp({ environment });
/** A service without writers. */
const database = await freshDatabase();
const idle = await buildTestApp({ database, environment: { ...environment, WRITERS: '0' } });

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Asks for an article without waiting for it; returns the id of the job. */
async function ask(on: TestApp, token: string, number: number, repo = 'rocket'): Promise<string> {
  const reply = await on.call('POST', `/repos/acme/${repo}/pulls/${number}/article`, {
    token,
    body: { language: 'en', regenerate: true },
    headers: { prefer: 'respond-async' },
  });
  assert.equal(reply.status, 202, reply.text);
  assert.equal(reply.headers.get('preference-applied'), 'respond-async');
  assert.equal(reply.headers.get('location'), `/jobs/${reply.body.data.id}`);
  return reply.body.data.id;
}

const jobOf = async (on: TestApp, token: string, id: string) =>
  (await on.call('GET', `/jobs/${id}`, { token })).body.data;

async function collect(on: TestApp, token: string, id: string, headers: Record<string, string> = {}) {
  const events = [];
  for await (const event of readEvents(`${on.url}/jobs/${id}/events`, { ...bearer(token), ...headers })) {
    events.push(event);
  }
  return events;
}

test("a job's events lead to its end, and Last-Event-ID continues them", async () => {
  const token = await app.signUp('follower');
  const id = await ask(app, token, 3);
  const events = await collect(app, token, id);
  const last = events.at(-1);
  assert.equal(last?.event, 'done');
  assert.equal(last?.data.article.prNumber, 3);
  assert.equal(last?.data.state, 'done');
  const versions = events.map((event) => Number(event.id));
  assert.deepEqual(
    versions,
    versions.toSorted((one, other) => one - other),
  );
  assert.ok(events.slice(0, -1).every(({ event }) => event === 'progress'));

  const job = await jobOf(app, token, id);
  assert.deepEqual(job, last?.data);
  assert.equal(job.progress.done, job.progress.total);
  const before = { 'last-event-id': String(Number(last?.id) - 1) };
  assert.deepEqual(
    (await collect(app, token, id, before)).map(({ event }) => event),
    ['done'],
  );
  const seen = await app.call('GET', `/jobs/${id}/events`, {
    token,
    headers: { 'last-event-id': last?.id ?? '' },
  });
  assert.equal(seen.status, 204);
  assert.equal(seen.text, '');
  const over = await app.call('DELETE', `/jobs/${id}`, { token });
  assert.equal(over.status, 200);
  assert.deepEqual(over.body.data, job, 'what is over stays as it is');
});

test('an event stream has the headers that proxies and browsers need', async () => {
  const token = await idle.signUp('proxy');
  const id = await ask(idle, token, 1);
  const controller = new AbortController();
  const response = await fetch(`${idle.url}/jobs/${id}/events`, {
    headers: bearer(token),
    signal: controller.signal,
  });
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  assert.equal(response.headers.get('cache-control'), 'no-cache');
  assert.equal(response.headers.get('x-accel-buffering'), 'no');
  const { value } = (await response.body?.pipeThrough(new TextDecoderStream()).getReader().read()) ?? {};
  assert.match(value ?? '', /^retry: \d+\n\n/);
  controller.abort();
  const head = await fetch(`${idle.url}/jobs/${id}/events`, { method: 'HEAD', headers: bearer(token) });
  assert.equal(head.status, 200);
  await idle.call('DELETE', `/jobs/${id}`, { token });
});

test('a job is hidden from users who may not see its repository, and from its requester once they lose access', async () => {
  const ann = await idle.signUp('ann');
  const eve = await idle.signUp('eve');
  const id = await ask(idle, ann, 1, 'secret');
  assert.equal((await jobOf(idle, ann, id)).state, 'queued');
  for (const [method, path] of [
    ['GET', `/jobs/${id}`],
    ['GET', `/jobs/${id}/events`],
    ['DELETE', `/jobs/${id}`],
    ['GET', '/jobs/00000000-0000-4000-8000-000000000000'],
  ] as const) {
    const reply = await idle.call(method, path, { token: eve });
    assert.equal(reply.status, 404);
    assert.equal(reply.body.error.code, 'NOT_FOUND');
    assert.equal((await idle.call(method, path)).status, 401);
  }
  await idle.database.transaction((tx) => tx.runScript('DELETE FROM repository_grants'));
  assert.equal((await idle.call('GET', `/jobs/${id}`, { token: ann })).status, 404);
});

test('a job that one of two requesters cancels continues for the other, and ends when both cancel', async () => {
  const one = await idle.signUp('one');
  const two = await idle.signUp('two');
  const id = await ask(idle, one, 1);
  assert.equal(await ask(idle, two, 1), id, 'the second joins the first');
  const stream = collect(idle, one, id);
  const given = await idle.call('DELETE', `/jobs/${id}`, { token: one });
  assert.equal(given.body.data.state, 'cancelled');
  const last = (await stream).at(-1);
  assert.equal(last?.event, 'failed');
  assert.equal(last?.data.error.code, 'ARTICLE_NOT_FOUND');
  assert.equal((await jobOf(idle, two, id)).state, 'queued');
  assert.equal(await ask(idle, one, 1), id, 'who wants it after all joins again');
  assert.equal((await jobOf(idle, one, id)).state, 'queued');

  for (const token of [one, two]) await idle.call('DELETE', `/jobs/${id}`, { token });
  assert.equal((await jobOf(idle, two, id)).state, 'cancelled');
  const next = await ask(idle, two, 1);
  assert.notEqual(next, id, 'asking again starts anew');
  await idle.call('DELETE', `/jobs/${next}`, { token: two });
});

test('a job that followers wait for continues after its last requester cancels', async () => {
  const token = await idle.signUp('stranger');
  const isPlanned = sql`
    INSERT INTO jobs (work, subject, repository_id, state, waits_for, queued_at, created_at)
    SELECT 'planned', id, repository_id, 'running', id, ${idle.now()}, ${idle.now()} FROM jobs WHERE state = 'queued'`;
  const isPaid = sql`UPDATE jobs SET quota_kind = 'articles of followers', quota_day = ${idle.now()}::date, quota_subject = 'rocket' WHERE state = 'queued'`;
  for (const [is, isNot] of [
    [isPlanned, sql`UPDATE jobs SET state = 'done' WHERE work = 'planned'`],
    [isPaid, sql`UPDATE jobs SET quota_day = NULL`],
  ] as const) {
    const id = await ask(idle, token, 1);
    await idle.database.query(is);
    const leave = () => idle.call('DELETE', `/jobs/${id}`, { token });
    assert.equal((await leave()).body.data.state, 'cancelled', 'for the one who leaves');
    assert.equal(await ask(idle, token, 1), id, 'it goes on');
    await idle.database.query(isNot);
    await leave();
    const next = await ask(idle, token, 1);
    assert.notEqual(next, id, 'it has ended with the last who wanted it');
    await idle.call('DELETE', `/jobs/${next}`, { token });
  }
});

test('a request that waits for a cancelled job gets 404', async () => {
  const token = await idle.signUp('impatient');
  const path = '/repos/acme/rocket/pulls/3/article';
  let answered = false;
  const waiting = idle.call('POST', path, { token, body: { language: 'en' } }).finally(() => {
    answered = true;
  });
  // Either request may come first, so the job that the request joined is cancelled.
  await waitUntil('whoever waits is answered', async () => {
    if (!answered) await idle.call('DELETE', `/jobs/${await ask(idle, token, 3)}`, { token });
    return answered;
  });
  const reply = await waiting;
  assert.equal(reply.status, 404, reply.text);
  assert.equal(reply.body.error.code, 'ARTICLE_NOT_FOUND');
});

test('cancelling a running job frees its writer and publishes no article', async () => {
  const token = await app.signUp('canceller');
  const id = await ask(app, token, 2);
  for await (const { data } of readEvents(`${app.url}/jobs/${id}/events`, bearer(token))) {
    if (data.state === 'running') break;
  }
  const cancelled = await app.call('DELETE', `/jobs/${id}`, { token });
  assert.equal(cancelled.body.data.state, 'cancelled');
  // The only writer can start this one only after it has dropped the other.
  const small = await app.call('POST', '/repos/acme/rocket/pulls/1/article', {
    token,
    body: { language: 'ja' },
  });
  assert.equal(small.status, 201, small.text);
  assert.equal((await jobOf(app, token, id)).state, 'cancelled');
  assert.equal((await app.call('GET', '/repos/acme/rocket/pulls/2/article')).status, 404);
});

test('a stopping service answers waiting requests with 202 and ends streams, and the next start does the job', async () => {
  const token = await idle.signUp('patient');
  const path = '/repos/acme/rocket/pulls/3/article';
  const id = await ask(idle, token, 3);
  const stream = readEvents(`${idle.url}/jobs/${id}/events`, bearer(token));
  assert.equal((await stream.next()).value.data.state, 'queued');
  const second = await idle.signUp('aspatient');
  const waiting = idle.call('POST', path, { token: second, body: { language: 'en' } });
  // Requesters are stored before they wait.
  const askers = sql`SELECT user_id FROM job_requesters WHERE job_id = ${id}`;
  await waitUntil('both askers are noted', async () => (await idle.database.query(askers)).length === 2);
  await idle.close();
  assert.equal((await waiting).status, 202);
  assert.equal((await stream.next()).done, true);
  const next = await buildTestApp({ database, environment });
  const events = await collect(next, token, id);
  assert.equal(events.at(-1)?.event, 'done');
  assert.equal((await next.call('GET', path)).status, 200);

  next.advance(25 * 60 * 60 * 1000);
  await next.housekeeping.run();
  assert.equal((await next.call('GET', `/jobs/${id}`, { token: next.tokenFor('patient') })).status, 404);
});

test('two processes that start at once on an empty database share one queue without errors', async () => {
  const shared = await freshDatabase({ isEmpty: true });
  const apps = await Promise.all([1, 2].map(() => buildTestApp({ database: shared, environment })));
  const [first = assert.fail('no service')] = apps;
  const token = await first.signUp('ann');
  const path = '/repos/acme/rocket/pulls/1/article';
  const replies = await Promise.all(
    apps.map((one) => one.call('POST', path, { token, body: { language: 'en' } })),
  );
  for (const { status, text } of replies) assert.ok(status === 201 || status === 200, text);
  // Warnings are ignored: on a busy machine notifications may be late, which does not concern the queue.
  const troubles = apps.flatMap((one) => one.logLines().filter(({ level }) => Number(level) > 40));
  assert.deepEqual(troubles, []);
  for (const one of apps) assert.equal((await one.call('GET', '/healthz')).status, 200);
});

const problemsOf = async ({ call }: TestApp) => {
  const { status, body } = await call('GET', '/healthz');
  return status === 200 ? [] : body.error.details.map(({ field }: { field: string }) => field);
};

test('while the database is away, `/healthz` names only the database, and recovers after it', async () => {
  const settings = await freshDatabase();
  const proxy = await proxyToDatabase(settings.DATABASE_URL ?? '');
  const cut = await buildTestApp({ database: { ...settings, DATABASE_URL: proxy.url }, environment });
  const token = await cut.signUp('ann');
  const countFailures = () =>
    cut.logLines().filter(({ msg }) => /^(?:claiming|housekeeping) .*failed/.test(String(msg))).length;
  proxy.goAway();
  await cut.housekeeping.run();
  await waitUntil('both have been tried', () => countFailures() >= 2);
  assert.deepEqual(await problemsOf(cut), ['database']);
  proxy.comeBack();
  await waitUntil(
    'the database answers',
    async () => (await cut.call('GET', '/users/me', { token })).status === 200,
  );
  assert.ok(!(await problemsOf(cut)).includes('jobs'));
});

test('`/healthz` reports that jobs cannot be claimed until one is claimed again', async () => {
  await app.database.runScript('ALTER TABLE jobs RENAME COLUMN heartbeat_at TO gone');
  // The failure shows at the next poll for jobs, a few seconds later.
  await waitUntil('health is bad', async () => (await problemsOf(app)).includes('jobs'));
  await app.database.runScript('ALTER TABLE jobs RENAME COLUMN gone TO heartbeat_at');
  const token = await app.signUp('healer');
  await collect(app, token, await ask(app, token, 3));
  assert.ok(!(await problemsOf(app)).includes('jobs'));
});
