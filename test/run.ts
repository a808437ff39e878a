import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { openEmbedded } from '../src/db/embedded.ts';
import { createWritingQueue } from '../src/jobs/writing-queue.ts';
import { startPostgres } from './postgres.ts';

const usage = `Usage: npm test [-- [--only embedded|postgres] [FILE …]]

Runs the tests on the embedded database, then again on a PostgreSQL that it starts for itself and stops again.
FILE is a test file or a pattern; without one, all are run.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
});

function runTests(environment: Record<string, string>): Promise<boolean> {
  const files = positionals.length > 0 ? positionals : ['src/**/*.test.ts', 'test/**/*.test.ts'];
  const child = spawn(
    process.execPath,
    ['--test', '--test-concurrency=2', '--test-timeout=300000', ...files],
    {
      stdio: 'inherit',
      env: { ...process.env, ...environment },
    },
  );
  return new Promise((resolve) => child.on('exit', (code) => resolve(code === 0)));
}

async function timed(name: string, run: () => Promise<boolean>): Promise<boolean> {
  const start = performance.now();
  console.log(`\n=== ${name} ===`);
  const passed = await run();
  console.log(
    `=== ${name}: ${passed ? 'passed' : 'FAILED'} in ${Math.round((performance.now() - start) / 1000)} s ===`,
  );
  return passed;
}

/** A database as it is after a first start, with the tables of the queue. */
async function initialise(folder: string): Promise<void> {
  const database = await openEmbedded(folder, () => {});
  const queue = createWritingQueue(database, pino({ level: 'silent' }));
  await queue.ready();
  await queue.stop();
  await database.close();
}

/** Initialising takes seconds: it is done once, and each test file gets a copy. */
async function onEmbedded(): Promise<boolean> {
  const template = mkdtempSync(join(tmpdir(), 'pullquote-template-'));
  try {
    await initialise(template);
    return await runTests({ TEST_EMBEDDED_TEMPLATE: join(template, 'database') });
  } finally {
    rmSync(template, { recursive: true, force: true });
  }
}

async function onPostgres(): Promise<boolean> {
  const server = await startPostgres();
  try {
    return await runTests({ TEST_DATABASE_URL: server.url });
  } finally {
    await server.stop();
  }
}

async function main(): Promise<void> {
  if (values.help) {
    console.log(usage);
    return;
  }
  const results: boolean[] = [];
  if (values.only !== 'postgres') results.push(await timed('embedded database', onEmbedded));
  if (values.only !== 'embedded') results.push(await timed('PostgreSQL', onPostgres));
  process.exitCode = results.every(Boolean) ? 0 : 1;
}

main();
