import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { mintLocalToken } from '../src/code-hosts/git/local-token.ts';
import { loadSecretKeys } from '../src/load-secret-keys.ts';
import { git, makeClone } from '../test/make-clone.ts';
import { type RunningServer, runServer, service } from './run-server.ts';

// A disk that fills up under the embedded database, again and again: because another program takes all of it, because large
// pull requests do, and because another program takes all of it while many are storing something. Counts what was answered
// meanwhile and how late, when storing began again, and what was lost of all that was acknowledged.
// Usage: node bench/full-disk.ts [--rounds 20] [--folder PATH]
// It mounts a file system in memory, for which it has to be root; --folder names a folder on a small disk instead.

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '20' }, folder: { type: 'string' } },
});
const rounds = Number(values.rounds);
const mebibyte = 1024 * 1024;
const diskMebibytes = 768;
/** What the service keeps free, and a little for pull requests to fill. */
const nearlyFullMebibytes = 64 + 20;
const fullMs = 1_500;
const mostIngests = 8;

const scratch = mkdtempSync(join(tmpdir(), 'pullquote-bench-'));
const disk = values.folder ?? join(scratch, 'disk');
const foreignFile = join(disk, 'foreign');

function mountDisk(): void {
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMebibytes}m`, 'tmpfs', disk], { stdio: 'pipe' });
  } catch {
    console.error(
      'A file system cannot be mounted here. Run this as root, or name a folder on a small disk with --folder.',
    );
    process.exit(1);
  }
}

const freeBytes = (): number => {
  const { bavail, bsize } = statfsSync(disk);
  return bavail * bsize;
};

/** Another program takes all room but so many bytes, as fast as it can. */
function takeRoom(left: number): void {
  const file = openSync(foreignFile, 'a');
  const block = Buffer.alloc(mebibyte);
  try {
    while (freeBytes() > left) writeSync(file, block, 0, Math.min(block.length, freeBytes() - left));
  } catch {
    // Somebody else has taken the rest.
  }
  closeSync(file);
}

/** Pull requests whose diffs hardly become smaller when they are compressed. */
function makePullRequests(root: string, count: number): void {
  const clone = makeClone(root, 'acme/ballast', 'feat: begin (#1)');
  for (let number = 2; number <= count + 1; number += 1) {
    const text = randomBytes(3 * mebibyte)
      .toString('base64')
      .replace(/.{76}/g, '$&\n');
    writeFileSync(join(clone, `load-${number}.txt`), `${text}\n`);
    git(clone, 'add', '--all');
    git(clone, 'commit', '--quiet', '--message', `feat: load (#${number})`);
  }
}

interface Tally {
  'full by': string;
  rounds: number;
  'stored meanwhile': number;
  'answered 507': number;
  'answered otherwise': Record<string, number>;
  'reads answered': number;
  'reads that failed': number;
  'slowest read, ms': number;
  'slowest /healthz, ms': number;
  'until storing again, ms': number;
}

const tallyOf = (way: string): Tally => ({
  'full by': way,
  rounds: 0,
  'stored meanwhile': 0,
  'answered 507': 0,
  'answered otherwise': {},
  'reads answered': 0,
  'reads that failed': 0,
  'slowest read, ms': 0,
  'slowest /healthz, ms': 0,
  'until storing again, ms': 0,
});

class Client {
  readonly acknowledged: string[] = [];
  readonly #keys: ReturnType<typeof loadSecretKeys>;
  #names = 0;
  #ingests = 1;
  url = '';

  constructor(dataFolder: string) {
    this.#keys = loadSecretKeys({ dataFolder, secretKeys: undefined });
  }

  async call(method: string, path: string, token?: string): Promise<number> {
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    const response = await fetch(`${this.url}${path}`, { method, headers });
    await response.arrayBuffer();
    return response.status;
  }

  /** Signs somebody up, and remembers it when it is acknowledged. */
  async signUp(): Promise<number> {
    this.#names += 1;
    const expiresAt = new Date(Date.now() + 24 * 3_600_000);
    const token = mintLocalToken(this.#keys, { name: `user-${this.#names}`, expiresAt, singleUse: false });
    const status = await this.call('POST', '/auth/signup', token);
    if (status === 201) this.acknowledged.push(token);
    return status;
  }

  ingest(token: string): Promise<number> {
    this.#ingests += 1;
    return this.call('POST', `/repos/acme/ballast/pulls/${this.#ingests}/ingest`, token);
  }
}

const note = (tally: Tally, status: number): void => {
  if (status === 507) tally['answered 507'] += 1;
  else if (status === 201) tally['stored meanwhile'] += 1;
  else tally['answered otherwise'][status] = (tally['answered otherwise'][status] ?? 0) + 1;
};

/** The ways in which the disk becomes full. */
const ways: Record<string, (client: Client, token: string, tally: Tally) => Promise<void>> = {
  async 'another program'() {
    takeRoom(0);
  },
  async 'large pull requests'(client, token, tally) {
    takeRoom(nearlyFullMebibytes * mebibyte);
    for (let ingest = 0; ingest < mostIngests; ingest += 1) {
      const status = await client.ingest(token);
      note(tally, status);
      if (status === 507) return;
    }
  },
  async 'another program, meanwhile'(client, token, tally) {
    const isFull = new AbortController();
    const store = async (once: () => Promise<number>) => {
      while (!isFull.signal.aborted) note(tally, await once());
    };
    const storing = [1, 2, 3, 4].map(() => store(() => client.signUp()));
    note(tally, await client.ingest(token));
    const ingesting = client.ingest(token);
    takeRoom(0);
    note(tally, await ingesting);
    isFull.abort();
    await Promise.all(storing);
  },
};

/** While the disk is full, some store and others read. */
async function stayFull(client: Client, token: string, tally: Tally): Promise<void> {
  const end = performance.now() + fullMs;
  const timed = async (name: 'slowest read, ms' | 'slowest /healthz, ms', path: string, by?: string) => {
    const begun = performance.now();
    const status = await client.call('GET', path, by);
    tally[name] = Math.max(tally[name], Math.round(performance.now() - begun));
    return status;
  };
  const reads = [
    ['/users/me', token],
    ['/repos/acme/ballast/pulls', token],
    ['/ranking/articles/likes'],
    ['/articles'],
    ['/auth/sessions', token],
  ] as const;
  const read = async () => {
    for (let turn = 0; performance.now() < end; turn += 1) {
      const [path = '', by] = reads[turn % reads.length] ?? [];
      if ((await timed('slowest read, ms', path, by)) === 200) tally['reads answered'] += 1;
      else tally['reads that failed'] += 1;
    }
  };
  const store = async () => {
    while (performance.now() < end) note(tally, await client.signUp());
  };
  const check = async () => {
    while (performance.now() < end) {
      await timed('slowest /healthz, ms', '/healthz');
      await wait(50);
    }
  };
  await Promise.all([read(), read(), store(), store(), check()]);
}

async function storeAgain(client: Client, tally: Tally): Promise<void> {
  rmSync(foreignFile, { force: true });
  const begun = performance.now();
  while ((await client.signUp()) !== 201) await wait(20);
  const took = Math.round(performance.now() - begun);
  tally['until storing again, ms'] = Math.max(tally['until storing again, ms'], took);
}

async function main(): Promise<void> {
  const dataFolder = join(disk, 'data');
  const root = join(scratch, 'repositories');
  mkdirSync(dataFolder);
  mkdirSync(root);
  makePullRequests(root, rounds * 3);
  const client = new Client(dataFolder);
  const environment = { PULLQUOTE_DATA: dataFolder, GIT_REPOS: root, LOG_LEVEL: 'fatal' };
  const start = async (): Promise<RunningServer> => {
    const running = await runServer(service, { environment });
    client.url = running.url;
    return running;
  };
  const running = await start();
  await client.signUp();
  const [token = ''] = client.acknowledged;
  const tallies = Object.keys(ways).map(tallyOf);
  for (let round = 0; round < rounds; round += 1) {
    const tally = tallies[round % tallies.length];
    const fill = tally && ways[tally['full by']];
    if (!tally || !fill) continue;
    tally.rounds += 1;
    await fill(client, token, tally);
    await stayFull(client, token, tally);
    await storeAgain(client, tally);
    process.stderr.write(`round ${round + 1} of ${rounds}: ${tally['full by']}\n`);
  }
  const hasEnded = running.child.exitCode !== null;
  running.child.kill('SIGKILL');
  if (!hasEnded) await once(running.child, 'close');
  const after = await start();
  let lost = 0;
  for (const one of client.acknowledged) if ((await client.call('GET', '/users/me', one)) !== 200) lost += 1;
  await after.stop();
  console.table(
    tallies.map((tally) => ({ ...tally, 'answered otherwise': JSON.stringify(tally['answered otherwise']) })),
  );
  console.log(
    `${client.acknowledged.length} acknowledged, ${lost} of them lost; the service ${hasEnded ? 'had ended' : 'ran'} to the end, and was then killed`,
  );
}

if (!values.folder) mountDisk();
try {
  await main();
} finally {
  if (!values.folder) execFileSync('umount', ['--lazy', disk]);
  rmSync(scratch, { recursive: true, force: true });
}
