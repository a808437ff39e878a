import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openLocalServer } from '../src/db/local-server/local-server.ts';
import { makePackage } from '../test/make-package.ts';
import { freePort } from '../test/postgres.ts';
import { startService } from '../test/start-service.ts';
import { makeBenchFolder, megabytesOf, serverProcesses, withDescendants } from './local-server.ts';

// How long a start takes until it serves: a first one, which creates the database, and later ones. The installed
// package on git alone, with its own PostgreSQL and with a running one in DATABASE_URL; with several code hosts; and
// this checkout, without the overhead of npm start (0.3 s). Medians of alternating starts, each on its own database,
// and of the ratios of consecutive ones, by the clock and by the CPU time of the main thread, which other programs
// affect less. Then the idle memory of the service with its children and of its PostgreSQL, as PSS: some seconds after the
// last start, and for the package also a minute after a short load of pages and responses. Linux only.
// Run with node bench/start.ts [--starts 10] [--idle 20] [--after 60]

const { values } = parseArgs({
  options: {
    starts: { type: 'string', default: '10' },
    idle: { type: 'string', default: '20' },
    after: { type: 'string', default: '60' },
  },
});
const starts = Number(values.starts);
const idleMs = Number(values.idle) * 1_000;
const afterMs = Number(values.after) * 1_000;

const loadedPaths = [
  ...['/', '/find?q=parcel', '/docs', '/openapi.json', '/ranking/articles/likes', '/r/harborline/parcel'],
  ...Array.from({ length: 8 }, (_, index) => `/r/harborline/parcel/${index + 6}`),
];

/** Pages of all kinds, each with and without the cache, from 32 clients. */
async function load(url: string): Promise<void> {
  let left = 1_500;
  const read = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const path = loadedPaths[left % loadedPaths.length] ?? '/';
      const headers = left % 2 ? { cookie: `reader=${left}` } : {};
      await (await fetch(`${url}${path}`, { headers })).arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: 32 }, read));
}

/** The CPU time of a process's first thread in milliseconds. */
const workOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

const median = (numbers: number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;

interface Megabytes {
  service: number;
  server: number;
}

class Starts {
  readonly #program: string;
  readonly #environment: Record<string, string>;
  readonly #serverFolder: string;
  readonly clock: number[] = [];
  readonly work: number[] = [];
  #firstMs = 0;
  #idle: Megabytes | null = null;
  #afterLoad: Megabytes | null = null;

  constructor(program: string, environment: Record<string, string>, serverFolder: string) {
    this.#program = program;
    this.#environment = environment;
    this.#serverFolder = serverFolder;
  }

  async start(place: number, isLoaded: boolean): Promise<void> {
    const begun = performance.now();
    // Started as users do, without the flag that tests use.
    const command = ['env', process.execPath, this.#program, 'serve'];
    const service = await startService({ command, environment: this.#environment });
    const { pid = 0 } = service.child;
    const ms = service.servingSince - begun;
    if (place === 0) this.#firstMs = ms;
    else {
      this.clock.push(ms);
      this.work.push(workOf(pid));
    }
    // Articles about the samples are written after the first start.
    if (place === 0 || place === starts) await wait(idleMs);
    if (place === starts) this.#idle = this.#measure(pid);
    if (place === starts && isLoaded) {
      await load(service.url.replace(/\/sign-in.*/, ''));
      await wait(afterMs);
      this.#afterLoad = this.#measure(pid);
    }
    await service.stop();
  }

  #measure(pid: number): Megabytes {
    const ofServer = serverProcesses(this.#serverFolder);
    const others = withDescendants(pid).filter((one) => !ofServer.includes(one));
    return { service: megabytesOf(others), server: megabytesOf(ofServer) };
  }

  toRow(against: Starts) {
    const ratio = (name: 'clock' | 'work') =>
      median(this[name].map((ms, place) => ms / (against[name][place] ?? Number.NaN))).toFixed(3);
    return {
      'first start, ms': Math.round(this.#firstMs),
      'warm start, ms': Math.round(median(this.clock)),
      'to the first line': ratio('clock'),
      'work, ms': Math.round(median(this.work)),
      'to the first line ': ratio('work'),
      ...inMegabytes('idle', this.#idle),
      ...inMegabytes('after load', this.#afterLoad),
    };
  }
}

const inMegabytes = (when: string, measured: Megabytes | null) =>
  measured && {
    [`${when}: service, MB`]: Math.round(measured.service),
    [`${when}: PostgreSQL, MB`]: Math.round(measured.server),
  };

const folder = makeBenchFolder();
const folderOf = (name: string): string => join(folder, name.replaceAll(/\W+/g, '-'));
const elsewhere = folderOf('elsewhere');
mkdirSync(elsewhere);
const port = String(await freePort());
const server = await openLocalServer({
  dataFolder: elsewhere,
  command: 'bench',
  announce: () => {},
  settings: { listen_addresses: '127.0.0.1', port },
});
const databaseUrl = `postgres://pullquote@127.0.0.1:${port}/postgres`;
const installed = makePackage(join(folder, 'installed'));
const ways: Record<string, { program?: string; settings?: Record<string, string>; serverFolder?: string }> = {
  package: {},
  'package, with DATABASE_URL': { settings: { DATABASE_URL: databaseUrl }, serverFolder: elsewhere },
  'package, all code hosts': {
    settings: { CODE_HOST: 'git,github,gitlab,gitea', GITEA_URL: 'https://gitea.example' },
  },
  checkout: { program: 'bin/pullquote.cjs' },
};
const all = new Map(
  Object.entries(ways).map(([name, { program = installed, settings, serverFolder = folderOf(name) }]) => [
    name,
    new Starts(program, { PULLQUOTE_DATA: folderOf(name), ...settings }, serverFolder),
  ]),
);

try {
  for (let place = 0; place <= starts; place += 1)
    for (const [name, one] of all) await one.start(place, name === 'package');
  const [first] = all.values();
  if (first) console.table(Object.fromEntries([...all].map(([name, one]) => [name, one.toRow(first)])));
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
