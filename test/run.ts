import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import postgres from 'postgres';
import { openPostgres } from '../src/db/postgres.ts';
import { findBrowser, installBrowser } from './browser/find-browser.ts';
import { databaseOn, startPostgres } from './postgres.ts';
import { shareProcesses } from './share-processes.ts';
import { touchesDatabase } from './touches-database.ts';

const usage = `Usage: npm test [-- [--only plain|postgres] [FILE …]]

Runs the tests that use no database, then those that do, on a PostgreSQL that it starts and stops. Which is which follows
from what a test imports.
FILE is a test file or a pattern; without one, all are run.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
});

const mostMinutesPerTest = 5;

/** Much of their time tests wait: for the disk, for a process, or for a service that is to notice that another died. */
const moreThanCores = availableParallelism() + 2;

/** Runs test files, and prints what comes of them. */
async function runTests(files: string[], environment: Record<string, string> = {}): Promise<boolean> {
  const shared = shareProcesses(files, moreThanCores);
  try {
    const passed = await runProcesses(shared.files, environment);
    const unfinished = shared.findUnfinished();
    for (const file of unfinished) console.log(`✖ ${file} was not run to its end: its process ended.`);
    return passed && unfinished.length === 0;
  } finally {
    shared.remove();
  }
}

async function runProcesses(files: string[], environment: Record<string, string>): Promise<boolean> {
  const events = run({
    files,
    concurrency: moreThanCores,
    // What lives for seconds gains nothing from WebAssembly, of databases, that is compiled a second time.
    execArgv: [`--test-timeout=${mostMinutesPerTest * 60_000}`, '--liftoff-only'],
    // Compiled code is kept beside the packages, as it is when the service starts.
    env: { NODE_COMPILE_CACHE: 'node_modules/.cache/pullquote', ...process.env, ...environment },
  });
  let passed = false;
  events.on('test:summary', ({ file, success }) => {
    if (file === undefined) passed = success;
  });
  for await (const text of events.compose(new spec())) process.stdout.write(text);
  return passed;
}

async function onPostgres(files: string[]): Promise<boolean> {
  // Autovacuum would visit each of hundreds of databases once a minute, which live for seconds.
  const server = await startPostgres({ autovacuum: 'off' });
  const template = 'template_of_tests';
  try {
    const sql = postgres(server.url, { max: 1 });
    await sql.unsafe(`CREATE DATABASE ${template}`);
    await sql.end();
    // What a first start makes of it.
    await (await openPostgres(databaseOn(server.url, template))).close();
    const environment = { TEST_DATABASE_URL: server.url, TEST_DATABASE_TEMPLATE: template };
    return await runTests(files, environment);
  } finally {
    await server.stop();
  }
}

interface Phase {
  /** As --only names it. */
  name: string;
  title: string;
  files: string[];
  runFiles: (files: string[]) => Promise<boolean>;
}

async function timed({ title, files, runFiles }: Phase): Promise<boolean> {
  const start = performance.now();
  console.log(`\n=== ${title}: ${files.length} files ===`);
  const passed = await runFiles(files);
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(`=== ${title}: ${passed ? 'passed' : 'FAILED'} in ${seconds} s ===`);
  return passed;
}

function findFiles(): string[] {
  const patterns = positionals.length > 0 ? positionals : ['src/**/*.test.ts', 'test/**/*.test.ts'];
  const files = patterns.flatMap((pattern) => {
    const found = globSync(pattern).sort();
    if (found.length === 0) throw new Error(`There is no test ${pattern}.`);
    return found;
  });
  return [...new Set(files)];
}

function choosePhases(files: string[]): Phase[] {
  const touching = files.filter((file) => touchesDatabase(file));
  const plain = files.filter((file) => !touching.includes(file));
  const phases: Phase[] = [
    { name: 'plain', title: 'no database', files: plain, runFiles: (some) => runTests(some) },
    { name: 'postgres', title: 'PostgreSQL', files: touching, runFiles: onPostgres },
  ];
  const { only } = values;
  return phases.filter((phase) => phase.files.length > 0 && (only === undefined || phase.name === only));
}

/** What needs a browser runs where there is one; on a machine that checks what is to land, there has to be. */
function withBrowser(files: string[]): string[] {
  const needsOne = (file: string) => file.includes('test/browser/');
  if (!files.some(needsOne)) return files;
  if (!findBrowser() && process.env.CI === 'true') installBrowser();
  if (findBrowser()) return files;
  const skipped = files.filter(needsOne).length;
  console.log(
    `\n!!! ${skipped} FILES OF TESTS ARE SKIPPED: there is no browser. npm run browser:install gets one. !!!`,
  );
  return files.filter((file) => !needsOne(file));
}

async function main(): Promise<void> {
  if (values.help) {
    console.log(usage);
    return;
  }
  const phases = choosePhases(withBrowser(findFiles()));
  if (phases.length === 0) throw new Error(`None of these tests run with --only ${values.only}.\n\n${usage}`);
  const results: boolean[] = [];
  for (const phase of phases) results.push(await timed(phase));
  process.exitCode = results.every(Boolean) ? 0 : 1;
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
