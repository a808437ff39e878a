import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sweepRankings } from '../src/actions/likes/sweep-rankings.ts';
import type { Database } from '../src/db/database.ts';
import { openEmbedded } from '../src/db/embedded.ts';
import { openPostgres } from '../src/db/postgres.ts';
import { listRankedArticles } from '../src/db/rankings.ts';
import { type RankingPeriod, rankingPeriodNames } from '../src/domain/ranking-periods.ts';
import { startPostgres } from '../test/postgres.ts';
import { fillArticles, fillLikes } from './fill-likes.ts';
import { fillingPatienceMs, largeServer, printGrowth } from './growth.ts';

// Whether a page of the ranking costs more the more likes there are: the median time of the first page and of page 50 in
// each period, straight through the query, with 100 thousand articles. The baseline is the smallest number of likes.
// Usage: node bench/ranking-growth.ts [--only postgres|embedded] [--most LIKES]

const { values } = parseArgs({
  options: { only: { type: 'string' }, most: { type: 'string', default: '10000000' } },
});
const sizes = [100_000, 1_000_000, 10_000_000].filter((size) => size <= Number(values.most));
const mostEmbedded = 1_000_000;
const filling = { repositories: 1_000, articles: 100_000, users: 20_000 };
const now = new Date();
const rounds = 201;

const viewer = { now, purpose: 'list', listedForMs: 24 * 60 * 60 * 1000 } as const;

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

/** A look at the windows when no like has left any of them: what the service does every 20 seconds at least. */
async function sweep({ database }: Filled): Promise<number> {
  const start = performance.now();
  await sweepRankings({ database, clock: () => now });
  return performance.now() - start;
}

type Timed = (filled: Filled) => Promise<number>;

async function measure(kind: string, all: Filled[]): Promise<void> {
  const measured: Record<string, Timed> = {};
  for (const period of rankingPeriodNames) {
    measured[`${period}, first page`] = (filled) => readPage(filled, period, 0);
    measured[`${period}, page 50`] = (filled) => readPage(filled, period, 980);
  }
  measured['sweep without work'] = sweep;
  const sizeOf = ({ likes }: Filled) => `${likes} likes`;
  await printGrowth(kind, { all, sizeOf, timed: measured, rounds });
}

async function fill(kind: string, likes: number, database: Database): Promise<Filled> {
  const start = performance.now();
  await fillArticles(database, filling);
  const given = await fillLikes(database, likes, now);
  console.log(`${kind}: ${given} likes filled in ${Math.round((performance.now() - start) / 1000)} s`);
  return { likes, database };
}

async function onPostgres(): Promise<void> {
  const server = await startPostgres(largeServer);
  try {
    const all: Filled[] = [];
    for (const likes of sizes) {
      const first = await openPostgres(server.url);
      await first.runScript(`CREATE DATABASE likes_${likes}`);
      await first.close();
      const url = new URL(server.url);
      url.pathname = `/likes_${likes}`;
      all.push(
        await fill('PostgreSQL', likes, await openPostgres(url.href, { patienceMs: fillingPatienceMs })),
      );
    }
    await measure('PostgreSQL', all);
    for (const { database } of all) await database.close();
  } finally {
    await server.stop();
  }
}

async function onEmbedded(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-bench-'));
  try {
    const all: Filled[] = [];
    for (const likes of sizes.filter((size) => size <= mostEmbedded)) {
      const dataFolder = join(folder, String(likes));
      mkdirSync(dataFolder);
      all.push(await fill('Embedded', likes, await openEmbedded(dataFolder, () => {}, fillingPatienceMs)));
    }
    await measure('Embedded', all);
    for (const { database } of all) await database.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (values.only !== 'embedded') await onPostgres();
if (values.only !== 'postgres') await onEmbedded();
