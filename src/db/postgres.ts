import postgres from 'postgres';
import { StartupProblem } from '../domain/errors.ts';
import type { Database, Queries } from './connect.ts';
import { migrate } from './migrate.ts';
import { type Sql, sql } from './sql.ts';

const oldestMajor = 15;

/** 64-bit integers arrive as text unless told otherwise; every one that we store fits a number. */
const bigint = { to: 20, from: [20], serialize: String, parse: Number };

export async function openPostgres(databaseUrl: string): Promise<Database> {
  const pool = postgres(databaseUrl, {
    max: 10,
    connect_timeout: 10,
    connection: { application_name: 'pullquote' },
    types: { bigint },
    onnotice: () => {},
  });
  try {
    await requireSupportedVersion(queriesOn(pool));
    await pool.begin((session) => migrate(queriesOn(session), (text) => session.unsafe(text)));
  } catch (error) {
    await pool.end({ timeout: 1 });
    if (error instanceof StartupProblem) throw error;
    throw unreachable(databaseUrl, error);
  }
  return {
    kind: 'postgres',
    ...queriesOn(pool),
    async transaction<Result>(work: (tx: Queries) => Promise<Result>) {
      // The driver's type promises to unwrap arrays of promises, which no result of ours is.
      return (await pool.begin((session) => work(queriesOn(session)))) as Result;
    },
    async maintain() {
      // PostgreSQL checkpoints and vacuums by itself.
    },
    close: () => pool.end({ timeout: 5 }),
  };
}

const queriesOn = (session: Pick<postgres.Sql, 'unsafe'>): Queries => ({
  async query<Row>(statement: Sql) {
    const { text, parameters } = statement.render();
    return session.unsafe<(Row & object)[]>(text, parameters as postgres.ParameterOrJSON<never>[], {
      prepare: true,
    });
  },
});

async function requireSupportedVersion(session: Queries): Promise<void> {
  const [row] = await session.query<{ version: number }>(
    sql`SELECT current_setting('server_version_num')::int AS version`,
  );
  const major = Math.floor((row?.version ?? 0) / 10_000);
  if (major < oldestMajor) {
    throw new StartupProblem(
      `DATABASE_URL names a PostgreSQL ${major}; Pullquote needs ${oldestMajor} or newer. Upgrade it, ` +
        'or unset DATABASE_URL to use the embedded database.',
    );
  }
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
