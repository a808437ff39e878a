import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { mintLocalToken } from '../../src/code-hosts/git/local-token.ts';
import { loadSecretKeys } from '../../src/data-folder.ts';
import { readServer } from '../../src/db/local-server/server-folder.ts';
import { sql } from '../../src/db/sql.ts';
import { openDatabase } from '../backups.ts';
import { untilGone } from '../processes-gone.ts';
import { startService } from '../start-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { waitUntil } from '../wait-until.ts';

const serveWithLimits = [process.execPath, 'bin/run-with-node.cjs', 'test/serve-with-limits.ts'];

/** A server and the processes that it has started. */
const processesOf = (server: number): number[] => [
  server,
  ...execFileSync('ps', ['-o', 'pid=', '--ppid', String(server)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/)
    .map(Number),
];

function signal(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name);
    } catch {
      // The process has ended already.
    }
}

/** Stops all processes of the server where they are. */
function holdServer(dataFolder: string): number[] {
  const { pid } = readServer(join(dataFolder, 'postgres/data')) ?? assert.fail('there is no server');
  // A stopped server starts no further processes.
  signal([pid], 'SIGSTOP');
  const all = processesOf(pid);
  after(() => signal(all, 'SIGCONT'));
  signal(all, 'SIGSTOP');
  return all;
}

test('while PostgreSQL hangs, requests get 503; afterwards the service works again, and it can stop while PostgreSQL hangs', async () => {
  const dataFolder = join(temporaryFolder(), 'data');
  const environment = { PULLQUOTE_DATA: dataFolder };
  const service = await startService({ command: serveWithLimits, environment });
  const keys = loadSecretKeys({ dataFolder, secretKeys: undefined });
  const expiresAt = new Date(Date.now() + 3_600_000);
  const token = mintLocalToken(keys, { name: 'ann', expiresAt, singleUse: false });
  const authorization = `Bearer ${token}`;
  const get = (path: string, headers = {}) => fetch(`${service.url}${path}`, { headers });
  const signedUp = await fetch(`${service.url}/auth/signup`, { method: 'POST', headers: { authorization } });
  assert.equal(signedUp.status, 201);

  const held = holdServer(dataFolder);
  const [health, waiting] = await Promise.all([get('/healthz'), get('/users/me', { authorization })]);
  assert.equal(health.status, 503);
  assert.match(await health.text(), /"field":"database","problem":"does not answer/);
  for (const refused of [waiting, await get('/users/me', { authorization })]) {
    assert.equal(refused.status, 503);
    assert.match(await refused.text(), /"code":"UNAVAILABLE"/);
  }

  signal(held, 'SIGCONT');
  await waitUntil('it is well again', async () => (await get('/healthz')).status === 200);
  assert.equal((await get('/users/me', { authorization })).status, 200);

  const heldAgain = holdServer(dataFolder);
  await service.stop();
  signal(heldAgain, 'SIGCONT');
  await untilGone(...heldAgain);
  const database = await openDatabase(environment);
  assert.deepEqual(
    await database.values(sql`SELECT username FROM users JOIN identities ON identities.id = identity_id`),
    ['ann'],
  );
});
