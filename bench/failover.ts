import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseArgs } from 'node:util';
import { type GitHubStandIn, startGitHub } from '../test/github/stand-in.ts';
import { killRounds } from './failover/kill-rounds.ts';
import { probeLeaks } from './failover/leak-probes.ts';
import { cutNetwork } from './failover/network-cuts.ts';
import { findPostgres, PostgresPair } from './failover/pair.ts';
import { PatroniCluster, whyNoPatroni } from './failover/patroni.ts';
import { setStage } from './failover/stage.ts';
import { makeBenchFolder } from './local-server.ts';

// Kills the primary of two PostgreSQL servers with -9 repeatedly: the standby is promoted, and the killed one comes back
// as its standby, while people like, sign up, open sessions, save tokens, request articles and answers, and read public
// pages of two processes that serve and one that writes. Whether anything acknowledged is lost or doubled, how many reads
// are answered, and how long nothing can be changed. Then connections between processes and servers are cut without being
// closed, and then access to repositories ends at one process while the database moves: whether the other one still shows
// them. With --async, counts what asynchronous replication loses. With --patroni, Patroni and etcd promote, as in
// compose.ha.yaml. Ends with 1 if anything is lost, doubled or leaked, or a limit is exceeded.
// Usage: node bench/failover.ts [--rounds 50] [--async] [--patroni] [--cuts 2] [--probes 10000] [--only kills|cuts|leaks]

const { values } = parseArgs({
  options: {
    ...{ rounds: { type: 'string' }, async: { type: 'boolean' }, patroni: { type: 'boolean' } },
    ...{ cuts: { type: 'string', default: '2' }, probes: { type: 'string', default: '10000' } },
    only: { type: 'string' },
  },
});
const isSynchronous = !values.async;
/** A failover under Patroni takes longer, and once in five times the whole machine is gone. */
const rounds = Number(values.rounds ?? (values.patroni ? 10 : 50));
const isWanted = (part: string): boolean => (values.only ?? part) === part;

async function inFolder(work: (folder: string) => Promise<number>): Promise<number> {
  const folder = makeBenchFolder();
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function withPair(bin: string, work: (pair: PostgresPair, folder: string) => Promise<number>) {
  return inFolder(async (folder) => {
    const servers = join(folder, 'servers');
    mkdirSync(servers);
    const pair = await PostgresPair.start(bin, servers, { isSynchronous });
    try {
      return await work(pair, folder);
    } finally {
      await pair.stop();
    }
  });
}

async function runPair(bin: string, github: GitHubStandIn): Promise<number> {
  return withPair(bin, async (pair, folder) => {
    const stage = await setStage(folder, { url: pair.url, github });
    let wrong = 0;
    if (isWanted('kills'))
      wrong += await killRounds(stage, {
        heading: isSynchronous ? 'synchronous replication' : 'asynchronous replication',
        rounds,
        async failOver(round) {
          await pair.killPrimary({ all: round % 2 === 0 });
          await pair.promote();
        },
        restore: (round) => pair.follow(round % 5 === 4 ? 'pg_basebackup' : 'pg_rewind'),
        mayLose: !isSynchronous,
      });
    if (isWanted('cuts') && isSynchronous) wrong += await cutNetwork(stage, pair, Number(values.cuts));
    if (isWanted('leaks') && isSynchronous) wrong += await probeLeaks(stage, pair, Number(values.probes));
    return wrong;
  });
}

async function runPatroni(bin: string, github: GitHubStandIn): Promise<number> {
  const reason = whyNoPatroni();
  if (reason) {
    console.log(`Patroni was not tried: ${reason}.`);
    return 0;
  }
  return inFolder(async (folder) => {
    const servers = join(folder, 'servers');
    mkdirSync(servers);
    const cluster = await PatroniCluster.start(bin, servers);
    try {
      const stage = await setStage(folder, { url: cluster.url, github });
      return await killRounds(stage, {
        heading: 'Patroni',
        rounds,
        failOver: (round) => cluster.failOver(round % 5 === 4 ? 'all' : 'PostgreSQL'),
        restore: () => cluster.untilFollowed(),
        mayLose: false,
      });
    } finally {
      await cluster.stop();
    }
  });
}

// The stand-in of GitHub ends with the test that started it.
test('the bench', async () => {
  const bin = findPostgres();
  if (!bin)
    throw new Error('This needs pg_rewind and pg_basebackup in /usr/lib/postgresql: apt install postgresql.');
  const github = await startGitHub();
  const wrong = await (values.patroni ? runPatroni : runPair)(bin, github).catch((error) => {
    console.error(error);
    return 1;
  });
  process.exitCode = wrong > 0 ? 1 : 0;
});
