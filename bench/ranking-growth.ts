import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sweepRankings } from '../src/actions/likes/likes.ts';
import type { Database } from '../src/db/database.ts';
import { listRankedArticles } from '../src/db/likes.ts';
import { type RankingPeriod, rankingPeriodNames } from '../src/domain/time.ts';
import { fillArticles, fillLikes } from './fill-likes.ts';
import { printGrowth } from './growth.ts';
import { fillDatabase, makeBenchFolder, openDatabase } from './local-server.ts';

// Whether a page of the ranking costs more with more likes: the median time of the first page and of page 50 in each
// period, directly by the query, with 100 thousand articles. The baseline is the smallest number of likes.
// Usage: node bench/ranking-growth.ts [--most LIKES]

const { values } = parseArgs({ options: { most: { type: 'string', default: '10000000' } } });
const sizes = [1_000_000, 10_000_000, 100_000_000].filter((size) => size <= Number(values.most));
const filling = { repositories: 1_000, articles: 100_000, users: 200_000 };
const now = new Date();
const rounds = 201;

const viewer = { now, purpose: 'list', confirmedWithinMs: 24 * 60 * 60 * 1000 } as const;

interface Filled {
  likes: number;
  database: Database;
}

async function readPage({ database }: Filled, period: RankingPeriod, offset: number): Promise<number> {
  const start = performance.now();
  const { rows } = await listRankedArticles(database, { period, viewer, limit: 20, offset });
  if (rows.length !== 20) throw new Error(`The ${period} ranking has no full page at ${offset}.`);
  return performance.now() - start;
}

/** A check of the periods when no like has expired, as the service does at least every 20 seconds. */
async function sweep({ database }: Filled): Promise<number> {
  const start = performance.now();
  await sweepRankings({ database, clock: () => now });
  return performance.now() - start;
}

type Timed = (filled: Filled) => Promise<number>;

async function measure(all: Filled[]): Promise<void> {
  const measured: Record<string, Timed> = {};
  for (const period of rankingPeriodNames) {
    measured[`${period}, first page`] = (filled) => readPage(filled, period, 0);
    measured[`${period}, page 50`] = (filled) => readPage(filled, period, 980);
  }
  measured['sweep without work'] = sweep;
  const sizeOf = ({ likes }: Filled) => `${likes} likes`;
  await printGrowth('Pages of the ranking', { all, sizeOf, timed: measured, rounds });
}

const folder = makeBenchFolder();

async function fill(likes: number): Promise<Filled> {
  const start = performance.now();
  const dataFolder = join(folder, String(likes));
  await fillDatabase(dataFolder, async (database) => {
    await fillArticles(database, filling);
    const given = await fillLikes(database, likes, now);
    console.log(`${given} likes filled in ${Math.round((performance.now() - start) / 1000)} s`);
  });
  return { likes, database: await openDatabase({ PULLQUOTE_DATA: dataFolder }) };
}

const all: Filled[] = [];
try {
  for (const likes of sizes) all.push(await fill(likes));
  await measure(all);
} finally {
  for (const { database } of all) await database.close();
  rmSync(folder, { recursive: true, force: true });
}
