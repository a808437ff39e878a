import type { Database } from './database.ts';
import { openLocalServer } from './local-server/local-server.ts';
import { openPostgres } from './postgres.ts';

interface DatabaseConfig {
  databaseUrl: string | undefined;
  databaseConnections?: number;
  dataFolder: string;
  postgresBin?: string | undefined;
}

interface How {
  /** The command that this process runs: other commands use the server of `serve`. */
  command: string;
  announce: (sentence: string) => void;
  patienceMs?: number | undefined;
  /** Whether the schema is brought up to date. */
  migrates?: boolean;
}

/** Connects to DATABASE_URL, or else to the local server in the data folder, which is started if it does not run. */
export async function connectDatabase(
  { databaseUrl, databaseConnections: connections, dataFolder, postgresBin }: DatabaseConfig,
  { command, announce, patienceMs, migrates = true }: How,
): Promise<Database> {
  const settings = { connections, patienceMs, migrates };
  if (databaseUrl) return openPostgres(databaseUrl, settings);
  const server = await openLocalServer({
    dataFolder,
    postgresBin,
    command,
    announce,
    // Commands beside the service have connections of their own.
    settings: { max_connections: String(2 * (connections ?? 10) + 30) },
  });
  try {
    const database = await openPostgres(server.url, { ...settings, isDiskFull: server.isFull });
    return {
      ...database,
      isStopped: () => !server.isRunning(),
      async close() {
        await database.close();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
