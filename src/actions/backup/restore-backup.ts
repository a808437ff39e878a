import { join } from 'node:path';
import {
  describeTables,
  finishLoading,
  isNeverUsed,
  loadRows,
  prepareToLoad,
  type Table,
} from '../../db/backup-rows.ts';
import type { Database, Queries } from '../../db/database.ts';
import { isRefusedData } from '../../db/failures.ts';
import { isTooOld, knownMigrations, lockSchema, migrate, tooOld } from '../../db/migrate.ts';
import { StartupProblem } from '../../domain/errors.ts';
import {
  type BackedUpTable,
  type BackupDescription,
  damaged,
  descriptionFile,
  readDescription,
  readLines,
} from './backup-format.ts';
import type { Progress } from './write-backup.ts';

interface Surroundings {
  progress: Progress;
  signal: AbortSignal;
}

/** Reads every file of a backup, and throws where one is not as it was written, or where this version does not know its schema. */
export async function checkBackup(
  folder: string,
  { progress, signal }: Surroundings,
): Promise<BackupDescription> {
  const description = await readDescription(folder);
  if (isTooOld(description.schema)) throw tooOld(`The backup in ${folder}`, description.schema);
  const known = new Set(knownMigrations());
  if (!description.migrations.every((number) => known.has(number)))
    throw new StartupProblem(
      `The backup in ${folder} is newer than this version of Pullquote: it has schema ${description.schema}, made by version ` +
        `${description.version}, and this version knows ${Math.max(...known)}. Restore it with that version, or a newer one.`,
    );
  const count = counter(description, progress);
  for (const table of description.tables) {
    const take = async (lines: string[]) => count(lines.length, `checking ${table.name}`);
    await readLines(join(folder, table.file), table, take, signal);
  }
  return description;
}

function counter({ tables }: BackupDescription, progress: Progress): (rows: number, now: string) => void {
  const total = tables.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  return (rows, now) => {
    done += rows;
    progress(done, total, now);
  };
}

/** Restores at the backup's schema version and migrates from there, in one transaction. */
export function loadBackup(
  database: Database,
  folder: string,
  description: BackupDescription,
  { progress, signal }: Surroundings,
): Promise<void> {
  return database.transaction(
    async (tx) => {
      await lockSchema(tx);
      if (!(await isNeverUsed(tx))) throw inUse();
      const applied = new Set(description.migrations);
      await migrate(tx, (number) => applied.has(number));
      const tables = await matchTables(tx, folder, description);
      await prepareToLoad(
        tx,
        tables.map(({ table }) => table),
      );
      const count = counter(description, progress);
      for (const { table, backedUp } of tables) {
        const file = join(folder, backedUp.file);
        const take = async (lines: string[]): Promise<void> => {
          await loadRows(tx, table, lines).catch(refused(file));
          count(lines.length, table.name);
        };
        await readLines(file, backedUp, take, signal);
      }
      await finishLoading(
        tx,
        tables.map(({ table }) => table),
        description.sequences,
      ).catch(refused(join(folder, descriptionFile)));
      await migrate(tx);
      signal.throwIfAborted();
    },
    { hurry: false },
  );
}

const refused = (file: string) => (error: unknown) => {
  throw isRefusedData(error) ? damaged(file, `the database refuses what it holds (${error.message})`) : error;
};

/** The tables that the migrations have made, in the order in which they can be filled, each with what there is for it. */
async function matchTables(
  tx: Queries,
  folder: string,
  description: BackupDescription,
): Promise<{ table: Table; backedUp: BackedUpTable }[]> {
  const passedOver = new Set(description.leftOut.map(({ name }) => name));
  const tables = (await describeTables(tx)).filter(({ name }) => !passedOver.has(name));
  return tables.map((table) => {
    const backedUp = description.tables.find(({ name }) => name === table.name);
    const columns = table.columns.filter(({ name }) => backedUp?.columns.includes(name));
    if (!backedUp || columns.length !== table.columns.length)
      throw damaged(join(folder, descriptionFile), `it lacks the table ${table.name}, or columns of it`);
    return { table, backedUp };
  });
}

const inUse = (): StartupProblem =>
  new StartupProblem(
    'The database has tables already, and a backup is restored only into an empty one. Set PULLQUOTE_DATA to a new folder, or ' +
      'DATABASE_URL to an empty database (createdb NAME).',
  );
