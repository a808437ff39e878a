import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkBackup, loadBackup } from '../actions/backup/restore-backup.ts';
import { readConfig } from '../config.ts';
import type { Database } from '../db/database.ts';
import { type Command, UsageProblem } from './command.ts';
import { print } from './print.ts';
import { runWithProgress } from './run-with-progress.ts';
import { useDatabase } from './use-database.ts';

export const restore: Command = {
  help: [
    'Usage: pullquote restore FOLDER',
    '',
    'Fills a database that was never used with what pullquote backup has written to FOLDER, and brings it up to date. The settings',
    'say which: DATABASE_URL names an empty database on a server, PULLQUOTE_DATA a new folder for a local one. Every file is',
    'checked first. Either all of it is restored or nothing is.',
    '',
    'Saved tokens of code hosts can be opened only with the keys that they were encrypted with: set SECRET_KEYS, or put the file',
    'secret-keys into the data folder, as they were where the backup was made.',
    '',
    'Examples:',
    '  PULLQUOTE_DATA=restored pullquote restore backups/monday',
    '  DATABASE_URL=postgres://pullquote@localhost/pullquote pullquote restore backups/monday',
    '',
    'Ends with 0 when all is restored, with 1 when nothing is, and with 130 after ctrl-C, which leaves the database empty.',
  ].join('\n'),
  async run(parameters) {
    const { positionals } = parseArgs({ args: parameters, allowPositionals: true, options: {} });
    const [folder, ...more] = positionals;
    if (!folder || more.length > 0) throw new UsageProblem('Name one folder that holds a backup.');
    const config = readConfig();
    const description = await runWithProgress(async (how) => {
      const checked = await checkBackup(folder, how);
      const fill = (database: Database) => loadBackup(database, folder, checked, how);
      await useDatabase('restore', config, fill, { migrates: false });
      return checked;
    });
    if (!description) return;
    const rows = description.tables.reduce((sum, table) => sum + table.rows, 0);
    print(
      `Restored ${rows} rows of ${description.tables.length} tables, as they were at ${description.madeAt}.`,
    );
    const keys = config.secretKeys ? 'SECRET_KEYS' : join(config.dataFolder, 'secret-keys');
    print(
      `Saved tokens of code hosts can be used if ${keys} holds the keys of the service that was backed up.`,
    );
  },
};
