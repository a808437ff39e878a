import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { checkLikes } from '../src/actions/likes/likes.ts';
import { parseConfig } from '../src/config.ts';
import { loadSecretKeys } from '../src/data-folder.ts';
import type { Database } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';
import { type GitHubStandIn, standInCertificate, startGitHub } from '../test/github/stand-in.ts';
import { Articles } from './acknowledged/articles.ts';
import { Caller, countWrong, findAll, type Note, type Writer } from './acknowledged/caller.ts';
import { Keepers, SignUps, tokensThrough } from './acknowledged/keepers.ts';
import { likesThrough } from './acknowledged/likes.ts';
import { fillArticles, filledHosts } from './fill-likes.ts';
import { makeBenchFolder, openDatabase } from './local-server.ts';
import { makePullRequests } from './make-pull-requests.ts';
import { countWrongPlaces, KilledService, readRankings, victims } from './under-fire/killed-service.ts';

// Kills the service, its PostgreSQL and single processes of that with -9 in turn and restarts them, while users like
// and unlike at random, request articles and save GitHub tokens: whether anything is lost or miscounted, any call gets
// no response, `/healthz` is 503 for longer than three seconds after an acknowledged change, or a PostgreSQL process
// outlives the service. Ends with 1 if so.
// Usage: node bench/likes-under-fire.ts [--clients 32] [--kills 20]
// --kills is the number of kills of each of the three.

const { values } = parseArgs({
  options: { clients: { type: 'string', default: '32' }, kills: { type: 'string', default: '20' } },
});
const clients = Number(values.clients);
const kills = Number(values.kills);

const pullRequests = 3_000;
/** The timeout of a request: longer than any response takes that does not wait for a code host or an article. */
const limitMs = 60_000;
/** The pause between two actions of a user. */
const pauseMs = 20;
/** After this time, counted from the first acknowledged call, the service must report that it is healthy. */
const mostUnhealthyMs = 3_000;
/** After this time, no PostgreSQL process of a killed service may be left. */
const mostLeftMs = 30_000;

/** Opens the database itself, before and after the service. */
async function withDatabase<Result>(
  settings: Record<string, string>,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(settings);
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

/** Counts responses by operation and status. */
function countAnswers() {
  const counted: Record<string, Record<string, number>> = {};
  const sums = { acknowledged: 0, hung: 0 };
  const note: Note = (kind, outcome) => {
    const ofKind = counted[kind] ?? {};
    counted[kind] = { ...ofKind, [outcome]: (ofKind[outcome] ?? 0) + 1 };
    if (outcome.startsWith('2')) sums.acknowledged += 1;
    if (outcome === 'hung') sums.hung += 1;
  };
  return { counted, sums, note };
}

const sortedAt = (numbers: number[], share: number): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor((numbers.length - 1) * share)] ?? 0;

const tellBack = ({ kills, backMs, unhealthyMs }: KilledService) =>
  Object.fromEntries(
    victims.map((victim) => [
      `${victim} killed`,
      {
        times: kills[victim],
        'acknowledged again after, ms (median)': sortedAt(backMs[victim], 0.5),
        'at most': sortedAt(backMs[victim], 1),
        'unhealthy after that, ms (median)': sortedAt(unhealthyMs[victim], 0.5),
        'unhealthy at most': sortedAt(unhealthyMs[victim], 1),
      },
    ]),
  );

/** Lets users write while both are killed, prints the results, and returns the number of errors. */
async function fire(
  settings: Record<string, string>,
  github: GitHubStandIn,
  killed: KilledService,
): Promise<number> {
  const liked = await fill(settings);
  const keys = loadSecretKeys(parseConfig(settings));
  await killed.start();
  const { counted, sums, note } = countAnswers();
  const caller = new Caller({ url: killed.url, limitMs, note });
  const signUps = new SignUps(caller, keys);
  const asking = { owner: 'acme', repo: 'rocket', pullRequests, waiting: 0.5 };
  const articles = new Articles(caller, signUps, asking);
  const tokens = tokensThrough(caller, github);
  const writers: Writer[] = [
    signUps,
    articles,
    ...Array.from({ length: clients }, () => new Keepers(likesThrough(caller, liked), signUps)),
    ...Array.from({ length: 4 }, () => new Keepers(tokens, signUps)),
  ];
  const begun = performance.now();
  const stopping = new AbortController();
  // Several users request articles at once, none of them twice.
  const writing = [...writers, articles, articles].map((writer) => keepWriting(writer, stopping.signal));
  try {
    await killed.killAll({
      each: kills,
      acknowledged: () => sums.acknowledged,
      write: async () => (await signUps.signUp('after')) !== null,
    });
  } finally {
    stopping.abort();
  }
  await Promise.all(writing);
  const seconds = Math.round((performance.now() - begun) / 1000);
  const found = await findAll(writers);
  const rankings = await readRankings(caller);
  await killed.end('SIGKILL');
  const { left, ms } = await killed.serverLeft(mostLeftMs);
  const problems = await withDatabase(settings, async (database) => {
    const { counters, totals } = await checkLikes(database, { repair: false });
    return {
      'counters that differ from rows': counters.length + totals.length,
      'places of the ranking that differ': await countWrongPlaces(rankings, database),
      'calls that hung': sums.hung,
      'times it was not healthy in time': Object.values(killed.unhealthyMs)
        .flat()
        .filter((unhealthyMs) => unhealthyMs > mostUnhealthyMs).length,
      'starts that failed': killed.failedStarts,
      'ends of the service by itself': killed.ownEnds,
      'processes of PostgreSQL left': left,
    };
  });
  console.log(`${seconds} s`);
  console.table(tellBack(killed));
  console.table(counted);
  console.table(found);
  console.log(`jobs that were answered with 202: ${JSON.stringify(articles.ends)}`);
  console.log(`the last process of PostgreSQL ended ${ms} ms after the service was killed`);
  console.table(problems);
  return countWrong(found) + Object.values(problems).reduce((sum, problem) => sum + problem, 0);
}

// The stand-in of GitHub ends with the test that started it.
test('the bench', async () => {
  const folder = makeBenchFolder();
  const root = join(folder, 'repositories');
  mkdirSync(root);
  makePullRequests(root, 'acme/rocket', pullRequests);
  const settings = { ...filledHosts, GIT_REPOS: root, PULLQUOTE_DATA: join(folder, 'data') };
  const github = await startGitHub();
  const hosts = { GITHUB_URL: github.url, NODE_EXTRA_CA_CERTS: standInCertificate };
  const killed = new KilledService({ ...settings, ...hosts }, settings.PULLQUOTE_DATA);
  try {
    assert.equal(await fire(settings, github, killed), 0);
  } finally {
    await killed.end('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});
