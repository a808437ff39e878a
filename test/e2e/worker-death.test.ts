import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mintLocalToken } from '../../src/code-hosts/git/local-token.ts';
import { loadSecretKeys } from '../../src/data-folder.ts';
import { openPostgres } from '../../src/db/postgres.ts';
import { sql } from '../../src/db/sql.ts';
import { freshDatabase } from '../build-app.ts';
import { makeClone } from '../make-clone.ts';
import { makeHistory } from '../make-history.ts';
import { makeLargePullRequest } from '../make-large-pull-request.ts';
import { readEvents } from '../read-events.ts';
import { type Service, startService } from '../start-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const root = temporaryFolder();
const clone = makeClone(root, 'acme/rocket');
makeHistory(root, 'acme/comet', 5);
// Reading these takes long enough for a signal to come in between.
makeLargePullRequest(clone, 2, 400);
makeLargePullRequest(clone, 3, 400);
const environment: Record<string, string> = {
  ...(await freshDatabase()),
  GIT_REPOS: root,
  WRITERS: '1',
  LOG_LEVEL: 'warn',
};
const dataFolder = environment.PULLQUOTE_DATA ?? '';
const token = mintLocalToken(loadSecretKeys({ dataFolder, secretKeys: undefined }), {
  name: 'ann',
  expiresAt: new Date(Date.now() + 3_600_000),
  singleUse: false,
});
const headers = { authorization: `Bearer ${token}` };

/** Asks for an article, and returns the id of the job once the pull request is being read. */
async function askAndWaitUntilRead(service: Service, number: number): Promise<string> {
  await fetch(`${service.url}/auth/signup`, { method: 'POST', headers });
  const asked = await fetch(`${service.url}/repos/acme/rocket/pulls/${number}/article`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', prefer: 'respond-async' },
    body: JSON.stringify({ language: 'en' }),
  });
  assert.equal(asked.status, 202);
  const { data }: { data: { id: string } } = JSON.parse(await asked.text());
  await waitFor(service, data.id, ({ state, progress }) => state === 'running' && progress.done > 0);
  return data.id;
}

interface ShownJob {
  state: string;
  progress: { step: string; done: number };
}

async function waitFor(
  service: Service,
  id: string,
  isReached: (job: ShownJob) => boolean,
): Promise<ShownJob> {
  for await (const { data } of readEvents(`${service.url}/jobs/${id}/events`, headers)) {
    if (isReached(data)) return data;
  }
  return assert.fail('the job ended before it got there');
}

/** Returns the moment in which something is heard of a job that no process works on. */
async function waitUntilTakenUp(service: Service, id: string): Promise<number> {
  let left: string | undefined;
  for await (const { id: version, data } of readEvents(`${service.url}/jobs/${id}/events`, headers)) {
    left ??= version;
    if (version !== left || data.state === 'done') return performance.now();
  }
  return assert.fail('nothing was heard of the job');
}

interface StoredJob {
  state: string;
  attempt: number;
  putBack: number;
  contents: number;
}

/** What the database holds about a job, once no process has it open any more. */
async function findStored(id: string): Promise<StoredJob | undefined> {
  const database = await openPostgres(environment.DATABASE_URL ?? '');
  const [job] = await database.query<StoredJob>(sql`
    SELECT state, attempt, put_back AS "putBack",
      (SELECT count(*) FROM article_contents WHERE article_contents.article_id = writing_jobs.article_id) AS contents
    FROM writing_jobs WHERE id = ${id}`);
  await database.close();
  return job;
}

/**
 * Ends a service while it writes, and has the article finished by another that runs beside it. Returns the job and how long
 * no process worked on it.
 */
async function endWhileWriting(number: number, signal: NodeJS.Signals) {
  const victim = await startService({ environment });
  const id = await askAndWaitUntilRead(victim, number);
  // Held where it is, so that it cannot get to its end while another starts.
  victim.child.kill('SIGSTOP');
  const survivor = await startService({ environment });
  const endedAt = performance.now();
  const ended = victim.stop(signal);
  victim.child.kill('SIGCONT');
  await ended;
  const takenUpAfter = (await waitUntilTakenUp(survivor, id)) - endedAt;
  console.log(`${signal}: taken up again after ${Math.round(takenUpAfter)} ms`);
  await waitFor(survivor, id, ({ state }) => state === 'done');
  assert.equal((await fetch(`${survivor.url}/repos/acme/rocket/pulls/${number}/article`)).status, 200);
  await survivor.stop();
  return { job: await findStored(id), takenUpAfter };
}

test('when a writer is killed, its work is taken up again within a minute and published once', async () => {
  const { job, takenUpAfter } = await endWhileWriting(2, 'SIGKILL');
  assert.ok(takenUpAfter < 60_000);
  assert.deepEqual(job, { state: 'done', attempt: 2, putBack: 0, contents: 1 });
});

test('a writer that is asked to stop puts its work back, and that counts as no failure', async () => {
  const { job } = await endWhileWriting(3, 'SIGTERM');
  assert.deepEqual(job, { state: 'done', attempt: 2, putBack: 1, contents: 1 });
});

test('when a process that imports is killed, the import goes on, and each article is written once', async () => {
  const victim = await startService({ environment });
  const asked = await fetch(`${victim.url}/repos/acme/comet/import`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ last: 5, language: 'en' }),
  });
  assert.equal(asked.status, 202);
  const { data }: { data: { id: string } } = JSON.parse(await asked.text());
  await waitFor(victim, data.id, ({ progress }) => progress.done > 0);
  await victim.stop('SIGKILL');
  const survivor = await startService({ environment });
  const over = await waitFor(survivor, data.id, ({ state }) => state === 'done');
  assert.deepEqual(over.progress, { step: 'writing', done: 5, total: 5 });
  await survivor.stop();
  const database = await openPostgres(environment.DATABASE_URL ?? '');
  const [written] = await database.query<{ articles: number; jobs: number }>(sql`
    SELECT count(DISTINCT articles.id) AS articles, count(writing_jobs.id) AS jobs
    FROM repositories JOIN pull_requests ON pull_requests.repository_id = repositories.id
    JOIN articles ON articles.pull_request_id = pull_requests.id
    JOIN writing_jobs ON writing_jobs.pull_request_id = pull_requests.id WHERE repositories.name = 'comet'`);
  await database.close();
  assert.deepEqual(written, { articles: 5, jobs: 5 });
});
