import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { mintLocalToken } from '../../src/code-hosts/git/local-token.ts';
import { loadSecretKeys } from '../../src/load-secret-keys.ts';
import { freshDatabase, onPostgres } from '../build-app.ts';
import { pretendedRoom } from '../pretend-disk.ts';
import { projectFolder, runToEnd, type Service, startService } from '../start-service.ts';

const skip = onPostgres && 'about the embedded database';
const NODE_OPTIONS = `--import=${join(projectFolder, 'test/pretend-disk.ts')}`;

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
  const leave = (mebibytes: number) => writeFileSync(join(dataFolder, pretendedRoom), String(mebibytes));
  const service = await startService({ environment: { ...database, NODE_OPTIONS, RATE_LIMIT: '0' } });
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
  leave(63);
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
  // Whoever leaves can do so from the reserve.
  assert.equal((await call('DELETE', '/users/me', bea)).status, 200);
  assert.equal((await call('POST', '/auth/logout', bea)).status, 200);

  leave(65);
  for (const [method, path, token, body] of [storing[0], storing[1], storing[3], storing[4]]) {
    assert.equal((await call(method, path, token, body)).status, 201, path);
  }

  assert.equal(existsSync(join(dataFolder, 'held-room')), false);
  leave(500);
  assert.equal((await call('GET', '/users/me', ann)).status, 200);
  assert.equal(
    existsSync(join(dataFolder, 'held-room')),
    true,
    'where room is scarce some is held for the log',
  );
  rmSync(join(dataFolder, pretendedRoom));
  assert.equal(await service.stop(), 0);
});

test('starting without room is refused in a sentence', { skip }, async () => {
  const { PULLQUOTE_DATA: dataFolder = '' } = await freshDatabase({ isEmpty: true });
  writeFileSync(join(dataFolder, pretendedRoom), '63');
  const { code, stderr } = await runToEnd({ environment: { PULLQUOTE_DATA: dataFolder, NODE_OPTIONS } });
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^The disk of the data folder \S+ has only 63 MiB left, and Pullquote needs 112 MiB to start\. .+\n$/,
  );
});
