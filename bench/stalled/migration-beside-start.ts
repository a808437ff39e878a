import postgres from 'postgres';
import { runServer, service } from '../run-server.ts';

/** Many times what a request waits for. */
const migrationSeconds = 60;

/** How long a second service waited for a migration that another process is at, and whether it then served. */
export async function startBesideMigration(settings: Record<string, string>): Promise<string> {
  const other = postgres(settings.DATABASE_URL ?? '', { max: 1, onnotice: () => {} });
  const begun = performance.now();
  const seconds = () => ((performance.now() - begun) / 1000).toFixed(1);
  try {
    await other.unsafe('BEGIN; LOCK TABLE schema_migrations');
    // Its articles are left to the service that is looked at.
    const started = runServer(service, { environment: { ...settings, WRITERS: '0', LOG_LEVEL: 'fatal' } });
    started.catch(() => {});
    await other`SELECT pg_sleep(${migrationSeconds})`;
    await other.unsafe('COMMIT');
    const migrated = seconds();
    const running = await started;
    const { status } = await fetch(`${running.url}/articles`);
    const served = seconds();
    await running.stop();
    return status === 200 ? `served after ${served} s, migrated after ${migrated} s` : `answered ${status}`;
  } finally {
    await other.end();
  }
}
