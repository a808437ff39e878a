import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { mintLocalToken } from '../../src/code-hosts/git/local-token.ts';
import { loadSecretKeys } from '../../src/data-folder.ts';
import { readServer } from '../../src/db/local-server/server-folder.ts';
import { untilGone } from '../processes-gone.ts';
import { startService } from '../start-service.ts';
import { runsWholeTables } from '../tables.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const kills = runsWholeTables ? 4 : 1;
const writers = 4;

test(`killed ${kills} times while writing, no acknowledged signup is missing, and no PostgreSQL is left`, async () => {
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
        const token = tokenFor(`writer-${next++}`);
        const headers = { authorization: `Bearer ${token}` };
        try {
          const { status } = await fetch(`${service.url}/auth/signup`, { method: 'POST', headers });
          assert.equal(status, 201);
        } catch (error) {
          if (service.child.killed) return;
          throw error;
        }
        acknowledged.push(token);
        if (acknowledged.length === enough) service.child.kill('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: writers }, write));
  }
  await untilGone(...servers);

  const service = await startService({ environment });
  noteServer();
  let missing = 0;
  for (const token of acknowledged) {
    const { status } = await fetch(`${service.url}/users/me`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (status !== 200) missing += 1;
  }
  await service.stop();
  console.log(`${acknowledged.length} acknowledged over ${kills} kills, ${missing} missing`);
  assert.equal(missing, 0);
  assert.equal(servers.size, kills + 1, 'each service starts a server of its own');
  await untilGone(...servers);
});
