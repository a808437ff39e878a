import { readdirSync, readFileSync } from 'node:fs';
import { StartupProblem } from '../domain/errors.ts';
import { packageFolder } from '../version.ts';
import type { Queries } from './database.ts';
import type { Tables } from './schema.ts';
import { sql } from './sql.ts';

interface Migration {
  number: number;
  name: string;
  text: string;
}

const folder = new URL('migrations/', packageFolder);

/** An arbitrary number that no other program uses as a lock in the database. */
const lockKey = 7_085_512_034;

function readMigrations(): Migration[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}-.+\.sql$/.test(name))
    .sort()
    .map((name) => ({
      number: Number(name.slice(0, 4)),
      name,
      text: readFileSync(new URL(name, folder), 'utf8'),
    }));
}

export const knownMigrations = (): number[] => readMigrations().map(({ number }) => number);

const newest = (numbers: Iterable<number>): number => Math.max(0, ...numbers);

export const newestSchema = (): number => newest(knownMigrations());

/** The first release. Older databases and backups cannot be migrated. */
const baseline = 42;

export const tooOld = (what: string, applied: number): StartupProblem =>
  new StartupProblem(
    `${what} is from before the first release of Pullquote (schema ${applied}), and this version cannot read it.`,
    {
      remedy:
        'Start with a new database: set PULLQUOTE_DATA to a new folder, or DATABASE_URL to an empty database.',
    },
  );

export const isTooOld = (applied: number): boolean => applied > 0 && applied < baseline;

export function requireKnownSchema(applied: number, known: number): void {
  if (isTooOld(applied)) throw tooOld('The database', applied);
  if (applied <= known) return;
  throw new StartupProblem(
    `The database is newer than this version of Pullquote: it has schema ${applied}, and this version supports up to ` +
      `${known}.`,
    { remedy: 'Start the newer version again, or restore a backup made before the upgrade.' },
  );
}

/** Keeps other processes from changing the schema until the transaction ends. */
export const lockSchema = (tx: Queries) => tx.run(sql`SELECT pg_advisory_xact_lock(${lockKey})`);

/**
 * Applies missing migrations in the caller's transaction. The lock makes processes that start at the same time take
 * turns. Restoring a backup applies only the migrations of the backup.
 */
export async function migrate(
  tx: Queries,
  isWanted: (number: number) => boolean = () => true,
): Promise<void> {
  await lockSchema(tx);
  await tx.query(sql`
    CREATE TABLE IF NOT EXISTS schema_migrations (
      number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz(3) NOT NULL DEFAULT now())`);
  const rows = await tx.query<Pick<Tables['schema_migrations'], 'number'>>(sql`
    SELECT number FROM schema_migrations`);
  const applied = new Set(rows.map(({ number }) => number));
  const migrations = readMigrations();
  requireKnownSchema(newest(applied), newest(migrations.map(({ number }) => number)));
  const missing = migrations.filter(({ number }) => !applied.has(number) && isWanted(number));
  for (const { number, name, text } of missing) {
    await tx.runScript(text);
    await tx.query(sql`INSERT INTO schema_migrations (number, name) VALUES (${number}, ${name})`);
  }
}
