import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import postgres from 'postgres';
import { checkLikes } from '../src/actions/likes/likes.ts';
import { loadSecretKeys } from '../src/data-folder.ts';
import { sql } from '../src/db/sql.ts';
import { type PostgresServer, startPostgres } from '../test/postgres.ts';
import { Articles } from './acknowledged/articles.ts';
import { Caller, countWrong, findAll, type Writer } from './acknowledged/caller.ts';
import { Keepers, SignUps } from './acknowledged/keepers.ts';
import { favoritesThrough, likesThrough } from './acknowledged/likes.ts';
import { fillArticles, filledHosts } from './fill-likes.ts';
import { makePullRequests } from './make-pull-requests.ts';
import {
  createRounds,
  lateCommits,
  type Round,
  Rows,
  rowsTable,
  Service,
  startBesideMigration,
} from './stalled/rounds.ts';
import { StallingProxy } from './stalled/stalling-proxy.ts';
import { Tally } from './stalled/tally.ts';

// Lets statements stall for longer than any request waits, in each place of a transaction in turn, while users like,
// sign up, follow and request articles: whether anything acknowledged is lost, anything undone exists, any request gets
// no response, and whether the service works as usual afterwards. Ends with 1 if one of these goes wrong.
// Usage: node bench/stalled-statements.ts [--rounds 200]

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '200' } } });
const rounds = Number(values.rounds);

/** Short, so that many statements can exceed it; other statements take less, even on a busy machine. */
const patienceMs = 500;
/** A request that has waited this long gets no response any more. */
const limitMs = 4 * patienceMs + 5_000;
/** How long a statement stalls, in timeouts; sometimes longer than it takes to count as hung. */
const stalls = [1.3, 1.5, 1.7, 2];
const longStall = 5;
const longEvery = 31;
/** The pause between two actions of a user, and between rounds. */
const pauseMs = 100;
const pauseAfterRefusalMs = 400;
const calmMs = 250;
const restEvery = 5;
const mostRestMs = 4_000;
/** How long the service may take to respond again: longer than connecting takes, even on a busy machine. */
const answersAgainMs = 120_000;
const repositories = ['one', 'two', 'three', 'four', 'five', 'six'];
const pullRequests = 2_000;

/** Makes a database as after a first start, with articles to like, and statements that stall. */
async function fill(service: Service): Promise<string[]> {
  await service.start();
  const database = service.database();
  await fillArticles(database, { repositories: 20, articles: 150, users: 1 });
  await database.runScript(rowsTable);
  await database.runScript(lateCommits);
  const articles = await database.query<{ name: string }>(
    sql`SELECT article_id || '/language/' || language_code AS name FROM article_contents`,
  );
  await service.stop();
  return articles.map(({ name }) => name);
}

interface Writing {
  signUps: SignUps;
  written: Articles;
}

function makeWriters(service: Service, articles: string[], tally: Tally) {
  const caller = new Caller({ url: service.url, limitMs, note: tally.note });
  const signUps = new SignUps(caller, loadSecretKeys(service.config));
  const asking = { owner: 'acme', repo: 'rocket', pullRequests, waiting: 0 };
  const written = new Articles(caller, signUps, asking);
  const rows = new Rows({ database: service.database, limitMs, note: tally.note });
  const likes = () => new Keepers(likesThrough(caller, articles), signUps);
  const favorites = () => new Keepers(favoritesThrough(caller, 'acme', repositories), signUps);
  const writers: Writer[] = [signUps, written, rows, likes(), likes(), likes(), favorites(), favorites()];
  // Several users act at once, because one user does not do the same twice.
  return { writers, signUps, written, clients: [...writers, signUps, rows, rows, rows, written, written] };
}

async function keepWriting(writer: Writer, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await wait((await writer.write()) ? pauseMs : pauseAfterRefusalMs);
  }
}

/** The time of a usual sign-up; null if it no longer succeeds. */
async function untilAnswered(signUps: SignUps): Promise<number | null> {
  const begun = performance.now();
  while (performance.now() - begun < answersAgainMs) {
    if (await signUps.signUp('after')) return Math.round(performance.now() - begun);
    await wait(100);
  }
  return null;
}

/** An article takes several transactions: sometimes nothing stalls until one is requested, or it takes too long. */
async function rest(round: number, written: Articles): Promise<void> {
  await wait(calmMs);
  const { asked } = written;
  const end = performance.now() + mostRestMs;
  while (round % restEvery === 0 && written.asked === asked && performance.now() < end) await wait(calmMs);
}

async function runRounds(ways: Round[], { signUps, written }: Writing, tally: Tally): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const way = ways[round % ways.length];
    if (!way) return;
    const length = round % longEvery === longEvery - 1 ? longStall : (stalls[round % stalls.length] ?? 0);
    const ms = Math.round(length * patienceMs);
    const row = tally.begin(way.place);
    row.rounds += 1;
    if (!(await way.run(ms))) row.missed += 1;
    const took = await untilAnswered(signUps);
    if (took === null) row['never answered again'] += 1;
    else row['slowest to answer again, ms'] = Math.max(took, row['slowest to answer again, ms']);
    await rest(round, written);
    if ((round + 1) % 10 === 0) process.stderr.write(`round ${round + 1} of ${rounds}\n`);
  }
}

/** Runs the rounds, prints the results, and returns the number of errors. */
async function bench(settings: Record<string, string>, server: PostgresServer): Promise<number> {
  const proxy = new StallingProxy();
  const direct = postgres(server.url, { max: 2, onnotice: () => {} });
  const service = new Service({ ...settings, DATABASE_URL: await proxy.open(server.url) });
  const articles = await fill(service);
  await service.start(patienceMs);
  const tally = new Tally();
  const { writers, signUps, written, clients } = makeWriters(service, articles, tally);
  const stopping = new AbortController();
  const writing = Promise.all(clients.map((client) => keepWriting(client, stopping.signal)));
  const begun = performance.now();
  // The last statements of transactions are recorded while nothing stalls.
  await wait(3_000);
  const besides = startBesideMigration({ ...settings, DATABASE_URL: server.url });
  const ways = createRounds(proxy, direct, { database: service.database, signUps });
  await runRounds(ways, { signUps, written }, tally);
  tally.begin('nothing stalls');
  const besidesCame = await besides;
  stopping.abort();
  await writing;
  const seconds = Math.round((performance.now() - begun) / 1000);
  const running = await findAll(writers);
  await service.stop();
  await service.start(patienceMs);
  const reopened = await findAll(writers);
  const { counters, totals } = await checkLikes(service.database(), { repair: false });
  await service.stop();
  proxy.close();
  await direct.end();

  console.log(`${rounds} rounds in ${seconds} s; answers are waited for ${patienceMs} ms`);
  console.table(Object.fromEntries(tally.byPlace));
  console.table(Object.fromEntries(tally.byKind));
  console.log('Found by the service as it runs, and after it was closed and opened again:');
  console.table(running);
  console.table(reopened);
  console.log(`jobs that were answered with 202: ${JSON.stringify(written.ends)}`);
  console.log(`counters of likes that differ from likes: ${counters.length + totals.length}`);
  console.log(`a second service that started beside a migration: ${besidesCame}`);
  for (const fault of service.faults.slice(0, 5)) console.error(fault);
  return tally.problems + countWrong(running) + countWrong(reopened) + counters.length + totals.length;
}

const folder = mkdtempSync(join(tmpdir(), 'pullquote-bench-'));
const server = await startPostgres({ fsync: 'on', synchronous_commit: 'on' });
try {
  const root = join(folder, 'repositories');
  mkdirSync(root);
  makePullRequests(root, 'acme/rocket', pullRequests);
  for (const repository of repositories) makePullRequests(root, `acme/${repository}`, 1);
  const settings = { ...filledHosts, GIT_REPOS: root, PULLQUOTE_DATA: join(folder, 'data') };
  if ((await bench(settings, server)) > 0) process.exitCode = 1;
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
