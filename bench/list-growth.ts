import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseConfig } from '../src/config.ts';
import { connectDatabase } from '../src/db/connect.ts';
import { openPostgres } from '../src/db/postgres.ts';
import { buildTestApp, type TestApp } from '../test/build-app.ts';
import { databaseOn, startPostgres } from '../test/postgres.ts';
import { fillLikes } from './fill-likes.ts';
import { fillLists, fillViewer, largest, showLists } from './fill-lists.ts';

// Whether lists and pages cost more the more articles there are: the median time of each over HTTP, with nothing kept in
// memory, of a service with 10 thousand, 100 thousand and a million articles about 2,000 repositories, a tenth of which are
// hidden. The baseline is the smallest number of articles.
// Usage: node bench/list-growth.ts [--only postgres|embedded] [--most ARTICLES] [--rounds 51]

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    most: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '51' },
  },
});
const sizes = [10_000, 100_000, 1_000_000].filter((size) => size <= Number(values.most));
const rounds = Number(values.rounds);
const warmUp = 10;
const filling = { repositories: 2_000, users: 2_000 };
const viewer = { name: 'reader', likes: 1_000 };

/** What a server of this size is given; the rest is for filling it without waiting. */
const largeServer = {
  shared_buffers: '2GB',
  max_wal_size: '8GB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  jit: 'off',
};

const { owner, repo } = largest;
const page = { accept: 'text/html', 'accept-language': 'en' };

interface Asked {
  path: string;
  headers?: Record<string, string>;
  isSignedIn?: boolean;
}

const lists: Record<string, Asked> = {
  'articles, first page': { path: '/articles' },
  'articles, offset 1,000': { path: '/articles?offset=1000' },
  'articles, beyond the end': { path: '/articles?offset=2000000000' },
  'articles in English': { path: '/articles?language=en' },
  'articles in German, one in fifty': { path: '/articles?language=de' },
  'articles in English, offset 1,000': { path: '/articles?language=en&offset=1000' },
  'articles of a repository': { path: `/articles?owner=${owner}&repo=${repo}` },
  'articles of a repository, offset 1,000': { path: `/articles?owner=${owner}&repo=${repo}&offset=1000` },
  'articles of an owner': { path: `/articles?owner=${owner}` },
  'articles, signed in': { path: '/articles', isSignedIn: true },
  'articles, signed in, offset 1,000': { path: '/articles?offset=1000', isSignedIn: true },
  start: { path: '/', headers: page },
  'start, all languages': { path: '/?language=all', headers: page },
  'start, all languages, offset 1,000': { path: '/?language=all&offset=1000', headers: page },
  'start, signed in': { path: '/', headers: page, isSignedIn: true },
  'start, all languages, signed in': { path: '/?language=all', headers: page, isSignedIn: true },
  repository: { path: `/r/${owner}/${repo}`, headers: page },
  'repository, offset 1,000': { path: `/r/${owner}/${repo}?offset=1000`, headers: page },
  article: { path: `/r/${owner}/${repo}/5`, headers: page },
  ranking: { path: '/ranking/articles/likes' },
  'ranking, offset 1,000': { path: '/ranking/articles/likes?offset=1000' },
  liked: { path: '/users/me/liked-articles', isSignedIn: true },
  favorites: { path: '/users/me/favorite-repositories', isSignedIn: true },
};

interface Filled {
  articles: number;
  app: TestApp;
  token: string;
}

async function time({ app, token }: Filled, { path, headers = {}, isSignedIn }: Asked): Promise<number> {
  const start = performance.now();
  const response = await fetch(new URL(path, app.url), {
    headers: { ...headers, ...(isSignedIn && { authorization: `Bearer ${token}` }) },
  });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}.`);
  return performance.now() - start;
}

/** The median time in each of the services, taken in turn so that whatever else happens slows all of them. */
async function medians(all: Filled[], asked: Asked): Promise<number[]> {
  const times = all.map((): number[] => []);
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const [index, filled] of all.entries()) {
      const ms = await time(filled, asked);
      if (round >= 0) times[index]?.push(ms);
    }
  }
  return times.map((some) => some.sort((one, other) => one - other)[Math.floor(rounds / 2)] ?? 0);
}

async function measure(kind: string, all: Filled[]): Promise<void> {
  const table: Record<string, Record<string, number>> = {};
  for (const [name, asked] of Object.entries(lists)) {
    const ms = await medians(all, asked);
    const columns = all.map(({ articles }, index) => [`${articles}, ms`, Number(ms[index]?.toFixed(2))]);
    const growth = Number(((ms.at(-1) ?? 0) / (ms[0] ?? 0)).toFixed(2));
    table[name] = { ...Object.fromEntries(columns), 'last to first': growth };
  }
  console.log(`\n${kind}`);
  console.table(table);
}

/** Filling takes as long as it takes. */
const patienceMs = 3_600_000;

async function fill(kind: string, articles: number, database: Record<string, string>): Promise<Filled> {
  const start = performance.now();
  const filled = await connectDatabase(parseConfig(database), () => {}, patienceMs);
  await fillLists(filled, { ...filling, articles });
  await fillLikes(filled, articles, new Date());
  await filled.maintain();
  await filled.close();
  const environment = { GIT_REPOS: mkdtempSync(join(tmpdir(), 'pullquote-bench-')), CACHE_MIB: '0' };
  const app = await buildTestApp({ database, environment });
  const token = await app.signUp(viewer.name);
  await showLists(app.database);
  await fillViewer(app.database, viewer.name, viewer.likes);
  console.log(`${kind}: ${articles} articles filled in ${Math.round((performance.now() - start) / 1000)} s`);
  return { articles, app, token };
}

async function onPostgres(): Promise<void> {
  const server = await startPostgres(largeServer);
  try {
    const all: Filled[] = [];
    for (const articles of sizes) {
      const first = await openPostgres(server.url);
      await first.runScript(`CREATE DATABASE articles_${articles}`);
      await first.close();
      const settings = {
        PULLQUOTE_DATA: mkdtempSync(join(tmpdir(), 'pullquote-bench-')),
        DATABASE_URL: databaseOn(server.url, `articles_${articles}`),
      };
      all.push(await fill('PostgreSQL', articles, settings));
    }
    await measure('PostgreSQL', all);
    for (const { app } of all) await app.close();
  } finally {
    await server.stop();
  }
}

async function onEmbedded(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-bench-'));
  try {
    const all: Filled[] = [];
    for (const articles of sizes) {
      const dataFolder = join(folder, String(articles));
      mkdirSync(dataFolder);
      all.push(await fill('Embedded', articles, { PULLQUOTE_DATA: dataFolder }));
    }
    await measure('Embedded', all);
    for (const { app } of all) await app.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (values.only !== 'embedded') await onPostgres();
if (values.only !== 'postgres') await onEmbedded();
