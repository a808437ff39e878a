import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { how, newFolder, writeTo } from '../../test/backups.ts';
import { freshDatabase } from '../../test/build-app.ts';
import { checkBackup, loadBackup } from '../actions/backup/backup.ts';
import type { Job, JobState, Queue } from '../domain/jobs.ts';
import type { Database } from './database.ts';
import { claimJobs } from './job-queue.ts';
import { deleteFinishedJobs, findJobs } from './jobs.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { sql } from './sql.ts';

const now = new Date('2026-03-01T22:00:00Z');

async function openEmpty(): Promise<Database> {
  const { DATABASE_URL = '' } = await freshDatabase({ isEmpty: true });
  const database = await openPostgres(DATABASE_URL, { patienceMs: 120_000, migrates: false });
  after(() => database.close());
  return database;
}

/** A database with the former job tables, before users took turns: of each kind 200 finished, 20 running and 5 cancelled jobs. */
async function beforeJobsWereOne(): Promise<Database> {
  const database = await openEmpty();
  await database.transaction((tx) => migrate(tx, (number) => number <= 46));
  const states = `CASE WHEN n <= 180 THEN 'done' WHEN n <= 200 THEN 'failed' WHEN n <= 220 THEN 'running' ELSE 'cancelled' END`;
  const error = `CASE WHEN n BETWEEN 181 AND 200 THEN '{"code":"AI_ERROR","message":"It failed."}'::jsonb END`;
  const finished = `CASE WHEN n NOT BETWEEN 201 AND 220 THEN '2026-03-01T21:00:00Z'::timestamptz END`;
  const heartbeat = `CASE WHEN n BETWEEN 201 AND 220 THEN '2026-03-01T21:00:00Z'::timestamptz END`;
  const each = `FROM generate_series(1, 225) AS n`;
  await database.runScript(`
    INSERT INTO identities (host, host_user_id, username, display_name, email) VALUES ('git', 1, 'ann', 'Ann', '');
    INSERT INTO users (identity_id, language, created_at, updated_at) SELECT id, 'en', '2026-03-01Z', '2026-03-01Z' FROM identities;
    INSERT INTO repositories (host, host_repo_id, owner, name, is_private, checked_at)
    VALUES ('git', 1, 'acme', 'rocket', false, '2026-03-01T22:00:00Z');
    INSERT INTO pull_requests (repository_id, number, title, author_login, state, head_sha, base_sha, host_created_at, fetched_at)
    SELECT id, n, 'A change', 'rin', 'merged', 'head', 'base', '2026-03-01Z', '2026-03-01Z' FROM repositories, generate_series(1, 225) AS n;
    INSERT INTO articles (pull_request_id, repository_id, created_at, updated_at)
    SELECT id, repository_id, '2026-03-01Z', '2026-03-01Z' FROM pull_requests WHERE number = 1;

    CREATE TEMP TABLE kinds AS VALUES ('article'), ('answer');
    INSERT INTO writing_jobs (pull_request_id, head_sha, base_sha, language_code, writer, state, attempt, step, done, total, version, error,
      created_at, updated_at, finished_at, queued_at, heartbeat_at, question, question_key, article_id)
    SELECT pull_requests.id, 'head', 'base', 'en', 'offline', ${states}, 1, 'writing', 1, 2, n, ${error},
      '2026-03-01T20:00:00Z', '2026-03-01Z', ${finished}, '2026-03-01T20:00:00Z', ${heartbeat},
      CASE kind WHEN 'answer' THEN '{"text":"Why?","isAboutRepository":false,"pullRequestIds":[],"standInKey":"s"}'::jsonb END,
      CASE kind WHEN 'answer' THEN 'key' ELSE '' END, CASE WHEN n = 1 THEN (SELECT id FROM articles) END
    FROM generate_series(1, 225) AS n JOIN pull_requests ON number = n, kinds AS kinds (kind);
    INSERT INTO writing_job_askers (job_id, user_id) SELECT writing_jobs.id, users.id FROM writing_jobs, users;
    INSERT INTO ai_answers (job_id, question, answer) SELECT id, 'paid', '{}' FROM writing_jobs WHERE state = 'running';

    INSERT INTO imports (repository_id, user_id, language_code, wanted, state, done, total, version, error, created_at, updated_at,
      started_at, finished_at)
    SELECT repositories.id, users.id, 'en', n::text, ${states}, 0, 2, n, ${error}, '2026-03-01Z', '2026-03-01Z', '2026-03-01Z', ${finished}
    ${each}, repositories, users;
    INSERT INTO planned_articles (repository_id, user_id, import_id, pr_number, language_code, state, attempt, not_before, heartbeat_at,
      error, finished_at)
    SELECT imports.repository_id, user_id, imports.id, number, 'en',
      CASE WHEN imports.state = 'running' AND number = 2 THEN 'waiting' WHEN imports.state = 'cancelled' THEN 'skipped'
        WHEN imports.state = 'failed' AND number = 1 THEN 'done' ELSE imports.state END, 1, '2026-03-01Z',
      CASE WHEN imports.state = 'running' AND number = 1 THEN '2026-03-01T21:00:00Z'::timestamptz END,
      CASE WHEN number = 2 THEN imports.error END, imports.finished_at
    FROM imports, generate_series(2, 1, -1) AS number ORDER BY imports.id, number DESC;
    INSERT INTO planned_articles (repository_id, pr_number, language_code, state, not_before)
    SELECT id, 3, 'en', 'waiting', '2026-03-01Z' FROM repositories;

    INSERT INTO added_repositories (user_id, owner, name, is_private, address, state, attempt, done, total, version, error, created_at,
      started_at, finished_at, heartbeat_at)
    SELECT users.id, 'acme', 'm' || n, false, 'https://host/acme/m' || n, ${states}, 1, 50, 100, n, ${error}, '2026-03-01T20:00:00Z',
      '2026-03-01T20:00:00Z', ${finished}, ${heartbeat}
    ${each}, users;
    INSERT INTO added_repositories (user_id, owner, name, is_private, folder, state, created_at, finished_at)
    SELECT users.id, 'acme', 'clone', false, '/code/clone/.git', 'done', '2026-03-01Z', '2026-03-01Z' FROM users;`);
  return database;
}

interface OldJob {
  id: string;
  work: Job['work'];
  state: JobState;
  version: number;
}

const listOld = (database: Database) =>
  database.query<OldJob>(sql`
    SELECT id, CASE WHEN question IS NULL THEN 'article' ELSE 'answer' END AS work, state, version FROM writing_jobs
    UNION ALL SELECT id, 'import', state, version FROM imports
    UNION ALL SELECT id, 'mirror', state, version FROM added_repositories WHERE address IS NOT NULL`);

/** Progress of an import by state: done, total, waiting, running, written, failed. */
const importsShow: Record<JobState, [number, number, number[], number[], number[], number[]]> = {
  queued: [0, 2, [], [], [], []],
  running: [0, 2, [2], [1], [], []],
  done: [2, 2, [], [], [2, 1], []],
  failed: [2, 2, [], [], [1], [2]],
  cancelled: [0, 2, [], [], [], []],
};

async function checkUpgraded(database: Database, old: OldJob[]): Promise<void> {
  const userId = (await database.value<string>(sql`SELECT id FROM users`)) ?? '';
  const wanted = old.map(({ id: jobId }) => ({ jobId, userId }));
  const found = await findJobs(database, wanted, { now, purpose: 'detail' });
  for (const [index, { id, work, state, version }] of old.entries()) {
    const job = found[index]?.job ?? assert.fail(`the ${work} ${id} is lost`);
    assert.deepEqual([job.work, job.id, job.state, job.version], [work, id, state, version]);
    assert.equal(job.error?.code, state === 'failed' ? 'AI_ERROR' : undefined);
    if (job.work === 'import') {
      const { done, total, waiting, current, written, failures } = job;
      const numbers = [current, failures].map((some) => some.map(({ prNumber }) => prNumber));
      assert.deepEqual([done, total, waiting, numbers[0], written, numbers[1]], importsShow[state]);
    } else assert.deepEqual([job.done, job.total], job.work === 'mirror' ? [50, 100] : [1, 2]);
    if (job.work === 'mirror') assert.equal(job.name, `m${version}`);
    if (job.work === 'article') assert.equal(job.articleId !== null, version === 1);
  }
  const listed = () => database.count(sql`SELECT count(*) FROM added_repositories`);
  assert.equal(await listed(), 180 + 20 + 1, 'mirrors that failed or were cancelled are no entries');
  assert.equal(await database.count(sql`SELECT count(*) FROM ai_answers`), 40);
  const claimAll = async (queue: Queue): Promise<number> =>
    (await claimJobs(database, queue, now)).length === 0 ? 0 : 1 + (await claimAll(queue));
  assert.deepEqual(
    [
      await claimAll('writing'),
      await claimAll('planned'),
      await claimAll('mirrors'),
      await claimAll('refreshes'),
    ],
    [40, 41, 20, 180],
    'everything that was running or waiting is taken up',
  );
  await deleteFinishedJobs(database, now);
  const left = await database.query<{ work: string; count: number }>(
    sql`SELECT work, count(*) AS count FROM jobs GROUP BY work ORDER BY work`,
  );
  assert.deepEqual(
    left.map(({ work, count }) => `${work} ${count}`),
    ['answer 20', 'article 20', 'import 20', 'mirror 20', 'planned 41', 'refresh 180'],
  );
  assert.equal(await listed(), 201, 'what is swept are jobs and no entries');
}

test('jobs of every kind and state are the same after an upgrade to one table, and after restoring an older backup', async () => {
  const database = await beforeJobsWereOne();
  const old = await listOld(database);
  assert.equal(old.length, 4 * 225);
  const folder = newFolder();
  await writeTo(database, folder);
  await database.transaction((tx) => migrate(tx));
  await checkUpgraded(database, old);
  const restored = await openEmpty();
  await loadBackup(restored, folder, await checkBackup(folder, how), how);
  await checkUpgraded(restored, old);
});

test('a backup with running imports is restored after their rows were updated', async () => {
  const before = await beforeJobsWereOne();
  await before.transaction((tx) => migrate(tx));
  const old = await before.query<OldJob>(
    sql`SELECT id, work, state, version FROM jobs WHERE work NOT IN ('planned', 'refresh')`,
  );
  // An update moves parent rows behind their children in the table.
  await before.query(sql`UPDATE jobs SET step = step WHERE work = 'import'`);
  const folder = newFolder();
  await writeTo(before, folder);
  const restored = await openEmpty();
  await loadBackup(restored, folder, await checkBackup(folder, how), how);
  await checkUpgraded(restored, old);
});
