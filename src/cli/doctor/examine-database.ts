import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { Queries } from '../../db/database.ts';
import { askEmbedded } from '../../db/embedded.ts';
import {
  type DatabaseLook,
  lookAtDatabase,
  lookAtStored,
  type StoredLook,
} from '../../db/look-at-database.ts';
import { newestSchema, requireKnownSchema } from '../../db/migrate.ts';
import { askPostgres, requireSupportedMajor } from '../../db/postgres.ts';
import { StartupProblem } from '../../domain/errors.ts';
import { type Finding, failure, failureOf, ok, warning } from '../../domain/finding.ts';
import { LockHeld } from '../../domain/lock-held.ts';
import type { Answering } from '../ask-service.ts';

/** What was seen of the database; what of it could not be asked for is null. */
export interface Seen {
  findings: Finding[];
  look: (DatabaseLook & { aheadMs: number }) | null;
  stored: StoredLook | null;
}

const unseen = (finding: Finding): Seen => ({ findings: [finding], look: null, stored: null });

/** Looks at the database and changes no row. The embedded one belongs to the service while that runs. */
export async function examineDatabase(config: Config, answering: Answering | null): Promise<Seen> {
  const { databaseUrl, dataFolder } = config;
  // Where the service finds fault with it, that is said of the service.
  if (!databaseUrl && (answering?.kind === 'well' || answering?.kind === 'unwell'))
    return unseen(ok('database', 'The embedded database belongs to the service that runs.'));
  if (!databaseUrl && !existsSync(join(dataFolder, 'database')))
    return unseen(ok('database', 'The embedded database is not there yet; the first start makes it.'));
  const owner = databaseUrl ? null : ownerIfAnother(join(dataFolder, 'database'));
  if (owner !== null) return unseen(judgeOwner(dataFolder, owner));
  try {
    const { look, stored } = await (databaseUrl
      ? askPostgres(databaseUrl, lookAt)
      : askEmbedded(dataFolder, lookAt));
    return { findings: judgeDatabase(look, databaseUrl !== undefined), look, stored };
  } catch (error) {
    return unseen(judgeOpening(dataFolder, error));
  }
}

/** Whose files they are, where they are not this user's: root could open them, and its new files would lock their owner out. */
function ownerIfAnother(folder: string): number | null {
  const { uid } = statSync(folder);
  return uid === process.getuid?.() ? null : uid;
}

const judgeOwner = (dataFolder: string, owner: number): Finding =>
  warning(
    'database',
    `The embedded database in ${dataFolder} belongs to another user (${owner}), and was not opened.`,
    'Run this as the user that runs the service.',
  );

function judgeOpening(dataFolder: string, error: unknown): Finding {
  if (error instanceof Error && error.cause instanceof LockHeld) return judgeHolder(error.cause);
  if (error instanceof StartupProblem || !(error instanceof Error) || 'syscall' in error)
    return failureOf('database', error);
  return failure(
    'database',
    `The embedded database in ${join(dataFolder, 'database')} cannot be opened, and is likely damaged (${error.message}).`,
    'Move that folder away, start anew, and restore a backup.',
  );
}

function judgeHolder({ pid }: LockHeld): Finding {
  return failure(
    'database',
    `The embedded database is in use by process ${pid}, which does not answer at LISTEN and PORT of these settings.`,
    'Run this with the settings of that process; where they are the same, it hangs: end it and start it again.',
  );
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

export function judgeDatabase(look: DatabaseLook, isServer: boolean): Finding[] {
  const { major, schema, bytes, isReadOnly } = look;
  const known = newestSchema();
  try {
    if (isServer) requireSupportedMajor(major);
    requireKnownSchema(schema, known);
  } catch (error) {
    return [failureOf('database', error)];
  }
  const name = isServer ? `PostgreSQL ${major}` : 'The embedded database';
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
