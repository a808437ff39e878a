import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { mintLocalToken } from '../src/code-hosts/git/local-token.ts';
import { parseConfig } from '../src/config.ts';
import { loadSecretKeys } from '../src/data-folder.ts';
import { git, makeClone } from '../test/make-clone.ts';
import { makeLargePullRequest } from '../test/make-large-pull-request.ts';
import { makeBenchFolder } from './local-server.ts';
import { type RunningServer, runServer, service } from './run-server.ts';

// How soon the connections of readers who never read end: of large diffs, of pages that are asked for so
// often that the kernel does not take them all, and of event streams whose sessions are logged out. What the kernel takes
// whole, such as one page or Markdown, holds nothing, and its connection ends as idle ones do, after 72 seconds. Seconds are
// counted from when something was last taken, or the last session was logged out, as the kernel knows it. Linux only.
// Usage: node bench/idle-readers.ts [--readers 200]

const { values } = parseArgs({ options: { readers: { type: 'string', default: '200' } } });
const readers = Number(values.readers);
const mostSeconds = 150;
/** More than the kernel holds for a reader. */
const enoughBytes = 24 * 1024 * 1024;
const streamsPerUser = 20;
const pulls = '/repos/acme/rocket/pulls';

const folder = makeBenchFolder();
const clone = makeClone(folder, 'repos/acme/rocket', 'Begin');
const noise = randomBytes(enoughBytes).toString('base64');
writeFileSync(join(clone, 'noise.txt'), `${noise.replaceAll(/(.{80})/g, '$1\n')}\n`);
git(clone, 'add', '.');
git(clone, 'commit', '--quiet', '--message', 'feat: add noise (#1)');
makeLargePullRequest(clone, 2, 40);
makeLargePullRequest(clone, 3, 1);

interface Service {
  running: RunningServer;
  /** Bearer tokens of users who have signed up. */
  tokens: string[];
}

async function call({ running }: Service, method: string, path: string, headers: Record<string, string>) {
  const response = await fetch(new URL(path, running.url), { method, headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return text;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** How much has arrived in the kernel for each reader of the service that it has not read, by its port. */
function arrived({ running }: Service): Map<number, number> {
  const port = Number(new URL(running.url).port);
  const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1);
  const found = rows.map((row) => /^\s*\d+: \w+:(\w+) \w+:(\w+) 01 \w+:(\w+)/.exec(row)?.slice(1) ?? []);
  return new Map(
    found
      .map((numbers) => numbers.map((digits) => Number.parseInt(digits, 16)))
      .flatMap(([ours = 0, theirs, unread = 0]) => (theirs === port ? [[ours, unread]] : [])),
  );
}

const megabytes = ({ running }: Service): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${running.child.pid}/status`, 'utf8'))?.[1]) / 1024;

async function open({ running }: Service, text: string): Promise<Socket> {
  const { hostname, port } = new URL(running.url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  await once(socket, 'connect');
  socket.pause().write(text);
  return socket;
}

/** Waits until all connections have ended; a row of how long that took since something was last taken on each. */
async function watch(of: Service, sockets: Socket[]) {
  const begun = performance.now();
  const waiting = new Map(sockets.map(({ localPort = 0 }) => [localPort, { unread: 0, since: begun }]));
  const taken: number[] = [];
  let most = 0;
  while (waiting.size > 0 && performance.now() - begun < mostSeconds * 1_000) {
    const now = arrived(of);
    most = Math.max(most, megabytes(of));
    for (const [port, { unread, since }] of waiting) {
      const current = now.get(port);
      if (current === undefined) {
        waiting.delete(port);
        taken.push((performance.now() - since) / 1_000);
      } else if (current !== unread) waiting.set(port, { unread: current, since: performance.now() });
    }
    await pause(200);
  }
  for (const socket of sockets) socket.destroy();
  taken.sort((one, other) => one - other);
  const seconds = (place: number) => taken.at(place)?.toFixed(1) ?? '-';
  return {
    ended: taken.length,
    first: seconds(0),
    median: seconds(Math.floor(taken.length / 2)),
    last: seconds(-1),
    MiB: Math.round(most),
  };
}

/** Each asks for the same, and takes nothing of it. */
async function readNothing(of: Service, request: string, times: number) {
  const sockets: Socket[] = [];
  for (let count = 0; count < readers; count += 1)
    sockets.push(await open(of, `${request}\r\n\r\n`.repeat(times)));
  return watch(of, sockets);
}

async function followAndLogOut(of: Service) {
  const sockets: Socket[] = [];
  const sessions: string[] = [];
  for (const token of of.tokens) {
    const asked = await call(of, 'POST', `${pulls}/3/article`, { ...bearer(token), prefer: 'respond-async' });
    const session = JSON.parse(await call(of, 'POST', '/auth/session', bearer(token))).data.accessToken;
    sessions.push(session);
    const request = `GET /jobs/${JSON.parse(asked).data.id}/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${session}\r\n\r\n`;
    for (let count = 0; count < streamsPerUser; count += 1) {
      const socket = await open(of, request);
      await once(socket.resume(), 'data');
      sockets.push(socket.pause());
    }
  }
  for (const session of sessions) await call(of, 'POST', '/auth/logout', bearer(session));
  return watch(of, sockets);
}

async function measure(): Promise<void> {
  const environment = {
    PULLQUOTE_DATA: join(folder, 'data'),
    GIT_REPOS: join(folder, 'repos'),
  };
  const keys = loadSecretKeys(parseConfig(environment));
  const expiresAt = new Date(Date.now() + 3_600_000);
  const tokens = Array.from({ length: Math.ceil(readers / streamsPerUser) }, (_, index) =>
    mintLocalToken(keys, { name: `user-${index}`, singleUse: false, expiresAt }),
  );
  const start = async (writers: string): Promise<Service> => ({
    running: await runServer(service, { environment: { ...environment, WRITERS: writers } }),
    tokens,
  });
  const writing = await start('1');
  for (const token of tokens) await call(writing, 'POST', '/auth/signup', bearer(token));
  const [first = ''] = tokens;
  for (const number of [1, 3]) await call(writing, 'POST', `${pulls}/${number}/ingest`, bearer(first));
  await call(writing, 'POST', `${pulls}/2/article`, bearer(first));
  await writing.running.stop();
  // From here on no article is written, so that a job can be followed for ever.
  const idle = await start('0');
  try {
    console.log(`of ${readers} readers of each, so many ended, after so many seconds`);
    console.table(await measureEach(idle));
  } finally {
    await idle.running.stop();
  }
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: localhost${headers}`;

/** The page is kept in memory when it is asked for, so that as many can be had as a reader likes. */
async function readPages(of: Service, bytes: number) {
  const page = '/r/acme/rocket/2';
  const made = await call(of, 'GET', page, { 'accept-language': 'en' });
  return readNothing(of, get(page, '\r\nAccept-Language: en'), Math.ceil(bytes / Buffer.byteLength(made)));
}

const measureEach = async (of: Service) => ({
  diff: await readNothing(of, get(`${pulls}/1/diff`), 1),
  'diff in gzip': await readNothing(of, get(`${pulls}/1/diff`, '\r\nAccept-Encoding: gzip'), 1),
  'page, many times': await readPages(of, enoughBytes),
  'events, logged out': await followAndLogOut(of),
});

try {
  await measure();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
