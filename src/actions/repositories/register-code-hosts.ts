import type { CodeHost } from '../../code-hosts/code-host.ts';
import type { Database } from '../../db/database.ts';
import { rememberAddress, showOnlyHosts } from '../../db/repositories.ts';
import { StartupProblem } from '../../domain/errors.ts';

/** Makes sure that a database is about these hosts: what others have shown is hidden, and none has moved to another address. */
export async function registerCodeHosts(database: Database, codeHosts: CodeHost[]): Promise<void> {
  for (const { id: host, webUrl, isLocal } of codeHosts) {
    if (isLocal || webUrl === null) continue;
    const known = await rememberAddress(database, { host, address: webUrl });
    if (known === webUrl) continue;
    throw new StartupProblem(
      `This database is about the ${host} at ${known}, whose numbers are other people at ${webUrl}. ` +
        `Set ${host.toUpperCase()}_URL=${known}, or use another database.`,
    );
  }
  await showOnlyHosts(
    database,
    codeHosts.map(({ id }) => id),
  );
}
