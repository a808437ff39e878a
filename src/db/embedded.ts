import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StartupProblem } from '../domain/errors.ts';
import { LockHeld } from '../domain/lock-held.ts';
import type { Database, Queries } from './database.ts';
import { takeExclusiveLock } from './embedded/exclusive-lock.ts';
import { ReopenedSession } from './embedded/reopened-session.ts';
import type { Session } from './embedded/session.ts';
import { migrate } from './migrate.ts';
import { usualPatienceMs } from './patience.ts';
import { sql } from './sql.ts';

interface EmbeddedDatabase extends Database {
  /** How often the disk was asked to hold on to what it was given, since the start. */
  syncs: () => number;
}

/** Another process has the embedded database open. */
export class FolderInUse extends StartupProblem {}

/** Transactions after which a table is tidied up in any case: far fewer than PostgreSQL can tell apart. */
const mostAge = 100_000_000;

export async function openEmbedded(
  dataFolder: string,
  announce: (sentence: string) => void,
  patienceMs = usualPatienceMs,
  { migrates = true } = {},
): Promise<EmbeddedDatabase> {
  const unlock = lockFolder(dataFolder);
  try {
    const isNew = !existsSync(join(dataFolder, 'database'));
    if (isNew) {
      announce('Initialising the embedded database; this takes a few seconds and happens once …');
    }
    const opening = new ReopenedSession({ dataFolder }, patienceMs, announce);
    const session = await opening.open().catch((error) => {
      throw explainOpening(dataFolder, error);
    });
    try {
      if (migrates) await session.transaction((tx) => migrate(tx), { hurry: false });
      // Hundreds of new files are handed to the disk before the first query waits for it.
      if (isNew) await session.runScript('CHECKPOINT', { hurry: false });
    } catch (error) {
      await opening.close();
      throw error;
    }
    return describe(opening, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Asks a database that no other process has open something as it is: its schema is not brought up to date. */
export async function askEmbedded<Result>(
  dataFolder: string,
  ask: (queries: Queries) => Promise<Result>,
): Promise<Result> {
  const unlock = lockFolder(dataFolder);
  const opening = new ReopenedSession({ dataFolder }, usualPatienceMs, () => {});
  try {
    const session = await opening.open().catch((error) => {
      throw explainOpening(dataFolder, error);
    });
    return await ask(session.queries);
  } finally {
    await opening.close();
    unlock();
  }
}

/** What the file system refuses comes out of WebAssembly as a bare number. */
function explainOpening(dataFolder: string, error: unknown): unknown {
  if (error instanceof Error) return error;
  return new StartupProblem(
    `The embedded database in ${join(dataFolder, 'database')} cannot be opened. That must be a folder, and it and all that ` +
      'is in it must belong to this user. Mend that, or choose another data folder with PULLQUOTE_DATA.',
    { cause: error },
  );
}

function lockFolder(dataFolder: string): () => void {
  try {
    return takeExclusiveLock(join(dataFolder, 'database.lock'));
  } catch (error) {
    if (!(error instanceof LockHeld))
      throw new StartupProblem(
        `The data folder ${dataFolder} cannot be locked for this process: database.lock in it must be a file that this ` +
          'user may write to, on a disk that files can be locked on. Mend that, or choose another with PULLQUOTE_DATA.',
        { cause: error },
      );
    throw new FolderInUse(
      `The data folder ${dataFolder} is in use by process ${error.pid}. Stop that process first, or give this one ` +
        'a folder of its own with PULLQUOTE_DATA; several processes can share a PostgreSQL through DATABASE_URL.',
      { cause: error },
    );
  }
}

function describe(database: ReopenedSession, unlock: () => void): EmbeddedDatabase {
  const now = () => database.session;
  return {
    isShared: false,
    query: (statement) => now().queries.query(statement),
    queryBytes: (statement) => now().queries.queryBytes(statement),
    runScript: (text) => now().runScript(text),
    transaction: (work, how) => now().transaction(work, how),
    listen: (channel, listener) => database.listen(channel, listener),
    syncs: () => now().thread.syncs,
    async ping() {
      const { thread } = now();
      const { isFull } = await thread.inPatience(thread.send({ kind: 'ping' }));
      return { isFull };
    },
    load: () => now().load,
    maintain: () => tidyUp(now()),
    async close() {
      await database.close();
      unlock();
    },
  };
}

/**
 * It has no background processes: without this its log would grow for as long as it runs. Queries get in between. Large
 * values lie in tables of their own, of which only those are tidied up in which something has gone: they would take longest.
 */
async function tidyUp(session: Session): Promise<void> {
  await session.queries.query(sql`SELECT pg_stat_force_next_flush()`);
  const tables = await session.queries.query<{ name: string; isForLargeValues: boolean }>(sql`
    SELECT oid::regclass::text AS name, relkind = 't' AS "isForLargeValues" FROM pg_class
    WHERE relkind IN ('r', 'm')
      OR relkind = 't' AND (pg_stat_get_dead_tuples(oid) > 0 OR age(relfrozenxid) > ${mostAge})
    ORDER BY relpages, oid`);
  try {
    for (const { name, isForLargeValues } of tables) {
      const how = isForLargeValues ? '' : '(ANALYZE, PROCESS_TOAST false)';
      await session.runScript(`VACUUM ${how} ${name}`, { hurry: false });
    }
  } finally {
    // Where there is no room for the rest, this is what makes some.
    await session.runScript('CHECKPOINT', { hurry: false });
  }
}
