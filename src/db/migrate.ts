import { readdirSync, readFileSync } from 'node:fs';
import { StartupProblem } from '../domain/errors.ts';

interface Migration {
  number: number;
  name: string;
  sql: string;
}

/** A transaction, as the two drivers see it: several statements at once, or one that answers numbers. */
export interface MigrationTransaction {
  run: (sql: string) => Promise<void>;
  numbers: (sql: string) => Promise<number[]>;
}

const folder = new URL('../../migrations/', import.meta.url);

/** Any constant does, as long as nothing else in the same database locks it. */
const lockKey = 7_085_512_034;

function readMigrations(): Migration[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}-.+\.sql$/.test(name))
    .sort()
    .map((name) => ({
      number: Number(name.slice(0, 4)),
      name,
      sql: readFileSync(new URL(name, folder), 'utf8'),
    }));
}

/**
 * Applies what is missing, in one transaction that the caller opens and that the lock makes the only one:
 * several processes may start at once, and one that fails leaves nothing half done.
 */
export async function migrate(transaction: MigrationTransaction): Promise<void> {
  await transaction.run(`SELECT pg_advisory_xact_lock(${lockKey})`);
  await transaction.run(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
       number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz(3) NOT NULL DEFAULT now())`,
  );
  const applied = await transaction.numbers('SELECT number FROM schema_migrations');
  const migrations = readMigrations();
  const newestKnown = Math.max(...migrations.map((migration) => migration.number));
  const newestApplied = Math.max(0, ...applied);
  if (newestApplied > newestKnown) {
    throw new StartupProblem(
      `The database is newer than this version of Pullquote: it has schema ${newestApplied}, this version knows ` +
        `${newestKnown}. Start the newer version again, or restore a backup made before the upgrade.`,
    );
  }
  for (const { number, name, sql } of migrations.filter((migration) => !applied.includes(migration.number))) {
    await transaction.run(sql);
    await transaction.run(`INSERT INTO schema_migrations (number, name) VALUES (${number}, '${name}')`);
  }
}
