import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { buildTestApp, freshDatabase } from '../../test/build-app.ts';
import { makeClone } from '../../test/make-clone.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';
import type { Queries } from '../db/database.ts';
import { claimHousekeepingRound } from '../db/figures.ts';
import { claimJobs as claimFrom, renewJobHeartbeats } from '../db/job-queue.ts';
import { sql } from '../db/sql.ts';
import type { Queue } from '../domain/jobs.ts';
import { watchJobs } from './listen.ts';
import { startWork } from './work.ts';

const root = temporaryFolder();
for (const name of ['one', 'two', 'three']) makeClone(root, `acme/${name}`, 'feat: begin (#1)');
const settings = await freshDatabase();
const environment = {
  GIT_REPOS: root,
  GIT_CLONE: 'true',
  GIT_CLONE_HOSTS: 'clones.example',
  OPERATORS: 'ann,bob',
};
const start = (writers: string) =>
  buildTestApp({ database: settings, environment: { ...environment, WRITERS: writers } });
type Started = Awaited<ReturnType<typeof start>>;

const first = await start('0');
for (const name of ['ann', 'bob']) await first.signUp(name);
await first.close();

const later = { prefer: 'respond-async' };

async function ask(app: Started, name: string, { by = 'ann', language = 'en' } = {}): Promise<string> {
  const { body } = await app.call('POST', `/repos/acme/${name}/pulls/1/article`, {
    token: app.tokenFor(by),
    body: { language, regenerate: true },
    headers: later,
  });
  return body.data.id;
}

const askQuestion = (app: Started, by: string, question: string) =>
  app.call('POST', '/repos/acme/one/pulls/1/questions', {
    token: app.tokenFor(by),
    body: { question, language: 'en' },
    headers: later,
  });

const stateOf = async (app: Started, id: string) =>
  (await app.call('GET', `/jobs/${id}`, { token: app.tokenFor('ann') })).body.data.state;

const claimOne = async (app: Started, db: Queries = app.database) =>
  (await claimFrom(db, 'writing', app.now()))[0] ?? null;

const claim = async (app: Started) => (await claimOne(app)) ?? assert.fail('there is no job to claim');

test('concurrent claims give each job once, and a planned job that a user requests comes first', async () => {
  const idle = await start('0');
  const ids = [await ask(idle, 'one'), await ask(idle, 'two'), await ask(idle, 'three')];
  await idle.database.query(sql`UPDATE jobs SET is_planned = true`);
  // A user's request for a planned article moves it before the other planned ones.
  assert.equal(await ask(idle, 'three'), ids[2]);
  ids.unshift(...ids.splice(2));
  const claimed = await idle.database.transaction(async (tx) => [
    await claimOne(idle, tx),
    // Another process does not wait for the one that claims.
    await claimOne(idle),
  ]);
  claimed.push(...(await Promise.all([1, 2].map(() => claimOne(idle)))));
  const found = claimed.flatMap((job) => job?.id ?? []);
  assert.equal(found[0], ids[0]);
  assert.deepEqual(found.toSorted(), ids.toSorted());
  await idle.database.query(sql`DELETE FROM jobs`);
  await idle.close();
});

/** Claims everything that waits; returns the ids. */
async function claimAll<Id>(claimNext: () => Promise<{ id: Id }[]>): Promise<Id[]> {
  const [next] = await claimNext();
  return next ? [next.id, ...(await claimAll(claimNext))] : [];
}

const claimJobs = (app: Started, queue: Queue = 'writing') =>
  claimAll(() => claimFrom(app.database, queue, app.now()));

test('users take turns among articles and questions, however many jobs one of them has queued', async () => {
  const idle = await start('0');
  const many = [];
  for (const place of [1, 2, 3, 4])
    many.push((await askQuestion(idle, 'ann', `Is it ${place}?`)).body.data.id);
  const few = [await ask(idle, 'two', { by: 'bob' }), await ask(idle, 'three', { by: 'bob' })];
  assert.deepEqual(await claimJobs(idle), [many[0], few[0], many[1], few[1], many[2], many[3]]);
  await idle.database.query(sql`DELETE FROM jobs`);
  await idle.close();
});

test('a job that another user requests too is claimed at the earlier of their turns', async () => {
  const idle = await start('0');
  const many = [await ask(idle, 'one'), await ask(idle, 'two'), await ask(idle, 'three')];
  assert.equal(await ask(idle, 'three', { by: 'bob' }), many[2]);
  const next = await ask(idle, 'one', { by: 'bob', language: 'ja' });
  assert.deepEqual(await claimJobs(idle), [many[0], many[2], many[1], next]);
  await idle.database.query(sql`DELETE FROM jobs`);
  await idle.close();
});

test('users take turns among the articles of their imports', async () => {
  const idle = await start('0');
  for (const by of ['ann', 'bob'])
    for (const name of by === 'ann' ? ['one', 'two', 'three'] : ['three'])
      await idle.call('POST', `/repos/acme/${name}/import`, {
        token: idle.tokenFor(by),
        body: { numbers: [1], language: 'en' },
      });
  const users: string[] = [];
  await claimAll(async () => {
    const claimed = await claimFrom(idle.database, 'planned', idle.now());
    users.push(...claimed.flatMap((job) => (job.work === 'planned' && job.userId) || []));
    return claimed;
  });
  const [ann] = users;
  assert.deepEqual(
    users.map((user) => (user === ann ? 'ann' : 'bob')),
    ['ann', 'bob', 'ann', 'ann'],
  );
  await idle.database.query(sql`DELETE FROM jobs`);
  await idle.close();
});

test('users take turns among mirrors', async () => {
  const idle = await start('0');
  const add = async (by: string, name: string): Promise<string> => {
    const location = `https://clones.example/acme/${name}`;
    const { body, text } = await idle.call('POST', '/added-repositories', {
      token: idle.tokenFor(by),
      body: { location },
    });
    return body.data?.id ?? assert.fail(text);
  };
  const many = [await add('ann', 'm1'), await add('ann', 'm2'), await add('ann', 'm3')];
  const few = await add('bob', 'm4');
  assert.deepEqual(await claimJobs(idle, 'mirrors'), [many[0], few, many[1], many[2]]);
  for (const table of [sql`added_repositories`, sql`jobs`])
    await idle.database.query(sql`DELETE FROM ${table}`);
  await idle.close();
});

test('a user may have 100 jobs queued, and gets RATE_LIMITED with that number for more; others are not affected', async () => {
  const idle = await start('0');
  const questions = Array.from({ length: 105 }, (_, place) => askQuestion(idle, 'ann', `Is it ${place}?`));
  const replies = await Promise.all(questions);
  const [accepted, refused] = [202, 429].map((status) => replies.filter((reply) => reply.status === status));
  assert.deepEqual([accepted?.length, refused?.length], [100, 5]);
  const { code, message, details } = refused?.[0]?.body.error ?? {};
  assert.equal(code, 'RATE_LIMITED');
  assert.match(message, /100 jobs/);
  assert.deepEqual(details, [{ field: 'jobs', problem: 'at most 100 of each user may wait' }]);
  assert.equal(refused?.[0]?.headers.get('retry-after'), '5');
  const { id } = accepted?.[0]?.body.data ?? {};
  assert.equal((await askQuestion(idle, 'bob', 'Is it 1?')).status, 202);
  assert.equal((await askQuestion(idle, 'ann', 'Is it 2?')).body.data.id, accepted?.[2]?.body.data.id);
  await idle.call('DELETE', `/jobs/${id}`, { token: idle.tokenFor('ann') });
  assert.equal((await askQuestion(idle, 'ann', 'Is there room?')).status, 202);
  await idle.database.query(sql`DELETE FROM jobs`);
  await idle.close();
});

test('a worker that renews its heartbeat keeps its job, and one that does not loses it to the next claim', async () => {
  const idle = await start('0');
  await ask(idle, 'one');
  const one = await claim(idle);
  const letTimePass = () =>
    idle.database.query(sql`UPDATE jobs SET heartbeat_at = heartbeat_at - interval '21 seconds'`);
  await letTimePass();
  assert.deepEqual([...(await renewJobHeartbeats(idle.database, [one]))], [{ id: one.id, attempt: 1 }]);
  assert.equal(await claimOne(idle), null);
  await letTimePass();
  const second = await claim(idle);
  assert.deepEqual([second.id, second.attempt], [one.id, 2]);
  assert.deepEqual(
    [...(await renewJobHeartbeats(idle.database, [one, second]))],
    [{ id: one.id, attempt: 2 }],
  );
  await idle.database.query(sql`DELETE FROM jobs`);
  await idle.close();
});

test('a queued job and an abandoned one are done by the next service that starts', async () => {
  const before = await start('0');
  const left = await ask(before, 'one');
  await claim(before);
  const waiting = await ask(before, 'two');
  // Its worker might be alive, so an old heartbeat marks it as dead.
  await before.database.query(sql`UPDATE jobs SET heartbeat_at = '2026-01-01Z' WHERE id = ${left}`);
  await before.close();
  const app = await start('1');
  for (const id of [left, waiting])
    await waitUntil('the job is done', async () => (await stateOf(app, id)) === 'done');
  await app.close();
});

test('a due round of housekeeping is claimed by only one of three simultaneous claims', async () => {
  const { database, close } = await start('0');
  await database.query(sql`UPDATE housekeeping SET due_at = now()`);
  const rounds = await Promise.all([1, 2, 3].map(() => claimHousekeepingRound(database, 60_000)));
  assert.deepEqual(rounds.toSorted(), [false, false, true]);
  await database.query(sql`UPDATE housekeeping SET due_at = due_at - interval '1 minute'`);
  assert.equal(await claimHousekeepingRound(database, 60_000), true);
  await close();
});

test('a worker that stops renews the heartbeat of its running job until the job is put back', async (t) => {
  const idle = await start('0');
  const id = await ask(idle, 'three');
  const { database, now: clock } = idle;
  const log = pino({ level: 'silent' });
  const jobs = await watchJobs(database, log);
  const started = Promise.withResolvers<AbortSignal>();
  const released = Promise.withResolvers<void>();
  const runner = {
    async run(_: unknown, { stopping }: { stopping: AbortSignal }) {
      started.resolve(stopping);
      await released.promise;
      stopping.throwIfAborted();
    },
    fail: () => assert.fail('the job fails'),
  };
  t.mock.timers.enable({ apis: ['setInterval'] });
  const workers = startWork(
    { database, jobs, clock, log },
    {
      article: runner,
      planned: runner,
      answer: runner,
      refresh: runner,
      mirror: runner,
      test: runner,
      preview: runner,
      digest: runner,
    },
    {
      lanes: { writing: 1, planned: 0, mirrors: 0, refreshes: 0, models: 0, digests: 0 },
      together: { hosts: [], atMost: 1, run: async () => new Set() },
    },
  );
  workers.begin();
  const stopping = await started.promise;
  const stopped = workers.stop();
  assert.ok(stopping.aborted);
  for (const age of ['first', 'second', 'third']) {
    await database.query(sql`UPDATE jobs SET heartbeat_at = '2026-01-01Z' WHERE id = ${id}`);
    t.mock.timers.tick(4_000);
    await waitUntil(`its heartbeat is renewed for the ${age} time`, () =>
      database.any(sql`SELECT FROM jobs WHERE id = ${id} AND heartbeat_at > '2026-01-01Z'`),
    );
  }
  released.resolve();
  await stopped;
  assert.equal(await stateOf(idle, id), 'queued');
  await jobs.stop();
  await idle.close();
});
