import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mintLocalToken } from '../src/code-hosts/git/local-token.ts';
import { parseConfig } from '../src/config.ts';
import { connectDatabase } from '../src/db/connect.ts';
import { sql } from '../src/db/sql.ts';
import { loadSecretKeys } from '../src/load-secret-keys.ts';
import { startPostgres } from '../test/postgres.ts';
import { runServer, service } from './run-server.ts';
import type { Read, Reading } from './send-reads.ts';

// Reads of an article, of the ranking, and of many articles in turn, 64 connections at a time, the service on one core;
// against a bare route that returns the same bytes, taking turns with it. With what is kept in memory, and without.
// Usage: node bench/reads.ts [--only postgres|embedded] [--turns 60]

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    turns: { type: 'string', default: '60' },
  },
});
const connections = 64;
const turnMs = 200;
const copies = 1_000;
const folder = mkdtempSync(join(tmpdir(), 'pullquote-bench-'));

/** On the first core alone, where there is another one for the clients. */
const core = availableParallelism() > 1 ? { core: 0 } : {};

async function read(servers: string[][]): Promise<Read[]> {
  const child = fork(new URL('./send-reads.ts', import.meta.url));
  const reading: Reading = { servers, connections, turns: Number(values.turns), turnMs };
  child.send(reading);
  const [result] = await once(child, 'message');
  return result;
}

/** Articles about all pull requests of the sample repository, in both languages, each liked. Returns one of them. */
async function prepare(url: string, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(new URL(path, url), {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return JSON.parse(await response.text());
  };
  await call('POST', '/auth/signup', {});
  const pulls = '/repos/harborline/parcel/pulls';
  const listed = await call('GET', `${pulls}?limit=100`);
  let article = '';
  for (const { prNumber } of listed.data.items) {
    for (const language of ['en', 'ja']) {
      const written = await call('POST', `${pulls}/${prNumber}/article`, { language });
      await call('POST', `/articles/${written.data.id}/language/${language}/like`, {});
      if (prNumber === 13) article = written.data.id;
    }
  }
  return article;
}

const median = (numbers: number[]) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

async function compare(name: string, urls: string[]): Promise<object> {
  const file = join(folder, 'body.json');
  writeFileSync(file, Buffer.from(await (await fetch(urls[0] ?? '')).arrayBuffer()));
  const bare = await runServer(['bench/bare-route.ts', file], core);
  const [own, baseline] = await read([urls, [`${bare.url}/bare`]]);
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

/** As many more articles that say the same as one, so that those who read do not all read the same. */
async function copyArticle(environment: Record<string, string>, article: string): Promise<string[]> {
  const database = await connectDatabase(parseConfig(environment), () => {});
  const rows = await database.query<{ id: string }>(sql`
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
    FROM copied, article_contents WHERE article_id = ${article} RETURNING article_id AS id`);
  await database.query(sql`ANALYZE`);
  await database.close();
  return [...new Set(rows.map(({ id }) => id))];
}

async function measure(database: string, environment: Record<string, string>): Promise<object[]> {
  const token = mintLocalToken(loadSecretKeys(parseConfig(environment)), {
    name: 'bench',
    singleUse: false,
    expiresAt: new Date(Date.now() + 3_600_000),
  });
  const preparing = await runServer(service, { environment });
  const article = await prepare(preparing.url, token);
  await preparing.stop();
  const others = await copyArticle(environment, article);
  const results: object[] = [];
  for (const cache of ['64', '0']) {
    const running = await runServer(service, { environment: { ...environment, CACHE_MIB: cache }, ...core });
    const kept = cache === '0' ? 'nothing kept' : 'kept';
    const measureOne = async (name: string, paths: string[]) => {
      const urls = paths.map((path) => `${running.url}${path}`);
      results.push(await compare(`${database}, ${kept}: ${name}`, urls));
    };
    await measureOne('an article', [`/articles/${article}`]);
    await measureOne('the ranking', ['/ranking/articles/likes']);
    await measureOne(
      `${copies} articles in turn`,
      others.map((id) => `/articles/${id}`),
    );
    await running.stop();
  }
  return results;
}

const results: object[] = [];
if (values.only !== 'postgres')
  results.push(...(await measure('embedded', { PULLQUOTE_DATA: join(folder, 'embedded') })));
if (values.only !== 'embedded') {
  const server = await startPostgres();
  results.push(
    ...(await measure('PostgreSQL', { PULLQUOTE_DATA: join(folder, 'data'), DATABASE_URL: server.url })),
  );
  await server.stop();
}
rmSync(folder, { recursive: true, force: true });
console.log(
  `${connections} connections, ${values.turns} turns of ${turnMs} ms each, ratios of each turn with the one of the bare route after it, medians; log at warn`,
);
console.table(results);
