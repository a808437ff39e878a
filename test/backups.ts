import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { inNewFolder, writeBackup } from '../src/actions/backup/backup.ts';
import { type BackupDescription, descriptionFile } from '../src/actions/backup/backup-format.ts';
import { connectDatabase } from '../src/db/connect.ts';
import type { Database } from '../src/db/database.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const how = { progress: () => {}, signal: new AbortController().signal };
const surroundings = { version: 'of a test', clock: () => new Date(), ...how };

/** Writes a backup of a database as it is, without migrating it. */
export async function openDatabase(settings: Record<string, string>): Promise<Database> {
  const { DATABASE_URL: databaseUrl, PULLQUOTE_DATA: dataFolder = '' } = settings;
  const how = { command: 'test', announce: () => {}, migrates: false, patienceMs: 120_000 };
  const database = await connectDatabase({ databaseUrl, dataFolder }, how);
  after(() => database.close());
  return database;
}

export const newFolder = (): string => join(temporaryFolder(), 'backup');

export const writeTo = (database: Database, folder: string): Promise<BackupDescription> =>
  inNewFolder(folder, (draft) => writeBackup(database, draft, surroundings));

export const describeBackup = (folder: string): BackupDescription =>
  JSON.parse(readFileSync(join(folder, descriptionFile), 'utf8'));

/** All rows of a backup by table, sorted. */
export const rowsIn = (folder: string): Record<string, string[]> =>
  Object.fromEntries(
    describeBackup(folder).tables.map(({ name, file }) => [
      name,
      gunzipSync(readFileSync(join(folder, file)))
        .toString()
        .split('\n')
        .sort(),
    ]),
  );
