import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { mintLocalToken } from '../../src/code-hosts/git/local-token.ts';
import { loadSecretKeys } from '../../src/data-folder.ts';
import { readServer } from '../../src/db/local-server/server-folder.ts';
import { sql } from '../../src/db/sql.ts';
import { openDatabase } from '../backups.ts';
import { untilGone } from '../processes-gone.ts';
import { startService } from '../start-service.ts';
import { runsWholeTables } from '../tables.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const kills = runsWholeTables ? 4 : 1;
const writers = 4;

test(`after ${kills} SIGKILLs during writes, every acknowledged signup is stored and no PostgreSQL process is left`, async () => {
  const dataFolder = join(temporaryFolder(), 'data');
  const environment = { PULLQUOTE_DATA: dataFolder, RATE_LIMIT: '0', LOG_LEVEL: 'error' };
  const keys = loadSecretKeys({ dataFolder, secretKeys: undefined });
  const tokenFor = (name: string) =>
    mintLocalToken(keys, { name, expiresAt: new Date(Date.now() + 3_600_000), singleUse: false });
  const acknowledged: string[] = [];
  const servers = new Set<number>();
  const noteServer = () => {
    const { pid } = readServer(join(dataFolder, 'postgres/data')) ?? assert.fail('there is no server');
    servers.add(pid);
  };
  let next = 0;

  for (let round = 0; round < kills; round += 1) {
    const service = await startService({ environment });
    noteServer();
    const enough = acknowledged.length + 15 + round;
    const write = async (): Promise<void> => {
      for (;;) {
        const name = `writer-${next++}`;
        const headers = { authorization: `Bearer ${tokenFor(name)}` };
        try {
          const { status } = await fetch(`${service.url}/auth/signup`, { method: 'POST', headers });
          assert.equal(status, 201);
        } catch (error) {
          if (service.child.killed) return;
          throw error;
        }
        acknowledged.push(name);
        if (acknowledged.length === enough) service.child.kill('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: writers }, write));
  }
  await untilGone(...servers);

  const database = await openDatabase(environment);
  noteServer();
  const stored = await database.values<string>(
    sql`SELECT username FROM users JOIN identities ON identities.id = identity_id`,
  );
  await database.close();
  const missing = acknowledged.filter((name) => !stored.includes(name));
  console.log(`${acknowledged.length} acknowledged over ${kills} kills, ${missing.length} missing`);
  assert.deepEqual(missing, []);
  assert.equal(servers.size, kills + 1, 'each service starts a server of its own');
  await untilGone(...servers);
});
