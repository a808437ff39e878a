import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createFetchByGit, TemporaryFolders } from '../src/code-hosts/fetched/fetch-by-git.ts';
import { GitSpawner } from '../src/code-hosts/git-runner/git-spawner.ts';
import { programSearchPath } from '../src/config.ts';
import { takeExclusiveLock } from '../src/db/local-server/exclusive-lock.ts';
import { git, makeClone } from '../test/make-clone.ts';
import { processesIn } from '../test/processes-gone.ts';
import { serveGit } from '../test/serve-git.ts';

// What is left of fetches from hosts that hang, drip or never end, cancelled, timed out and in a process that is killed with -9:
// processes and files after five seconds, and how much memory all processes of one fetch take together. What a killed process leaves on
// the disk goes with the next start. Ends with 1 where something is left or they take more than 512 MiB.
// Usage: node bench/network-gits.ts [--seconds 4]
// --fetch is what this file tells a process of its own, which is killed.

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '4' }, fetch: { type: 'string' } },
});
const endAfterMs = Number(values.seconds) * 1_000;
const mostLeftMs = 5_000;
const mostMebibytes = 512;
const everyMs = 20;

const packet = (text: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from((text.length + 4).toString(16).padStart(4, '0')), Buffer.from(text)]);
const sideband = (band: number, bytes: Buffer): Buffer => packet(Buffer.concat([Buffer.from([band]), bytes]));

/** Writes as fast as it is taken. */
async function writeForEver(response: ServerResponse, next: (index: number) => Buffer): Promise<void> {
  for (let index = 0; !response.destroyed; index += 1)
    if (!response.write(next(index)))
      // Also a connection that was closed ends a wait.
      await Promise.race([once(response, 'drain'), wait(100)]).catch(() => {});
}

/** Writes a byte at a time. */
async function drip(response: ServerResponse, bytes: Buffer): Promise<void> {
  for (let index = 0; !response.destroyed; index += 1) {
    response.write(bytes.subarray(index, index + 1));
    await wait(100);
  }
}

function answerRefs(response: ServerResponse): ServerResponse {
  response.setHeader('content-type', 'application/x-git-upload-pack-advertisement');
  response.write(Buffer.concat([packet('# service=git-upload-pack\n'), Buffer.from('0000')]));
  return response;
}

function answerFetch(response: ServerResponse): ServerResponse {
  response.setHeader('content-type', 'application/x-git-upload-pack-result');
  return response;
}

function answerPack(response: ServerResponse, objects: number, first: Buffer): ServerResponse {
  const head = Buffer.from('PACK\0\0\0\u0002\0\0\0\0', 'latin1');
  head.writeUInt32BE(objects, 8);
  answerFetch(response).write(
    Buffer.concat([packet('packfile\n'), sideband(1, Buffer.concat([head, first]))]),
  );
  return response;
}

const refOf = (index: number): Buffer =>
  packet(`${index.toString(16).padStart(40, '0')} refs/heads/${'x'.repeat(200)}${index}\n`);
const manyRefs = (index: number): Buffer =>
  Buffer.concat(Array.from({ length: 200 }, (_, place) => refOf(index * 200 + place)));
const manyShallow = (index: number): Buffer =>
  Buffer.concat(
    Array.from({ length: 200 }, (_, place) =>
      packet(`shallow ${(index * 200 + place).toString(16).padStart(40, '0')}\n`),
    ),
  );
const progress = sideband(2, Buffer.from(`${'x'.repeat(999)}\n`));
/** A blob of 2^40 bytes, the beginning of its zlib stream, and a stored block of that. */
const endlessBlob = Buffer.from([0xb0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x04, 0x78, 0x01]);
const storedBlock = Buffer.concat([Buffer.from([0, 0xf4, 0xfd, 0x0b, 0x02]), Buffer.alloc(0xfdf4)]);
/** Empty blobs. */
const emptyBlobs = Buffer.concat(
  Array.from({ length: 4_000 }, () => Buffer.from([0x30, 0x78, 0x9c, 3, 0, 0, 0, 0, 1])),
);
const halves = (block: Buffer) => [
  sideband(1, block.subarray(0, 0x8000)),
  sideband(1, block.subarray(0x8000)),
];

type Answer = (response: ServerResponse) => unknown;
const hosts: Record<string, { refs?: Answer; pack?: Answer }> = {
  'refs that never come': { refs: () => {} },
  'refs that drip': { refs: (response) => drip(answerRefs(response), manyRefs(0)) },
  'refs without end': { refs: (response) => writeForEver(answerRefs(response), manyRefs) },
  'an answer without end in place of refs': {
    refs: (response) => writeForEver(response, () => Buffer.alloc(65_536, 'x')),
  },
  'objects that never come': { pack: () => {} },
  'objects that drip': {
    pack: (response) => drip(answerFetch(response), Buffer.concat([packet('packfile\n'), progress])),
  },
  'shallow commits without end': {
    pack: (response) => {
      answerFetch(response).write(packet('shallow-info\n'));
      return writeForEver(response, manyShallow);
    },
  },
  'progress without end': {
    pack: (response) => writeForEver(answerPack(response, 1, Buffer.alloc(0)), () => progress),
  },
  'a blob without end': {
    pack: (response) =>
      writeForEver(answerPack(response, 1, endlessBlob), () => Buffer.concat(halves(storedBlock))),
  },
  'objects without end': {
    pack: (response) =>
      writeForEver(answerPack(response, 2_000_000, Buffer.alloc(0)), () => Buffer.concat(halves(emptyBlobs))),
  },
};

interface From {
  web: string;
  fetched: string;
  base: string;
  head: string;
}

/** Reads a pull request to its end; answers how that ended. */
async function read(
  { web, fetched, base, head }: From,
  spawner: GitSpawner,
  signal: AbortSignal,
): Promise<string> {
  const folders = new TemporaryFolders(fetched, takeExclusiveLock);
  const network = async () => ({ environment: {}, configuration: {}, certificates: null });
  const fetch = createFetchByGit({
    ...{ searchPath: programSearchPath(), folders, id: 'bench', name: 'Bench', web, gitUser: 'bench' },
    ...{ mostBytes: 2 ** 40, spawner, network, clock: () => new Date() },
  });
  const { diff } = fetch(
    { owner: 'acme', name: 'rocket', base, head },
    { isService: false, token: null, signal },
  );
  const end = await Array.fromAsync(diff(async () => {})).then(
    () => 'it was read',
    (error: Error) => error.message,
  );
  await folders.close();
  return end;
}

if (values.fetch !== undefined) {
  await read(JSON.parse(values.fetch), new GitSpawner(), new AbortController().signal);
  process.exit();
}

const folder = mkdtempSync(join(tmpdir(), 'pullquote-bench-'));
const clone = makeClone(folder, 'acme/rocket');
git(clone, 'commit', '--quiet', '--allow-empty', '--message', 'Second');
const [head = '', base = ''] = git(clone, 'log', '--format=%H').trim().split('\n');
const fetched = join(folder, 'fetched');
mkdirSync(fetched);

let host: (typeof hosts)[string] = {};
let asked = Promise.withResolvers<void>();
const server = createServer((request: IncomingMessage, response) => {
  response.on('error', () => {});
  const rest = request.url?.slice('/acme/rocket.git'.length) ?? '';
  const answer = request.method === 'GET' ? host.refs : host.pack;
  if (!answer) return void serveGit(join(clone, '.git'), rest, request, response);
  request.resume();
  asked.resolve();
  void answer(response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const web = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** A spawner for which every git takes too long. */
class HurriedSpawner extends GitSpawner {
  override run(...[command, options]: Parameters<GitSpawner['run']>): ReturnType<GitSpawner['run']> {
    return super.run(command, { ...options, timeoutMs: endAfterMs });
  }
}

const processesInFetch = (): number[] => processesIn(fetched);

const mebibytesOf = (pids: number[]): number =>
  pids.reduce((sum, pid) => {
    try {
      return sum + Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) / 256;
    } catch {
      return sum;
    }
  }, 0);

const filesLeft = (): number =>
  readdirSync(fetched, { recursive: true }).filter((name) => String(name).includes('fetch-')).length;

type End = 'cancelled' | 'timed out' | 'killed';

/** Has a process of its own read, kills that, and removes what the next start removes. */
async function readAndKill(from: From): Promise<string> {
  const child = spawn(process.execPath, [import.meta.filename, '--fetch', JSON.stringify(from)]);
  const ended = once(child, 'exit');
  await Promise.race([ended, asked.promise.then(() => wait(endAfterMs))]);
  child.kill('SIGKILL');
  const [code, signal] = await ended;
  const begun = performance.now();
  while (processesInFetch().length > 0 && performance.now() - begun < mostLeftMs) await wait(20);
  await new TemporaryFolders(fetched, takeExclusiveLock).removeLeft();
  return `the process ended with ${signal ?? code}`;
}

const [spawner, hurried] = [new GitSpawner(), new HurriedSpawner()];
const readUntil: Record<End, (from: From) => Promise<string>> = {
  cancelled(from) {
    const cancelling = new AbortController();
    void asked.promise.then(() => wait(endAfterMs)).then(() => cancelling.abort());
    return read(from, spawner, cancelling.signal);
  },
  'timed out': (from) => read(from, hurried, new AbortController().signal),
  killed: readAndKill,
};

async function fetchFrom(end: End) {
  asked = Promise.withResolvers();
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, mebibytesOf(processesInFetch()));
  }, everyMs);
  const failure = await readUntil[end]({ web, fetched, base, head });
  clearInterval(timer);
  const ended = performance.now();
  while (processesInFetch().length + filesLeft() > 0 && performance.now() - ended < mostLeftMs)
    await wait(20);
  const left = { processes: processesInFetch().length, files: filesLeft() };
  const goneMs = Math.round(performance.now() - ended);
  return { 'MiB at most': Math.round(peak), ...left, 'gone after ms': goneMs, failure: failure.slice(0, 60) };
}

const rows: Record<string, Awaited<ReturnType<typeof fetchFrom>>> = {};
for (const [name, behaviour] of Object.entries(hosts)) {
  host = behaviour;
  for (const end of ['cancelled', 'timed out', 'killed'] as const)
    rows[`${name}, ${end}`] = await fetchFrom(end);
}
console.table(rows);
await Promise.all([spawner.close(), hurried.close()]);
server.closeAllConnections();
server.close();
rmSync(folder, { recursive: true, force: true });
const isWrong = Object.values(rows).some(
  (row) => row.processes + row.files > 0 || row['MiB at most'] > mostMebibytes,
);
process.exitCode = isWrong ? 1 : 0;
