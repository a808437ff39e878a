import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkLikes } from '../src/actions/check-likes.ts';
import { mintLocalToken } from '../src/code-hosts/git/local-token.ts';
import { parseConfig } from '../src/config.ts';
import { prepareDataFolder } from '../src/data-folder.ts';
import type { Database } from '../src/db/database.ts';
import { openPostgres } from '../src/db/postgres.ts';
import { sql } from '../src/db/sql.ts';
import { loadSecretKeys } from '../src/load-secret-keys.ts';
import { freePort, startPostgres } from '../test/postgres.ts';
import { fillArticles, filledHosts } from './fill-likes.ts';
import { type RunningServer, runServer, service } from './run-server.ts';

// Whether anything is lost or miscounted when people like and take back at random through two services on one PostgreSQL,
// of which one is killed and started again a few times. Ends with 1 if so.
// Usage: node bench/likes-under-fire.ts [--calls N] [--clients N] [--kills N]

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '10000' },
    clients: { type: 'string', default: '32' },
    kills: { type: 'string', default: '5' },
  },
});
const calls = Number(values.calls);
const clients = Number(values.clients);
const kills = Number(values.kills);

type Article = { id: string; languageCode: string };

/** What was acknowledged last, by client and article; null where an answer never came. */
const acknowledged = new Map<string, boolean | null>();
const outcomes: Record<string, number> = {};
let answered = 0;

const startService = (environment: Record<string, string>, port: number): Promise<RunningServer> =>
  runServer(service, { environment: { ...environment, PORT: String(port), LOG_LEVEL: 'fatal' } });

async function signIn(url: string, token: string): Promise<string> {
  const reply = await fetch(`${url}/auth/signup`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  const body: { id: string } = JSON.parse(await reply.text());
  return body.id;
}

/** One call after the other, to either service; when one is away the next call may go to the other. */
async function keepCalling(
  urls: string[],
  user: { id: string; token: string },
  articles: Article[],
): Promise<void> {
  while (answered < calls) {
    const article = articles[Math.floor(Math.random() * articles.length)];
    const url = urls[Math.floor(Math.random() * urls.length)];
    const method = Math.random() < 0.6 ? 'POST' : 'DELETE';
    const key = `${user.id} ${article?.id}`;
    try {
      const reply = await fetch(`${url}/articles/${article?.id}/language/${article?.languageCode}/like`, {
        method,
        headers: { authorization: `Bearer ${user.token}` },
      });
      await reply.arrayBuffer();
      answered += 1;
      outcomes[`${method} ${reply.status}`] = (outcomes[`${method} ${reply.status}`] ?? 0) + 1;
      acknowledged.set(key, reply.ok ? method === 'POST' : null);
    } catch {
      outcomes['no answer'] = (outcomes['no answer'] ?? 0) + 1;
      acknowledged.set(key, null);
    }
  }
}

async function killNowAndThen(
  environment: Record<string, string>,
  port: number,
  first: RunningServer,
): Promise<RunningServer> {
  let service = first;
  for (let kill = 1; kill <= kills; kill += 1) {
    while (answered < (calls * kill) / (kills + 1)) await new Promise((resolve) => setTimeout(resolve, 5));
    service.child.kill('SIGKILL');
    await once(service.child, 'exit');
    service = await startService(environment, port);
  }
  return service;
}

/** How many acknowledged likes are not there, and how many are there that were acknowledged as taken back. */
async function compareWithRows(database: Database): Promise<Record<string, number>> {
  const rows = await database.query<{ key: string }>(
    sql`SELECT user_id || ' ' || article_id AS key FROM article_likes`,
  );
  const stored = new Set(rows.map(({ key }) => key));
  const known = [...acknowledged].filter(([, state]) => state !== null);
  console.log(
    `${stored.size} likes stored; of ${known.length} pairs of reader and article the last call was answered`,
  );
  return {
    'acknowledged likes lost': known.filter(([key, liked]) => liked && !stored.has(key)).length,
    'taken back but still there': known.filter(([key, liked]) => !liked && stored.has(key)).length,
  };
}

/** How many places of the ranking are not what the likes alone say. */
async function compareRanking(url: string, database: Database): Promise<number> {
  const expected = await database.query<{ id: string; likes: number }>(sql`
    SELECT likes.article_id AS id, count(*) AS likes
    FROM article_likes AS likes JOIN articles ON articles.id = likes.article_id
    GROUP BY likes.article_id, likes.language_code, articles.created_at
    ORDER BY count(*) DESC, articles.created_at DESC, likes.article_id, likes.language_code`);
  let wrong = 0;
  for (const period of ['daily', 'all']) {
    for (let offset = 0; offset < Math.max(1, expected.length); offset += 100) {
      const reply = await fetch(`${url}/ranking/articles/likes?period=${period}&limit=100&offset=${offset}`);
      const body: {
        data: { items: { articleId: string; likeCount: number }[]; pagination: { totalItems: number } };
      } = JSON.parse(await reply.text());
      const { items, pagination } = body.data;
      if (pagination.totalItems !== expected.length) wrong += 1;
      for (const [index, { id, likes }] of expected.slice(offset, offset + 100).entries())
        if (items[index]?.articleId !== id || items[index]?.likeCount !== likes) wrong += 1;
    }
  }
  return wrong;
}

async function main(serverUrl: string, folder: string): Promise<void> {
  const environment = { ...filledHosts, PULLQUOTE_DATA: join(folder, 'data'), DATABASE_URL: serverUrl };
  const config = parseConfig(environment);
  prepareDataFolder(config.dataFolder);
  const keys = loadSecretKeys(config);
  const database = await openPostgres(serverUrl);
  await fillArticles(database, { repositories: 20, articles: 150, users: 1 });
  const articles = await database.query<Article>(
    sql`SELECT article_id AS id, language_code AS "languageCode" FROM article_contents`,
  );
  const [onePort, otherPort] = [await freePort(), await freePort()];
  const one = await startService(environment, onePort);
  const other = await startService(environment, otherPort);
  const expiresAt = new Date(Date.now() + 3_600_000);
  const users = await Promise.all(
    Array.from({ length: clients }, async (_, index) => {
      const token = mintLocalToken(keys, { name: `client-${index}`, expiresAt, singleUse: false });
      return { id: await signIn(one.url, token), token };
    }),
  );
  const killed = killNowAndThen(environment, otherPort, other);
  await Promise.all(users.map((user) => keepCalling([one.url, other.url], user, articles)));
  const restarted = await killed;
  console.log(outcomes);
  const { counters, totals } = await checkLikes(database, { repair: false });
  const problems = {
    ...(await compareWithRows(database)),
    'counters that differ from rows': counters.length + totals.length,
    'places of the ranking that differ': await compareRanking(restarted.url, database),
  };
  console.table(problems);
  if (Object.values(problems).some((problem) => problem > 0)) process.exitCode = 1;
  for (const { child } of [one, restarted]) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  await database.close();
}

const folder = mkdtempSync(join(tmpdir(), 'pullquote-bench-'));
const server = await startPostgres();
try {
  await main(server.url, folder);
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
