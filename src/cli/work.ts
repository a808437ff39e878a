import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../config.ts';
import { StartupProblem } from '../domain/errors.ts';
import type { Command } from './command.ts';
import { print } from './print.ts';
import { startProcess } from './start-process.ts';

export const work: Command = {
  help: [
    'Usage: pullquote work',
    '',
    'Writes articles and asks code hosts what is new, until it gets SIGTERM or SIGINT; what it has begun is then put back for',
    'another process. It shares a PostgreSQL (DATABASE_URL) with processes of pullquote serve, and answers at PORT, but only',
    'at /healthz and /metrics. It takes no parameters: pullquote settings lists what can be set through the environment.',
  ].join('\n'),
  async run(parameters) {
    parseArgs({ args: parameters, options: {} });
    const config = readConfig();
    requireWork(config);
    const { app, address } = await startProcess(config, { isWorker: true });
    if (!config.secretKeys)
      print(
        `SECRET_KEYS is not set: tokens that people saved can be used only where ${config.dataFolder} is shared.`,
      );
    print(`Working with ${config.writers} writers (health: ${address}/healthz)`);
    app.beginByItself();
  },
};

/** A process beside others needs a database that several can open, and something to do. */
function requireWork({ databaseUrl, writers }: Config): void {
  if (!databaseUrl)
    throw new StartupProblem(
      'pullquote work needs DATABASE_URL: without it, pullquote serve runs a database of its own and does all the work. Set ' +
        'DATABASE_URL to a PostgreSQL that all processes share, or start pullquote serve alone.',
    );
  if (writers === 0)
    throw new StartupProblem(
      'pullquote work has nothing to do with WRITERS=0. Set WRITERS to 1 or more here, and to 0 where pullquote serve only answers.',
    );
}
