import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import postgres from 'postgres';
import { mintLocalToken } from '../src/code-hosts/git/local-token.ts';
import { loadSecretKeys } from '../src/data-folder.ts';
import { makeClone } from '../test/make-clone.ts';
import { makeLargePullRequest } from '../test/make-large-pull-request.ts';
import { startPostgres } from '../test/postgres.ts';
import { type RunningServer, runServer, service } from './run-server.ts';

// What becomes of articles whose writers are killed with -9, again and again, on one PostgreSQL: how soon another takes each
// of them over, and whether each is finished, and once. Then what it costs to wait for work: the time of a core and the
// transactions of a service that is idle. Ends with 1 where one is lost, finished twice, or taken over late.
// Usage: node bench/dead-workers.ts [--kills 100] [--idle-seconds 60]

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '100' }, 'idle-seconds': { type: 'string', default: '60' } },
});
const kills = Number(values.kills);
const idleSeconds = Number(values['idle-seconds']);
const writers = 3;
const pullRequests = 30;
const mostWaiting = 6;
const mostSeconds = 60;

const folder = mkdtempSync(join(tmpdir(), 'pullquote-bench-'));
const clone = makeClone(folder, 'repos/acme/rocket', 'Begin');
for (let number = 1; number <= pullRequests; number += 1) makeLargePullRequest(clone, number, 120);

const database = await startPostgres();
const environment = {
  DATABASE_URL: database.url,
  PULLQUOTE_DATA: join(folder, 'data'),
  GIT_REPOS: join(folder, 'repos'),
  LOG_LEVEL: 'fatal',
};
const start = (count: number) =>
  runServer(service, { environment: { ...environment, WRITERS: String(count) } });

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
const killedAt: number[] = [];
const takenOver: number[] = [];
const sql = postgres(database.url, { max: 2, onnotice: () => {} });

let asked = 0;
async function ask(): Promise<void> {
  asked += 1;
  const answer = await fetch(`${front.url}/repos/acme/rocket/pulls/${1 + (asked % pullRequests)}/article`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ language: 'en', regenerate: true }),
  });
  const { data }: { data: { id: string } } = JSON.parse(await answer.text());
  if (!jobs.has(data.id)) jobs.set(data.id, { attempt: 0, startedAt: 0, finished: 0 });
}

await sql.listen('writing_jobs', (message) => {
  const [id = '', , state] = message.split(' ');
  const job = jobs.get(id);
  if (job && (state === 'done' || state === 'failed')) job.finished += 1;
});

/** Notes who has been started again, and for how long at most no process had worked on it. */
async function look() {
  const rows = await sql<{ id: string; state: string; attempt: number }[]>`
    SELECT id, state, attempt FROM writing_jobs`;
  const now = performance.now();
  for (const { id, attempt } of rows) {
    const job = jobs.get(id);
    if (!job || attempt <= job.attempt) continue;
    const death = killedAt.find((at) => at > job.startedAt);
    if (job.attempt > 0 && death !== undefined) takenOver.push((now - death) / 1000);
    job.attempt = attempt;
    job.startedAt = now;
  }
  const alive = rows.filter(({ state }) => state === 'queued' || state === 'running');
  return { alive: alive.length, running: alive.filter(({ state }) => state === 'running').length, rows };
}

async function kill(running: RunningServer): Promise<void> {
  const ended = once(running.child, 'exit');
  running.child.kill('SIGKILL');
  killedAt.push(performance.now());
  await ended;
}

async function killAll(): Promise<RunningServer[]> {
  const workers = await Promise.all(Array.from({ length: writers }, () => start(1)));
  let isOver = false;
  const feeding = (async () => {
    while (!isOver) {
      const { alive } = await look();
      if (alive < mostWaiting) await ask();
      else await pause(100);
    }
  })();
  for (let count = 0; count < kills; count += 1) {
    while ((await look()).running < writers) await pause(50);
    await pause(Math.random() * 1_500);
    const place = count % writers;
    const victim = workers[place];
    if (victim) await kill(victim);
    workers[place] = await start(1);
    if (count % 10 === 9) process.stderr.write(`${count + 1} of ${kills} killed\n`);
  }
  isOver = true;
  await feeding;
  return workers;
}

function ticks({ child }: RunningServer): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

async function transactions(): Promise<number> {
  const [row] = await sql<{ count: string }[]>`
    SELECT xact_commit AS count FROM pg_stat_database WHERE datname = current_database()`;
  return Number(row?.count);
}

async function measureIdle() {
  const idle = await start(2);
  await pause(15_000);
  const before = { ticks: ticks(idle), transactions: await transactions() };
  await pause(idleSeconds * 1_000);
  const spent = ticks(idle) - before.ticks;
  const ran = (await transactions()) - before.transactions;
  await idle.stop();
  return {
    '% of a core': Number(((spent / 100 / idleSeconds) * 100).toFixed(2)),
    'transactions a minute': Math.round((ran / idleSeconds) * 60),
  };
}

try {
  const workers = await killAll();
  const end = performance.now() + 180_000;
  while ((await look()).alive > 0 && performance.now() < end) await pause(200);
  const { rows, alive } = await look();
  const ours = rows.filter(({ id }) => jobs.has(id));
  const twice = [...jobs.values()].filter(({ finished }) => finished > 1).length;
  takenOver.sort((one, other) => one - other);
  console.table({
    killed: kills,
    'articles asked for': jobs.size,
    done: ours.filter(({ state }) => state === 'done').length,
    'given up after three deaths': ours.filter(({ state }) => state === 'failed').length,
    'finished twice': twice,
    lost: jobs.size - ours.length + alive,
    'taken over': takenOver.length,
    'seconds, median': takenOver[Math.floor(takenOver.length / 2)]?.toFixed(1),
    'seconds, most': takenOver.at(-1)?.toFixed(1),
  });
  for (const worker of workers) await worker.stop();
  await front.stop();
  console.log('A service that waits for work:');
  console.table(await measureIdle());
  if (twice > 0 || alive > 0 || jobs.size > ours.length || (takenOver.at(-1) ?? 0) > mostSeconds)
    process.exitCode = 1;
} finally {
  await sql.end({ timeout: 1 });
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
