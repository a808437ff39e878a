import assert from 'node:assert/strict';
import { globSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { mintLocalToken } from '../../src/code-hosts/git/local-token.ts';
import { loadSecretKeys } from '../../src/data-folder.ts';
import { deadAfterSeconds } from '../../src/db/job-queue.ts';
import { openPostgres } from '../../src/db/postgres.ts';
import { sql } from '../../src/db/sql.ts';
import { buildTestApp, freshDatabase } from '../build-app.ts';
import { standInCertificate } from '../github/stand-in.ts';
import { startHttpsGit } from '../https-git-server.ts';
import { makeClone } from '../make-clone.ts';
import { makeLargePullRequest } from '../make-large-pull-request.ts';
import { readEvents } from '../read-events.ts';
import { type Service, startService } from '../start-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { waitUntil } from '../wait-until.ts';

const root = temporaryFolder();
const rocket = makeClone(root, 'acme/rocket');
const comet = makeClone(root, 'acme/comet');
// Reading these takes long enough for a signal to arrive in between.
makeLargePullRequest(rocket, 2, 150);
makeLargePullRequest(comet, 2, 150);
makeLargePullRequest(rocket, 3, 1);
const remote = temporaryFolder();
makeClone(remote, 'acme/probe');
const server = await startHttpsGit(remote);
const settings = {
  GIT_REPOS: root,
  WRITERS: '1',
  GIT_CLONE: 'true',
  GIT_CLONE_HOSTS: server.host,
  OPERATORS: 'ann',
  NODE_EXTRA_CA_CERTS: standInCertificate,
};
const environment: Record<string, string> = { ...(await freshDatabase()), ...settings, LOG_LEVEL: 'warn' };
const dataFolder = environment.PULLQUOTE_DATA ?? '';
const token = mintLocalToken(loadSecretKeys({ dataFolder, secretKeys: undefined }), {
  name: 'ann',
  expiresAt: new Date(Date.now() + 3_600_000),
  singleUse: false,
});
const headers = { authorization: `Bearer ${token}` };

interface ShownJob {
  state: string;
  progress: { step: string; done: number };
}

async function waitFor(
  { url }: { url: string },
  id: string,
  isReached: (job: ShownJob) => boolean,
): Promise<ShownJob> {
  for await (const { data } of readEvents(`${url}/jobs/${id}/events`, headers)) {
    if (isReached(data)) return data;
  }
  return assert.fail('the job ended before it got there');
}

/** Requests long work; returns the id of its job. */
async function askFor(service: Service, path: string, body: object): Promise<string> {
  await fetch(`${service.url}/auth/signup`, { method: 'POST', headers });
  const asked = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', prefer: 'respond-async' },
    body: JSON.stringify(body),
  });
  assert.equal(asked.status, 202);
  return JSON.parse(await asked.text()).data.id;
}

const database = await openPostgres(environment.DATABASE_URL ?? '');
after(() => database.close());

const findStored = async (id: string) => {
  const [job] = await database.query<{
    state: string;
    attempt: number;
    putBack: number;
    contents: number;
  }>(sql`
    SELECT state, attempt, put_back AS "putBack",
      (SELECT count(*) FROM article_contents WHERE article_contents.article_id = jobs.article_id) AS contents
    FROM jobs WHERE id = ${id}`);
  return job;
};

/** Ages the heartbeats of a killed process past the limit; returns the number of its jobs. */
async function ageHeartbeats(): Promise<number> {
  const aged = await database.query(sql`
    UPDATE jobs SET heartbeat_at = heartbeat_at - make_interval(secs => ${deadAfterSeconds})
    WHERE state = 'running' AND heartbeat_at IS NOT NULL RETURNING 1`);
  return aged.length;
}

const startSurvivor = () => buildTestApp({ database: environment, environment: settings });

const mirrors = join(dataFolder, 'mirrors');
const halfMirrors = () => globSync('unfinished/*/*/mirror.git', { cwd: mirrors });

test('when a process is killed, another one finishes its import, publishes each article once and redoes its half mirror', async () => {
  assert.ok(deadAfterSeconds < 30);
  const victim = await startService({ environment });
  let isAsked = false;
  server.answer = (request, _, pass) => {
    if (request.method === 'GET') pass();
    else isAsked = true;
  };
  const location = `https://${server.host}/acme/probe`;
  const mirroring = await askFor(victim, '/added-repositories', { location });
  await waitUntil('git asks for objects', () => isAsked);
  const importing = await database.transaction(async (tx) => {
    // No article can be finished while this lock is held.
    await tx.query(sql`LOCK TABLE article_contents IN SHARE MODE`);
    const id = await askFor(victim, '/repos/acme/rocket/import', { language: 'en', last: 3 });
    await waitUntil('they are being written', async () => {
      const running = await database.values(
        sql`SELECT id FROM jobs WHERE work = 'planned' AND state = 'running'`,
      );
      return running.length > 0;
    });
    await victim.stop('SIGKILL');
    return id;
  });
  assert.equal(halfMirrors().length, 1);
  server.answer = null;
  assert.ok((await ageHeartbeats()) >= 2, 'killed in the middle');
  const survivor = await startSurvivor();
  const over = await waitFor(survivor, importing, ({ state }) => state === 'done');
  assert.deepEqual(over.progress, { step: 'writing', done: 3, total: 3 });
  assert.equal((await survivor.call('GET', '/repos/acme/rocket/pulls/2/article')).status, 200);
  await waitFor(survivor, mirroring, ({ state }) => state === 'done');
  assert.deepEqual(
    readdirSync(mirrors).filter((name) => name.endsWith('.git')),
    [`${mirroring}.git`],
  );
  await waitUntil('nothing is left over', () => halfMirrors().length === 0);
  await survivor.close();
  const [written] = await database.query<{ articles: number; contents: number }>(sql`
    SELECT (SELECT count(*) FROM articles) AS articles, (SELECT count(*) FROM article_contents) AS contents`);
  assert.deepEqual(written, { articles: 3, contents: 3 });
});

test('a writer stopped with SIGTERM queues its job again, and the next attempt finishes it', async () => {
  const victim = await startService({ environment });
  const id = await askFor(victim, '/repos/acme/comet/pulls/2/article', { language: 'en' });
  await waitFor(victim, id, ({ state, progress }) => state === 'running' && progress.done > 0);
  await victim.stop('SIGTERM');
  const putBack = await findStored(id);
  assert.deepEqual([putBack?.state, putBack?.contents], ['queued', 0]);
  await waitFor(await startSurvivor(), id, ({ state }) => state === 'done');
  assert.deepEqual(await findStored(id), { state: 'done', attempt: 2, putBack: 1, contents: 1 });
});
