import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { mintLocalToken } from '../../src/code-hosts/git/local-token.ts';
import { loadSecretKeys } from '../../src/load-secret-keys.ts';
import { freshDatabase } from '../build-app.ts';
import { leaveRoom } from '../pretend-disk.ts';
import { projectFolder, runToEnd, type Service, startService } from '../start-service.ts';

const skip = onPostgres && 'about the embedded database';
const pretendDisk = `--import=${join(projectFolder, 'test/pretend-disk.ts')}`;
const mebibyte = 1024 * 1024;

const heldIn = (dataFolder: string) =>
  statSync(join(dataFolder, 'held-room'), { throwIfNoEntry: false })?.size ?? 0;

interface Caller {
  call: (
    method: string,
    path: string,
    token?: string,
    body?: object,
  ) => Promise<{ status: number; code?: string }>;
  tokenFor: (name: string) => string;
}

function callerOf(service: Service, dataFolder: string): Caller {
  const keys = loadSecretKeys({ dataFolder, secretKeys: undefined });
  const expiresAt = new Date(Date.now() + 3_600_000);
  return {
    tokenFor: (name) => mintLocalToken(keys, { name, expiresAt, singleUse: false }),
    async call(method, path, token, body) {
      const response = await fetch(`${service.url}${path}`, {
        method,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const { error } = JSON.parse(await response.text());
      return { status: response.status, ...(error && { code: error.code }) };
    },
  };
}

test('on a disk that is all but full nothing is stored, all else goes on, and storing does when there is room', {
  skip,
}, async () => {
  const database = await freshDatabase();
  const dataFolder = database.PULLQUOTE_DATA ?? '';
  const service = await startService({
    environment: { ...database, NODE_OPTIONS: pretendDisk, RATE_LIMIT: '0' },
  });
  const { call, tokenFor } = callerOf(service, dataFolder);
  const [ann, bea, cleo] = ['ann', 'bea', 'cleo'].map(tokenFor);
  const pulls = '/repos/harborline/parcel/pulls';
  for (const token of [ann, bea]) assert.equal((await call('POST', '/auth/signup', token)).status, 201);
  assert.equal((await call('POST', `${pulls}/10/article`, ann, { language: 'en' })).status, 201);
  assert.equal((await call('POST', '/users/me', ann, { owner: 'harborline', repo: 'parcel' })).status, 201);

  const storing = [
    ['POST', '/auth/signup', cleo],
    ['POST', '/auth/session', ann],
    ['POST', '/users/me', bea, { owner: 'harborline', repo: 'parcel' }],
    ['POST', `${pulls}/12/ingest`, ann],
    ['POST', `${pulls}/12/article`, ann, { language: 'en' }],
  ] as const;
  leaveRoom(dataFolder, 63);
  for (const [method, path, token, body] of storing) {
    assert.deepEqual(await call(method, path, token, body), { status: 507, code: 'STORAGE_FULL' }, path);
  }
  for (const [path, token] of [
    ['/users/me', ann],
    [pulls, ann],
    [`${pulls}/10/article`],
    ['/ranking/articles/likes'],
    ['/users/me/favorite-repositories', ann],
  ] as const) {
    assert.equal((await call('GET', path, token)).status, 200, path);
  }
  assert.deepEqual(await call('GET', '/healthz'), { status: 503, code: 'UNAVAILABLE' });
  assert.equal(heldIn(dataFolder), 63 * mebibyte, 'what there is of the reserve is held');
  // A user who deletes their account can do so from the reserve.
  assert.equal((await call('DELETE', '/users/me', bea)).status, 200);
  assert.equal((await call('POST', '/auth/logout', bea)).status, 200);

  leaveRoom(dataFolder, 2);
  assert.equal((await call(...storing[0])).status, 201, 'what is held counts');
  leaveRoom(dataFolder, 64);
  for (const [method, path, token, body] of [storing[1], storing[3], storing[4]]) {
    assert.equal((await call(method, path, token, body)).status, 201, path);
  }
  assert.equal(heldIn(dataFolder), 64 * mebibyte);
  assert.equal(await service.stop(), 0);
});

test('however often others fill the disk, reading goes on, and what finds no room is refused', {
  skip,
}, async () => {
  const { PULLQUOTE_DATA = '' } = await freshDatabase();
  const { code, stdout, stderr } = await runToEnd({
    command: [process.execPath, pretendDisk, 'test/fill-disk-again.ts'],
    environment: { PULLQUOTE_DATA },
  });
  assert.deepEqual([code, stdout], [0, ''], stderr);
});

test('starting without room is refused in a sentence', { skip }, async () => {
  const { PULLQUOTE_DATA: dataFolder = '' } = await freshDatabase({ isEmpty: true });
  leaveRoom(dataFolder, 63);
  const environment = { PULLQUOTE_DATA: dataFolder, NODE_OPTIONS: pretendDisk };
  const { code, stderr } = await runToEnd({ environment });
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^The disk of the data folder \S+ has only 63 MiB left, and Pullquote needs 112 MiB to start\. .+\n$/,
  );
});
