import type { Database } from './database.ts';
import { openEmbedded } from './embedded.ts';

/** Opens the embedded database, or PostgreSQL where an address is set, and brings its schema up to date, unless told not to. */
export async function connectDatabase(
  config: { databaseUrl: string | undefined; databaseConnections?: number; dataFolder: string },
  announce: (sentence: string) => void,
  patienceMs?: number,
  { migrates = true } = {},
): Promise<Database> {
  if (config.databaseUrl) {
    const { openPostgres } = await import('./postgres.ts');
    return openPostgres(config.databaseUrl, {
      connections: config.databaseConnections,
      patienceMs,
      migrates,
    });
  }
  return openEmbedded(config.dataFolder, announce, patienceMs, { migrates });
}
