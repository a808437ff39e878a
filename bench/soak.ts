import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { mintLocalToken } from '../src/code-hosts/git/local-token.ts';
import { parseConfig } from '../src/config.ts';
import { loadSecretKeys } from '../src/data-folder.ts';
import { sql } from '../src/db/sql.ts';
import {
  makeBenchFolder,
  megabytesOf,
  openDatabase,
  serverProcesses,
  withDescendants,
} from './local-server.ts';
import { makePullRequests } from './make-pull-requests.ts';
import { runServer, service } from './run-server.ts';
import { drawMemory, type Sample, slopeOf } from './soak/memory-picture.ts';
import { type Asked, askSomething, post, readArticles, type Users } from './soak/mix.ts';
import { liveThroughMonth } from './soak/month.ts';

// Hours of mixed load at half of what the service can do: reads, pages, likes, searches, questions, articles and two
// imports. Prints how memory grows in the last half, the slowest requests and the bloat of tables, and draws the memory
// as SVG. With --month it lives through thirty days with a moved clock instead, and prints whether sizes stay level.
// Usage: node bench/soak.ts [--minutes 120] [--picture soak-memory.svg] [--month]

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '120' },
    picture: { type: 'string', default: 'soak-memory.svg' },
    month: { type: 'boolean', default: false },
  },
});
const endMs = Number(values.minutes) * 60_000;
const capacityMs = Math.min(20_000, endMs / 6);
const sampleEveryMs = Math.min(10_000, endMs / 60);
const clients = 16;
const pullRequests = 3_000;
const imported = Math.min(300, Math.ceil(Number(values.minutes) * 10));

const folder = makeBenchFolder();
const dataFolder = join(folder, 'data');
mkdirSync(join(folder, 'repos'));
makePullRequests(join(folder, 'repos'), 'acme/shop', pullRequests);
const environment = { PULLQUOTE_DATA: dataFolder, GIT_REPOS: join(folder, 'repos') };

async function signUp(url: string): Promise<Users> {
  const keys = loadSecretKeys(parseConfig(environment));
  const expiresAt = new Date(Date.now() + 2 * endMs + 3_600_000);
  const tokens = Array.from({ length: clients }, (_, index) =>
    mintLocalToken(keys, { name: `client-${index}`, singleUse: false, expiresAt }),
  );
  for (const token of tokens) await post(url, token, '/auth/signup');
  return { url, tokens, articles: [] };
}

async function importLast({ url, tokens }: Users, last: number): Promise<void> {
  const { status, text } = await post(url, tokens[0], '/repos/acme/shop/import', { last });
  if (status >= 300) throw new Error(`The import was refused: ${text}`);
}

/** Every client sends its next request when the last one was answered. Returns the requests per second. */
async function measureCapacity(users: Users): Promise<number> {
  const start = performance.now();
  let answered = 0;
  const ask = async (): Promise<void> => {
    while (performance.now() - start < capacityMs) {
      await askSomething(users);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, ask));
  return answered / (capacityMs / 1_000);
}

/** Starts requests at a steady rate, whether or not earlier ones were answered. */
async function keepLoad(users: Users, perSecond: number, asked: Asked[]): Promise<void> {
  const under = new Set<Promise<unknown>>();
  const start = performance.now();
  for (let sent = 0; performance.now() - start < endMs; sent += 1) {
    const due = start + (sent * 1_000) / perSecond;
    if (due > performance.now()) await wait(due - performance.now());
    const one: Promise<unknown> = askSomething(users)
      .then((done) => asked.push(done))
      .finally(() => under.delete(one));
    under.add(one);
  }
  await Promise.all(under);
}

async function sampleMemory(pid: number, samples: Sample[], signal: AbortSignal): Promise<void> {
  const start = performance.now();
  while (!signal.aborted) {
    const server = serverProcesses(dataFolder);
    const own = withDescendants(pid).filter((one) => !server.includes(one));
    const minute = (performance.now() - start) / 60_000;
    samples.push({ minute, service: megabytesOf(own), server: megabytesOf(server) });
    await wait(sampleEveryMs, undefined, { signal }).catch(() => {});
  }
}

function printRequests(asked: Asked[]): void {
  const rows = [...Map.groupBy(asked, ({ what }) => what)].map(([what, all]) => {
    const ms = all.map((one) => one.ms).sort((one, other) => one - other);
    const failed = all.filter(({ status }) => status >= 500 || status === 0).length;
    const at = (part: number) => Math.round(ms[Math.min(ms.length - 1, Math.floor(ms.length * part))] ?? 0);
    return { what, requests: all.length, 'p50 ms': at(0.5), 'p99 ms': at(0.99), 'slowest ms': at(1), failed };
  });
  console.table(rows);
}

async function printBloat(): Promise<void> {
  const database = await openDatabase(environment);
  const tables = await database.query(sql`
    SELECT relname AS "table", n_live_tup::integer AS live, n_dead_tup::integer AS dead,
      autovacuum_count::integer AS autovacuums, pg_total_relation_size(relid)::bigint / 1000000 AS "MB"
    FROM pg_stat_user_tables ORDER BY pg_total_relation_size(relid) DESC LIMIT 12`);
  console.table(tables);
  await database.close();
}

async function soak(): Promise<void> {
  const running = await runServer(service, { environment });
  const users = await signUp(running.url);
  await importLast(users, 40);
  while (users.articles.length < 20) {
    await wait(500);
    users.articles = await readArticles(users);
  }
  const capacity = await measureCapacity(users);
  console.log(`${Math.round(capacity)} requests a second at most; ${values.minutes} minutes at half of that`);
  const samples: Sample[] = [];
  const asked: Asked[] = [];
  const ending = new AbortController();
  const sampling = sampleMemory(running.child.pid ?? 0, samples, ending.signal);
  const imports = [0.25, 0.5].map(async (part, index) => {
    await wait(endMs * part);
    await importLast(users, 40 + imported * (index + 1));
    users.articles = await readArticles(users);
  });
  await Promise.all([keepLoad(users, capacity / 2, asked), ...imports]);
  ending.abort();
  await sampling;
  await printBloat();
  await running.stop();
  printRequests(asked);
  const last = samples.slice(Math.floor(samples.length / 2));
  const row = (of: (sample: Sample) => number) => ({
    'MB per 10 minutes in the last half': Number((slopeOf(last, of) * 10).toFixed(1)),
    'most MB': Math.round(Math.max(...samples.map(of))),
  });
  console.table({ service: row(({ service }) => service), PostgreSQL: row(({ server }) => server) });
  writeFileSync(values.picture, drawMemory(samples));
  console.log(`The memory over time: ${resolve(values.picture)}`);
}

try {
  await (values.month ? liveThroughMonth(environment) : soak());
} finally {
  rmSync(folder, { recursive: true, force: true });
}
