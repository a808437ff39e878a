import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { environmentWith, readConfig } from '../config.ts';
import { prepareDataFolder } from '../data-folder.ts';
import { openLocalServer } from '../db/local-server/local-server.ts';
import type { Command } from './command.ts';
import { print, printProblem } from './print.ts';
import { stopOnSignals } from './stop-on-signals.ts';

export const psql: Command = {
  help: [
    'Usage: pullquote psql [ARGUMENT …]',
    '',
    'Opens psql on the database of the service, with the arguments that psql takes. If psql is not installed, prints the',
    'connection string for another client. It works while the service runs; without it, a local database runs until psql, or',
    'ctrl-C, ends.',
    '',
    'Examples:',
    '  pullquote psql',
    '  pullquote psql -c "SELECT count(*) FROM articles"',
  ].join('\n'),
  async run(parameters) {
    const { databaseUrl, dataFolder, postgresBin } = readConfig();
    if (databaseUrl) return openPsql(databaseUrl, parameters);
    prepareDataFolder(dataFolder);
    const server = await openLocalServer({
      dataFolder,
      postgresBin,
      command: 'psql',
      announce: printProblem,
    });
    try {
      await openPsql(server.url, parameters, server.isOwn);
    } finally {
      await server.stop();
    }
  },
};

async function openPsql(url: string, parameters: string[], endsWithThis = false): Promise<void> {
  const stopped = new AbortController();
  // In psql, ctrl-C cancels a statement.
  const forget = stopOnSignals(stopped);
  try {
    const address = new URL(url);
    const { password } = address;
    // Other users see the arguments of a process.
    address.password = '';
    const env = environmentWith(password ? { PGPASSWORD: decodeURIComponent(password) } : {});
    const child = spawn('psql', [address.href, ...parameters], { stdio: 'inherit', env });
    const [code] = await once(child, 'exit');
    process.exitCode = code ?? 1;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    print(url);
    if (!endsWithThis) return;
    printProblem('psql is not installed. The database runs at this address until ctrl-C.');
    const waiting = setInterval(() => {}, 60_000);
    if (!stopped.signal.aborted) await once(stopped.signal, 'abort');
    clearInterval(waiting);
  } finally {
    forget();
  }
}
