import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { Queries } from '../../db/database.ts';
import { type DatabaseLook, lookAtDatabase, lookAtStored, type StoredLook } from '../../db/figures.ts';
import { openLocalServer } from '../../db/local-server/local-server.ts';
import { newestSchema, requireKnownSchema } from '../../db/migrate.ts';
import { askPostgres, requireSupportedMajor } from '../../db/postgres.ts';
import { type Finding, failure, failureOf, ok, warning } from '../../domain/finding.ts';

/** What was seen of the database; what of it could not be asked for is null. */
export interface Seen {
  findings: Finding[];
  look: (DatabaseLook & { aheadMs: number }) | null;
  stored: StoredLook | null;
}

const unseen = (finding: Finding): Seen => ({ findings: [finding], look: null, stored: null });

/** Looks at the database and changes no row. */
export async function examineDatabase(config: Config): Promise<Seen> {
  const { databaseUrl, dataFolder, postgresBin } = config;
  if (databaseUrl) return lookAtServer(databaseUrl);
  if (!existsSync(join(dataFolder, 'postgres')))
    return unseen(ok('database', 'There is no local database yet; the first start makes it.'));
  try {
    const announce = () => {};
    const server = await openLocalServer({ dataFolder, postgresBin, command: 'doctor', announce });
    try {
      return await lookAtServer(server.url);
    } finally {
      await server.stop();
    }
  } catch (error) {
    return unseen(failureOf('database', error));
  }
}

async function lookAtServer(url: string): Promise<Seen> {
  try {
    const { look, stored } = await askPostgres(url, lookAt);
    return { findings: judgeDatabase(look), look, stored };
  } catch (error) {
    return unseen(failureOf('database', error));
  }
}

async function lookAt(queries: Queries): Promise<Pick<Seen, 'stored'> & { look: NonNullable<Seen['look']> }> {
  // The first question waits for a connection, and would make the clock seem wrong.
  await lookAtDatabase(queries);
  const before = Date.now();
  const look = await lookAtDatabase(queries);
  const aheadMs = look.now.getTime() - (before + Date.now()) / 2;
  const stored = look.schema === newestSchema() ? await lookAtStored(queries, look.now) : null;
  return { look: { ...look, aheadMs }, stored };
}

export function judgeDatabase(look: DatabaseLook): Finding[] {
  const { major, schema, bytes, isReadOnly } = look;
  const known = newestSchema();
  try {
    requireSupportedMajor(major);
    requireKnownSchema(schema, known);
  } catch (error) {
    return [failureOf('database', error)];
  }
  const name = `PostgreSQL ${major}`;
  const size = `${Math.ceil(bytes / 1024 / 1024)} MiB`;
  if (isReadOnly)
    return [
      failure(
        'database',
        `${name} can only be read: it is a standby, or set to be.`,
        'Name the primary in DATABASE_URL.',
      ),
    ];
  if (schema === 0) return [ok('database', `${name} answers and is empty; the first start fills it.`)];
  if (schema < known) {
    const sentence = `${name} answers, with schema ${schema} of ${known}.`;
    return [
      warning(
        'database',
        sentence,
        'Stop every older process, then start this version: it brings the schema up to date.',
      ),
    ];
  }
  return [ok('database', `${name} answers, with schema ${schema}; it takes ${size}.`)];
}
