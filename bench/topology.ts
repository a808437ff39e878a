import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { checkLikes } from '../src/actions/likes/likes.ts';
import { parseConfig } from '../src/config.ts';
import { loadSecretKeys } from '../src/data-folder.ts';
import { openPostgres } from '../src/db/postgres.ts';
import { sql } from '../src/db/sql.ts';
import { startPostgres } from '../test/postgres.ts';
import type { Note } from './acknowledged/caller.ts';
import { countWrong, findAll } from './acknowledged/caller.ts';
import { fillArticles, filledHosts } from './fill-likes.ts';
import { makePullRequests } from './make-pull-requests.ts';
import { countRevisions, createLoad, type Loading, readFromAll } from './topology/load.ts';
import { Processes, proxyTo } from './topology/processes.ts';

// The losses of a team's installation: two processes that serve, two that write and PostgreSQL, killed with -9 one
// after another every ten seconds while users read, like, sign up and request articles. Then all but PostgreSQL are
// restarted in turn, several times, behind a proxy as in compose.yaml. Then the reads per second of one, two and four
// processes. Ends with 1 if something acknowledged is lost, an article is written twice, a read fails on a connection
// that was not cut, or any request fails during the restarts.
// Usage: node bench/topology.ts [--minutes 5] [--rounds 3] [--only kills|restarts|reads]

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
  },
});
const runMs = Number(values.minutes) * 60_000;
const killEveryMs = 10_000;
const pullRequests = 3_000;
/** As in compose.yaml, the proxy checks every second. */
const drain = { DRAIN_SECONDS: '3' };
/** Time before and after restarts, so that quiet times are measured too. */
const quietMs = 3_000;

const folder = mkdtempSync(join(tmpdir(), 'pullquote-bench-'));
const root = join(folder, 'repositories');
mkdirSync(root);
makePullRequests(root, 'acme/rocket', pullRequests);
// A database that keeps its data when it is killed, unlike that of tests.
const postgres = await startPostgres({ fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' });
const environment = {
  ...filledHosts,
  GIT_REPOS: root,
  PULLQUOTE_DATA: join(folder, 'data'),
  DATABASE_URL: postgres.url,
  LOG_LEVEL: 'silent',
};
const keys = loadSecretKeys(parseConfig(environment));

async function fill(): Promise<string[]> {
  const database = await openPostgres(postgres.url);
  await fillArticles(database, { repositories: 20, articles: 150, users: 1 });
  const articles = await database.query<{ name: string }>(
    sql`SELECT article_id || '/language/' || language_code AS name FROM article_contents`,
  );
  await database.close();
  return articles.map(({ name }) => name);
}
const liked = await fill();

const countTwice = async (): Promise<number> =>
  (await countRevisions(environment)).filter(({ times }) => times > 1).length;

async function countWrongCounters(): Promise<number> {
  const database = await openPostgres(postgres.url);
  const { counters, totals } = await checkLikes(database, { repair: false });
  await database.close();
  return counters.length + totals.length;
}

const pickFrom = (urls: string[]): string => urls[Math.floor(Math.random() * urls.length)] ?? '';

/** The address of the next server that responds. */
const anyOf = (processes: Processes) => async (): Promise<string> => {
  while (processes.urls().length === 0) await wait(5);
  return pickFrom(processes.urls());
};

async function killAll(): Promise<number> {
  const processes = new Processes(postgres);
  await processes.start(environment, { api: 2, writers: 2 });
  const reads = { answered: 0, cut: 0, 'while PostgreSQL was away': 0, 'failed otherwise': 0 };
  const noteRead: Loading['noteRead'] = ({ url, from, until, status }) => {
    if (status > 0 && status < 500) reads.answered += 1;
    else if (status === 0 && processes.wasAway(url, from, until)) reads.cut += 1;
    else if (processes.wasAway('postgres', from, until)) reads['while PostgreSQL was away'] += 1;
    else reads['failed otherwise'] += 1;
  };
  const note: Note = () => {};
  const load = createLoad({ url: anyOf(processes), keys, liked, pullRequests, note, noteRead });
  const stopping = new AbortController();
  const running = load.run(stopping.signal);
  const end = performance.now() + runMs;
  await processes.killInTurn(async () => {
    await wait(killEveryMs);
    return performance.now() < end;
  });
  stopping.abort();
  await running;
  const found = await findAll(load.writers);
  await processes.stop();
  const twice = await countTwice();
  const counters = await countWrongCounters();
  console.log(`${processes.kills} kills, of each process in turn`);
  console.table(found);
  console.table({ ...reads, 'articles written twice': twice, 'counters of likes that are wrong': counters });
  return countWrong(found) + twice + counters + reads['failed otherwise'];
}

async function restartAll(): Promise<number> {
  const processes = new Processes(postgres);
  await processes.start({ ...environment, ...drain }, { api: 2, writers: 2 });
  const proxy = await proxyTo(processes.allUrls());
  const answers: Record<string, number> = {};
  let failed = 0;
  const note = (kind: string, outcome: string): void => {
    if (!/^[234]/.test(outcome)) {
      failed += 1;
      answers[`${kind}: ${outcome}`] = (answers[`${kind}: ${outcome}`] ?? 0) + 1;
    } else answers.answered = (answers.answered ?? 0) + 1;
  };
  const noteRead: Loading['noteRead'] = ({ status }) => note('reads', String(status));
  const load = createLoad({ url: () => proxy.url, keys, liked, pullRequests, note, noteRead });
  const stopping = new AbortController();
  const running = load.run(stopping.signal);
  await wait(quietMs);
  for (let round = 0; round < Number(values.rounds); round += 1) await processes.restartInTurn();
  await wait(quietMs);
  stopping.abort();
  await running;
  const found = await findAll(load.writers);
  proxy.close();
  await processes.stop();
  console.log(
    `each process restarted with SIGTERM, one after the other, ${values.rounds} times, behind a proxy`,
  );
  console.table({ ...answers, failed });
  console.table(found);
  return failed + countWrong(found);
}

async function compareReads(): Promise<void> {
  const rates = new Map<number, number>();
  for (const count of [1, 2, 4]) {
    const processes = new Processes(postgres);
    await processes.start(environment, { api: count, writers: 0 });
    rates.set(count, await readFromAll(processes.urls(), `/articles/${liked[0]?.slice(0, 36)}`));
    await processes.stop();
  }
  console.log(`reads of an article, clients on the same ${availableParallelism()} cores`);
  const one = rates.get(1) ?? 1;
  const rows = [...rates].map(([processes, rate]) => ({
    processes,
    'a second': Math.round(rate),
    'of one': (rate / one).toFixed(2),
  }));
  console.table(rows);
}

let wrong = 0;
try {
  if ((values.only ?? 'kills') === 'kills') wrong += await killAll();
  if ((values.only ?? 'restarts') === 'restarts') wrong += await restartAll();
  if ((values.only ?? 'reads') === 'reads') await compareReads();
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = wrong > 0 ? 1 : 0;
