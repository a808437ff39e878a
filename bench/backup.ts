import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { checkArticleCounts, checkFacets } from '../src/actions/articles/check-article-counts.ts';
import { checkLikes } from '../src/actions/likes/likes.ts';
import { parseConfig, programSearchPath } from '../src/config.ts';
import { loadSecretKeys } from '../src/data-folder.ts';
import type { Database } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';
import { databaseOn, startPostgres } from '../test/postgres.ts';
import { Caller } from './acknowledged/caller.ts';
import { SignUps } from './acknowledged/sign-ups.ts';
import { fillArticles, filledHosts, fillLikes } from './fill-likes.ts';
import { makeBenchFolder, openDatabase } from './local-server.ts';
import { runServer, service } from './run-server.ts';

// Backs up a service on which people like articles all the while, and restores that elsewhere: from the PostgreSQL that the
// service starts to one that DATABASE_URL names, and the other way. Counts what was acknowledged before the backup began and is
// lost, what has another id, likes without an article and counts that are wrong, and says how long a reader waited at most. Ends
// with 1 if anything is lost or wrong.
// Usage: node bench/backup.ts [--likes 5000] [--articles 500] [--ballast MEBIBYTES]

const { values } = parseArgs({
  options: {
    likes: { type: 'string', default: '5000' },
    articles: { type: 'string', default: '500' },
    ballast: { type: 'string', default: '0' },
  },
});
const likes = Number(values.likes);
const articles = Number(values.articles);
const ballast = Number(values.ballast);
const users = 400;
const writers = 4;
/** What is acknowledged and read before the backup begins. */
const likesBefore = 200;
const readsBefore = 50;
/** Between what one does and what it does next. */
const pauseMs = 10;

type Settings = Record<string, string>;

async function withDatabase<Result>(
  settings: Settings,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(settings);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

async function countWrong(database: Database, repair: boolean): Promise<number> {
  const { counters, totals } = await checkLikes(database, { repair });
  const counts = await checkArticleCounts(database, { repair });
  const facets = await checkFacets(database, { repair });
  return counters.length + totals.length + counts.length + facets.length;
}

/** What is filled in was counted by no trigger; parts of diffs that cannot be compressed are there for their size. */
async function fill(settings: Settings): Promise<string[]> {
  return withDatabase(settings, async (database) => {
    await fillArticles(database, { repositories: 20, articles, users });
    await fillLikes(database, likes, new Date());
    for (const table of ['bench_repositories', 'bench_users', 'bench_articles'])
      await database.runScript(`DROP TABLE ${table}`);
    for (let part = 0; part < ballast; part += 1)
      await database.query(sql`
        INSERT INTO pull_request_diffs (pull_request_id, first_file, last_file, compressed)
        SELECT id, ${part}::integer, ${part}::integer, (SELECT string_agg(uuid_send(gen_random_uuid()), '') FROM generate_series(1, 65536))
        FROM pull_requests ORDER BY id LIMIT 1`);
    await countWrong(database, true);
    assert.equal(await countWrong(database, false), 0);
    await database.runScript('VACUUM (ANALYZE)');
    const rows = await database.query<{ name: string }>(
      sql`SELECT article_id || '/language/' || language_code AS name FROM article_contents ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  });
}

interface Like {
  id: string;
  userId: string;
  article: string;
}

/** Signed-up people who like one article after the other, and readers of whom it is known how long they wait. */
class Crowd {
  readonly liked: { token: string; article: string }[] = [];
  longestMs = 0;
  reads = 0;
  failed = 0;
  readonly #caller: Caller;
  readonly #signUps: SignUps;
  readonly #articles: string[];
  readonly #over = new AbortController();
  #working: Promise<void>[] = [];

  constructor(url: string, settings: Settings, articles: string[]) {
    const note = (_: string, outcome: string) => {
      if (!outcome.startsWith('2')) this.failed += 1;
    };
    this.#caller = new Caller({ url: () => url, limitMs: 60_000, note });
    this.#signUps = new SignUps(this.#caller, loadSecretKeys(parseConfig(settings)));
    this.#articles = articles;
  }

  begin(): void {
    this.#working = [...Array.from({ length: writers }, () => this.#like()), this.#read()];
  }

  async end(): Promise<void> {
    this.#over.abort();
    await Promise.all(this.#working);
  }

  async #like(): Promise<void> {
    while (!this.#over.signal.aborted) {
      const token = await this.#signUps.signUp('liker');
      for (const article of this.#articles) {
        if (this.#over.signal.aborted || token === null) break;
        const path = `/articles/${article}/like`;
        const answer = await this.#caller.call({ kind: 'like', method: 'POST', path, token });
        if (answer?.isOk) this.liked.push({ token, article });
        await wait(pauseMs);
      }
    }
  }

  async #read(): Promise<void> {
    const token = (await this.#signUps.signUp('reader')) ?? '';
    while (!this.#over.signal.aborted) {
      const begun = performance.now();
      await this.#caller.call({ kind: 'read', method: 'GET', path: '/users/me/liked-articles', token });
      this.longestMs = Math.max(this.longestMs, performance.now() - begun);
      this.reads += 1;
      await wait(pauseMs);
    }
  }
}

/** Runs a command of this program to its end; returns how many seconds it took. */
async function run(settings: Settings, ...parameters: string[]): Promise<number> {
  const begun = performance.now();
  const child = spawn(process.execPath, ['bin/pullquote.cjs', ...parameters], {
    env: { PATH: programSearchPath(), ...settings },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'close');
  assert.equal(code, 0, `pullquote ${parameters.join(' ')} ended with ${code}`);
  return (performance.now() - begun) / 1000;
}

const readLikes = (database: Database): Promise<Like[]> =>
  database.query<Like>(sql`
    SELECT id, user_id AS "userId", article_id || '/language/' || language_code AS article FROM article_likes`);

const nameOf = ({ userId, article }: Omit<Like, 'id'>): string => `${userId} ${article}`;

/** What there is of a backup in the database that it was restored into, held against where it came from. */
async function compare(from: Settings, to: Settings, acknowledged: string[]) {
  const source = new Map((await withDatabase(from, readLikes)).map((like) => [nameOf(like), like.id]));
  return withDatabase(to, async (database) => {
    const restored = await readLikes(database);
    const there = new Set(restored.map(nameOf));
    const [lone] = await database.query<{ likes: number; articles: number }>(sql`
      SELECT (SELECT count(*) FROM article_likes LEFT JOIN article_contents USING (article_id, language_code)
        WHERE article_contents.article_id IS NULL) AS likes, (SELECT count(*) FROM articles) AS articles`);
    return {
      'articles restored': lone?.articles ?? 0,
      'likes restored': restored.length,
      'acknowledged before it began': acknowledged.length,
      'of these lost': acknowledged.filter((name) => !there.has(name)).length,
      'with another id': restored.filter((like) => source.get(nameOf(like)) !== like.id).length,
      'likes without article': lone?.likes ?? 0,
      'counts that are wrong': await countWrong(database, false),
    };
  });
}

/** Who those are that tokens were made for. */
async function usersOf(url: string, tokens: Set<string>): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const token of tokens) {
    const reply = await fetch(`${url}/users/me`, { headers: { authorization: `Bearer ${token}` } });
    const { data }: { data: { id: string } } = JSON.parse(await reply.text());
    ids.set(token, data.id);
  }
  return ids;
}

async function backUpAndRestore(from: Settings, to: Settings, folder: string) {
  const filled = await fill(from);
  const server = await runServer(service, { environment: { ...from, LOG_LEVEL: 'error' } });
  const crowd = new Crowd(server.url, from, filled);
  crowd.begin();
  while (crowd.liked.length < likesBefore || crowd.reads < readsBefore) await wait(pauseMs);
  const usualMs = crowd.longestMs;
  crowd.longestMs = 0;
  const before = crowd.liked.slice();
  const backedUp = await run(from, 'backup', folder);
  const { longestMs } = crowd;
  const during = crowd.liked.length - before.length;
  await crowd.end();
  const ids = await usersOf(server.url, new Set(before.map(({ token }) => token)));
  await server.stop();
  mkdirSync(to.PULLQUOTE_DATA ?? '', { recursive: true });
  const restored = await run(to, 'restore', folder);
  const acknowledged = before.map(({ token, article }) => nameOf({ userId: ids.get(token) ?? '', article }));
  return {
    ...(await compare(from, to, acknowledged)),
    'calls that failed': crowd.failed,
    'likes given meanwhile': during,
    'backup, s': Number(backedUp.toFixed(1)),
    'restore, s': Number(restored.toFixed(1)),
    'longest read before, ms': Math.round(usualMs),
    'longest read meanwhile, ms': Math.round(longestMs),
  };
}

const folder = makeBenchFolder();
const server = await startPostgres({ fsync: 'on' });
try {
  await withDatabase({ PULLQUOTE_DATA: folder, DATABASE_URL: server.url }, async (database) => {
    for (const name of ['one', 'two']) await database.runScript(`CREATE DATABASE ${name}`);
  });
  const clones = join(folder, 'clones');
  mkdirSync(clones);
  const hosts = { ...filledHosts, GIT_REPOS: clones };
  const on = (name: string, database?: string): Settings => ({
    ...hosts,
    PULLQUOTE_DATA: join(folder, name),
    ...(database && { DATABASE_URL: databaseOn(server.url, database) }),
  });
  const results = {
    'local → DATABASE_URL': await backUpAndRestore(on('a'), on('b', 'one'), join(folder, 'first')),
    'DATABASE_URL → local': await backUpAndRestore(on('c', 'two'), on('d'), join(folder, 'second')),
  };
  console.table(
    Object.fromEntries(
      Object.keys(results['local → DATABASE_URL']).map((name) => [
        name,
        Object.fromEntries(Object.entries(results).map(([way, found]) => [way, Reflect.get(found, name)])),
      ]),
    ),
  );
  const wrong = Object.values(results).reduce(
    (sum, found) =>
      sum +
      found['of these lost'] +
      found['with another id'] +
      found['likes without article'] +
      found['counts that are wrong'],
    0,
  );
  process.exitCode = wrong === 0 ? 0 : 1;
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
