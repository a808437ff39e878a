import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { programSearchPath } from '../src/config.ts';
import { sql } from '../src/db/sql.ts';
import { makeBenchFolder, openDatabase } from './local-server.ts';
import { mergedPullRequests } from './mirrors.ts';

// Imports merged pull requests of a mirror by `pullquote import`, compared with the time in which `git log -p` prints
// the same commits, by the clock and by the CPU, including git and PostgreSQL. From an empty database, or with --kill
// killed twice and repeated, after which each article must exist once.
const usage = 'Usage: node bench/import.ts [--count 600] [--kill] MIRROR';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '600' },
    kill: { type: 'boolean', default: false },
  },
});
const [mirror] = positionals;
if (!mirror) {
  console.log(usage);
  process.exit(2);
}

interface Spent {
  seconds: number;
  /** The CPU time of the process and all that it has started. */
  cpu: number;
}

/** Lets the shell print the CPU time of itself and, on the second line, of its children, such as 0m1.234s 0m0.100s. */
const withTimes = ['bash', '--norc', '-c', '"$0" "$@"; times >&3'];

async function measure(command: string[], input = ''): Promise<Spent> {
  const [program = '', ...parameters] = [...withTimes, ...command];
  const start = performance.now();
  const child = spawn(program, parameters, {
    env: environment,
    stdio: ['pipe', 'ignore', 'inherit', 'pipe'],
  });
  const ended = once(child, 'close');
  let times = '';
  child.stdio[3]?.on('data', (chunk: Buffer) => {
    times += chunk.toString();
  });
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  await ended;
  const used = [...(times.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  const cpu = used.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
  return { seconds: (performance.now() - start) / 1000, cpu };
}

/** The CPU time of a process in seconds. */
function cpuOf(pid: number | undefined): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) / 100;
}

/**
 * Starts a program and kills it after it has used this much CPU since its first output, without a chance to clean up.
 * By the clock, a busy machine would kill it before it has done anything.
 */
async function kill([program = '', ...parameters]: string[], afterCpuSeconds: number): Promise<void> {
  const child = spawn(program, parameters, { env: environment, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'close');
  await once(child.stderr, 'data');
  const begun = cpuOf(child.pid);
  const looking = setInterval(() => {
    if (cpuOf(child.pid) - begun >= afterCpuSeconds) child.kill('SIGKILL');
  }, 50);
  await once(child, 'exit');
  clearInterval(looking);
  await ended;
}

/** The largest memory of a process of this command in MB, polled while work is done. */
async function watchMemory<Result>(
  command: string[],
  work: () => Promise<Result>,
): Promise<{ result: Result; peakMegabytes: number }> {
  let peakMegabytes = 0;
  const look = (): void => {
    for (const pid of readdirSync('/proc')) {
      try {
        if (readFileSync(`/proc/${Number(pid)}/cmdline`, 'utf8') !== `${command.join('\0')}\0`) continue;
        const peak = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
        peakMegabytes = Math.max(peakMegabytes, Number(peak) / 1_000);
      } catch {
        // The entry is not a process, or the process has ended.
      }
    }
  };
  const looking = setInterval(look, 200);
  try {
    const result = await work();
    return { result, peakMegabytes };
  } finally {
    clearInterval(looking);
  }
}

const folder = makeBenchFolder();
mkdirSync(join(folder, 'repos/some'), { recursive: true });
symlinkSync(resolve(mirror), join(folder, 'repos/some/mirror.git'));
const environment = {
  PATH: programSearchPath(),
  PULLQUOTE_DATA: join(folder, 'data'),
  GIT_REPOS: join(folder, 'repos'),
  LOG_LEVEL: 'warn',
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

// The tables are created before, as by the first start of a service.
await (await openDatabase(environment)).close();
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
const git = await measure(printing, `${shas}\n`);
for (const afterCpuSeconds of values.kill ? [3, 3] : []) {
  await kill(importing, afterCpuSeconds);
  const database = await openDatabase(environment);
  const [row] = await database.query<{ articles: number }>(sql`SELECT count(*) AS articles FROM articles`);
  await database.close();
  console.log(`killed after ${afterCpuSeconds} s of the CPU: ${row?.articles} articles stand`);
}
const { result: imported, peakMegabytes } = await watchMemory(importing, () => measure(importing));

const database = await openDatabase(environment);
const [stored] = await database.query<{ articles: number; numbers: number; revisions: number }>(sql`
  SELECT count(*) AS articles, count(DISTINCT pull_requests.number) AS numbers, max(contents.revision) AS revisions
  FROM article_contents AS contents JOIN articles ON articles.id = contents.article_id
  JOIN pull_requests ON pull_requests.id = articles.pull_request_id`);
await database.close();
rmSync(folder, { recursive: true, force: true });

const ratio = (one: number, other: number) => Number((one / other).toFixed(1));
console.log(
  `${stored?.articles} articles about ${stored?.numbers} of ${numbers.length} pull requests, each written ${stored?.revisions} time(s)`,
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
  `${(numbers.length / imported.seconds).toFixed(1)} articles a second; ${Math.round(peakMegabytes)} MB at the peak`,
);
