import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { git, makeClone } from '../test/make-clone.ts';
import { type RunningServer, runServer, service } from './run-server.ts';
import { SmallDisk } from './small-disk.ts';
import { StoringClient } from './storing-client.ts';

// A disk that fills up under the embedded database, again and again: because another program takes all of it, because large
// pull requests do, because another program takes all of it while many are storing something, and because one takes all of it
// and, once the service has used what it held, whatever room there is again. Counts what was answered meanwhile and how late,
// when storing began again, and what was lost of all that was acknowledged.
// Usage: node bench/full-disk.ts [--rounds 20] [--folder PATH] [--way NAME]
// It mounts a file system in memory, for which it has to be root; --folder names a folder on a small disk instead. --way is one of
// the ways below, such as "another program, twice"; without it they take turns.

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    folder: { type: 'string' },
    way: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const mebibyte = 1024 * 1024;
/** The reserve of the service, and a little for pull requests to fill. */
const nearlyFullMebibytes = 64 + 20;
/** Too little to store anything, and enough that something can be held again. */
const someRoomMebibytes = 40;
const greedyWay = 'another program, twice';
const fullMs = 1_500;
const mostIngests = 8;
/** How many can log out, unlike or leave in a round, which may use the reserve; and how many of them before the disk is filled again. */
const mostPartings = 600;
const partingsBetween = 200;

const scratch = mkdtempSync(join(tmpdir(), 'pullquote-bench-'));
const disk = new SmallDisk(scratch, values.folder);
const dataFolder = join(disk.folder, 'data');

/** What the service holds of the disk. */
const heldBytes = (): number => statSync(join(dataFolder, 'held-room'), { throwIfNoEntry: false })?.size ?? 0;

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
  'parted meanwhile': number;
  'parting answered 507': number;
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
  'parted meanwhile': 0,
  'parting answered 507': 0,
  'answered otherwise': {},
  'reads answered': 0,
  'reads that failed': 0,
  'slowest read, ms': 0,
  'slowest /healthz, ms': 0,
  'until storing again, ms': 0,
});

const note = (tally: Tally, status: number): void => {
  if (status === 507) tally['answered 507'] += 1;
  else if (status === 201) tally['stored meanwhile'] += 1;
  else tally['answered otherwise'][status] = (tally['answered otherwise'][status] ?? 0) + 1;
};

/** One user unlikes, logs out or leaves. Returns whether one was left to do so. */
async function part(client: StoringClient, tally: Tally): Promise<boolean> {
  const status = await client.part();
  if (status === 200) tally['parted meanwhile'] += 1;
  else if (status === 507) tally['parting answered 507'] += 1;
  else if (status !== null) note(tally, status);
  return status !== null;
}

/** The ways in which the disk becomes full. */
const ways: Record<string, (client: StoringClient, token: string, tally: Tally) => Promise<void>> = {
  async 'another program'() {
    disk.takeRoom(0);
  },
  async 'large pull requests'(client, token, tally) {
    disk.takeRoom(nearlyFullMebibytes * mebibyte - heldBytes());
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
    disk.takeRoom(0);
    note(tally, await ingesting);
    isFull.abort();
    await Promise.all(storing);
  },
  async [greedyWay](client, _token, tally) {
    for (const left of [someRoomMebibytes, 0]) {
      disk.takeRoom(0);
      const heldBefore = heldBytes();
      for (let parted = 0; parted < partingsBetween && heldBytes() >= heldBefore; parted += 1)
        await part(client, tally);
      if (left > 0) disk.giveBack(left * mebibyte);
    }
    disk.takeRoom(0);
  },
};

/** While the disk is full, some store and others read. */
async function stayFull(client: StoringClient, token: string, tally: Tally): Promise<void> {
  const end = performance.now() + fullMs;
  const timed = async (name: 'slowest read, ms' | 'slowest /healthz, ms', path: string, by?: string) => {
    const begun = performance.now();
    const status = await client.call('GET', path, by);
    tally[name] = Math.max(tally[name], Math.round(performance.now() - begun));
    return status;
  };
  const read = async (...reads: (readonly [path: string, by?: string])[]) => {
    for (let turn = 0; performance.now() < end; turn += 1) {
      const [path = '', by] = reads[turn % reads.length] ?? [];
      if ((await timed('slowest read, ms', path, by)) === 200) tally['reads answered'] += 1;
      else tally['reads that failed'] += 1;
    }
  };
  const stored = [
    ['/users/me', token],
    ['/ranking/articles/likes'],
    ['/articles'],
    ['/auth/sessions', token],
    ['/users/me/liked-articles', token],
  ] as const;
  const fromClone = ['/repos/acme/ballast/pulls', token] as const;
  const store = async () => {
    while (performance.now() < end) note(tally, await client.signUp());
  };
  const check = async () => {
    while (performance.now() < end) {
      await timed('slowest /healthz, ms', '/healthz');
      await wait(50);
    }
  };
  const leave = async () => {
    while (performance.now() < end && (await part(client, tally))) await wait(1);
  };
  /** The other program takes whatever is given up, too. */
  const takeAll = async () => {
    while (tally['full by'] === greedyWay && performance.now() < end) {
      disk.takeRoom(0);
      await wait(2);
    }
  };
  await Promise.all([
    takeAll(),
    read(...stored),
    read(...stored),
    read(fromClone),
    store(),
    store(),
    leave(),
    check(),
  ]);
}

async function storeAgain(client: StoringClient, tally: Tally): Promise<void> {
  disk.giveBackAll();
  const begun = performance.now();
  while ((await client.signUp()) !== 201) await wait(20);
  const took = Math.round(performance.now() - begun);
  tally['until storing again, ms'] = Math.max(tally['until storing again, ms'], took);
}

async function main(): Promise<void> {
  const root = join(scratch, 'repositories');
  mkdirSync(dataFolder);
  mkdirSync(root);
  makePullRequests(root, rounds * 3);
  const client = new StoringClient(dataFolder);
  const environment = { PULLQUOTE_DATA: dataFolder, GIT_REPOS: root, LOG_LEVEL: 'fatal' };
  const start = async (): Promise<RunningServer> => {
    const running = await runServer(service, { environment });
    client.url = running.url;
    return running;
  };
  const running = await start();
  const token = await client.begin();
  const tallies = Object.keys(ways)
    .filter((way) => way === (values.way ?? way))
    .map(tallyOf);
  for (let round = 0; round < rounds; round += 1) {
    const tally = tallies[round % tallies.length];
    const fill = tally && ways[tally['full by']];
    if (!tally || !fill) continue;
    tally.rounds += 1;
    await client.gather(mostPartings);
    await fill(client, token, tally);
    await stayFull(client, token, tally);
    await storeAgain(client, tally);
    process.stderr.write(`round ${round + 1} of ${rounds}: ${tally['full by']}\n`);
  }
  const hasEnded = running.child.exitCode !== null;
  running.child.kill('SIGKILL');
  if (!hasEnded) await once(running.child, 'close');
  const after = await start();
  const lost = await client.countLost();
  await after.stop();
  console.table(
    tallies.map((tally) => ({ ...tally, 'answered otherwise': JSON.stringify(tally['answered otherwise']) })),
  );
  console.log(
    `${client.acknowledged} acknowledged, ${lost} of them lost; the service ${hasEnded ? 'had ended' : 'ran'} to the end, and was then killed`,
  );
}

try {
  await main();
} finally {
  disk.unmount();
  rmSync(scratch, { recursive: true, force: true });
}
