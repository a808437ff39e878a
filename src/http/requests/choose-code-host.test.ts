import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../../test/build-app.ts';
import { makeArticles } from '../../../test/make-articles.ts';
import { makeClone } from '../../../test/make-clone.ts';
import { serveBeside } from '../../../test/serve-beside.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { saveRepository } from '../../db/repositories.ts';

const root = temporaryFolder();
makeClone(root, 'acme/rocket');
const app = await buildTestApp({ environment: { GIT_REPOS: root } });
const token = await app.signUp('ann');
await app.call('POST', '/users/me', { token, body: { owner: 'acme', repo: 'rocket' } });
const [ofGit = ''] = await makeArticles(app, { fullName: 'acme/rocket', count: 1 });

/** The other host has a repository of the same name; it had another when its article was made. */
const elsewhere = { host: 'other', hostRepoId: 7, owner: 'moved', name: 'rocket', isPrivate: false };
await saveRepository(app.database, elsewhere, new Date());
const [ofOther = ''] = await makeArticles(app, { fullName: 'moved/rocket', count: 1 });
await saveRepository(app.database, { ...elsewhere, owner: 'acme' }, new Date());

for (const id of [ofGit, ofOther]) {
  const { status, text } = await app.call('POST', `/articles/${id}/language/en/like`, { token });
  assert.equal(status, 201, text);
}

const [git = assert.fail('there is no host')] = app.codeHosts;
const server = await serveBeside(app, { codeHosts: [git, { ...git, id: 'other' }] });

for (const path of ['/articles', '/ranking/articles/likes']) {
  test(`${path} means the first host where a repository is named without one, and all where none is`, async () => {
    const listed = async (query: string) => {
      const reply = await server.inject({ url: `${path}${query}` });
      assert.equal(reply.statusCode, 200, reply.body);
      return new Set(reply.json().data.items.map(({ articleId }: { articleId: string }) => articleId));
    };
    assert.deepEqual(await listed(''), new Set([ofGit, ofOther]));
    assert.deepEqual(await listed('?owner=acme'), new Set([ofGit]));
    assert.deepEqual(await listed('?repo=rocket'), new Set([ofGit]));
    assert.deepEqual(await listed('?owner=acme&repo=rocket'), new Set([ofGit]));
    assert.deepEqual(await listed('?owner=acme&repo=rocket&host=other'), new Set([ofOther]));
    assert.deepEqual(await listed('?host=other'), new Set([ofOther]));
  });
}
