import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { makeArticles } from '../../test/make-articles.ts';
import { makeClone } from '../../test/make-clone.ts';
import { serveBeside } from '../../test/serve-beside.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { saveRepository } from '../db/repositories.ts';

const root = temporaryFolder();
makeClone(root, 'acme/rocket');
const app = await buildTestApp({ environment: { GIT_REPOS: root } });
const token = await app.signUp('ann');
await app.call('POST', '/users/me', { token, body: { owner: 'acme', repo: 'rocket' } });
const [ofGit = ''] = await makeArticles(app, { fullName: 'acme/rocket', count: 1 });

/** Repositories of another host, one of which takes the name of the first once its article is made. */
const ofOther = async (hostRepoId: number, owner: string): Promise<string> => {
  const repository = {
    host: 'other',
    hostRepoId,
    owner: `made${hostRepoId}`,
    name: 'rocket',
    isPrivate: false,
  };
  await saveRepository(app.database, repository, new Date());
  const [id = ''] = await makeArticles(app, { fullName: `made${hostRepoId}/rocket`, count: 1 });
  await saveRepository(app.database, { ...repository, owner }, new Date());
  return id;
};
const sameName = await ofOther(7, 'acme');
const nested = await ofOther(8, 'group/sub');
for (const id of [ofGit, sameName, nested])
  await app.call('POST', `/articles/${id}/language/en/like`, { token });

const [git = assert.fail('there is no host')] = app.codeHosts;
const server = await serveBeside(app, { codeHosts: [git, { ...git, id: 'other', ownersNest: true }] });

async function ask(name: string, input: object) {
  const payload = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
  const { result } = (await server.inject({ method: 'POST', url: '/mcp', payload })).json();
  return { text: result.content[0].text, data: result.structuredContent };
}

test('a name means the first host unless host says which, owners may nest, and every answer names the host', async () => {
  for (const [input, id, host] of [
    [{ article: 'acme/rocket#1' }, ofGit, 'git'],
    [{ article: 'acme/rocket#2', host: 'other' }, sameName, 'other'],
    [{ article: 'group/sub/rocket#3' }, nested, 'other'],
    [{ article: 'group/sub/rocket#3', host: 'other' }, nested, 'other'],
  ] as const) {
    const told = await ask('get_article', input);
    assert.deepEqual([told.data?.article.articleId, told.data?.article.host], [id, host], told.text);
    assert.ok(told.text.includes(`${input.article} · on ${host} · `), told.text);
  }
  for (const [input, found] of [
    [{}, new Set([`git ${ofGit}`, `other ${sameName}`, `other ${nested}`])],
    [{ host: 'other' }, new Set([`other ${sameName}`, `other ${nested}`])],
    [{ repository: 'acme/rocket' }, new Set([`git ${ofGit}`])],
    [{ repository: 'acme/rocket', host: 'other' }, new Set([`other ${sameName}`])],
    [{ repository: 'group/sub/rocket' }, new Set([`other ${nested}`])],
  ] as const) {
    const told = await ask('list_ranking', input);
    const listed = told.data?.items.map(
      (one: { host: string; articleId: string }) => `${one.host} ${one.articleId}`,
    );
    assert.deepEqual(new Set(listed), found, told.text);
  }
  const { text } = await ask('get_article', { article: 'acme/rocket#1', host: 'nowhere' });
  assert.match(text, /^INVALID_REQUEST: host must be one of: git, other\./);
});
