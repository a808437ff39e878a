import { mkdir, mkdtemp, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import {
  describeTables,
  finishLoadingTables,
  isDatabaseUnused,
  loadTableRows,
  measureTable,
  prepareTablesToLoad,
  readAppliedMigrations,
  readAsOfNow,
  readSequences,
  readTableRows,
  type Table,
  tablesLeftOut,
} from '../../db/backup.ts';
import type { Database, Queries } from '../../db/database.ts';
import { isRefusedData } from '../../db/failures.ts';
import { isTooOld, knownMigrations, lockSchema, migrate, tooOld } from '../../db/migrate.ts';
import { StartupProblem } from '../../domain/errors.ts';
import {
  type BackedUpTable,
  type BackupDescription,
  damaged,
  descriptionFile,
  formatVersion,
  printDescription,
  readBackupLines,
  readDescription,
  writeLines,
} from './backup-format.ts';

export type Progress = (done: number, total: number, now: string) => void;

interface RestoreOptions {
  progress: Progress;
  signal: AbortSignal;
}

interface BackupOptions extends RestoreOptions {
  version: string;
  clock: () => Date;
}

/** Fills a folder under a temporary name and renames it once it is complete. Removes it on failure. */
export async function inNewFolder<Result>(
  folder: string,
  fill: (draft: string) => Promise<Result>,
): Promise<Result> {
  const path = resolve(folder);
  if (await isThere(path))
    throw new StartupProblem(
      `${folder} already exists. Choose a new folder; backups never overwrite anything.`,
    );
  await mkdir(dirname(path), { recursive: true }).catch(refuseWithoutRoom(folder));
  const draft = await mkdtemp(join(dirname(path), `${basename(path)}.unfinished-`)).catch(
    refuseWithoutRoom(folder),
  );
  try {
    const result = await fill(draft);
    await hold(draft);
    await rename(draft, path);
    await hold(dirname(path));
    return result;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw isOutOfRoom(error) ? noRoomForBackup(folder, error) : error;
  }
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

const isOutOfRoom = (error: unknown): boolean => /^(?:ENOSPC|EDQUOT)$/.test(errorCode(error));

const refuseWithoutRoom = (folder: string) => (error: unknown) => {
  if (isOutOfRoom(error)) throw noRoomForBackup(folder, error);
  throw new StartupProblem(
    `Cannot create the folder ${folder} (${errorCode(error)}). Choose one in a folder that this user can write to.`,
    { cause: error },
  );
};

const noRoomForBackup = (folder: string, cause: unknown): StartupProblem =>
  new StartupProblem(
    `The disk of ${folder} is full. The incomplete backup was removed. Free some space, or choose a folder on another disk.`,
    { cause },
  );

/** After a power cut, a renamed folder exists only if its parent was synced. */
async function hold(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes one snapshot of a database to files in a folder. The database may change meanwhile. */
export function writeBackup(
  database: Database,
  folder: string,
  options: BackupOptions,
): Promise<BackupDescription> {
  return database.transaction(
    async (tx) => {
      await tx.runScript(readAsOfNow);
      const migrations = await readAppliedMigrations(tx);
      if (migrations.length === 0)
        throw new StartupProblem(
          'The database contains no Pullquote tables. Check DATABASE_URL and PULLQUOTE_DATA.',
        );
      const tables = (await describeTables(tx)).filter(({ name }) => !Object.hasOwn(tablesLeftOut, name));
      const sequences = await readSequences(tx, tables);
      const description: BackupDescription = {
        format: formatVersion,
        version: options.version,
        madeAt: options.clock().toISOString(),
        schema: Math.max(...migrations),
        migrations,
        tables: await writeTables(tx, folder, tables, options),
        leftOut: Object.entries(tablesLeftOut).map(([name, because]) => ({ name, because })),
        sequences,
      };
      await writeText(join(folder, descriptionFile), printDescription(description));
      return description;
    },
    { hurry: false },
  );
}

async function writeTables(
  tx: Queries,
  folder: string,
  tables: Table[],
  { progress, signal }: RestoreOptions,
): Promise<BackupDescription['tables']> {
  const measured = [];
  for (const table of tables) {
    signal.throwIfAborted();
    measured.push({ ...table, size: await measureTable(tx, table) });
  }
  const total = measured.reduce((sum, { size }) => sum + size.rows, 0);
  let done = 0;
  const written: BackupDescription['tables'] = [];
  for (const { size, ...table } of measured) {
    const file = `${table.name}.ndjson.gz`;
    const counted = async function* (): AsyncGenerator<string[]> {
      for await (const lines of readTableRows(tx, table, size)) {
        yield lines;
        done += lines.length;
        progress(done, total, table.name);
      }
    };
    const { bytes, sha256 } = await writeLines(join(folder, file), counted(), signal);
    const columns = table.columns.map(({ name }) => name);
    written.push({ name: table.name, file, rows: size.rows, bytes, sha256, columns });
  }
  return written;
}

async function writeText(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export async function checkBackup(
  folder: string,
  { progress, signal }: RestoreOptions,
): Promise<BackupDescription> {
  const description = await readDescription(folder);
  if (isTooOld(description.schema)) throw tooOld(`The backup in ${folder}`, description.schema);
  const known = new Set(knownMigrations());
  if (!description.migrations.every((number) => known.has(number)))
    throw new StartupProblem(
      `The backup in ${folder} is newer than this version of Pullquote: it has schema ${description.schema}, created by version ` +
        `${description.version}, and this version supports up to ${Math.max(...known)}. Restore it with that version, or a newer one.`,
    );
  const count = counter(description, progress);
  for (const table of description.tables) {
    const take = async (lines: string[]) => count(lines.length, `checking ${table.name}`);
    await readBackupLines(join(folder, table.file), table, take, signal);
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
  { progress, signal }: RestoreOptions,
): Promise<void> {
  return database.transaction(
    async (tx) => {
      await lockSchema(tx);
      if (!(await isDatabaseUnused(tx))) throw inUse();
      const applied = new Set(description.migrations);
      await migrate(tx, (number) => applied.has(number));
      const tables = await matchTables(tx, folder, description);
      await prepareTablesToLoad(
        tx,
        tables.map(({ table }) => table),
      );
      const count = counter(description, progress);
      for (const { table, backedUp } of tables) {
        const file = join(folder, backedUp.file);
        const take = async (lines: string[]): Promise<void> => {
          await loadTableRows(tx, table, lines).catch(refusedRow(file));
          count(lines.length, table.name);
        };
        await readBackupLines(file, backedUp, take, signal);
      }
      await finishLoadingTables(
        tx,
        tables.map(({ table }) => table),
        description.sequences,
      ).catch(refusedRow(join(folder, descriptionFile)));
      await migrate(tx);
      signal.throwIfAborted();
    },
    { hurry: false },
  );
}

const refusedRow = (file: string) => (error: unknown) => {
  throw isRefusedData(error) ? damaged(file, `the database rejects its contents (${error.message})`) : error;
};

/** The tables of the schema in an order in which they can be filled, each with its file in the backup. */
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
      throw damaged(join(folder, descriptionFile), `it lacks the table ${table.name} or some of its columns`);
    return { table, backedUp };
  });
}

const inUse = (): StartupProblem =>
  new StartupProblem(
    'The database already contains tables, and a backup can be restored only into an empty one. Set PULLQUOTE_DATA to a new folder, or ' +
      'DATABASE_URL to an empty database (createdb NAME).',
  );
