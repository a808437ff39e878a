import { setTimeout as wait } from 'node:timers/promises';
import { Caller, countWrong } from '../acknowledged/caller.ts';
import { SignUps } from '../acknowledged/keepers.ts';
import type { Processes } from '../topology/processes.ts';
import { Forwarder } from './forwarder.ts';
import { PostgresPair } from './pair.ts';
import { countDoubled, limitMs, People } from './people.ts';
import { type Stage, withProcesses } from './stage.ts';

/** Longer than a statement waits for its answer. */
const cutMs = 12_000;
const calmMs = 2_000;
const pauseMs = 50;
const mostBackMs = 5_000;

type Name = 'api 1' | 'api 2' | 'writer 1';

/** The ways from each process to each server, which can be cut one by one. */
export class Ways {
  readonly #ways = new Map<string, Forwarder[]>();
  readonly #urls = new Map<string, string>();

  async open(pair: PostgresPair): Promise<void> {
    for (const name of ['api 1', 'api 2', 'writer 1']) {
      const forwarders = pair.servers.map(() => new Forwarder());
      const ports = await Promise.all(
        forwarders.map((forwarder, place) => forwarder.open(pair.servers[place]?.port ?? 0)),
      );
      this.#ways.set(name, forwarders);
      this.#urls.set(name, PostgresPair.urlOf(ports));
    }
  }

  urlOf = (name: string): string => this.#urls.get(name) ?? '';

  /** The ways from some processes to a server, by its place. */
  to(place: number, names: readonly Name[] = ['api 1', 'api 2', 'writer 1']): Forwarder[] {
    return names.flatMap((name) => this.#ways.get(name)?.[place] ?? []);
  }

  close(): void {
    for (const forwarders of this.#ways.values()) for (const forwarder of forwarders) forwarder.close();
  }
}

/** Signs people up at one process, one after another, and records when. */
class Client {
  readonly acknowledged: { from: number; until: number }[] = [];
  slowestMs = 0;
  hung = 0;
  readonly #signUps: SignUps;
  readonly #name: string;

  constructor(name: string, url: string, { keys }: Pick<Stage, 'keys'>) {
    this.#name = name.replace(' ', '-');
    const caller = new Caller({
      url: () => url,
      limitMs,
      note: (_kind, outcome, ms) => {
        this.slowestMs = Math.max(this.slowestMs, ms);
        if (outcome === 'hung') this.hung += 1;
        const until = performance.now();
        if (outcome.startsWith('2')) this.acknowledged.push({ from: until - ms, until });
      },
    });
    this.#signUps = new SignUps(caller, keys);
  }

  /** People sign up at once, because one who waits would hide how others fare. */
  async run(signal: AbortSignal): Promise<void> {
    const running: Promise<unknown>[] = [];
    while (!signal.aborted) {
      running.push(this.#signUps.signUp(`at-${this.#name}`));
      await wait(pauseMs * 4);
    }
    await Promise.all(running);
  }

  /** The time from a moment until a request that was sent after it was acknowledged. */
  backMs(since: number): number {
    const first = this.acknowledged.find(({ from }) => from >= since);
    return first ? first.until - since : Number.POSITIVE_INFINITY;
  }

  longestGapMs(from: number, until: number): number {
    const times = [
      from,
      ...this.acknowledged.map((one) => one.until).filter((at) => at > from && at < until),
      until,
    ];
    return Math.max(...times.slice(1).map((at, place) => at - (times[place] ?? at)));
  }
}

interface Scene {
  what: string;
  /** Cuts something and heals it; returns when it was healed. */
  run: () => Promise<number>;
  /** Processes that notice nothing. */
  unaffected?: Name[];
}

function scenes(pair: PostgresPair, ways: Ways): Scene[] {
  const primaryPlace = () => pair.servers.indexOf(pair.primary);
  const cutAndHeal = async (cut: Forwarder[], meanwhile: () => Promise<unknown> = () => wait(cutMs)) => {
    for (const way of cut) way.cut();
    await meanwhile();
    for (const way of cut) way.heal();
    return performance.now();
  };
  return [
    {
      what: 'one process | primary',
      run: () => cutAndHeal(ways.to(primaryPlace(), ['api 1'])),
      unaffected: ['api 2'],
    },
    { what: 'all processes | primary', run: () => cutAndHeal(ways.to(primaryPlace())) },
    { what: 'one process | standby', run: () => cutAndHeal(ways.to(1 - primaryPlace(), ['api 1'])) },
    {
      what: 'primary | standby',
      async run() {
        const healed = await cutAndHeal([pair.primary.link], async () => {
          await pair.goAlone();
          await wait(calmMs);
        });
        await pair.untilFollowed();
        return healed;
      },
    },
    {
      what: 'primary | everything else, then another primary',
      async run() {
        const gone = ways.to(primaryPlace());
        const { link } = pair.primary;
        for (const way of [...gone, link]) way.cut();
        await wait(calmMs);
        const old = pair.primary;
        await pair.promote();
        const promoted = performance.now();
        await wait(cutMs);
        // As Patroni does: a primary that lost its lock ends before it is reached again.
        await old.kill({ all: true });
        for (const way of [...gone, link]) way.heal();
        await pair.follow('pg_rewind');
        return promoted;
      },
    },
  ];
}

/** Cuts connections repeatedly while people use the service, prints the results, and returns the number of errors. */
export async function cutNetwork(stage: Stage, pair: PostgresPair, times: number): Promise<number> {
  const ways = new Ways();
  await ways.open(pair);
  const cut = async (processes: Processes) => {
    const rows: Awaited<ReturnType<typeof play>>[] = [];
    const people = new People({ ...stage, processes });
    const found = await people.during(async () => {
      for (let round = 0; round < times; round += 1)
        for (const scene of scenes(pair, ways))
          rows.push(await play(scene, { processes, stage, number: rows.length }));
    });
    return { rows, people, found };
  };
  const { rows, people, found } = await withProcesses(stage.environment, cut, ways.urlOf).finally(() =>
    ways.close(),
  );
  const doubled = await countDoubled(stage.environment);
  const { outcomes, ...reads } = people.reads;
  console.log(`connections cut for ${cutMs / 1000} s, ${times} times each`);
  console.table(rows);
  console.table(found);
  console.table({ ...doubled, 'requests that hung': people.hung, slowest: JSON.stringify(people.slowest) });
  console.table({ ...reads, outcomes: JSON.stringify(outcomes) });
  const late = rows.filter((row) => row.hung > 0 || row['back after, ms'] > mostBackMs).length;
  return late + people.hung + countWrong(found) + Object.values(doubled).reduce((sum, one) => sum + one, 0);
}

/** Runs a scene while people sign up at both processes. */
async function play(
  { what, run, unaffected = [] }: Scene,
  { processes, stage, number }: { processes: Processes; stage: Stage; number: number },
) {
  const clients = processes.urls().map((url, place) => new Client(`api ${place + 1}-${number}`, url, stage));
  const stopping = new AbortController();
  const running = Promise.all(clients.map((client) => client.run(stopping.signal)));
  await wait(calmMs);
  const from = performance.now();
  const healed = await run();
  await wait(mostBackMs + calmMs);
  stopping.abort();
  await running;
  const most = (of: (client: Client) => number, among = clients) => Math.round(Math.max(...among.map(of)));
  const gapOf = (client: Client) => client.longestGapMs(from, healed + mostBackMs);
  const calm = clients.filter((_, place) => unaffected.some((name) => name === `api ${place + 1}`));
  const back = most((client) => client.backMs(healed));
  process.stderr.write(`${what}: back after ${back} ms\n`);
  return {
    'cut between': what,
    'back after, ms': back,
    'slowest request, ms': most(({ slowestMs }) => slowestMs),
    hung: clients.reduce((sum, client) => sum + client.hung, 0),
    'longest time without a change, ms': most(gapOf),
    'at the other process, ms': calm.length > 0 ? most(gapOf, calm) : '',
  };
}
