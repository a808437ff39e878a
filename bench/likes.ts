import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import postgres from 'postgres';
import { mintLocalToken } from '../src/code-hosts/git/local-token.ts';
import { parseConfig } from '../src/config.ts';
import { loadSecretKeys } from '../src/data-folder.ts';
import { findLiveSessions } from '../src/db/accounts.ts';
import { type Queries, shorthands } from '../src/db/database.ts';
import { insertLikes } from '../src/db/likes.ts';
import { openLocalServer } from '../src/db/local-server/local-server.ts';
import { findRepositoriesOfArticles } from '../src/db/repositories.ts';
import { indexDueArticles } from '../src/db/search-index.ts';
import { type Sql, sql } from '../src/db/sql.ts';
import { hashToken } from '../src/domain/secrets.ts';
import { fillArticles, filledHosts } from './fill-likes.ts';
import { makeBenchFolder, openDatabase } from './local-server.ts';
import { runServer, service } from './run-server.ts';
import type { Sending, Sent } from './send-likes.ts';

// Likes per second that are acknowledged once they are on disk: over HTTP, with the service and its clients in separate
// processes, against a bare loop that runs the same statements with as many clients.
// Usage: node bench/likes.ts [--clients N] [--seconds N]

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '64' },
    seconds: { type: 'string', default: '5' },
  },
});
const clients = Number(values.clients);
const seconds = Number(values.seconds);
const rounds = 3;
/** The articles of each part: more than a user can like in one run, so that every like is new. */
const articlesPerPart = 1_000;
const connectionsOfService = 10;

type Article = Sending['articles'][number];

/** Runs the service until `work` is done. */
async function withService<Result>(
  environment: Record<string, string>,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const server = await runServer(service, { environment });
  try {
    return await work(server.url);
  } finally {
    await server.stop();
  }
}

async function openSession(url: string, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  await fetch(`${url}/auth/signup`, { method: 'POST', headers });
  const session = await fetch(`${url}/auth/session`, { method: 'POST', headers });
  const body: { data: { accessToken: string } } = JSON.parse(await session.text());
  return body.data.accessToken;
}

async function overHttp(sending: Sending): Promise<Sent> {
  const child = fork(new URL('./send-likes.ts', import.meta.url));
  child.send(sending);
  const [sent] = await once(child, 'message');
  return sent;
}

/** The statements that the service runs for a like. Returns the number of likes. */
async function bare(db: Queries, tokens: string[], articles: Article[]): Promise<number> {
  const end = performance.now() + seconds * 1000;
  let given = 0;
  await Promise.all(
    tokens.map(async (token, client) => {
      for (let turn = 0; turn < articles.length && performance.now() < end; turn += 1) {
        const article = articles[(turn + client * 31) % articles.length];
        const now = new Date();
        const [session] = await findLiveSessions(db, [hashToken(token)], now);
        const userId = session?.user?.id ?? '';
        const articleId = article?.id ?? '';
        await findRepositoriesOfArticles(db, [{ articleId, userId }], { now, purpose: 'beforeAskingHost' });
        const languageCode = article?.languageCode ?? '';
        const [like] = await insertLikes(db, [{ articleId, languageCode, userId }], now);
        if (like) given += 1;
      }
    }),
  );
  return given;
}

const perSecond = (likes: number) => Math.round(likes / seconds);
const median = (numbers: number[]) =>
  numbers.sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

interface Prepared {
  environment: Record<string, string>;
  rows: Article[];
  tokens: string[];
}

async function prepare(environment: Record<string, string>): Promise<Prepared> {
  const database = await openDatabase(environment);
  await fillArticles(database, { repositories: 200, articles: articlesPerPart * rounds * 3, users: 1 });
  const rows = await database.query<Article>(
    sql`SELECT article_id AS id, language_code AS "languageCode" FROM article_contents ORDER BY article_id`,
  );
  // Otherwise the service would index them while it is measured.
  while ((await indexDueArticles(database, 200)) > 0);
  await database.runScript('ANALYZE');
  await database.close();
  const keys = loadSecretKeys(parseConfig(environment));
  const expiresAt = new Date(Date.now() + 3_600_000);
  const tokens = await withService(environment, (url) =>
    Promise.all(
      Array.from({ length: clients }, (_, index) =>
        openSession(url, mintLocalToken(keys, { name: `client-${index}`, expiresAt, singleUse: false })),
      ),
    ),
  );
  return { environment, rows, tokens };
}

interface Baseline {
  name: string;
  open: () => Promise<Queries & { close: () => Promise<void> }>;
}

/** Runs all variants in turn, so that disturbances affect all of them, and prints the results. */
async function compare({ environment, rows, tokens }: Prepared, baselines: Baseline[]) {
  let parts = 0;
  const nextPart = (): Article[] => {
    parts += 1;
    return rows.slice((parts - 1) * articlesPerPart, parts * articlesPerPart);
  };
  const bares = new Map(baselines.map(({ name }): [string, number[]] => [name, []]));
  const sents: Sent[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, open } of baselines) {
      const db = await open();
      bares.get(name)?.push(perSecond(await bare(db, tokens, nextPart())));
      await db.close();
    }
    const articles = nextPart();
    sents.push(await withService(environment, (url) => overHttp({ url, tokens, articles, seconds })));
  }
  const others = Object.assign({}, ...sents.map((sent) => sent.others));
  if (Object.keys(others).length > 0) console.log('answers other than 201:', others);
  const served = median(sents.map(({ acknowledged }) => perSecond(acknowledged)));
  console.log(`\n${clients} clients, medians of ${rounds} rounds of ${seconds} s`);
  console.table({
    'through HTTP': {
      'likes per second': served,
      'p50, ms': Math.round(median(sents.map(({ p50 }) => p50))),
      'p99, ms': Math.round(median(sents.map(({ p99 }) => p99))),
    },
    ...Object.fromEntries(
      [...bares].map(([name, numbers]) => {
        const likes = median(numbers);
        return [name, { 'likes per second': likes, 'HTTP to this': Number((served / likes).toFixed(2)) }];
      }),
    ),
  });
}

/** Only the driver, on the server that the service would start, with as many connections. */
async function openBare(dataFolder: string, connections: number) {
  const settings = { max_connections: String(connections + 10) };
  const server = await openLocalServer({ dataFolder, command: 'bench', announce: () => {}, settings });
  const address = new URL(server.url).searchParams;
  const [host = '', username = ''] = [address.get('host') ?? '', address.get('user') ?? ''];
  const bigint = { to: 20, from: [20], serialize: String, parse: Number };
  const database = 'postgres';
  const pool = postgres({
    host,
    username,
    database,
    max: connections,
    types: { bigint },
    transform: { column: { from: postgres.toCamel } },
  });
  const query = async <Row>(statement: Sql) => {
    const { text, parameters } = statement.render();
    const values = parameters as postgres.ParameterOrJSON<never>[];
    return pool.unsafe<(Row & object)[]>(text, values, { prepare: true });
  };
  return {
    ...shorthands,
    query,
    queryBytes: query,
    runScript: async (text: string) => pool.unsafe(text),
    async close() {
      await pool.end();
      await server.stop();
    },
  };
}

const folder = makeBenchFolder();
try {
  const dataFolder = join(folder, 'data');
  const baseline = (name: string, connections: number): Baseline => ({
    name,
    open: () => openBare(dataFolder, connections),
  });
  await compare(await prepare({ ...filledHosts, PULLQUOTE_DATA: dataFolder }), [
    baseline('bare loop, a connection for each client', clients),
    baseline('bare loop, as many connections as a service', connectionsOfService),
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
