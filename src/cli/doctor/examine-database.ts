import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { loadSecretKeys } from '../../data-folder.ts';
import type { Queries } from '../../db/database.ts';
import {
  type DatabaseLook,
  readDatabaseFigures,
  readStorageFigures,
  type StoredLook,
} from '../../db/figures.ts';
import { openLocalServer } from '../../db/local-server/local-server.ts';
import { sharedUser } from '../../db/local-server/programs.ts';
import { newestSchema, requireKnownSchema } from '../../db/migrate.ts';
import { queryPostgres, requireSupportedMajor } from '../../db/postgres.ts';
import { type Finding, failure, failureOf, ok, warning } from '../../domain/errors.ts';
import type { SecretKeys } from '../../domain/secrets.ts';
import { examineServers } from './examine-replication.ts';

interface Seen {
  findings: Finding[];
  look: (DatabaseLook & { aheadMs: number }) | null;
  stored: StoredLook | null;
}

const unseen = (finding: Finding): Seen => ({ findings: [finding], look: null, stored: null });

export async function examineDatabase(config: Config): Promise<Seen> {
  const { databaseUrl, dataFolder, postgresBin } = config;
  if (databaseUrl) {
    const [seen, servers] = await Promise.all([lookAtServer(databaseUrl), examineServers(databaseUrl)]);
    return { ...seen, findings: [...seen.findings, ...servers] };
  }
  if (!existsSync(join(dataFolder, 'postgres')))
    return unseen(ok('database', 'There is no local database yet. The first start creates it.'));
  try {
    const announce = () => {};
    const server = await openLocalServer({ dataFolder, postgresBin, command: 'doctor', announce });
    try {
      const seen = await lookAtServer(server.url);
      const shared = sharedUser(dataFolder);
      if (shared) seen.findings.push(warning('database', shared.problem, shared.remedy));
      return seen;
    } finally {
      await server.stop();
    }
  } catch (error) {
    return unseen(failureOf('database', error));
  }
}

async function lookAtServer(url: string): Promise<Seen> {
  try {
    const { look, stored } = await queryPostgres(url, lookAt);
    return { findings: judgeDatabase(look), look, stored };
  } catch (error) {
    return unseen(failureOf('database', error));
  }
}

async function lookAt(queries: Queries) {
  // The first query waits for a connection, which would make the clock seem wrong.
  await readDatabaseFigures(queries);
  const before = Date.now();
  const look = await readDatabaseFigures(queries);
  const aheadMs = look.now.getTime() - (before + Date.now()) / 2;
  const stored = look.schema === newestSchema() ? await readStorageFigures(queries, look.now) : null;
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
        `${name} is read-only: it is a standby or is configured as read-only.`,
        'Set DATABASE_URL to the primary.',
      ),
    ];
  if (schema === 0) return [ok('database', `${name} is reachable and empty; the first start fills it.`)];
  if (schema < known) {
    const sentence = `${name} is reachable and has schema ${schema} of ${known}.`;
    return [
      warning(
        'database',
        sentence,
        'Stop all older processes, then start this version: it upgrades the schema.',
      ),
    ];
  }
  return [ok('database', `${name} is reachable, has schema ${schema} and takes ${size}.`)];
}

export function examineKeys(config: Config, seen: Pick<Seen, 'look' | 'stored'>): Finding[] {
  const file = join(config.dataFolder, 'secret-keys');
  if (!config.secretKeys && !existsSync(file))
    return [ok('keys', `SECRET_KEYS is not set. The first start saves a key in ${file}.`)];
  let keys: SecretKeys;
  try {
    keys = loadSecretKeys(config);
  } catch (error) {
    return [failureOf('keys', error)];
  }
  const kept = config.secretKeys ? null : file;
  const isShared = config.databaseUrl !== undefined;
  const elsewhere = seen.look?.connectionsFromElsewhere ?? 0;
  return [judgeKeys({ kept, isShared, elsewhere }), ...judgeSealed(keys, seen.stored?.sealed ?? [])];
}

interface Keeping {
  kept: string | null;
  isShared: boolean;
  elsewhere: number;
}

export function judgeKeys({ kept, isShared, elsewhere }: Keeping): Finding {
  if (kept === null) return ok('keys', 'SECRET_KEYS is set.');
  if (!isShared) return ok('keys', `The key is in ${kept}.`);
  const remedy = `Set SECRET_KEYS to the contents of ${kept} for every process on this database.`;
  if (elsewhere > 0)
    return failure(
      'keys',
      'SECRET_KEYS is not set, but processes on other machines use this database: they cannot read what this one signs and encrypts.',
      remedy,
    );
  return warning('keys', `The key is in ${kept}, where processes on other machines cannot find it.`, remedy);
}

export function judgeSealed(keys: SecretKeys, sealed: { version: number; tokens: number }[]): Finding[] {
  return sealed
    .filter(({ version }) => !keys.some((key) => key.version === version))
    .map(({ version, tokens }) =>
      warning(
        'keys',
        `${tokens} saved ${tokens === 1 ? 'token is' : 'tokens are'} encrypted with key ${version}, which is missing.`,
        `Add key ${version} at the end of SECRET_KEYS, or ask the owners to save their tokens again.`,
      ),
    );
}

export function judgeQueue(queue: StoredLook['asked']): Finding[] {
  if (!queue) return [];
  const { waiting, running, oldestSeconds } = queue;
  if (oldestSeconds <= 60) return [ok('writing', 'No article has waited more than a minute for a writer.')];
  const articles = waiting === 1 ? '1 article waits' : `${waiting} articles wait`;
  const since = `${articles} to be written, for up to ${Math.floor(oldestSeconds / 60)} min`;
  return [
    running === 0
      ? warning(
          'writing',
          `${since}, and no process is writing.`,
          'Start pullquote work, or set WRITERS above 0.',
        )
      : warning(
          'writing',
          `${since}, while ${running} ${running === 1 ? 'is' : 'are'} being written.`,
          'If this continues, start another pullquote work, or raise WRITERS.',
        ),
  ];
}
