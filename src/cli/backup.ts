import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BackupDescription } from '../actions/backup/backup-format.ts';
import { inNewFolder, type Progress, writeBackup } from '../actions/backup/write-backup.ts';
import { type Config, readConfig } from '../config.ts';
import { connectDatabase } from '../db/connect.ts';
import { copyRunningDatabase } from '../db/embedded/copy-files.ts';
import { FolderInUse } from '../db/embedded.ts';
import { StartupProblem } from '../domain/errors.ts';
import { version } from '../version.ts';
import { type Command, UsageProblem } from './command.ts';
import { print, printProblem } from './print.ts';
import { runWithProgress } from './run-with-progress.ts';

interface How {
  progress: Progress;
  signal: AbortSignal;
}

export const backup: Command = {
  help: [
    'Usage: pullquote backup FOLDER',
    '',
    'Writes all that the database holds to a new folder, as it is at one moment, while the service goes on. pullquote restore',
    'fills a new database with it, of the same kind or the other: the embedded one or PostgreSQL.',
    '',
    'The settings say which database: run it with those of the service, as the user that the service runs as. A database',
    'that is embedded in a running service stands still for a moment while what has changed is copied, and the copy takes as',
    'much room beside FOLDER as the database; it is gone afterwards.',
    '',
    'Saved tokens of code hosts stay encrypted. The keys are not in the backup: keep SECRET_KEYS, or the file secret-keys in the',
    'data folder, in another place.',
    '',
    'Example:',
    '  pullquote backup backups/monday',
    '',
    'Ends with 0 when the backup is whole, with 1 when there is none, and with 130 after ctrl-C, which leaves nothing.',
  ].join('\n'),
  async run(parameters) {
    const { positionals } = parseArgs({ args: parameters, allowPositionals: true, options: {} });
    const [folder, ...more] = positionals;
    if (!folder || more.length > 0) throw new UsageProblem('Name one folder to make.');
    const config = readConfig();
    const made = await runWithProgress((how) => inNewFolder(folder, (draft) => backUp(config, draft, how)));
    if (!made) return;
    const { tables, schema } = made.description;
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const mebibytes = tables.reduce((sum, { bytes }) => sum + bytes, 0) / 1024 / 1024;
    print(
      `${folder}: ${rows} rows of ${tables.length} tables, ${mebibytes.toFixed(1)} MiB, schema ${schema}.`,
    );
    const keys = config.secretKeys ? 'SECRET_KEYS' : join(config.dataFolder, 'secret-keys');
    if (made.stoodMs !== null)
      print(`The database of the service stood still for ${Math.ceil(made.stoodMs)} ms.`);
    print(`The keys are not in it: keep ${keys} in another place.`);
  },
};

interface Made {
  description: BackupDescription;
  /** For how long the database of a service stood still; null where it did not have to. */
  stoodMs: number | null;
}

/** Where another process has the embedded database open, a copy of its files is opened instead. */
async function backUp(config: Config, draft: string, how: How): Promise<Made> {
  if (!config.databaseUrl && !existsSync(join(config.dataFolder, 'database')))
    throw new StartupProblem(
      `There is no database in ${config.dataFolder}. Set PULLQUOTE_DATA or DATABASE_URL as they are set for the service.`,
    );
  try {
    return { description: await writeFrom(config, draft, how), stoodMs: null };
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    const copy = join(draft, 'copy');
    const stoodMs = await copyRunningDatabase(config.dataFolder, copy, how);
    const description = await writeFrom({ ...config, dataFolder: copy }, draft, how);
    await rm(copy, { recursive: true });
    return { description, stoodMs };
  }
}

async function writeFrom(config: Config, draft: string, how: How): Promise<BackupDescription> {
  const database = await connectDatabase(config, printProblem, undefined, { migrates: false });
  try {
    return await writeBackup(database, draft, { version, clock: () => new Date(), ...how });
  } finally {
    await database.close();
  }
}
