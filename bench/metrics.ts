import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../test/postgres.ts';
import { describeEstimate, type Estimate, estimateMore } from './paired-ratios.ts';
import { connections, core, median, readInTurns, writeAndLike } from './reading-in-turns.ts';
import { type RunningServer, runServer, service } from './run-server.ts';

// What measuring costs reads: three services on one database and one core take short turns, of which two have no METRICS_TOKEN, and
// one has it and is scraped. From memory, and with nothing kept there. Goes by the processor time that each takes for a request in
// the same round, and starts all three several times, because equal services differ too: by how much, is what the two tell that
// are equal. Prints estimates with what they lie between, and ends with 1 where it is not certain that measuring takes less than
// 2 of 100: on a machine that does something else too, that takes more starts.
// Usage: node bench/metrics.ts [--starts 8] [--turns 40] [--only memory|article|ranking]

const { values } = parseArgs({
  options: {
    starts: { type: 'string', default: '8' },
    turns: { type: 'string', default: '40' },
    only: { type: 'string' },
  },
});
const mostMore = 0.02;
const turnMs = 100;
const warmUpTurns = 80;
/** A third of these falls into the turns of the service that is scraped, which is then scraped as often as is usual. */
const scrapedEveryMs = 5_000;
const token = 'a-token-of-the-benchmark';
const folder = mkdtempSync(join(tmpdir(), 'pullquote-bench-'));
const postgres = await startPostgres();
const environment = { PULLQUOTE_DATA: join(folder, 'data'), DATABASE_URL: postgres.url, WRITERS: '0' };

function scrapeInTurns({ url }: RunningServer): () => Promise<string> {
  const scrape = async () => {
    const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    return answer.text();
  };
  const timer = setInterval(() => void scrape(), scrapedEveryMs);
  return () => {
    clearInterval(timer);
    return scrape();
  };
}

function countRequests(exposition: string): number {
  const counts = exposition.matchAll(
    /^pullquote_http_request_duration_seconds_count\{.*status="200"\} (\d+)$/gm,
  );
  return [...counts].reduce((sum, [, number]) => sum + Number(number), 0);
}

interface Round {
  plain: number;
  alike: number;
  measured: number;
}

/** Microseconds of processor time that each service took for a request, round by round. */
async function readOnce(path: string, cacheMib: string): Promise<{ rounds: Round[]; counted: number }> {
  const shared = { ...environment, CACHE_MIB: cacheMib };
  const start = (own: Record<string, string>) =>
    runServer(service, { environment: { ...shared, ...own }, ...core });
  const [plain, alike, measured] = await Promise.all([start({}), start({}), start({ METRICS_TOKEN: token })]);
  const servers = [plain, alike, measured];
  const urls = servers.map(({ url }) => [url + path]);
  const pids = servers.map(({ child }) => child.pid ?? 0);
  // What is compiled and learned with the first tens of thousands of requests is no part of it.
  await readInTurns(urls, { turns: warmUpTurns, turnMs });
  const stopScraping = scrapeInTurns(measured);
  const reads = await readInTurns(urls, { turns: Number(values.turns), turnMs, pids });
  const counted = countRequests(await stopScraping());
  await Promise.all(servers.map((server) => server.stop()));
  const of = (server: number, turn: number) => reads[server]?.processorUs[turn] ?? 0;
  const rounds = Array.from({ length: Number(values.turns) }, (_, turn) => ({
    plain: of(0, turn),
    alike: of(1, turn),
    measured: of(2, turn),
  }));
  return { rounds, counted };
}

function judge({ from, to }: Estimate): string {
  if (to <= mostMore) return 'within 2 of 100';
  return from > mostMore ? 'above 2 of 100' : 'cannot be told: more starts, or a quiet machine';
}

async function compare(what: string, path: string, cacheMib: string): Promise<boolean> {
  const starts: Round[][] = [];
  let requests = 0;
  for (let number = 0; number < Number(values.starts); number += 1) {
    const { rounds, counted } = await readOnce(path, cacheMib);
    starts.push(rounds);
    requests += counted;
  }
  const ratiosOf = (ratio: (round: Round) => number) => starts.map((rounds) => rounds.map(ratio));
  const more = estimateMore(ratiosOf(({ plain, alike, measured }) => (2 * measured) / (plain + alike)));
  const control = estimateMore(ratiosOf(({ plain, alike }) => alike / plain));
  const all = starts.flat();
  console.table({
    [what]: {
      'µs a request': Number(median(all.map(({ plain }) => plain)).toFixed(1)),
      measured: Number(median(all.map((round) => round.measured)).toFixed(1)),
      'which is': describeEstimate(more),
      'of two that are equal': describeEstimate(control),
      requests,
      measuring: judge(more),
    },
  });
  return more.to <= mostMore;
}

console.log(
  `${connections} connections, ${values.starts} starts with ${values.turns} turns of ${turnMs} ms each, log at warn`,
);
let isWithin = true;
try {
  const article = await writeAndLike({ ...environment, WRITERS: '2' });
  const wanted = {
    memory: () => compare('an article, from memory', `/articles/${article}`, '64'),
    article: () => compare('an article, nothing kept', `/articles/${article}`, '0'),
    ranking: () => compare('the ranking, nothing kept', '/ranking/articles/likes', '0'),
  };
  for (const [name, measure] of Object.entries(wanted))
    if (!values.only || values.only === name) isWithin = (await measure()) && isWithin;
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = isWithin ? 0 : 1;
