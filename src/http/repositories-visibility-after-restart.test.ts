import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp, freshDatabase, type TestApp } from '../../test/build-app.ts';
import { git, makeClone } from '../../test/make-clone.ts';
import { makeHistory } from '../../test/make-history.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { sql } from '../db/sql.ts';

const root = temporaryFolder();
makeClone(root, 'acme/rocket');
const database = await freshDatabase();

/** Runs a callback on a service with a given GIT_PRIVATE. */
async function started(gitPrivate: string, use: (app: TestApp) => Promise<void>): Promise<void> {
  const app = await buildTestApp({ database, environment: { GIT_REPOS: root, GIT_PRIVATE: gitPrivate } });
  await use(app);
  await app.close();
}

async function favoritesOf({ call, tokenFor }: TestApp, name: string): Promise<number> {
  const { body } = await call('GET', '/users/me/favorite-repositories', { token: tokenFor(name) });
  assert.equal(body.data.items.length, body.data.pagination.totalItems);
  return body.data.items.length;
}

const rocket = { owner: 'acme', repo: 'rocket' };

test('access to a repository follows GIT_PRIVATE of the last start, in lists and their totals', async () => {
  await started('', async (app) => {
    for (const name of ['ann', 'bob']) {
      await app.call('POST', '/users/me', { token: await app.signUp(name), body: rocket });
      assert.equal(await favoritesOf(app, name), 1);
    }
  });
  await started('acme/rocket=ann', async (app) => {
    assert.equal(await favoritesOf(app, 'bob'), 0, 'it turned private');
    await app.call('POST', '/users/me', { token: app.tokenFor('ann'), body: rocket });
    assert.equal(await favoritesOf(app, 'ann'), 1, 'who is listed gets a grant by asking');
  });
  await started('acme/rocket=bob', async (app) => {
    assert.equal(await favoritesOf(app, 'ann'), 0, 'no longer listed');
  });
  await started('', async (app) => {
    assert.equal(await favoritesOf(app, 'bob'), 1, 'public again');
    const longAgo = new Date('2026-01-01Z');
    await app.database.query(sql`UPDATE repositories SET checked_at = ${longAgo}`);
    assert.equal(await favoritesOf(app, 'bob'), 0, 'not confirmed for long, as after days without power');
  });
  await started('', async (app) => {
    assert.equal(await favoritesOf(app, 'bob'), 1, 'confirmed by the start');
  });
  rmSync(join(root, 'acme'), { recursive: true });
  await started('', async (app) => {
    assert.equal(await favoritesOf(app, 'bob'), 0, 'gone from the folder');
  });
});

test('links to the code host follow GIT_WEB_URL of the last start, also in older articles', async () => {
  const clones = temporaryFolder();
  makeHistory(clones, 'acme/comet', 1);
  const path = '/repos/acme/comet/pulls/1';
  const linksFrom = async (webUrl: string, method: 'GET' | 'POST') => {
    const app = await buildTestApp({ database, environment: { GIT_REPOS: clones, GIT_WEB_URL: webUrl } });
    const asked = method === 'POST' && { token: await app.signUp('zoe'), body: { language: 'en' } };
    const { body, text } = await app.call(method, `${path}/article`, { ...asked });
    const byId = await app.call('GET', `/articles/${body.data.id}`);
    assert.deepEqual(byId.body.data, body.data);
    const { hostPrUrl } = (await app.call('GET', path)).body.data;
    await app.close();
    assert.equal(body.data.hostPrUrl, hostPrUrl);
    const links = [...text.matchAll(/"hostUrl":(?:"(.+?)\/files#diff-|(null))/g)].map(
      ([, url]) => url ?? null,
    );
    assert.ok(links.length > 0);
    return new Set([hostPrUrl, ...links]);
  };
  assert.deepEqual(await linksFrom('', 'POST'), new Set([null]));
  const webUrl = 'https://git.example';
  assert.deepEqual(await linksFrom(webUrl, 'GET'), new Set([`${webUrl}/acme/comet/pull/1`]));
  assert.deepEqual(await linksFrom('', 'GET'), new Set([null]));
});

test('pages, feeds and Markdown link to the pull request on GitHub that the remote of a clone names, without user and password', async () => {
  const clones = temporaryFolder();
  for (const [name, origin] of [
    ['acme/engine', 'https://user:ghp_SECRET@github.com/upstream/engine.git'],
    ['acme/probe', 'git@github.com:upstream/probe.git'],
    ['acme/other', 'https://ghp_SECRET@unknown.example/upstream/other.git'],
  ] as const) {
    makeHistory(clones, name, 1);
    git(join(clones, name), 'config', 'remote.origin.url', origin);
  }
  const app = await buildTestApp({ database, environment: { GIT_REPOS: clones } });
  const token = await app.signUp('zora');
  const linksOf = async (name: string) => {
    const { body } = await app.call('POST', `/repos/${name}/pulls/1/article`, {
      token,
      body: { language: 'en' },
    });
    const texts = await Promise.all(
      [
        `/r/${name}/1`,
        `/r/${name}/1.md`,
        `/feeds/r/${name}.atom`,
        `/r/${name}?tab=articles`,
        `/articles`,
      ].map((path) => app.call('GET', path)),
    );
    const url = body.data.hostPrUrl;
    for (const { text } of texts) {
      if (url !== null) assert.ok(text.includes(url), text);
      assert.doesNotMatch(text, /SECRET|unknown\.example/);
    }
    return url;
  };
  assert.equal(await linksOf('acme/engine'), 'https://github.com/upstream/engine/pull/1');
  assert.equal(await linksOf('acme/probe'), 'https://github.com/upstream/probe/pull/1');
  assert.equal(await linksOf('acme/other'), null);
  await app.close();
});
