import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  checkBackup,
  inNewFolder,
  loadBackup,
  type Progress,
  writeBackup,
} from '../actions/backup/backup.ts';
import type { BackupDescription } from '../actions/backup/backup-format.ts';
import { type Config, readConfig } from '../config.ts';
import type { Database } from '../db/database.ts';
import { asDatabaseFailure } from '../db/failures.ts';
import { StartupProblem } from '../domain/errors.ts';
import { version } from '../version.ts';
import {
  createProgressBar,
  defineCommand,
  print,
  printProblem,
  stopOnSignals,
  UsageProblem,
} from './command.ts';
import { useDatabase } from './database.ts';

interface How {
  progress: Progress;
  signal: AbortSignal;
}

/** Runs a backup or restore with a progress bar. Null if Ctrl-C stopped it, after which nothing of it is left. */
async function runWithProgress(
  work: (how: How) => Promise<BackupDescription>,
): Promise<BackupDescription | null> {
  const stopped = new AbortController();
  const forget = stopOnSignals(stopped);
  const bar = createProgressBar(process.stderr);
  try {
    const result = await work({ progress: bar.show, signal: stopped.signal });
    bar.clear();
    return result;
  } catch (error) {
    bar.clear();
    if (!stopped.signal.aborted)
      throw error instanceof StartupProblem ? error : (asDatabaseFailure(error) ?? error);
    printProblem('Stopped. Nothing was left behind.');
    process.exitCode = 130;
    return null;
  } finally {
    forget();
  }
}

function onlyFolder([folder, ...more]: string[], what: string): string {
  if (folder && more.length === 0) return folder;
  throw new UsageProblem(`Pass ${what}.`);
}

const backupSize = ({ tables }: BackupDescription): string =>
  `${tables.reduce((sum, table) => sum + table.rows, 0)} rows of ${tables.length} tables`;

const secretsSource = ({ secretKeys, dataFolder }: Config): string =>
  secretKeys ? 'SECRET_KEYS' : join(dataFolder, 'secret-keys');

export const backup = defineCommand({
  help: [
    'Usage: pullquote backup FOLDER',
    '',
    'Writes a consistent snapshot of the whole database to a new folder. Run it with the settings of the service, which may',
    'keep running. Restore it with pullquote restore.',
    '',
    'Saved code host tokens stay encrypted, and the keys are not in the backup. Store a copy of SECRET_KEYS, or of the file',
    'secret-keys in the data folder, separately.',
    '',
    'Example:',
    '  pullquote backup backups/monday',
    '',
    'Exit codes: 0 complete, 1 failed, 130 stopped with Ctrl-C. If the backup fails or is stopped, the folder is removed.',
  ],
  allowPositionals: true,
  async run(_, positionals) {
    const folder = onlyFolder(positionals, 'the name of one new folder');
    const config = readConfig();
    const description = await runWithProgress((how) =>
      inNewFolder(folder, (draft) => backUp(config, draft, how)),
    );
    if (!description) return;
    const { tables, schema } = description;
    const mebibytes = tables.reduce((sum, { bytes }) => sum + bytes, 0) / 1024 / 1024;
    print(`${folder}: ${backupSize(description)}, ${mebibytes.toFixed(1)} MiB, schema ${schema}.`);
    print(`The backup contains no keys: store a copy of ${secretsSource(config)} separately.`);
  },
});

function backUp(config: Config, draft: string, how: How): Promise<BackupDescription> {
  if (!config.databaseUrl && !existsSync(join(config.dataFolder, 'postgres')))
    throw new StartupProblem(
      `There is no database in ${config.dataFolder}. Set PULLQUOTE_DATA or DATABASE_URL to the same value as for the service.`,
    );
  return useDatabase(
    'backup',
    config,
    (database) => writeBackup(database, draft, { version, clock: () => new Date(), ...how }),
    { migrates: false },
  );
}

export const restore = defineCommand({
  help: [
    'Usage: pullquote restore FOLDER',
    '',
    'Restores a backup written by pullquote backup into an empty database, and upgrades the database if needed. Set',
    'DATABASE_URL to an empty database, or PULLQUOTE_DATA to a new folder for a local one. All files are checked first.',
    'Either everything is restored or nothing is.',
    '',
    'Saved code host tokens can only be read with their keys: set SECRET_KEYS, or copy the file secret-keys into the data',
    'folder.',
    '',
    'Examples:',
    '  PULLQUOTE_DATA=restored pullquote restore backups/monday',
    '  DATABASE_URL=postgres://pullquote@localhost/pullquote pullquote restore backups/monday',
    '',
    'Exit codes: 0 restored, 1 failed, 130 stopped with Ctrl-C. If it fails or is stopped, the database stays empty.',
  ],
  allowPositionals: true,
  async run(_, positionals) {
    const folder = onlyFolder(positionals, 'one folder that contains a backup');
    const config = readConfig();
    const description = await runWithProgress(async (how) => {
      const checked = await checkBackup(folder, how);
      const fill = (database: Database) => loadBackup(database, folder, checked, how);
      await useDatabase('restore', config, fill, { migrates: false });
      return checked;
    });
    if (!description) return;
    print(`Restored ${backupSize(description)}, as they were at ${description.madeAt}.`);
    print(
      `Saved code host tokens work if ${secretsSource(config)} contains the keys of the original service.`,
    );
  },
});
