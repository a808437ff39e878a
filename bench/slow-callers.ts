import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { mintLocalToken } from '../src/code-hosts/git/local-token.ts';
import { parseConfig } from '../src/config.ts';
import { loadSecretKeys } from '../src/load-secret-keys.ts';
import { git, makeClone } from '../test/make-clone.ts';
import { runServer, service } from './run-server.ts';
import type { Reading } from './time-reads.ts';

// Readers who take nothing of a large diff, idle event streams, fetches in parallel and senders who dawdle, all at once:
// how much memory the service takes for them, and how long an ordinary read takes beside them, against before.
// Usage: node bench/slow-callers.ts [--share 1] [--reads 2000]

const { values } = parseArgs({
  options: { share: { type: 'string', default: '1' }, reads: { type: 'string', default: '2000' } },
});
const share = Number(values.share);
const crowd = {
  readers: Math.round(200 * share),
  streams: Math.round(2_000 * share),
  ingests: Math.round(100 * share),
  senders: Math.round(300 * share),
};
const users = 100;
const pulls = 20;
const repository = '/repos/acme/rocket/pulls';

const folder = mkdtempSync(join(tmpdir(), 'pullquote-bench-'));
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
  articleP50: number;
  articleP99: number;
  pullRequestP50: number;
  pullRequestP99: number;
  memory: number;
}

/**
 * How long each of so many ordinary reads takes, one after the other, of an article, which is kept in memory, and of a pull
 * request, which the database is asked for; and the most memory meanwhile.
 */
async function readOrdinarily(): Promise<Reads> {
  const workerData: Reading = {
    addresses: [`${repository}/2/article`, `${repository}/2`].map((path) => running.url + path),
    rounds: Number(values.reads),
  };
  const reading = new Worker(join(import.meta.dirname, 'time-reads.ts'), { workerData });
  let memory = megabytes();
  const looking = setInterval(() => {
    memory = Math.max(memory, megabytes());
  }, 20);
  const [[article = [], pullRequest = []] = []]: number[][][] = await once(reading, 'message');
  clearInterval(looking);
  const at = (took: number[], part: number) =>
    took.toSorted((one, other) => one - other)[Math.floor(took.length * part)] ?? 0;
  return {
    articleP50: at(article, 0.5),
    articleP99: at(article, 0.99),
    pullRequestP50: at(pullRequest, 0.5),
    pullRequestP99: at(pullRequest, 0.99),
    memory,
  };
}

const sockets: Socket[] = [];

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
// From here on nobody writes: whoever follows a job waits for ever.
running = await runServer(service, { environment: { ...environment, WRITERS: '0' } });
const { hostname, port } = new URL(running.url);
await call('POST', `${repository}/1/ingest`, first);
let job = '';
for (const token of tokens) {
  const asked = await call('POST', `${repository}/3/article`, token, { prefer: 'respond-async' });
  job = JSON.parse(asked.text).data.id;
}
await readOrdinarily();
const before = await readOrdinarily();

for (let count = 0; count < crowd.readers; count += 1)
  await open(
    `GET ${repository}/1/diff HTTP/1.1\r\nHost: any\r\nAccept-Encoding: ${count % 2 ? 'gzip' : 'identity'}\r\n\r\n`,
  );
for (let count = 0; count < crowd.streams; count += 1)
  await open(
    `GET /jobs/${job}/events HTTP/1.1\r\nHost: any\r\nAuthorization: Bearer ${tokens[count % users]}\r\n\r\n`,
  );
const dawdling = setInterval(() => {
  for (const socket of senders) if (socket.writable) socket.write('X: y\r\n');
}, 1_000);
const senders: Socket[] = [];
for (let count = 0; count < crowd.senders; count += 1) senders.push(await open('GET /meta HTTP/1.1\r\n'));
const ingests = Array.from({ length: crowd.ingests }, (_, index) =>
  call('POST', `${repository}/${4 + (index % (pulls - 3))}/ingest`, tokens[index % users] ?? ''),
);
const beside = await readOrdinarily();
const answered = Map.groupBy(await Promise.all(ingests), ({ status }) => status);
clearInterval(dawdling);
for (const socket of sockets) socket.destroy();
await running.stop();
rmSync(folder, { recursive: true, force: true });

console.log(
  `${crowd.readers} readers who never read, ${crowd.streams} idle streams, ${crowd.senders} slow senders, ${crowd.ingests} fetches ` +
    `(${[...answered].map(([status, some]) => `${some.length} answered ${status}`).join(', ')})`,
);
const rows = { before, beside };
console.table(
  Object.entries(rows).map(([when, { memory, ...took }]) => ({
    when,
    ...Object.fromEntries(Object.entries(took).map(([name, ms]) => [name, `${ms.toFixed(1)} ms`])),
    MiB: Math.round(memory),
  })),
);
const times = (of: 'articleP99' | 'pullRequestP99') => (beside[of] / before[of]).toFixed(2);
console.log(
  `${Math.round(beside.memory - before.memory)} MiB more, at most 256 are allowed; p99 of an article ${times('articleP99')} times ` +
    `as long, of a pull request ${times('pullRequestP99')}, at most 2`,
);
