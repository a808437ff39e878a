import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { checkLikes } from '../src/actions/likes/check-likes.ts';
import { parseConfig } from '../src/config.ts';
import { prepareDataFolder } from '../src/data-folder.ts';
import { connectDatabase } from '../src/db/connect.ts';
import type { Database } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';
import { loadSecretKeys } from '../src/load-secret-keys.ts';
import { standInCertificate, startGitHub } from '../test/github/stand-in.ts';
import { startPostgres } from '../test/postgres.ts';
import { Articles } from './acknowledged/articles.ts';
import { Caller, type Note } from './acknowledged/caller.ts';
import { Keepers } from './acknowledged/keepers.ts';
import { likesThrough } from './acknowledged/likes.ts';
import { SignUps } from './acknowledged/sign-ups.ts';
import { tokensThrough } from './acknowledged/tokens.ts';
import { countWrong, findAll, type Writer } from './acknowledged/writer.ts';
import { fillArticles, filledHosts } from './fill-likes.ts';
import { makePullRequests } from './make-pull-requests.ts';
import { countWrongPlaces, readRankings } from './under-fire/ranking.ts';
import { Services } from './under-fire/services.ts';

// Whether anything is lost or miscounted when people like and take back at random, have articles written and save tokens of
// GitHub, while the services are killed and started again all the time: two on one PostgreSQL, and one on the embedded
// database. Ends with 1 if so.
// Usage: node bench/likes-under-fire.ts [--clients 32] [--kills 20] [--only embedded|postgres]

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '32' },
    kills: { type: 'string', default: '20' },
    only: { type: 'string' },
  },
});
const clients = Number(values.clients);
const kills = Number(values.kills);

const pullRequests = 3_000;
/** Longer than any answer takes that does not wait for a code host or an article. */
const limitMs = 60_000;
/** Between what one does and what it does next. */
const pauseMs = 20;

/** Opens the database itself, beside the services on a server, and before or after them on the embedded one. */
async function withDatabase<Result>(
  settings: Record<string, string>,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await connectDatabase(parseConfig(settings), () => {});
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

async function fill(settings: Record<string, string>): Promise<string[]> {
  const articles = await withDatabase(settings, async (database) => {
    await fillArticles(database, { repositories: 20, articles: 150, users: 1 });
    return database.query<{ name: string }>(
      sql`SELECT article_id || '/language/' || language_code AS name FROM article_contents`,
    );
  });
  return articles.map(({ name }) => name);
}

async function keepWriting(writer: Writer, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await writer.write();
    await wait(pauseMs);
  }
}

/** Counts answers, by what was asked and their status. */
function countAnswers() {
  const counted: Record<string, Record<string, number>> = {};
  const note: Note = (kind, outcome) => {
    const ofKind = counted[kind] ?? {};
    counted[kind] = { ...ofKind, [outcome]: (ofKind[outcome] ?? 0) + 1 };
  };
  const hung = () => Object.values(counted).reduce((sum, ofKind) => sum + (ofKind.hung ?? 0), 0);
  return { counted, note, hung };
}

/** Lets people write while services are killed, prints what came of it, and returns how much of it is wrong. */
async function fire(name: string, settings: Record<string, string>, count: number): Promise<number> {
  const config = parseConfig(settings);
  prepareDataFolder(config.dataFolder);
  const github = await startGitHub();
  const environment = { ...settings, GITHUB_URL: github.url, NODE_EXTRA_CA_CERTS: standInCertificate };
  const liked = await fill(settings);
  const services = new Services(environment);
  await services.start(count);
  const { counted, note, hung } = countAnswers();
  const caller = new Caller({ url: services.url, limitMs, note });
  const signUps = new SignUps(caller, loadSecretKeys(config));
  const articles = new Articles(caller, signUps, {
    owner: 'acme',
    repo: 'rocket',
    pullRequests,
    waiting: 0.5,
  });
  const tokens = tokensThrough(caller, github);
  const writers: Writer[] = [
    signUps,
    articles,
    ...Array.from({ length: clients }, () => new Keepers(likesThrough(caller, liked), signUps)),
    ...Array.from({ length: 4 }, () => new Keepers(tokens, signUps)),
  ];
  const begun = performance.now();
  const stopping = new AbortController();
  // Several have articles written at once, none of which is asked for twice.
  const writing = [...writers, articles, articles].map((writer) => keepWriting(writer, stopping.signal));
  await services.killUntil(kills);
  stopping.abort();
  await Promise.all(writing);
  const seconds = Math.round((performance.now() - begun) / 1000);
  const found = await findAll(writers);
  const rankings = await readRankings(caller);
  await services.stop();
  const problems = await withDatabase(settings, async (database) => {
    const { counters, totals } = await checkLikes(database, { repair: false });
    return {
      'counters that differ from rows': counters.length + totals.length,
      'places of the ranking that differ': await countWrongPlaces(rankings, database),
      'calls that hung': hung(),
    };
  });
  console.log(`${name}: ${services.kills} kills of ${count} in ${seconds} s`);
  console.table(counted);
  console.table(found);
  console.log(`jobs that were answered with 202: ${JSON.stringify(articles.ends)}`);
  console.table(problems);
  return countWrong(found) + Object.values(problems).reduce((sum, problem) => sum + problem, 0);
}

// The stand-in of GitHub ends with the test that it was started in.
test('the bench', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-bench-'));
  const root = join(folder, 'repositories');
  mkdirSync(root);
  makePullRequests(root, 'acme/rocket', pullRequests);
  const settingsOf = (name: string) => ({
    ...filledHosts,
    GIT_REPOS: root,
    PULLQUOTE_DATA: join(folder, name),
  });
  let wrong = 0;
  try {
    if (values.only !== 'embedded') {
      const server = await startPostgres();
      try {
        wrong += await fire('PostgreSQL', { ...settingsOf('postgres'), DATABASE_URL: server.url }, 2);
      } finally {
        await server.stop();
      }
    }
    if (values.only !== 'postgres') wrong += await fire('embedded', settingsOf('embedded'), 1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  assert.equal(wrong, 0);
});
