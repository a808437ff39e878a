import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildTestApp, type TestApp } from '../test/build-app.ts';
import { fillLikes } from './fill-likes.ts';
import { busiest, fillLists, fillViewer, largest, rarest, showLists } from './fill-lists.ts';
import { printGrowth } from './growth.ts';
import { fillDatabase, makeBenchFolder } from './local-server.ts';

// Whether lists and pages cost more with more articles: the median time of each over HTTP without a cache, for 10
// thousand, 100 thousand and a million articles about 2,000 repositories, a tenth of which are hidden. The baseline is
// the smallest number of articles, at which every page except the one beyond the end is as full.
// Usage: node bench/list-growth.ts [--most ARTICLES] [--rounds 51]

const { values } = parseArgs({
  options: {
    most: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '51' },
  },
});
const sizes = [10_000, 100_000, 1_000_000].filter((size) => size <= Number(values.most));
const rounds = Number(values.rounds);
const warmUp = 10;
const filling = { repositories: 2_000, users: 2_000 };
const viewer = { name: 'reader', likes: 1_000 };

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
  'articles of an author': { path: `/articles?author=${busiest}` },
  'articles of an author in English, offset 500': {
    path: `/articles?author=${busiest}&language=en&offset=500`,
  },
  'articles of an author with few': { path: '/articles?author=author-7&limit=10' },
  'articles of a type': { path: '/articles?changeType=FIX' },
  'articles of a rare type': { path: `/articles?changeType=${rarest}` },
  'articles of a type, offset 1,000': { path: '/articles?changeType=FIX&offset=1000' },
  'articles of an author and a type': {
    path: `/articles?author=${busiest}&changeType=${rarest}&language=en&limit=5`,
  },
  'articles of a type, of a repository': { path: `/articles?changeType=FIX&owner=${owner}&repo=${repo}` },
  'articles of a type, signed in': { path: '/articles?changeType=FIX', isSignedIn: true },
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

const measure = (all: Filled[]) =>
  printGrowth('Lists and pages', {
    all,
    sizeOf: ({ articles }) => String(articles),
    timed: Object.fromEntries(
      Object.entries(lists).map(([name, asked]) => [name, (filled: Filled) => time(filled, asked)]),
    ),
    rounds,
    warmUp,
  });

const folder = makeBenchFolder();

function newFolder(name: string): string {
  const made = join(folder, name);
  mkdirSync(made);
  return made;
}

async function fill(articles: number): Promise<Filled> {
  const start = performance.now();
  const database = { PULLQUOTE_DATA: newFolder(`data-${articles}`) };
  await fillDatabase(database.PULLQUOTE_DATA, async (filled) => {
    await fillLists(filled, { ...filling, articles });
    await fillLikes(filled, articles, new Date());
    // Vacuums as autovacuum does at some time, so that results do not depend on when.
    await filled.runScript('VACUUM (ANALYZE)');
  });
  const environment = { GIT_REPOS: newFolder(`clones-${articles}`), CACHE_MIB: '0' };
  const app = await buildTestApp({ database, environment });
  const token = await app.signUp(viewer.name);
  await showLists(app.database);
  await fillViewer(app.database, viewer.name, viewer.likes);
  console.log(`${articles} articles filled in ${Math.round((performance.now() - start) / 1000)} s`);
  return { articles, app, token };
}

const all: Filled[] = [];
try {
  for (const articles of sizes) all.push(await fill(articles));
  await measure(all);
} finally {
  for (const { app } of all) await app.close();
  rmSync(folder, { recursive: true, force: true });
}
