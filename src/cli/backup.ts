import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BackupDescription } from '../actions/backup/backup-format.ts';
import { inNewFolder, type Progress, writeBackup } from '../actions/backup/write-backup.ts';
import { type Config, readConfig } from '../config.ts';
import { StartupProblem } from '../domain/errors.ts';
import { version } from '../version.ts';
import { type Command, UsageProblem } from './command.ts';
import { print } from './print.ts';
import { runWithProgress } from './run-with-progress.ts';
import { useDatabase } from './use-database.ts';

interface How {
  progress: Progress;
  signal: AbortSignal;
}

export const backup: Command = {
  help: [
    'Usage: pullquote backup FOLDER',
    '',
    'Writes all that the database holds to a new folder, as it is at one moment, while the service goes on. pullquote restore',
    'fills a new database with it. The settings say which database: run it with those of the service.',
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
    const description = await runWithProgress((how) =>
      inNewFolder(folder, (draft) => backUp(config, draft, how)),
    );
    if (!description) return;
    const { tables, schema } = description;
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const mebibytes = tables.reduce((sum, { bytes }) => sum + bytes, 0) / 1024 / 1024;
    print(
      `${folder}: ${rows} rows of ${tables.length} tables, ${mebibytes.toFixed(1)} MiB, schema ${schema}.`,
    );
    const keys = config.secretKeys ? 'SECRET_KEYS' : join(config.dataFolder, 'secret-keys');
    print(`The keys are not in it: keep ${keys} in another place.`);
  },
};

function backUp(config: Config, draft: string, how: How): Promise<BackupDescription> {
  if (!config.databaseUrl && !existsSync(join(config.dataFolder, 'postgres')))
    throw new StartupProblem(
      `There is no database in ${config.dataFolder}. Set PULLQUOTE_DATA or DATABASE_URL as they are set for the service.`,
    );
  return useDatabase(
    'backup',
    config,
    (database) => writeBackup(database, draft, { version, clock: () => new Date(), ...how }),
    { migrates: false },
  );
}
