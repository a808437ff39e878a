import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import postgres from 'postgres';
import { mintLocalToken } from '../src/code-hosts/git/local-token.ts';
import { loadSecretKeys } from '../src/data-folder.ts';
import { standInCertificate } from '../test/github/stand-in.ts';
import { startHttpsGit } from '../test/https-git-server.ts';
import { makeClone } from '../test/make-clone.ts';
import { makeHistory } from '../test/make-history.ts';
import { makeLargePullRequest } from '../test/make-large-pull-request.ts';
import { startPostgres } from '../test/postgres.ts';
import { type RunningServer, runServer, service } from './run-server.ts';

// Kills the workers of articles, questions, imports and mirrors with -9 repeatedly, on one PostgreSQL: how soon another
// worker takes over each job, whether each ends, and whether anything acknowledged is lost or duplicated. A third of
// the kills happen while a group of imported articles is stored. Ends with 1 if something is lost, duplicated, taken
// over late or never ends.
// Usage: node bench/dead-workers.ts [--kills 60]

const { values } = parseArgs({ options: { kills: { type: 'string', default: '60' } } });
const kills = Number(values.kills);
const aimed = Math.floor(kills / 3);
const writers = 3;
const pullRequests = 30;
/** The number of jobs of each kind. */
const mostWaiting = 2;
const mostSeconds = 60;
/** The number of clones to import and to mirror, and of pull requests to import from each. */
const clones = 3 * kills;
const imported = 60;

const folder = mkdtempSync(join(tmpdir(), 'pullquote-bench-'));
const clone = makeClone(folder, 'repos/acme/rocket', 'Begin');
for (let number = 1; number <= pullRequests; number += 1) makeLargePullRequest(clone, number, 120);
const history = makeHistory(join(folder, 'repos'), 'acme/import-0', imported);
for (let number = 1; number < clones; number += 1)
  symlinkSync(history, join(folder, 'repos/acme', `import-${number}`));
const remote = await startHttpsGit(join(folder, 'repos'));

const database = await startPostgres();
const environment = {
  DATABASE_URL: database.url,
  PULLQUOTE_DATA: join(folder, 'data'),
  GIT_REPOS: join(folder, 'repos'),
  GIT_CLONE: 'true',
  GIT_CLONE_HOSTS: remote.host,
  OPERATORS: 'ann',
  NODE_EXTRA_CA_CERTS: standInCertificate,
  LOG_LEVEL: 'fatal',
};
const started: RunningServer[] = [];
async function start(count: number): Promise<RunningServer> {
  const running = await runServer(service, { environment: { ...environment, WRITERS: String(count) } });
  started.push(running);
  return running;
}

const front = await start(0);
const token = mintLocalToken(
  loadSecretKeys({ dataFolder: environment.PULLQUOTE_DATA, secretKeys: undefined }),
  {
    name: 'ann',
    singleUse: false,
    expiresAt: new Date(Date.now() + 6 * 3_600_000),
  },
);
const headers = {
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  prefer: 'respond-async',
};
await fetch(`${front.url}/auth/signup`, { method: 'POST', headers });

interface Followed {
  attempt: number;
  startedAt: number;
  finished: number;
}

const jobs = new Map<string, Followed>();
const acknowledged = new Map<string, string>();
const killedAt: number[] = [];
const takenOver: number[] = [];
const sql = postgres(database.url, { max: 3, onnotice: () => {} });

/** The path and body of a request for one more job of each kind. */
const wishes: Record<string, (place: number) => [path: string, body: object]> = {
  article: (place) => [
    `/repos/acme/rocket/pulls/${1 + (place % pullRequests)}/article`,
    { language: 'en', regenerate: true },
  ],
  answer: (place) => [
    `/repos/acme/rocket/pulls/${1 + (place % pullRequests)}/questions`,
    { question: `What is part ${place}?`, language: 'en' },
  ],
  import: (place) => [`/repos/acme/import-${place % clones}/import`, { last: imported, language: 'en' }],
  mirror: (place) => [
    '/added-repositories',
    { location: `https://${remote.host}/acme/import-${place % clones}`, name: `copy/of-${place}` },
  ],
};
const asked: Record<string, number> = {};

async function ask(work: string): Promise<void> {
  const place = asked[work] ?? 0;
  asked[work] = place + 1;
  const [path, body] = wishes[work]?.(place) ?? [];
  const answer = await fetch(`${front.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (answer.status >= 300) throw new Error(`${work}: ${text}`);
  if (answer.status === 202) acknowledged.set(JSON.parse(text).data.id, work);
}

await sql.listen('jobs', (message) => {
  const [id = '', , state] = message.split(' ');
  const job = jobs.get(id);
  if (job && (state === 'done' || state === 'failed')) job.finished += 1;
});

/** Records which jobs were started again, and for how long at most no process had worked on them. */
async function look() {
  const rows = await sql<{ id: string; work: string; state: string; attempt: number }[]>`
    SELECT id, work, state, attempt FROM jobs WHERE work <> 'refresh'`;
  const now = performance.now();
  for (const { id, attempt } of rows) {
    const job = jobs.get(id) ?? { attempt: 0, startedAt: 0, finished: 0 };
    jobs.set(id, job);
    if (attempt <= job.attempt) continue;
    const death = killedAt.find((at) => at > job.startedAt);
    if (job.attempt > 0 && death !== undefined) takenOver.push((now - death) / 1000);
    job.attempt = attempt;
    job.startedAt = now;
  }
  const alive = rows.filter(({ state }) => state === 'queued' || state === 'running');
  const countOf = (work: string) => alive.filter((job) => job.work === work).length;
  return { alive: alive.length, countOf };
}

async function kill(running: RunningServer): Promise<void> {
  const ended = once(running.child, 'exit');
  running.child.kill('SIGKILL');
  killedAt.push(performance.now());
  await ended;
}

/** Kills a process while it stores a group: a lock delays the end of that until then. */
async function killWhileStoring(victim: RunningServer): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`LOCK TABLE pull_request_diffs IN SHARE MODE`;
    const findStoring = () => sql`
      SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query ~ 'INSERT INTO pull_request_diffs'`;
    while ((await findStoring()).length === 0) await pause(20);
    await kill(victim);
  });
}

async function killAll(): Promise<void> {
  const workers = await Promise.all(Array.from({ length: writers }, () => start(1)));
  let isOver = false;
  const feeding = (async () => {
    while (!isOver) {
      const { countOf } = await look();
      const missing = Object.keys(wishes).filter((work) => countOf(work) < mostWaiting);
      for (const work of missing) await ask(work);
      if (missing.length === 0) await pause(100);
    }
  })();
  for (let count = 0; count < kills; count += 1) {
    const place = count % workers.length;
    const victim = workers[place];
    if (count === kills - aimed) for (const one of workers.splice(1)) await one.stop();
    if (count >= kills - aimed && workers[0]) {
      await killWhileStoring(workers[0]);
      workers[0] = await start(1);
    } else if (victim) {
      await pause(Math.random() * 3_000);
      await kill(victim);
      workers[place] = await start(1);
    }
    if (count % 10 === 9) process.stderr.write(`${count + 1} of ${kills} killed\n`);
  }
  isOver = true;
  await feeding;
  for (let count = workers.length; count < writers; count += 1) await start(1);
}

/** Acknowledged results that are missing, duplicated or inconsistent with their job. */
async function findWrong(): Promise<string[]> {
  const ids = [...acknowledged.keys()];
  const wrong = await sql<{ what: string }[]>`
    SELECT 'lost: ' || id AS what FROM unnest(${ids}::uuid[]) AS acknowledged (id)
    WHERE NOT EXISTS (SELECT FROM jobs WHERE jobs.id = acknowledged.id)
    UNION ALL SELECT 'never ends: ' || work || ' ' || id FROM jobs WHERE state IN ('queued', 'running') AND work <> 'refresh'
    UNION ALL SELECT 'without a result: ' || work || ' ' || id FROM jobs WHERE state = 'done'
      AND (work = 'article' AND article_id IS NULL OR work = 'answer' AND answer_id IS NULL)
    UNION ALL SELECT 'answered twice: ' || question FROM answers GROUP BY question_key, question HAVING count(*) > 1
    UNION ALL SELECT 'import of another number of pull requests: ' || parent_id FROM jobs AS planned
      WHERE parent_id IS NOT NULL GROUP BY parent_id HAVING count(*) <> ${imported}
    UNION ALL SELECT 'planned and done without an article: ' || planned.pr_number FROM jobs AS planned
      WHERE planned.work = 'planned' AND planned.state = 'done' AND NOT EXISTS (
        SELECT FROM pull_requests JOIN articles ON articles.pull_request_id = pull_requests.id
        JOIN article_contents ON article_contents.article_id = articles.id AND article_contents.language_code = 'en'
        WHERE pull_requests.repository_id = planned.repository_id AND pull_requests.number = planned.pr_number)
    UNION ALL SELECT 'mirror without an entry: ' || id FROM jobs WHERE work = 'mirror' AND state = 'done'
      AND NOT EXISTS (SELECT FROM added_repositories AS added WHERE added.id = jobs.id AND refreshed_at IS NOT NULL)
    UNION ALL SELECT 'refreshed by two: ' || subject FROM jobs WHERE work = 'refresh' GROUP BY subject HAVING count(*) > 1`;
  const twice = [...jobs].flatMap(([id, { finished }]) => (finished > 1 ? `finished twice: ${id}` : []));
  return [...wrong.map(({ what }) => what), ...twice];
}

try {
  await killAll();
  const end = performance.now() + 600_000;
  while ((await look()).alive > 0 && performance.now() < end) await pause(200);
  const wrong = await findWrong();
  takenOver.sort((one, other) => one - other);
  const ends = await sql`
    SELECT work, state, error ->> 'message' AS error, count(*)::integer FROM jobs WHERE work <> 'refresh' GROUP BY 1, 2, 3 ORDER BY 1, 2`;
  console.table(Array.from(ends));
  console.table({
    killed: kills,
    'while a group was stored': aimed,
    acknowledged: acknowledged.size,
    'lost, doubled or without end': wrong.length,
    'taken over': takenOver.length,
    'seconds, median': takenOver[Math.floor(takenOver.length / 2)]?.toFixed(1),
    'seconds, most': takenOver.at(-1)?.toFixed(1),
  });
  for (const what of wrong) console.log(what);
  if (wrong.length > 0 || (takenOver.at(-1) ?? 0) > mostSeconds) process.exitCode = 1;
} finally {
  for (const { child } of started) child.kill('SIGKILL');
  await sql.end({ timeout: 1 });
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
