import { drizzle } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { StartupProblem } from '../domain/errors.ts';
import type { Database } from './connect.ts';
import { migrate } from './migrate.ts';

const oldestMajor = 15;

export async function openPostgres(databaseUrl: string): Promise<Database> {
  const sql = postgres(databaseUrl, {
    max: 10,
    connect_timeout: 10,
    connection: { application_name: 'pullquote' },
    onnotice: () => {},
  });
  try {
    await requireSupportedVersion(sql);
    await migratePostgres(sql);
  } catch (error) {
    await sql.end({ timeout: 1 });
    if (error instanceof StartupProblem) throw error;
    throw unreachable(databaseUrl, error);
  }
  return {
    kind: 'postgres',
    queries: drizzle(sql),
    async ping() {
      await sql`SELECT 1`;
    },
    async maintain() {
      // PostgreSQL checkpoints and vacuums by itself.
    },
    close: () => sql.end({ timeout: 5 }),
  };
}

async function requireSupportedVersion(sql: postgres.Sql): Promise<void> {
  const [row] = await sql<{ version: string }[]>`SELECT current_setting('server_version_num') AS version`;
  const major = Math.floor(Number(row?.version) / 10_000);
  if (major < oldestMajor) {
    throw new StartupProblem(
      `DATABASE_URL names a PostgreSQL ${major}; Pullquote needs ${oldestMajor} or newer. Upgrade it, ` +
        'or unset DATABASE_URL to use the embedded database.',
    );
  }
}

async function migratePostgres(sql: postgres.Sql): Promise<void> {
  await sql.begin((transaction) =>
    migrate({
      run: async (text) => {
        await transaction.unsafe(text);
      },
      numbers: async (text) =>
        (await transaction.unsafe<{ number: number }[]>(text)).map((row) => row.number),
    }),
  );
}

/** Says which server and why, without the password that the address may hold. */
function unreachable(databaseUrl: string, error: unknown): StartupProblem {
  const { hostname, port, pathname } = new URL(databaseUrl);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = (error instanceof Error && error.message) || code || String(error);
  return new StartupProblem(
    `Cannot use the database${pathname} at ${hostname}:${port || 5432}: ${reason}. ` +
      'Check DATABASE_URL and that the server runs, or unset it to use the embedded database.',
    { cause: error },
  );
}
