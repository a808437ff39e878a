import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import postgres from 'postgres';
import { mintLocalToken } from '../../src/code-hosts/git/local-token.ts';
import { loadSecretKeys } from '../../src/data-folder.ts';
import { databaseUser, readServer } from '../../src/db/local-server/server-folder.ts';
import { runHere, type Service, startService } from '../start-service.ts';
import { waitUntil } from '../wait-until.ts';

/** A file system in memory with little room. */
function mountDisk(mebibytes: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=0711`, 'none', folder], {
      stdio: 'pipe',
    });
  } catch (error) {
    rmdirSync(folder);
    throw error;
  }
  after(() => {
    execFileSync('umount', ['--lazy', folder]);
    rmdirSync(folder);
  });
  chmodSync(folder, 0o711);
  return folder;
}

function cannotMount(): string | false {
  try {
    mountDisk(1);
    return false;
  } catch {
    return 'a small disk can be mounted by root only, and not in every container';
  }
}

const skip = cannotMount();

function fill(disk: string): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(join(disk, 'filling'), Buffer.alloc(bavail * bsize));
}

function callerOf(service: Service, dataFolder: string) {
  const keys = loadSecretKeys({ dataFolder, secretKeys: undefined });
  const expiresAt = new Date(Date.now() + 3_600_000);
  const tokens = new Map<string, string>();
  const tokenFor = (name: string): string => {
    const token = tokens.get(name) ?? mintLocalToken(keys, { name, expiresAt, singleUse: false });
    tokens.set(name, token);
    return token;
  };
  const call = async (method: string, path: string, name?: string) => {
    const headers = name === undefined ? {} : { authorization: `Bearer ${tokenFor(name)}` };
    const response = await fetch(`${service.url}${path}`, { method, headers });
    const { error } = JSON.parse(await response.text());
    return { status: response.status, code: error?.code as string | undefined, error };
  };
  return { call };
}

/** Switches WAL files until the disk has no room for another and the server ends. */
async function useUpLog(dataFolder: string): Promise<void> {
  const data = join(dataFolder, 'postgres/data');
  const { socketFolder: host } = readServer(data) ?? assert.fail('there is no server');
  const sql = postgres({ host, user: databaseUser, db: 'postgres', max: 1 });
  await waitUntil('the server has ended', async () => {
    await sql`SELECT pg_switch_wal(), pg_logical_emit_message(true, '', '', true)`.catch(() => {});
    return !readServer(data)?.isReady;
  });
  await sql.end({ timeout: 1 });
}

test('on a full disk writes get 507, cached pages are served, other requests get 503, and no data is lost when space returns', {
  skip,
}, async () => {
  const disk = mountDisk(256);
  const dataFolder = join(disk, 'data');
  const service = await startService({ environment: { PULLQUOTE_DATA: dataFolder, RATE_LIMIT: '0' } });
  const { call } = callerOf(service, dataFolder);
  const signUp = (name: string) => call('POST', '/auth/signup', name);
  const acknowledged = ['ann'];
  assert.equal((await signUp('ann')).status, 201);
  // The cache works only once the service listens for changes; two equal responses show a cached one.
  const ranking = async () => (await fetch(`${service.url}/ranking/articles/likes`)).text();
  let kept = '';
  await waitUntil('the ranking is kept', async () => {
    const before = kept;
    kept = await ranking();
    return kept === before;
  });

  fill(disk);
  const health = await call('GET', '/healthz');
  assert.deepEqual([health.status, health.code], [503, 'UNAVAILABLE']);
  assert.match(JSON.stringify(health.error), /is out of disk space/);
  // Rows that fit into the allocated files are stored; the rest is refused.
  let refused = 0;
  for (let number = 0; refused < 3; number += 1) {
    assert.ok(number < 2_000, 'something is refused in the end');
    const { status, code } = await signUp(`writer-${number}`);
    if (status === 201) acknowledged.push(`writer-${number}`);
    else refused += 1;
    if (status !== 201) assert.ok(code === 'STORAGE_FULL' || code === 'UNAVAILABLE', `${status} ${code}`);
  }

  kept = await ranking();
  const keptAt = performance.now();
  await useUpLog(dataFolder);
  await waitUntil('writes are refused for want of room', async () => {
    const { status, code } = await signUp('late');
    assert.ok(status === 507 || status === 503, `${status} ${code}`);
    return status === 507 && code === 'STORAGE_FULL';
  });
  // A ranking is kept for a minute.
  if (performance.now() - keptAt < 50_000) assert.equal(await ranking(), kept);
  assert.deepEqual((await call('GET', '/users/me', 'ann')).status, 503);
  assert.deepEqual((await call('GET', '/healthz')).status, 503);
  // The token cannot be checked now, but must be refused from here on.
  await call('POST', '/auth/logout', 'ann');

  rmSync(join(disk, 'filling'));
  await waitUntil('it stores again', async () => (await signUp('late')).status === 201);
  acknowledged.push('late');
  for (const name of acknowledged.slice(1))
    assert.equal((await call('GET', '/users/me', name)).status, 200, name);
  assert.equal(
    (await call('GET', '/users/me', 'ann')).status,
    401,
    'logging out counts also while nothing could be stored',
  );
  await waitUntil('it is well', async () => (await call('GET', '/healthz')).status === 200);
  console.log(`${acknowledged.length} acknowledged on a disk that filled up, none missing`);
  assert.equal(await service.stop(), 0);
});

test('on a disk without room, a command ends with one sentence about the disk', { skip }, async () => {
  const disk = mountDisk(16);
  const { code, stderr } = await runHere({ PULLQUOTE_DATA: join(disk, 'data') }, 'check');
  assert.equal(code, 1);
  assert.match(stderr, /^The local PostgreSQL cannot run: .*No space left on device.*\n$/m);
});
