import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from '../src/db/sql.ts';
import { makeBenchFolder, openDatabase } from './local-server.ts';
import { connections, core, median, readInTurns, turnMs, writeAndLike } from './reading-in-turns.ts';
import { runServer, service } from './run-server.ts';

// Reads of an article, of the ranking, and of many articles in turn, with 64 connections, the service and its
// PostgreSQL on one core; against a bare route that returns the same bytes, taking turns with it, and many articles also
// against one that reads their stored bytes by the key. With and without the cache.
// Usage: node bench/reads.ts [--turns 60]

const { values } = parseArgs({ options: { turns: { type: 'string', default: '60' } } });
const copies = 1_000;
const folder = makeBenchFolder();
const dataFolder = join(folder, 'data');

/** Against a bare route with the same bytes or, given ids, against one that reads stored bytes by the key. */
async function compare(name: string, urls: string[], ids: string[] = []): Promise<object> {
  const file = join(folder, 'body.json');
  writeFileSync(file, Buffer.from(await (await fetch(urls[0] ?? '')).arrayBuffer()));
  const route = ids.length > 0 ? ['bench/stored-route.ts', dataFolder] : ['bench/bare-route.ts', file];
  const bare = await runServer(route, core);
  const bareUrls = ids.length > 0 ? ids.map((id) => `${bare.url}/stored/${id}`) : [`${bare.url}/bare`];
  const [own, baseline] = await readInTurns([urls, bareUrls], Number(values.turns));
  await bare.stop();
  if (!own || !baseline) throw new Error('Nobody has answered.');
  const ratios = own.perSecond.map((number, turn) => number / (baseline.perSecond[turn] ?? 0));
  return {
    what: name,
    bytes: own.bytes,
    'a second': Math.round(median(own.perSecond)),
    'bare route': Math.round(median(baseline.perSecond)),
    ratio: median(ratios).toFixed(2),
    'p99 ms': own.p99Ms.toFixed(1),
    'bare p99 ms': baseline.p99Ms.toFixed(1),
  };
}

/** Copies of an article, so that not all readers read the same one. */
async function copyArticle(environment: Record<string, string>, article: string): Promise<string[]> {
  const database = await openDatabase(environment);
  const copy = sql`
    WITH pulls AS (
      INSERT INTO pull_requests
        (repository_id, number, host_url, title, author_login, state, head_sha, host_created_at, merged_at, fetched_at)
      SELECT pull_requests.repository_id, 100000 + place, host_url, title, author_login, state, head_sha, host_created_at, merged_at,
        fetched_at
      FROM articles JOIN pull_requests ON pull_requests.id = pull_request_id, generate_series(1, ${copies}::integer) AS place
      WHERE articles.id = ${article} RETURNING id, repository_id),
    copied AS (
      INSERT INTO articles (pull_request_id, repository_id, created_at, updated_at)
      SELECT pulls.id, pulls.repository_id, created_at, updated_at FROM pulls, articles WHERE articles.id = ${article}
      RETURNING id, repository_id)
    INSERT INTO article_contents (article_id, repository_id, language_code, title, change_types, quote, reading_minutes, body,
      head_sha, generated_at)
    SELECT copied.id, copied.repository_id, language_code, title, change_types, quote, reading_minutes, body, head_sha, generated_at
    FROM copied, article_contents WHERE article_id = ${article} RETURNING article_id AS id`;
  const rows = await database.transaction((tx) => tx.query<{ id: string }>(copy), { hurry: false });
  await database.query(sql`ANALYZE`);
  await database.close();
  return [...new Set(rows.map(({ id }) => id))];
}

async function measure(environment: Record<string, string>): Promise<object[]> {
  const article = await writeAndLike(environment);
  const others = await copyArticle(environment, article);
  const results: object[] = [];
  for (const cache of ['64', '0']) {
    const running = await runServer(service, { environment: { ...environment, CACHE_MIB: cache }, ...core });
    const kept = cache === '0' ? 'nothing kept' : 'kept';
    const measureOne = async (name: string, paths: string[], ids?: string[]) => {
      const urls = paths.map((path) => `${running.url}${path}`);
      results.push(await compare(`${kept}: ${name}`, urls, ids));
    };
    await measureOne('an article', [`/articles/${article}`]);
    await measureOne('the ranking', ['/ranking/articles/likes']);
    const paths = others.map((id) => `/articles/${id}`);
    await measureOne(`${copies} articles in turn`, paths);
    if (cache === '0') await measureOne(`${copies} in turn, to stored bytes by key`, paths, others);
    await running.stop();
  }
  return results;
}

const results = await measure({ PULLQUOTE_DATA: dataFolder });
rmSync(folder, { recursive: true, force: true });
console.log(
  `${connections} connections, ${values.turns} turns of ${turnMs} ms each, ratios of each turn with the one of the bare route beside it, medians; log at warn`,
);
console.table(results);
