import { SavedTokens } from '../src/actions/accounts/saved-tokens.ts';
import type { CallerOn } from '../src/actions/deps.ts';
import { createCallerOn } from '../src/actions/repositories/find-repository.ts';
import type { Config } from '../src/config.ts';
import { loadSecretKeys } from '../src/data-folder.ts';
import type { Database } from '../src/db/database.ts';

/** The rights of viewers, as a service with these settings finds them. */
export function callersOf({ database }: { database: Database }, config: Config): CallerOn {
  const clock = () => new Date();
  return createCallerOn(new SavedTokens({ database, secretKeys: loadSecretKeys(config), clock }));
}
