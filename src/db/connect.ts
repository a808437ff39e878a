import type { Database } from './database.ts';

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
