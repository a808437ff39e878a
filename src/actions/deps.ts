import type { CodeHost } from '../code-hosts/code-host.ts';
import type { Database } from '../db/database.ts';
import type { SecretKeys } from '../domain/secrets.ts';

/** What most actions need; each takes the part that it uses. */
export interface Deps {
  database: Database;
  codeHosts: CodeHost[];
  secretKeys: SecretKeys;
  clock: () => Date;
}
