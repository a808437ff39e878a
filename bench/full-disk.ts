import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { git, makeClone } from '../test/make-clone.ts';
import { makeBenchFolder, postmasterOf } from './local-server.ts';
import { type RunningServer, runServer, service } from './run-server.ts';
import { SmallDisk } from './small-disk.ts';
import { StoringClient } from './storing-client.ts';

// Fills the disk under the service and its PostgreSQL repeatedly: another program takes all of it, large pull requests
// do, another program does while many requests write, or PostgreSQL is also killed with -9 and must recover without
// space. Counts responses and their delays, how often PostgreSQL ended, when storing began again, and what acknowledged
// data was lost. Ends with 1 if anything is lost, storing does not begin again, or a response is wrong: reads of a
// cached article must be 200, other reads 200 or 503, and writes stored, 507 or 503.
// Usage: node bench/full-disk.ts [--rounds 12] [--folder PATH] [--way NAME]
// It mounts a file system in memory, which requires root; --folder names a folder on a small disk instead. --way is one
// of the ways below, such as "another program"; without it they take turns.

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '12' },
    folder: { type: 'string' },
    way: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const mebibyte = 1024 * 1024;
/** The space that PostgreSQL needs to run, and a little for pull requests to fill. */
const nearlyFullMebibytes = 32 + 24;
const fullMs = 6_000;
const mostIngests = 12;
/** The number of users who can log out, unlike or leave in a round. */
const mostPartings = 60;
/**
 * How long the service may take to store again: longer than the pause between two attempts to start PostgreSQL, with
 * time to recover.
 */
const mostUntilStoringMs = 60_000;
/**
 * The time within which the cache is used again after PostgreSQL was down, and log-outs on the full disk are stored.
 */
const settleMs = 3_000;

const scratch = makeBenchFolder();
const disk = new SmallDisk(scratch, values.folder);
const dataFolder = join(disk.folder, 'data');

/** Pull requests whose diffs hardly compress. */
function makePullRequests(root: string, count: number): void {
  makeClone(root, 'acme/calm', 'feat: keep calm (#1)');
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

/** The operations and their correct responses. */
const right = {
  write: [200, 201, 503, 507],
  'cached read': [200],
  'other read': [200, 503],
};
type Kind = keyof typeof right;

/** The results of one way to fill the disk. */
class Tally {
  rounds = 0;
  ends = 0;
  wrong = 0;
  readonly #answers: Record<string, number> = {};
  readonly #slowest: Record<string, number> = {};

  note(kind: Kind, status: number, path = ''): void {
    this.#answers[`${kind} ${status}`] = (this.#answers[`${kind} ${status}`] ?? 0) + 1;
    if (right[kind].includes(status)) return;
    this.wrong += 1;
    process.stderr.write(`${new Date().toISOString()} wrong: ${kind} ${path} ${status}\n`);
  }

  async time<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    const begun = performance.now();
    const result = await work();
    const ms = Math.round(performance.now() - begun);
    this.#slowest[what] = Math.max(this.#slowest[what] ?? 0, ms);
    return result;
  }

  toRow(): Record<string, number> {
    const sorted = Object.fromEntries(Object.entries(this.#answers).sort());
    const slowest = Object.entries(this.#slowest).map(([what, ms]) => [`slowest ${what}, ms`, ms]);
    const { rounds, ends, wrong } = this;
    return { rounds, ...sorted, 'ends of PostgreSQL': ends, ...Object.fromEntries(slowest), wrong };
  }
}

/** The users of a round, and its records. */
interface Scene {
  client: StoringClient;
  token: string;
  tally: Tally;
}

const signUp = async ({ client, tally }: Scene): Promise<void> =>
  tally.note('write', await tally.time('write', () => client.signUp()));

async function ingest({ client, token, tally }: Scene): Promise<number> {
  const status = await client.ingest(token);
  tally.note('write', status);
  return status;
}

/** The ways in which the disk becomes full. */
const ways: Record<string, (scene: Scene) => Promise<void>> = {
  async 'another program'() {
    disk.takeRoom(0);
  },
  async 'large pull requests'(scene) {
    disk.takeRoom(nearlyFullMebibytes * mebibyte);
    for (let count = 0; count < mostIngests; count += 1) if ((await ingest(scene)) >= 500) return;
  },
  async 'another program, meanwhile'(scene) {
    const isFull = new AbortController();
    const store = async () => {
      while (!isFull.signal.aborted) await signUp(scene);
    };
    const storing = [1, 2, 3, 4].map(store);
    await ingest(scene);
    const ingesting = ingest(scene);
    disk.takeRoom(0);
    await ingesting;
    isFull.abort();
    await Promise.all(storing);
  },
  async 'another program, and PostgreSQL is killed'() {
    disk.takeRoom(0);
    const pid = postmasterOf(dataFolder);
    if (pid !== null) process.kill(pid, 'SIGKILL');
  },
};

/** While the disk is full, some clients write and others read. */
async function stayFull(scene: Scene): Promise<void> {
  const { client, token, tally } = scene;
  const end = performance.now() + fullMs;
  const until = async (work: () => Promise<unknown>, pauseMs = 1) => {
    for (; performance.now() < end; await wait(pauseMs)) await work();
  };
  const read = (kind: Kind, reads: (readonly [path: string, by?: string])[]) => {
    let turn = 0;
    return until(async () => {
      const [path, by] = reads[turn % reads.length] ?? [''];
      turn += 1;
      tally.note(kind, await tally.time(kind, () => client.call('GET', path, by)), path);
    });
  };
  const others = [
    ['/users/me', token],
    ['/ranking/articles/likes'],
    ['/articles?offset=1'],
    ['/auth/sessions', token],
    ['/users/me/liked-articles', token],
    ['/repos/acme/ballast/pulls', token],
  ] as const;
  const leave = async () => {
    const status = await client.part();
    if (status !== null) tally.note('write', status);
  };
  await Promise.all([
    read(
      'cached read',
      client.cached.map((path) => [path]),
    ),
    read('other read', [...others]),
    read('other read', [...others]),
    until(() => signUp(scene)),
    until(() => signUp(scene)),
    until(leave, 20),
    until(() => tally.time('/healthz', () => client.call('GET', '/healthz')), 50),
  ]);
}

async function storeAgain({ client, tally }: Scene): Promise<void> {
  disk.giveBackAll();
  const end = performance.now() + mostUntilStoringMs;
  await tally.time('until storing again', async () => {
    while ((await client.signUp()) !== 201) {
      if (performance.now() > end) throw new Error('Nothing is stored again although there is room.');
      await wait(20);
    }
  });
}

async function run(tallies: Map<string, Tally>): Promise<boolean> {
  const root = join(scratch, 'repositories');
  mkdirSync(dataFolder);
  mkdirSync(root);
  makePullRequests(root, rounds * (values.way ? mostIngests : 5));
  const client = new StoringClient(dataFolder);
  const environment = { PULLQUOTE_DATA: dataFolder, GIT_REPOS: root, LOG_LEVEL: 'silent' };
  let ends = 0;
  const start = async (): Promise<RunningServer> => {
    const running = await runServer(service, { environment });
    running.child.stdout?.on('data', (text: Buffer) => {
      ends += text.toString().split('PostgreSQL ended').length - 1;
    });
    client.url = running.url;
    return running;
  };
  const running = await start();
  const ended = once(running.child, 'close');
  try {
    const token = await client.begin();
    for (let round = 0; round < rounds; round += 1) {
      const [way = '', tally = new Tally()] = [...tallies][round % tallies.size] ?? [];
      const scene = { client, token, tally };
      await client.gather(mostPartings);
      await wait(settleMs);
      for (const path of client.cached) await client.call('GET', path);
      const endsBefore = ends;
      await ways[way]?.(scene);
      await stayFull(scene);
      await storeAgain(scene);
      tally.rounds += 1;
      tally.ends += ends - endsBefore;
      process.stderr.write(`round ${round + 1} of ${rounds}: ${way}\n`);
    }
    await wait(settleMs);
  } finally {
    running.child.kill('SIGKILL');
    await ended;
  }
  disk.giveBackAll();
  const hasEnded = running.child.signalCode !== 'SIGKILL';
  const after = await start();
  const lost = await client.countLost();
  await after.stop();
  console.log(
    `${client.acknowledged} acknowledged, ${lost} of them lost; the service ${hasEnded ? 'had ended' : 'ran'} to the end, and was then killed`,
  );
  return lost === 0 && !hasEnded;
}

const names = Object.keys(ways).filter((way) => way === (values.way ?? way));
const tallies = new Map(names.map((way) => [way, new Tally()]));
try {
  const isKept = await run(tallies).finally(() => {
    // A column for each way.
    const rows = [...tallies].map(([way, tally]) => [way, tally.toRow()] as const);
    const figures = [...new Set(rows.flatMap(([, row]) => Object.keys(row)))];
    console.table(
      Object.fromEntries(
        figures.map((name) => [name, Object.fromEntries(rows.map(([way, row]) => [way, row[name] ?? 0]))]),
      ),
    );
  });
  const isRight = [...tallies.values()].every(({ wrong }) => wrong === 0);
  process.exitCode = isKept && isRight ? 0 : 1;
} finally {
  disk.unmount();
  rmSync(scratch, { recursive: true, force: true });
}
