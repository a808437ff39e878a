import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';

/** What queries run on: a database or a transaction in it. */
export type Queries = PgDatabase<PgQueryResultHKT>;

export interface Database {
  kind: 'embedded' | 'postgres';
  queries: Queries;
  ping: () => Promise<void>;
  /** What the database needs done now and then so that it stays fast and its files small. */
  maintain: () => Promise<void>;
  close: () => Promise<void>;
}

/** Opens the embedded database, or PostgreSQL where an address is set, and brings its schema up to date. */
export async function connectDatabase(
  config: { databaseUrl: string | undefined; dataFolder: string },
  announce: (sentence: string) => void,
): Promise<Database> {
  if (config.databaseUrl) {
    const { openPostgres } = await import('./postgres.ts');
    return openPostgres(config.databaseUrl);
  }
  const { openEmbedded } = await import('./embedded.ts');
  return openEmbedded(config.dataFolder, announce);
}
