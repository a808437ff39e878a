import { execFileSync, spawn } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, watch } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import postgres from 'postgres';
import { writeSamples } from '../src/code-hosts/git/open-git-host.ts';
import { openPostgres } from '../src/db/postgres.ts';
import { findBrowser, installBrowser } from './browser/find-browser.ts';
import { filesImportedBy, usesShared } from './imported-files.ts';
import { makePackage } from './make-package.ts';
import { databaseOn, startPostgres } from './postgres.ts';
import { shareProcesses } from './share-processes.ts';
import { tableSources } from './table-sources.ts';

const usage = `Usage: npm test [-- [OPTION …] [PATTERN …]]

Starts one PostgreSQL for the tests that use a database, and stops it.
PATTERN is a test file, a glob or a part of a path. Without one, all tests run.

  --full     whole tables instead of one row of each kind (npm run test:full)
  --changed  with --full: only the tables whose source differs from origin/main
  --watch    run what a change touches, again and again (npm run test:watch)`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    full: { type: 'boolean', default: false },
    changed: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

const minutesPerTest = 5;

/** The time limit of a file with a core of its own; only whole tables may exceed it. */
const secondsPerFile = 20;

/** More processes than cores, because tests often wait for disks, processes and timeouts. */
const concurrency = availableParallelism() + 2;

const secondsOfFiles = new Map<string, number>();

async function runTests(files: string[], environment: Record<string, string> = {}): Promise<boolean> {
  const shared = shareProcesses(files, concurrency);
  try {
    const passed = await runProcesses(shared.files, environment);
    const unfinished = shared.findUnfinished();
    for (const file of unfinished) console.log(`✖ ${file} did not finish: its process ended.`);
    return passed && unfinished.length === 0;
  } finally {
    shared.remove();
  }
}

async function runProcesses(files: string[], environment: Record<string, string>): Promise<boolean> {
  const events = run({
    files,
    concurrency,
    // Short-lived processes do not need optimised WebAssembly, and rare single-threaded garbage collection is cheapest for them.
    execArgv: [
      `--test-timeout=${minutesPerTest * 60_000}`,
      '--liftoff-only',
      '--single-threaded-gc',
      '--max-semi-space-size=64',
    ],
    env: {
      NODE_COMPILE_CACHE: 'node_modules/.cache/pullquote',
      ...process.env,
      ...environment,
      ...(values.full && { TEST_FULL: 'true' }),
    },
  });
  let passed = false;
  // A test file is its own process, or one test of a shared process.
  const note = (name: string, milliseconds: number): void => {
    if (!name.endsWith('.test.ts')) return;
    secondsOfFiles.set(name, milliseconds / 1000);
  };
  events.on('test:summary', ({ file, success, duration_ms }) => {
    if (file === undefined) passed = success;
    else note(relative(process.cwd(), file), duration_ms);
  });
  const noteTest = ({
    name,
    nesting,
    details,
  }: {
    name: string;
    nesting: number;
    details: { duration_ms: number };
  }) => {
    if (nesting === 0) note(name, details.duration_ms);
  };
  events.on('test:pass', noteTest);
  events.on('test:fail', noteTest);
  for await (const text of events.compose(new spec())) process.stdout.write(text);
  return passed;
}

async function runOnPostgres(files: string[]): Promise<boolean> {
  // Autovacuum would visit hundreds of short-lived databases every minute.
  const server = await startPostgres({ autovacuum: 'off', shared_buffers: '256MB', max_wal_size: '8GB' });
  const template = 'template_of_tests';
  try {
    const sql = postgres(server.url, { max: 1 });
    await sql.unsafe(`CREATE DATABASE ${template}`);
    await sql.end();
    // Opening a database migrates it.
    await (await openPostgres(databaseOn(server.url, template))).close();
    return await runTests(files, { TEST_DATABASE_URL: server.url, TEST_DATABASE_TEMPLATE: template });
  } finally {
    await server.stop();
  }
}

const allFiles = (): string[] => globSync(['src/**/*.test.ts', 'test/**/*.test.ts']).sort();

function findFiles(): string[] {
  if (values.changed) return changedTables();
  if (positionals.length === 0) return allFiles();
  const files = positionals.flatMap((pattern) => {
    const found = globSync(pattern).filter((file) => file.endsWith('.test.ts'));
    const matching = found.length > 0 ? found : allFiles().filter((file) => file.includes(pattern));
    if (matching.length === 0) throw new Error(`No test file matches ${pattern}.`);
    return matching.sort();
  });
  return [...new Set(files)];
}

/** The tables whose source differs from origin/main, or all if git cannot say. */
function changedTables(): string[] {
  const tables = Object.keys(tableSources);
  try {
    const git = (...parameters: string[]) =>
      execFileSync('git', parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const base = git('merge-base', 'origin/main', 'HEAD').trim();
    const changed = git('diff', '--name-only', base).split('\n');
    const differs = (source: string) =>
      changed.some((file) => file === source || file.startsWith(`${source}/`));
    return tables.filter((table) => [table, ...(tableSources[table] ?? [])].some(differs));
  } catch {
    console.log('The difference from origin/main is unknown, so all tables run.');
    return tables;
  }
}

/** Browser tests run if a browser is installed; in CI one is installed. */
function withBrowser(files: string[]): string[] {
  const needsBrowser = (file: string) => file.includes('test/browser/');
  if (!files.some(needsBrowser)) return files;
  if (!findBrowser() && process.env.CI === 'true') installBrowser();
  if (findBrowser()) return files;
  const skipped = files.filter(needsBrowser).length;
  console.log(
    `\n!!! ${skipped} BROWSER TEST FILES SKIPPED: no browser found. Run npm run browser:install. !!!`,
  );
  return files.filter((file) => !needsBrowser(file));
}

/** Prints the slowest files and those over the time limit. This fails no run, because it depends on the load of the machine. */
function printSlowest(): void {
  const slowest = [...secondsOfFiles].sort(([, one], [, other]) => other - one).slice(0, 10);
  const most = values.full
    ? Number.POSITIVE_INFINITY
    : (secondsPerFile * concurrency) / availableParallelism();
  if (slowest.length < 10) return;
  console.log('\nSlowest files:');
  for (const [file, seconds] of slowest)
    console.log(
      `${seconds.toFixed(1).padStart(6)} s  ${file}${seconds > most ? `: more than ${most} s` : ''}`,
    );
}

/** Runs the tests next to changed files, and those that import one other than through the whole service. */
function watchFiles(): void {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  const runChanged = (): void => {
    if (isRunning || changed.size === 0) return;
    const known = new Map<string, string[]>();
    const touched = allFiles().filter((file) => {
      const imported = filesImportedBy(file, { stopAt: resolve('src/app.ts'), known });
      return [...changed].some((path) => imported.has(path) || dirname(path) === dirname(resolve(file)));
    });
    changed.clear();
    if (touched.length === 0) {
      console.log('No test touches this change.');
      return;
    }
    isRunning = true;
    const parameters = [...process.execArgv, import.meta.filename, ...touched];
    spawn(process.execPath, parameters, { stdio: 'inherit' }).on('exit', () => {
      isRunning = false;
      runChanged();
    });
  };
  for (const folder of ['src', 'test'])
    watch(folder, { recursive: true }, (_, name) => {
      if (!name?.endsWith('.ts')) return;
      changed.add(resolve(folder, name));
      clearTimeout(timer);
      timer = setTimeout(runChanged, 200);
    });
  console.log('Watching src and test. Press Ctrl-C to stop.');
}

async function main(): Promise<void> {
  if (values.help) return console.log(usage);
  if (values.watch) return watchFiles();
  const files = withBrowser(findFiles());
  if (files.length === 0) return console.log('No table has a source that changed.');
  const installed = mkdtempSync(join(tmpdir(), 'pullquote-package-'));
  const start = performance.now();
  let passed = false;
  try {
    process.env.TEST_CLONES = join(installed, 'clones');
    await writeSamples(process.env.TEST_CLONES, process.env.PATH ?? '');
    if (files.some((file) => usesShared(file, 'start-service.ts')))
      process.env.TEST_PROGRAM = makePackage(installed);
    const usesDatabase = files.some((file) => usesShared(file, 'build-app.ts'));
    passed = await (usesDatabase ? runOnPostgres(files) : runTests(files));
  } finally {
    rmSync(installed, { recursive: true, force: true });
  }
  printSlowest();
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(`\nTest files: ${files.length}, ${passed ? 'passed' : 'FAILED'} in ${seconds} s`);
  process.exitCode = passed ? 0 : 1;
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
