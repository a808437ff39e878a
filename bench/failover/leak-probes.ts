import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { removeRepository } from '../../src/actions/repositories/remove-repository.ts';
import { parseConfig } from '../../src/config.ts';
import { openPostgres } from '../../src/db/postgres.ts';
import { buildTestApp, type TestApp } from '../../test/build-app.ts';
import { deliveryOf } from '../../test/github/deliver.ts';
import { ask } from '../../test/leak-matrix/ask.ts';
import { githubColumn } from '../../test/leak-matrix/hosts/github-column.ts';
import { plainReads } from '../../test/leak-matrix/questions.ts';
import { isTold, type Place, type Prepared, prepare, turn } from '../../test/leak-matrix/repositories.ts';
import { anonymous, inSession, join, type Visitor } from '../../test/leak-matrix/visitors.ts';
import { sendRequest } from '../../test/send-request.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { Processes } from '../topology/processes.ts';
import { Ways } from './network-cuts.ts';
import type { PostgresPair } from './pair.ts';
import { type Stage, withProcesses } from './stage.ts';

/** The ways in which access ends, each acknowledged by one process. */
const endings = ['turned private', 'member removed', 'logged out', 'removed by an operator'] as const;
type Ending = (typeof endings)[number];

/** The state of the matrix that a repository is prepared for. */
const statesFor = {
  'turned private': 'turned private',
  'member removed': 'private',
  'logged out': 'private',
  'removed by an operator': 'public',
} as const;

/**
 * Public pages are cached, and a process that no longer hears of changes notices that after three missed heartbeats. What
 * depends on a credential is never cached.
 */
const noticedMs: Record<Ending, number> = {
  'turned private': 5_000,
  'member removed': 0,
  'logged out': 0,
  'removed by an operator': 5_000,
};

/** A subject is probed for this long after its ending was acknowledged. */
const probedMs = 9_000;
const together = 3;
const cutMs = 8_000;
const calmMs = 5_000;

const mostRepeated = 100;
const mostFailed = 20;
const repeatMs = 300;

interface Tally {
  subjects: number;
  probes: number;
  refused: number;
  'shown to those with access': number;
  'within the time of a cache': number;
  leaks: number;
}

const emptyTally = (): Tally => ({
  ...{ subjects: 0, probes: 0, refused: 0, 'shown to those with access': 0 },
  ...{ 'within the time of a cache': 0, leaks: 0 },
});

type Remote = Pick<TestApp, 'url' | 'config' | 'call' | 'database'>;

/** A process with the calls of a service in tests, repeated while the database is away. */
const remote = (url: string, { config, database }: Pick<TestApp, 'config' | 'database'>): Remote => ({
  url,
  config,
  database,
  async call(method, path, { token, body, headers = {} } = {}) {
    const send = () =>
      sendRequest(new URL(path, url), {
        method,
        signal: AbortSignal.timeout(60_000),
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    let received = await send();
    for (let repeated = 0; received.status === 503 && repeated < mostRepeated; repeated += 1) {
      await wait(repeatMs);
      received = await send();
    }
    const isJson = received.headers.get('content-type')?.startsWith('application/json');
    return { ...received, body: isJson ? JSON.parse(received.text) : undefined };
  },
});

/** Repeats until the service is there; a reason that stays is no failover, and ends the benchmark. */
async function insist<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result | null> {
  for (let failed = 1; !signal.aborted; failed += 1)
    try {
      return await work();
    } catch (error) {
      process.stderr.write(`tried again: ${error}\n`);
      if (failed === mostFailed) throw error;
      await wait(repeatMs);
    }
  return null;
}

class Probing {
  readonly tallies = new Map<Ending, Tally>(endings.map((ending) => [ending, emptyTally()]));
  readonly leaks: string[] = [];
  /** The scene in which a leak is found. */
  scene = '';
  readonly #server: FastifyInstance;
  readonly #remotes: Remote[];
  readonly #place: Place;

  constructor(server: FastifyInstance, remotes: Remote[], place: Place) {
    this.#server = server;
    this.#remotes = remotes;
    this.#place = place;
  }

  get probes(): number {
    return [...this.tallies.values()].reduce((sum, { probes }) => sum + probes, 0);
  }

  async run(signal: AbortSignal): Promise<void> {
    for (let turns = 0; !signal.aborted; turns += 1) {
      const ending = endings[turns % endings.length] ?? 'logged out';
      const found = await insist(() => this.#prepare(ending), signal);
      if (!found) return;
      const acknowledged = await this.#end(ending, found, signal);
      if (acknowledged !== null) await this.#probe(ending, found, acknowledged);
    }
  }

  /** Returns a subject with the visitors who lose access. */
  async #prepare(ending: Ending): Promise<{ prepared: Prepared; losing: Visitor[] }> {
    const app = this.#remotes[0] as TestApp;
    const prepared = await prepare(app, this.#place, statesFor[ending]);
    const owner = prepared.visitors.find(({ viewer }) => viewer === 'owner');
    if (!owner) throw new Error('The repository has no owner.');
    const losing =
      ending === 'logged out'
        ? // The secret of a feed is no part of a session.
          [{ ...(await inSession(app, owner)), feedSecret: anonymous.feedSecret }]
        : prepared.visitors.filter((one) => ending === 'removed by an operator' || !isTold(prepared, one));
    const tally = this.#tallyOf(ending);
    for (const at of this.#remotes) {
      const visitor = ending === 'logged out' ? (losing[0] ?? owner) : owner;
      const path = `/articles/${prepared.articleId}`;
      const probe = { method: 'GET', path, isDetail: true, route: path };
      const { tells } = await ask(at, visitor, probe, prepared);
      tally['shown to those with access'] += Number(tells);
    }
    tally.subjects += 1;
    return { prepared, losing };
  }

  /** Ends the access, and returns when that was acknowledged. */
  async #end(
    ending: Ending,
    { prepared, losing }: { prepared: Prepared; losing: Visitor[] },
    signal: AbortSignal,
  ): Promise<number | null> {
    const [app] = this.#remotes;
    if (!app) return null;
    const { column, on, owner, repo } = prepared;
    if (ending === 'removed by an operator')
      return insist(async () => {
        const target = { host: 'github', owner, name: repo, number: null };
        await removeRepository({ database: app.database, clock: () => new Date() }, target);
        return performance.now();
      }, signal);
    if (ending === 'logged out')
      return insist(async () => {
        const { status } = await app.call('POST', '/auth/logout', { token: losing[0]?.token });
        // An answer that was lost may have been a success.
        if (status !== 200 && status !== 401) throw new Error(`Logging out answered ${status}.`);
        return performance.now();
      }, signal);
    turn(prepared);
    const news = column.newsOf(prepared.state, on, column.accountId('former'));
    if (!news) throw new Error(`The host does not say that a repository ${ending}.`);
    return insist(async () => {
      const { headers, body } = deliveryOf(news);
      const sent = { method: 'POST', headers, body, signal: AbortSignal.timeout(60_000) };
      const { status } = await fetch(`${app.url}/webhooks/github`, sent);
      if (status !== 202) throw new Error(`A webhook was answered ${status}.`);
      return performance.now();
    }, signal);
  }

  /** Asks everything at both processes as those who have lost access, again and again. */
  async #probe(
    ending: Ending,
    { prepared, losing }: { prepared: Prepared; losing: Visitor[] },
    since: number,
  ): Promise<void> {
    const tally = this.#tallyOf(ending);
    const probes = plainReads(this.#server, prepared).filter(({ path }) => !path.endsWith('/events'));
    const askAs = async (visitor: Visitor, place: number): Promise<void> => {
      const at = this.#remotes[place];
      while (at && performance.now() - since < probedMs)
        for (const probe of probes) {
          const from = performance.now();
          const reply = await ask(at, visitor, probe, prepared).catch(() => null);
          tally.probes += 1;
          if (!reply || reply.status >= 500) tally.refused += 1;
          if (!reply || !(reply.tells || (probe.isDetail && reply.status < 400))) continue;
          const isKept = performance.now() - since < noticedMs[ending];
          tally[isKept ? 'within the time of a cache' : 'leaks'] += 1;
          if (isKept) continue;
          const after = Math.round(from - since);
          this.leaks.push(
            `${this.scene}: ${ending}, process ${place + 1}, ${visitor.viewer}, after ${after} ms: ${probe.path} ${reply.status}`,
          );
        }
    };
    await Promise.all(losing.flatMap((visitor) => this.#remotes.map((_, place) => askAs(visitor, place))));
  }

  #tallyOf(ending: Ending): Tally {
    const tally = this.tallies.get(ending) ?? emptyTally();
    this.tallies.set(ending, tally);
    return tally;
  }
}

const scenes = ['failovers', 'process 2 cut off the primary', 'and the standby cut off too'] as const;

/** Moves the database between its servers, and cuts one process off it, until enough was asked. */
async function moveDatabase(
  pair: PostgresPair,
  ways: Ways,
  { isEnough, note }: { isEnough: () => boolean; note: (scene: string) => void },
): Promise<Record<string, number>> {
  const moves: Record<string, number> = {};
  for (let turns = 0; !isEnough(); turns += 1) {
    await wait(calmMs);
    const cut = ways.to(pair.servers.indexOf(pair.primary), ['api 2']);
    const scene = scenes[turns % scenes.length] ?? 'failovers';
    note(scene);
    moves[scene] = (moves[scene] ?? 0) + 1;
    if (scene === 'failovers') {
      await pair.killPrimary({ all: true });
      await pair.promote();
      await pair.follow('pg_rewind');
      continue;
    }
    const links = scene === 'process 2 cut off the primary' ? [] : [pair.primary.link];
    for (const way of [...links, ...cut]) way.cut();
    if (links.length > 0) await pair.goAlone();
    await wait(cutMs);
    for (const way of [...links, ...cut]) way.heal();
    await pair.untilFollowed();
  }
  return moves;
}

/** Ends access at one process and asks both, while the database moves; prints the results, and returns the leaks. */
export async function probeLeaks(stage: Stage, pair: PostgresPair, least: number): Promise<number> {
  const { GIT_REPOS: _, ...hosted } = stage.environment;
  const environment = { ...hosted, CODE_HOST: 'github' };
  // Only its list of routes is used.
  const routes = await buildTestApp({ environment, database: { PULLQUOTE_DATA: temporaryFolder() } });
  await routes.close();
  const config = parseConfig(environment);
  const database = await openPostgres(pair.url);
  const ways = new Ways();
  await ways.open(pair);
  const probe = async (processes: Processes) => {
    const remotes = processes.urls().map((url) => remote(url, { config, database }));
    const place = await makePlace(stage, remotes[0] as TestApp);
    const probing = new Probing(routes.server, remotes, place);
    const stopping = new AbortController();
    const running = Promise.all(Array.from({ length: together }, () => probing.run(stopping.signal)));
    let hasFailed = false;
    running.catch(() => {
      hasFailed = true;
    });
    const isEnough = (): boolean => {
      process.stderr.write(`${probing.probes} of ${least} probes\n`);
      return hasFailed || probing.probes >= least;
    };
    const note = (scene: string): void => {
      probing.scene = scene;
    };
    const moves = await moveDatabase(pair, ways, { isEnough, note }).finally(() => stopping.abort());
    await running;
    return { probing, moves };
  };
  const { probing, moves } = await withProcesses(environment, probe, ways.urlOf).finally(async () => {
    ways.close();
    await database.close();
  });
  const all = [...probing.tallies.values()];
  const leaks = all.reduce((sum, one) => sum + one.leaks, 0);
  console.log(
    `${leaks} leaks in ${probing.probes} probes while the database moved: ${JSON.stringify(moves)}`,
  );
  console.table(Object.fromEntries(probing.tallies));
  for (const leak of probing.leaks.slice(0, 20)) console.log(leak);
  const isBlind = all.some((one) => one['shown to those with access'] === 0);
  if (isBlind)
    console.log('Nothing was shown to those with access, so that the probes could have found nothing.');
  return leaks + Number(isBlind);
}

async function makePlace({ github }: Stage, app: TestApp): Promise<Place> {
  const column = githubColumn(github);
  column.addAccount('service');
  const visitors: Visitor[] = [];
  for (const viewer of ['stranger', 'owner', 'former'] as const)
    visitors.push(await join(app, column, viewer));
  return { column, visitors, twins: null };
}
