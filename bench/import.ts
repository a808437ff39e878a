import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseConfig, programSearchPath } from '../src/config.ts';
import { prepareDataFolder } from '../src/data-folder.ts';
import { connectDatabase } from '../src/db/connect.ts';
import { sql } from '../src/db/sql.ts';
import { startPostgres } from '../test/postgres.ts';
import { mergedPullRequests } from './mirrors.ts';

// Imports merged pull requests of a mirror by `pullquote import`, against the time that `git log -p` takes to print the same
// commits, by the clock and by the CPU, git's included; from an empty database, or with --kill twice killed in the middle and
// called again, after which each article is there once.
const usage = 'Usage: node bench/import.ts [--count 600] [--kill] [--postgres] MIRROR';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '600' },
    kill: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
  },
});
const [mirror] = positionals;
if (!mirror) {
  console.log(usage);
  process.exit(2);
}

/** Clock ticks of a second, as Linux counts CPU time in /proc. */
const ticksPerSecond = 100;

interface Spent {
  seconds: number;
  cpu: number;
  peakMegabytes: number;
}

/** What a process and all that it has started and waited for have used, in seconds. */
function cpuOf(pid: number): number {
  const all = readdirSync('/proc').flatMap((name) => {
    try {
      const text = readFileSync(`/proc/${Number(name)}/stat`, 'utf8');
      const fields = text
        .slice(text.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      return [
        {
          pid: Number(name),
          parent: fields[1],
          ticks: fields.slice(11, 15).reduce((sum, one) => sum + one, 0),
        },
      ];
    } catch {
      return [];
    }
  });
  const family = new Set([pid]);
  for (const one of family) for (const { pid: child, parent } of all) if (parent === one) family.add(child);
  return all.reduce((sum, { pid: one, ticks }) => sum + (family.has(one) ? ticks : 0), 0) / ticksPerSecond;
}

/** Runs a program to its end, or kills it with all that it has started once it has run for so long. */
async function measure(command: string[], { input = '', killAfterMs = 0 } = {}): Promise<Spent> {
  const [program = '', ...parameters] = command;
  const start = performance.now();
  const child = spawn(program, parameters, { env: environment, stdio: ['pipe', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const pid = child.pid ?? 0;
  const spent = { seconds: 0, cpu: 0, peakMegabytes: 0 };
  const look = (): void => {
    try {
      spent.cpu = Math.max(spent.cpu, cpuOf(pid));
      const peak = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_000;
      spent.peakMegabytes = Math.max(spent.peakMegabytes, peak || 0);
    } catch {
      // It has ended.
    }
  };
  const looking = setInterval(look, 50);
  const killing = killAfterMs > 0 ? setTimeout(() => child.kill('SIGKILL'), killAfterMs) : undefined;
  await ended;
  clearInterval(looking);
  clearTimeout(killing);
  return { ...spent, seconds: (performance.now() - start) / 1000 };
}

const server = values.postgres ? await startPostgres() : null;
const folder = mkdtempSync(join(tmpdir(), 'pullquote-import-'));
mkdirSync(join(folder, 'repos/some'), { recursive: true });
symlinkSync(resolve(mirror), join(folder, 'repos/some/mirror.git'));
const environment = {
  PATH: programSearchPath(),
  PULLQUOTE_DATA: join(folder, 'data'),
  GIT_REPOS: join(folder, 'repos'),
  LOG_LEVEL: 'warn',
  ...(server && { DATABASE_URL: server.url }),
};

const chosen = new Map(
  mergedPullRequests(mirror).map(({ sha, title }) => [
    Number(/\(#(\d+)\)$|^Merge pull request #(\d+)/.exec(title)?.slice(1).find(Boolean)),
    sha,
  ]),
);
const numbers = [...chosen.keys()].slice(0, Number(values.count));
const importing = [
  process.execPath,
  'bin/pullquote.cjs',
  'import',
  'some/mirror',
  '--numbers',
  numbers.join(','),
];
const openDatabase = () => connectDatabase(parseConfig(environment), () => {});

// The tables are made before, as by the first start of a service.
prepareDataFolder(environment.PULLQUOTE_DATA);
await (await openDatabase()).close();
const shas = numbers.map((number) => chosen.get(number)).join('\n');
const printing = [
  'git',
  '-C',
  resolve(mirror),
  'log',
  '-p',
  '-m',
  '--first-parent',
  '--no-walk=unsorted',
  '--stdin',
];
const git = await measure(printing, { input: `${shas}\n` });
for (const killAfterMs of values.kill ? [8_000, 12_000] : []) {
  await measure(importing, { killAfterMs });
  const database = await openDatabase();
  const [row] = await database.query<{ articles: number }>(sql`SELECT count(*) AS articles FROM articles`);
  await database.close();
  console.log(`killed after ${killAfterMs / 1000} s: ${row?.articles} articles stand`);
}
const imported = await measure(importing);

const database = await openDatabase();
const [stored] = await database.query<{ articles: number; numbers: number; revisions: number }>(sql`
  SELECT count(*) AS articles, count(DISTINCT pull_requests.number) AS numbers, max(contents.revision) AS revisions
  FROM article_contents AS contents JOIN articles ON articles.id = contents.article_id
  JOIN pull_requests ON pull_requests.id = articles.pull_request_id`);
await database.close();
await server?.stop();
rmSync(folder, { recursive: true, force: true });

const ratio = (one: number, other: number) => Number((one / other).toFixed(1));
console.log(
  `${stored?.articles} articles about ${stored?.numbers} of ${numbers.length} pull requests, each written ${stored?.revisions} time(s), on ${server ? 'PostgreSQL' : 'the embedded database'}`,
);
console.table({
  'git log -p prints them': { seconds: git.seconds.toFixed(2), 'CPU seconds': git.cpu.toFixed(2) },
  'pullquote import': {
    seconds: imported.seconds.toFixed(1),
    'CPU seconds': imported.cpu.toFixed(1),
    'ratio by the clock': ratio(imported.seconds, git.seconds),
    'ratio by the CPU': ratio(imported.cpu, git.cpu),
  },
});
console.log(
  `${(numbers.length / imported.seconds).toFixed(1)} articles a second; ${Math.round(imported.peakMegabytes)} MB at the peak`,
);
