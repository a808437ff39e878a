import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { mintLocalToken } from '../src/code-hosts/git/local-token.ts';
import { parseConfig } from '../src/config.ts';
import { loadSecretKeys } from '../src/data-folder.ts';
import { git, makeClone } from '../test/make-clone.ts';
import { makeBenchFolder } from './local-server.ts';
import { runServer, service } from './run-server.ts';
import type { Reading } from './time-reads.ts';

// Readers who take nothing of a large diff, idle event streams, fetches in parallel and senders who dawdle, all at once:
// how much memory the service takes for them, and how long an ordinary read takes beside them, against without them.
// Periods with and without them alternate, because a machine is not the same for minutes.
// Usage: node bench/slow-callers.ts [--share 1] [--reads 2000] [--rounds 3]

const { values } = parseArgs({
  options: {
    share: { type: 'string', default: '1' },
    reads: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '3' },
  },
});
const rounds = Number(values.rounds);
const readsPerRound = Number(values.reads);
const warmUps = 500;
const share = Number(values.share);
const crowd = {
  readers: Math.round(200 * share),
  streams: Math.round(2_000 * share),
  ingests: Math.round(100 * share),
  senders: Math.round(300 * share),
};
const users = 100;
const pullsPerRound = 17;
const pulls = 3 + pullsPerRound * rounds;
const repository = '/repos/acme/rocket/pulls';

const folder = makeBenchFolder();
const clone = makeClone(folder, 'repos/acme/rocket', 'Begin');
for (let number = 1; number <= pulls; number += 1) {
  const bytes = randomBytes(number === 1 ? 16_000_000 : 20_000).toString('base64');
  writeFileSync(join(clone, `file-${number}.txt`), `${bytes.replaceAll(/(.{80})/g, '$1\n')}\n`);
  git(clone, 'add', '.');
  git(clone, 'commit', '--quiet', '--message', `feat: add file ${number} (#${number})`);
}

const environment = {
  PULLQUOTE_DATA: join(folder, 'data'),
  GIT_REPOS: join(folder, 'repos'),
};
const keys = loadSecretKeys(parseConfig(environment));
const expiresAt = new Date(Date.now() + 3_600_000);
const tokens = Array.from({ length: users }, (_, index) =>
  mintLocalToken(keys, { name: `user-${index}`, singleUse: false, expiresAt }),
);
let running = await runServer(service, { environment: { ...environment, WRITERS: '1' } });

const call = async (method: string, path: string, token: string, headers: Record<string, string> = {}) => {
  const response = await fetch(new URL(path, running.url), {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  return { status: response.status, text: await response.text() };
};

const megabytes = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${running.child.pid}/status`, 'utf8'))?.[1]) / 1024;

interface Reads {
  /** Milliseconds that each read of an article took, which is kept in memory. */
  article: number[];
  /** And each of a pull request, which the database is asked for. */
  pullRequest: number[];
  /** The most meanwhile. */
  memory: number;
}

/** Reads so many times, one after the other. */
async function readOrdinarily(count: number): Promise<Reads> {
  const workerData: Reading = {
    addresses: [`${repository}/2/article`, `${repository}/2`].map((path) => running.url + path),
    rounds: count,
  };
  const reading = new Worker(join(import.meta.dirname, 'time-reads.ts'), { workerData });
  let memory = megabytes();
  const looking = setInterval(() => {
    memory = Math.max(memory, megabytes());
  }, 20);
  const [[article = [], pullRequest = []] = []]: number[][][] = await once(reading, 'message');
  clearInterval(looking);
  return { article, pullRequest, memory };
}

let sockets: Socket[] = [];

async function open(text: string): Promise<Socket> {
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.pause();
  socket.write(text);
  sockets.push(socket);
  return socket;
}

const [first = ''] = tokens;
for (const token of tokens) await call('POST', '/auth/signup', token);
for (const number of [2, 3]) await call('POST', `${repository}/${number}/ingest`, first);
await call('POST', `${repository}/2/article`, first);
await running.stop();
// From here on no process writes: a client that follows a job waits for ever.
running = await runServer(service, { environment: { ...environment, WRITERS: '0' } });
const { hostname, port } = new URL(running.url);
await call('POST', `${repository}/1/ingest`, first);
let job = '';
for (const token of tokens) {
  const asked = await call('POST', `${repository}/3/article`, token, { prefer: 'respond-async' });
  job = JSON.parse(asked.text).data.id;
}

/** Each sends a little more of its request every second, in no step with the others. */
async function dawdle(): Promise<NodeJS.Timeout> {
  const socket = await open('GET /meta HTTP/1.1\r\n');
  return setInterval(() => {
    if (socket.writable) socket.write('X: y\r\n');
  }, 1_000);
}

/** Opens the crowd, and reads as long as it is there; its fetches are of pull requests that were never fetched before. */
async function readBesideCrowd(round: number): Promise<Reads> {
  for (let count = 0; count < crowd.readers; count += 1)
    await open(
      `GET ${repository}/1/diff HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: ${count % 2 ? 'gzip' : 'identity'}\r\n\r\n`,
    );
  for (let count = 0; count < crowd.streams; count += 1)
    await open(
      `GET /jobs/${job}/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${tokens[count % users]}\r\n\r\n`,
    );
  const dawdling: NodeJS.Timeout[] = [];
  for (let count = 0; count < crowd.senders; count += 1) {
    dawdling.push(await dawdle());
    await pause(1_000 / crowd.senders);
  }
  const from = 4 + round * pullsPerRound;
  const ingests = Array.from({ length: crowd.ingests }, (_, index) =>
    call('POST', `${repository}/${from + (index % pullsPerRound)}/ingest`, tokens[index % users] ?? ''),
  );
  const read = await readOrdinarily(readsPerRound);
  for (const { status } of await Promise.all(ingests)) answered[status] = (answered[status] ?? 0) + 1;
  for (const timer of dawdling) clearInterval(timer);
  for (const socket of sockets) socket.destroy();
  sockets = [];
  return read;
}

const answered: Record<number, number> = {};
const alone: Reads[] = [];
const beside: Reads[] = [];
for (let round = 0; round < rounds; round += 1) {
  // What the round before left to be done, and what the first reads load, is none of what is measured.
  await readOrdinarily(warmUps);
  alone.push(await readOrdinarily(readsPerRound));
  beside.push(await readBesideCrowd(round));
}
await running.stop();
rmSync(folder, { recursive: true, force: true });

const at = (took: number[], part: number) =>
  took.toSorted((one, other) => one - other)[Math.floor(took.length * part)] ?? 0;
const describe = (reads: Reads[]) => {
  const article = reads.flatMap((one) => one.article);
  const pullRequest = reads.flatMap((one) => one.pullRequest);
  return {
    'article p50': at(article, 0.5),
    'article p99': at(article, 0.99),
    'pull request p50': at(pullRequest, 0.5),
    'pull request p99': at(pullRequest, 0.99),
  };
};
const rows = { alone: describe(alone), 'beside them': describe(beside) };
const memory = (reads: Reads[]) => Math.max(...reads.map((one) => one.memory));

console.log(
  `${rounds} times ${crowd.readers} readers who never read, ${crowd.streams} idle streams, ${crowd.senders} slow senders, ` +
    `${crowd.ingests} fetches (answered ${JSON.stringify(answered)}), and before each of them as many reads alone`,
);
console.table(
  Object.entries(rows).map(([when, took]) => ({
    when,
    ...Object.fromEntries(Object.entries(took).map(([name, ms]) => [name, `${ms.toFixed(1)} ms`])),
    MiB: Math.round(memory(when === 'alone' ? alone : beside)),
  })),
);
const times = (of: 'article p99' | 'pull request p99') =>
  (rows['beside them'][of] / rows.alone[of]).toFixed(2);
const more = Math.max(...beside.map((one, round) => one.memory - (alone[round]?.memory ?? 0)));
console.log(
  `${Math.round(more)} MiB more, at most 256 are allowed; p99 of an article ` +
    `${times('article p99')} times as long, of a pull request ${times('pull request p99')}, at most 2`,
);
