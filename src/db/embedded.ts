import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite, type Transaction, types } from '@electric-sql/pglite';
import { StartupProblem } from '../domain/errors.ts';
import type { Database, Queries } from './database.ts';
import { DurableNodeFs } from './durable-node-fs.ts';
import { LockHeld, takeExclusiveLock } from './exclusive-lock.ts';
import { migrate } from './migrate.ts';
import type { Sql } from './sql.ts';

/** PGlite's own parameters switch fsync off; of the sync methods, only this one reaches the file system. */
const startParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...['-c', 'fsync=on', '-c', 'wal_sync_method=fsync'],
];

export interface EmbeddedDatabase extends Database {
  /** How often the disk was asked to hold on to what it was given, since the start. */
  syncs: () => number;
}

export async function openEmbedded(
  dataFolder: string,
  announce: (sentence: string) => void,
): Promise<EmbeddedDatabase> {
  const unlock = lockFolder(dataFolder);
  try {
    const folder = join(dataFolder, 'database');
    if (!existsSync(folder)) {
      announce('Initialising the embedded database; this takes a few seconds and happens once …');
      await initialise(folder);
    }
    const { pglite, files } = await start(folder);
    try {
      await pglite.transaction((session) => migrate(queriesOn(session), (text) => session.exec(text)));
    } catch (error) {
      await pglite.close();
      throw error;
    }
    return describe(pglite, files, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

function lockFolder(dataFolder: string): () => void {
  try {
    return takeExclusiveLock(join(dataFolder, 'database.lock'));
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error;
    throw new StartupProblem(
      `The data folder ${dataFolder} is in use by process ${error.pid}. Stop that process first, or give this one ` +
        'a folder of its own with PULLQUOTE_DATA; several processes can share a PostgreSQL through DATABASE_URL.',
    );
  }
}

/** A first initialisation that was cut off must not be taken for a database: it gets its name when it is whole. */
async function initialise(folder: string): Promise<void> {
  const draft = `${folder}.new`;
  rmSync(draft, { recursive: true, force: true });
  const { pglite } = await start(draft);
  await pglite.close();
  renameSync(draft, folder);
}

async function start(folder: string) {
  const files = new DurableNodeFs(folder);
  const pglite = await PGlite.create({ fs: files, startParams, parsers: { [types.INT8]: Number } });
  return { pglite, files };
}

const jsonAsBytes = { [types.JSON]: (text: string) => Buffer.from(text) };

const queriesOn = (session: Pick<Transaction, 'query' | 'exec'>): Queries => ({
  async query<Row>(statement: Sql) {
    const { text, parameters } = statement.render();
    return (await session.query<Row>(text, parameters)).rows;
  },
  async queryBytes<Row>(statement: Sql) {
    const { text, parameters } = statement.render();
    return (await session.query<Row>(text, parameters, { parsers: jsonAsBytes })).rows;
  },
  async runText(text, values = []) {
    if (values.length > 0) return (await session.query(text, values)).rows;
    return (await session.exec(text)).flatMap(({ rows }) => rows);
  },
});

function describe(pglite: PGlite, files: DurableNodeFs, unlock: () => void): EmbeddedDatabase {
  const queries = queriesOn(pglite);
  return {
    ...queries,
    kind: 'pglite',
    transaction: (work) => pglite.transaction((session) => work(queriesOn(session))),
    runText: (text, values) => {
      // A block that fails half-way must be rolled back before anybody else's statement gets in.
      if (/^\s*BEGIN\b/i.test(text)) return pglite.transaction((session) => queriesOn(session).runText(text));
      return queries.runText(text, values);
    },
    async listen(channel, { onMessage, onListening }) {
      const stop = await pglite.listen(channel, onMessage);
      onListening?.();
      return async () => {
        if (!pglite.closed) await stop();
      };
    },
    syncs: () => files.syncs,
    async ping() {
      await pglite.query('SELECT 1');
    },
    async maintain() {
      // It has no background processes: without this its log would grow for as long as it runs.
      await pglite.exec('VACUUM ANALYZE');
      await pglite.exec('CHECKPOINT');
    },
    async close() {
      if (pglite.closed) return;
      await pglite.close();
      unlock();
    },
  };
}
