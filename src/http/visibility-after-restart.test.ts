import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { buildApp } from '../../src/app.ts';
import { freshDatabase, temporaryFolder } from '../../test/build-app.ts';
import { makeClone } from '../../test/make-clone.ts';
import { mintLocalToken } from '../code-hosts/git/local-token.ts';
import { parseConfig } from '../config.ts';
import { loadSecretKeys } from '../secret-keys.ts';

const root = temporaryFolder();
makeClone(root, 'acme/rocket');
const settings = { GIT_REPOS: root, PORT: '0', ...(await freshDatabase(join(temporaryFolder(), 'data'))) };

/** Starts the service with these private repositories, lets the test use it as somebody, and stops it. */
async function started(gitPrivate: string, use: (as: typeof callAs) => Promise<void>): Promise<void> {
  const config = parseConfig({ ...settings, GIT_PRIVATE: gitPrivate });
  const log = pino({ level: 'silent' });
  const app = await buildApp(config, { log, clock: () => new Date(), announce: () => {} });
  const callAs = async (name: string, method: string, path: string, body?: object) => {
    const expiresAt = new Date(Date.now() + 60_000);
    const token = mintLocalToken(loadSecretKeys(config), { name, expiresAt, singleUse: false });
    const headers = { authorization: `Bearer ${token}` };
    const reply = await app.server.inject({
      method: method as 'GET',
      url: path,
      headers,
      ...(body && { payload: body }),
    });
    return reply.json();
  };
  try {
    await use(callAs);
  } finally {
    await app.close();
  }
}

declare const callAs: (
  name: string,
  method: string,
  path: string,
  body?: object,
) => Promise<{ data: { items: object[] } }>;

async function favoritesOf(as: typeof callAs, name: string): Promise<number> {
  return (await as(name, 'GET', '/users/me/favorite-repositories')).data.items.length;
}

test('who may see a repository follows the settings of the last start, down to lists', async () => {
  const rocket = { owner: 'acme', repo: 'rocket' };
  await started('', async (as) => {
    for (const name of ['ann', 'bob']) {
      await as(name, 'POST', '/auth/signup');
      await as(name, 'POST', '/users/me', rocket);
      assert.equal(await favoritesOf(as, name), 1);
    }
  });
  await started('acme/rocket=ann', async (as) => {
    assert.equal(await favoritesOf(as, 'bob'), 0, 'it turned private');
    await as('ann', 'POST', '/users/me', rocket);
    assert.equal(await favoritesOf(as, 'ann'), 1, 'who is listed gets a grant by asking');
  });
  await started('acme/rocket=bob', async (as) => {
    assert.equal(await favoritesOf(as, 'ann'), 0, 'no longer listed');
  });
  await started('', async (as) => {
    assert.equal(await favoritesOf(as, 'bob'), 1, 'public again');
  });
  rmSync(join(root, 'acme'), { recursive: true });
  await started('', async (as) => {
    assert.equal(await favoritesOf(as, 'bob'), 0, 'gone from the folder');
  });
});
