import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../test/postgres.ts';
import { connections, core, median, readInTurns, turnMs, writeAndLike } from './reading-in-turns.ts';
import { type RunningServer, runServer, service } from './run-server.ts';

// What measuring costs reads, as bench/reads.ts reads: two services on one database and one core take turns, of which one has a
// METRICS_TOKEN and is scraped every second, and the other has none. From memory, and with nothing kept there. Prints the processor
// time that each takes for a request, which other programs on the machine change little, and fails where measuring takes more
// than 2 of 100.
// Usage: node bench/metrics.ts [--turns 150]

const { values } = parseArgs({ options: { turns: { type: 'string', default: '150' } } });
const mostMore = 0.02;
const token = 'a-token-of-the-benchmark';
const folder = mkdtempSync(join(tmpdir(), 'pullquote-bench-'));
const postgres = await startPostgres();
const environment = { PULLQUOTE_DATA: join(folder, 'data'), DATABASE_URL: postgres.url, WRITERS: '0' };

function scrapeEverySecond({ url }: RunningServer): () => Promise<string> {
  const scrape = async () => {
    const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    return answer.text();
  };
  const timer = setInterval(() => void scrape(), 1_000);
  return () => {
    clearInterval(timer);
    return scrape();
  };
}

/** Microseconds of processor time that a process has had, in all of its threads that are there. */
function processorTime({ child: { pid } }: RunningServer): number {
  const threads = `/proc/${pid}/task`;
  const times = readdirSync(threads).map((thread) => readFileSync(`${threads}/${thread}/schedstat`, 'utf8'));
  return times.reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1000, 0);
}

async function compare(what: string, path: string, cacheMib: string): Promise<{ more: number }> {
  const shared = { ...environment, CACHE_MIB: cacheMib };
  const without = await runServer(service, { environment: shared, ...core });
  const measured = await runServer(service, { environment: { ...shared, METRICS_TOKEN: token }, ...core });
  const servers = [measured, without];
  const urls = servers.map(({ url }) => [url + path]);
  // What is compiled and learned with the first requests is no part of it.
  await readInTurns(urls, 10);
  const stopScraping = scrapeEverySecond(measured);
  const before = servers.map(processorTime);
  const reads = await readInTurns(urls, Number(values.turns));
  const [own = 0, plain = 0] = servers.map(
    (server, index) => (processorTime(server) - (before[index] ?? 0)) / (reads[index]?.answered ?? 0),
  );
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
