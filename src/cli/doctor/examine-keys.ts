import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { type Finding, failure, failureOf, ok, warning } from '../../domain/finding.ts';
import type { SecretKeys } from '../../domain/secret-keys.ts';
import { loadSecretKeys } from '../../load-secret-keys.ts';
import type { Seen } from './examine-database.ts';

/** Whether the keys can be read, are the same for every process, and open what is saved. Makes none. */
export function examineKeys(config: Config, seen: Pick<Seen, 'look' | 'stored'>): Finding[] {
  const file = join(config.dataFolder, 'secret-keys');
  if (!config.secretKeys && !existsSync(file))
    return [ok('keys', `SECRET_KEYS is not set; the first start keeps a key in ${file}.`)];
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

export function judgeKeys({
  kept,
  isShared,
  elsewhere,
}: {
  kept: string | null;
  isShared: boolean;
  elsewhere: number;
}): Finding {
  if (kept === null) return ok('keys', 'SECRET_KEYS is set.');
  if (!isShared) return ok('keys', `The key is in ${kept}.`);
  const remedy = `Give every process on this database the same SECRET_KEYS: what ${kept} holds.`;
  if (elsewhere > 0)
    return failure(
      'keys',
      'Processes on other machines use this database, and cannot read what the key of this one signs and seals: SECRET_KEYS is not set.',
      remedy,
    );
  return warning(
    'keys',
    `The key is in ${kept}, where processes on other machines would not find it.`,
    remedy,
  );
}

export function judgeSealed(keys: SecretKeys, sealed: { version: number; tokens: number }[]): Finding[] {
  return sealed
    .filter(({ version }) => !keys.some((key) => key.version === version))
    .map(({ version, tokens }) =>
      warning(
        'keys',
        `${tokens} saved ${tokens === 1 ? 'token is' : 'tokens are'} sealed with key ${version}, which is not there.`,
        `Add key ${version} at the end of SECRET_KEYS, or have their owners save them again.`,
      ),
    );
}
