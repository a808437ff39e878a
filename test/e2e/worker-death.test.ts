import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { mintLocalToken } from '../../src/code-hosts/git/local-token.ts';
import { loadSecretKeys } from '../../src/data-folder.ts';
import { openPostgres } from '../../src/db/postgres.ts';
import { sql } from '../../src/db/sql.ts';
import { deadAfterSeconds } from '../../src/db/writing-jobs.ts';
import { freshDatabase } from '../build-app.ts';
import { makeClone } from '../make-clone.ts';
import { makeHistory } from '../make-history.ts';
import { makeLargePullRequest } from '../make-large-pull-request.ts';
import { readEvents } from '../read-events.ts';
import { type Service, startService } from '../start-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const root = temporaryFolder();
const clone = makeClone(root, 'acme/rocket');
makeHistory(root, 'acme/comet', 3);
// Reading these takes long enough for a signal to come in between.
makeLargePullRequest(clone, 2, 300);
makeLargePullRequest(clone, 3, 300);
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

interface StoredJob {
  state: string;
  attempt: number;
  putBack: number;
  contents: number;
}

const database = await openPostgres(environment.DATABASE_URL ?? '');
after(() => database.close());

async function findStored(id: string): Promise<StoredJob | undefined> {
  const [job] = await database.query<StoredJob>(sql`
    SELECT state, attempt, put_back AS "putBack",
      (SELECT count(*) FROM article_contents WHERE article_contents.article_id = writing_jobs.article_id) AS contents
    FROM writing_jobs WHERE id = ${id}`);
  return job;
}

/** Lets time pass for the heartbeats of a process that was killed. Returns how many jobs and planned articles it held. */
async function ageHeartbeats(): Promise<number> {
  const aged = await database.query(sql`
    WITH jobs AS (UPDATE writing_jobs SET heartbeat_at = heartbeat_at - make_interval(secs => ${deadAfterSeconds})
      WHERE state = 'running' RETURNING 1),
    planned AS (UPDATE planned_articles SET heartbeat_at = heartbeat_at - make_interval(secs => ${deadAfterSeconds})
      WHERE state = 'running' RETURNING 1)
    SELECT 1 FROM jobs UNION ALL SELECT 1 FROM planned`);
  return aged.length;
}

/** Each test ends this service, and leaves the one that goes on with its work to the next test. */
let running = await startService({ environment });

/** Ends the running service while it writes, and has another service finish the article. */
async function endWhileWriting(number: number, signal: NodeJS.Signals): Promise<StoredJob | undefined> {
  const victim = running;
  const id = await askAndWaitUntilRead(victim, number);
  // A held process cannot finish the article while another process starts.
  victim.child.kill('SIGSTOP');
  running = await startService({ environment });
  const ended = victim.stop(signal);
  victim.child.kill('SIGCONT');
  await ended;
  if (signal === 'SIGKILL') assert.equal(await ageHeartbeats(), 1);
  await waitFor(running, id, ({ state }) => state === 'done');
  assert.equal((await fetch(`${running.url}/repos/acme/rocket/pulls/${number}/article`)).status, 200);
  return findStored(id);
}

test('when a writer is killed, its work is taken up again within a minute and published once', async () => {
  assert.ok(deadAfterSeconds < 30);
  const job = await endWhileWriting(2, 'SIGKILL');
  assert.deepEqual(job, { state: 'done', attempt: 2, putBack: 0, contents: 1 });
});

test('a writer that is asked to stop puts its work back, and that counts as no failure', async () => {
  const job = await endWhileWriting(3, 'SIGTERM');
  assert.deepEqual(job, { state: 'done', attempt: 2, putBack: 1, contents: 1 });
});

test('when a process that imports is killed, the import goes on, and each article is written once', async () => {
  const victim = running;
  const asked = await fetch(`${victim.url}/repos/acme/comet/import`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ last: 3, language: 'en' }),
  });
  assert.equal(asked.status, 202);
  const { data }: { data: { id: string } } = JSON.parse(await asked.text());
  await waitFor(victim, data.id, ({ progress }) => progress.done > 0);
  await victim.stop('SIGKILL');
  await ageHeartbeats();
  const survivor = await startService({ environment });
  const over = await waitFor(survivor, data.id, ({ state }) => state === 'done');
  assert.deepEqual(over.progress, { step: 'writing', done: 3, total: 3 });
  await survivor.stop();
  const [written] = await database.query<{ articles: number; jobs: number }>(sql`
    SELECT count(DISTINCT articles.id) AS articles, count(writing_jobs.id) AS jobs
    FROM repositories JOIN pull_requests ON pull_requests.repository_id = repositories.id
    JOIN articles ON articles.pull_request_id = pull_requests.id
    JOIN writing_jobs ON writing_jobs.pull_request_id = pull_requests.id WHERE repositories.name = 'comet'`);
  assert.deepEqual(written, { articles: 3, jobs: 3 });
});
