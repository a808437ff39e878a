import { execFileSync } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { type App, buildApp } from '../src/app.ts';
import { mintLocalToken } from '../src/code-hosts/git/local-token.ts';
import { type Config, parseConfig } from '../src/config.ts';
import { loadSecretKeys } from '../src/data-folder.ts';
import { measureStorage, type StoredKind } from '../src/db/figures.ts';
import { sql } from '../src/db/sql.ts';
import { makeBenchFolder } from './local-server.ts';

// What is left of pull requests, of which one in ten has an article, after a week without use: rows and bytes
// before and after, how long a small statement waited for the database meanwhile, whether everything that the articles need is there,
// and whether fetching the others again uses the room that they left. Ends with 1 if something is missing.
// Usage: node bench/housekeeping.ts [--count 1000]

const { values } = parseArgs({ options: { count: { type: 'string', default: '1000' } } });
const count = Number(values.count);
const hour = 3_600_000;
const numbers = Array.from({ length: count }, (_, index) => index + 1);
const written = numbers.filter((number) => number % 10 === 0);
const unread = numbers.filter((number) => number % 10 !== 0);

/** A few are large, as they are. What they add hardly becomes smaller when it is compressed. */
const bytesOf = (number: number) => (number % 100 === 1 ? 2_000_000 : number % 20 === 3 ? 200_000 : 12_000);

/** A clone with as many merged pull requests, each of a function and a file of data. */
function makePullRequests(folder: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', folder]);
  const lines: string[] = [];
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  for (const number of [0, ...numbers]) {
    const noise = randomBytes((bytesOf(number) * 3) / 4)
      .toString('base64')
      .replace(/.{76}/g, '$&\n');
    const code = `export function launch${number}(stage: number): number {\n  return stage * ${number} + 1;\n}\n`;
    const subject = number === 0 ? 'Begin' : `feat: launch number ${number} (#${number})`;
    lines.push(
      `commit refs/heads/main\ncommitter Rin Example <rin@example.org> ${1_700_000_000 + number} +0000\n`,
      data(subject),
      `M 644 inline src/launch-${number}.ts\n${data(code)}`,
      `M 644 inline data/${number}.txt\n${data(`${noise}\n`)}\n`,
    );
  }
  const input = lines.join('');
  execFileSync('git', ['-C', folder, 'fast-import', '--quiet'], { input, maxBuffer: 1e9 });
}

interface Service {
  app: App;
  url: string;
  config: Config;
  now: () => Date;
  advance: (ms: number) => void;
}

async function startService(environment: Record<string, string>): Promise<Service> {
  const config = parseConfig({ PORT: '0', RATE_LIMIT: '0', INGEST_MIB_PER_DAY: '0', ...environment });
  let offset = 0;
  const clock = () => new Date(Date.now() + offset);
  const app = await buildApp(config, {
    log: pino({ level: 'warn' }),
    clock,
    command: 'serve',
    announce: () => {},
  });
  const url = await app.server.listen({ host: config.listen, port: 0 });
  return {
    app,
    url,
    config,
    now: clock,
    advance: (ms) => {
      offset += ms;
    },
  };
}

async function call({ url, config, now }: Service, method: string, path: string, body?: object) {
  const expiresAt = new Date(now().getTime() + hour);
  const token = mintLocalToken(loadSecretKeys(config), { name: 'bench', singleUse: false, expiresAt });
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body && { 'content-type': 'application/json' }),
  };
  const reply = await fetch(`${url}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: reply.status, text: await reply.text() };
}

const pull = (number: number) => `/repos/acme/bench/pulls/${number}`;

async function each(some: number[], work: (number: number) => Promise<void>): Promise<void> {
  const left = [...some];
  const worker = async () => {
    for (let number = left.shift(); number !== undefined; number = left.shift()) await work(number);
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
}

async function ingestAll(service: Service, some: number[]): Promise<void> {
  await each(some, async (number) => {
    const { status, text } = await call(service, 'POST', `${pull(number)}/ingest`);
    if (status !== 201) throw new Error(`Fetching ${number} answered ${status}: ${text}`);
  });
}

/** What readers of an article see: what it says, its diff, and the lines that its page shows. */
async function readArticle(service: Service, number: number): Promise<string> {
  const article = await call(service, 'GET', `${pull(number)}/article`);
  const diff = await call(service, 'GET', `${pull(number)}/diff`);
  const page = await call(service, 'GET', `/r/acme/bench/${number}?language=en`);
  const shown = page.text.match(/<div class="line [^"]*".*?<\/div>/g) ?? [];
  if (shown.length === 0) return `${number}: no line is shown`;
  return hash('sha256', JSON.stringify([article.status, article.text, diff.text, shown]));
}

/** Asks the database again and again until something is over; the longest that a small statement took, in milliseconds. */
async function longestWait({ app }: Service, during: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  const over = during().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const begun = performance.now();
    await app.database.query(sql`SELECT 1`);
    longest = Math.max(longest, Math.round(performance.now() - begun));
    await wait(1);
  }
  await over;
  return longest;
}

interface Kept {
  rounds: number;
  ms: number;
  'longest wait': number;
}

/** Housekeeping until nothing is due any more. */
async function keepHouse(service: Service): Promise<Kept> {
  const { app, now } = service;
  const kept: Kept = { rounds: 0, ms: 0, 'longest wait': 0 };
  for (let isDue = true; isDue; kept.rounds += 1) {
    const begun = performance.now();
    const longest = await longestWait(service, () => app.housekeeping.run());
    if (!app.housekeeping.isHealthy()) throw new Error('Housekeeping has failed.');
    kept.ms += Math.round(performance.now() - begun);
    kept['longest wait'] = Math.max(kept['longest wait'], longest);
    isDue = (await measureStorage(app.database, now())).kinds.some(({ due }) => (due?.rows ?? 0) > 0);
  }
  return kept;
}

const mebibytes = (bytes = 0) => Number((bytes / 1024 / 1024).toFixed(1));

function compare(measured: Record<string, StoredKind[]>): void {
  const [kinds = []] = Object.values(measured);
  const rows = kinds.map(({ kind }) => {
    const cells = Object.entries(measured).flatMap(([when, all]): [string, number][] => {
      const found = all.find((one) => one.kind === kind);
      return [
        [`rows ${when}`, found?.rows ?? 0],
        [`MiB ${when}`, mebibytes(found?.bytes)],
        [`on disk ${when}`, mebibytes(found?.diskBytes)],
      ];
    });
    return [kind, Object.fromEntries(cells)] as const;
  });
  console.table(
    Object.fromEntries(rows.filter(([, cells]) => Object.values(cells).some((cell) => cell >= 1))),
  );
}

async function count404({ url }: Service, some: number[]): Promise<number> {
  let absent = 0;
  await each(some, async (number) => {
    if ((await fetch(`${url}${pull(number)}`)).status === 404) absent += 1;
  });
  return absent;
}

async function run(environment: Record<string, string>): Promise<boolean> {
  const service = await startService(environment);
  const measure = async () => (await measureStorage(service.app.database, service.now())).kinds;
  await call(service, 'POST', '/auth/signup');
  // Those that come last lie at the end of the files, as those of a user do who fills the disk.
  await ingestAll(service, [...written, ...unread]);
  const write = (body: object) => async (number: number) => {
    const { status, text } = await call(service, 'POST', `${pull(number)}/article`, {
      language: 'en',
      ...body,
    });
    if (status !== 201) throw new Error(`Writing about ${number} answered ${status}: ${text}`);
  };
  await each(written, write({}));
  const readAll = () => Promise.all(written.map((number) => readArticle(service, number)));
  const seen = await readAll();
  const atRest = await longestWait(service, () => wait(2_000));
  const idle = await keepHouse(service);
  const full = await measure();

  service.advance(7 * 24 * hour + hour);
  const leaving = await keepHouse(service);
  service.advance(2 * hour);
  const clearing = await keepHouse(service);
  // As autovacuum does within minutes.
  await service.app.database.runScript('VACUUM');
  const after = await measure();
  const same = (await readAll()).filter((one, index) => one === seen[index] && !one.includes(':')).length;
  const absent = await count404(service, unread);
  await each(written, write({ regenerate: true }));
  const again = (await readAll()).filter((one) => !one.includes(':')).length;
  await ingestAll(service, unread);
  const refilled = await measure();
  await service.app.close();

  console.log(`\n${count} pull requests, ${written.length} of them with articles`);
  compare({ before: full, after, again: refilled });
  console.log(`longest wait for the database at rest: ${atRest} ms; in the rounds of housekeeping, in ms:`);
  console.table({ 'nothing is due': idle, 'pull requests go': leaving, 'their diffs go': clearing });
  console.log(
    `unread ones that are gone: ${absent} of ${unread.length}; articles read as before, with their diffs and the lines they show: ` +
      `${same} of ${written.length}; written anew and read: ${again} of ${written.length}`,
  );
  return absent === unread.length && same === written.length && again === written.length;
}

const folder = makeBenchFolder();
try {
  const repositories = join(folder, 'repositories');
  makePullRequests(join(repositories, 'acme', 'bench'));
  const isGood = await run({ GIT_REPOS: repositories, PULLQUOTE_DATA: join(folder, 'data') });
  if (!isGood) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
