import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../test/postgres.ts';
import { connections, core, median, readInTurns, turnMs, writeAndLike } from './reading-in-turns.ts';
import { type RunningServer, runServer, service } from './run-server.ts';

// What measuring costs reads, as bench/reads.ts reads: two services on one database and one core take turns, of which one has a
// METRICS_TOKEN and is scraped every 15 s, and the other has none. From memory, and with nothing kept there. Prints the processor
// time that each takes for a request, in the quarter of turns that other programs on the machine disturbed least, and fails where
// measuring takes more than 2 of 100.
// Usage: node bench/metrics.ts [--turns 150]

const { values } = parseArgs({ options: { turns: { type: 'string', default: '150' } } });
const mostMore = 0.02;
const scrapedEveryMs = 15_000;
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

/** Other programs on the machine only ever make a turn dearer: those that were least disturbed tell most. */
const leastDisturbed = (numbers: number[]) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 4)] ?? 0;

async function compare(what: string, path: string, cacheMib: string): Promise<{ more: number }> {
  const shared = { ...environment, CACHE_MIB: cacheMib };
  const without = await runServer(service, { environment: shared, ...core });
  const measured = await runServer(service, { environment: { ...shared, METRICS_TOKEN: token }, ...core });
  const servers = [measured, without];
  const urls = servers.map(({ url }) => [url + path]);
  // What is compiled and learned with the first requests is no part of it.
  await readInTurns(urls, 10);
  const stopScraping = scrapeInTurns(measured);
  const pids = servers.map(({ child }) => child.pid ?? 0);
  const reads = await readInTurns(urls, Number(values.turns), pids);
  const [own = 0, plain = 0] = reads.map(({ processorUs }) => leastDisturbed(processorUs));
  const text = await stopScraping();
  await Promise.all(servers.map((server) => server.stop()));
  const counted = [
    ...text.matchAll(/^pullquote_http_request_duration_seconds_count\{.*status="200"\} (\d+)$/gm),
  ];
  const row = {
    what,
    'µs a request, measured': Number(own.toFixed(2)),
    'µs a request, not measured': Number(plain.toFixed(2)),
    more: Number((own / plain - 1).toFixed(4)),
    'a second, measured': Math.round(median(reads[0]?.perSecond ?? [])),
    'a second, not measured': Math.round(median(reads[1]?.perSecond ?? [])),
    'requests counted': counted.reduce((sum, [, number]) => sum + Number(number), 0),
  };
  console.table([row]);
  return row;
}

console.log(`${connections} connections, ${values.turns} turns of ${turnMs} ms each, log at warn`);
const article = await writeAndLike({ ...environment, WRITERS: '2' });
const rows = [
  await compare('an article, from memory', `/articles/${article}`, '64'),
  await compare('an article, nothing kept', `/articles/${article}`, '0'),
  await compare('the ranking, nothing kept', '/ranking/articles/likes', '0'),
];
await postgres.stop();
rmSync(folder, { recursive: true, force: true });
if (rows.some(({ more }) => more > mostMore)) process.exitCode = 1;
