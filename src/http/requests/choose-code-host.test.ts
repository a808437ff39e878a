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

/** The other host has a repository of the same name and one in a nested group, both renamed after their articles were made. */
const onOther = async (hostRepoId: number, owner: string): Promise<string> => {
  const made = { host: 'other', hostRepoId, owner: `moved${hostRepoId}`, name: 'rocket', isPrivate: false };
  await saveRepository(app.database, made, new Date());
  const [id = ''] = await makeArticles(app, { fullName: `moved${hostRepoId}/rocket`, count: 1 });
  await saveRepository(app.database, { ...made, owner }, new Date());
  return id;
};
const ofOther = await onOther(7, 'acme');
const nested = await onOther(8, 'group/sub');

for (const id of [ofGit, ofOther, nested]) {
  const { status, text } = await app.call('POST', `/articles/${id}/language/en/like`, { token });
  assert.equal(status, 201, text);
}

const [git = assert.fail('there is no host')] = app.codeHosts;
const server = await serveBeside(app, { codeHosts: [git, { ...git, id: 'other', ownersNest: true }] });

const listed = async (url: string) => {
  const reply = await server.inject({ url });
  assert.equal(reply.statusCode, 200, reply.body);
  return new Set(reply.json().data.items.map(({ articleId }: { articleId: string }) => articleId));
};

for (const path of ['/articles', '/ranking/articles/likes']) {
  test(`${path} uses the first host for a repository without a host, and all hosts without a repository`, async () => {
    assert.deepEqual(await listed(path), new Set([ofGit, ofOther, nested]));
    assert.deepEqual(await listed(`${path}?owner=acme`), new Set([ofGit]));
    assert.deepEqual(await listed(`${path}?repo=rocket`), new Set([ofGit]));
    assert.deepEqual(await listed(`${path}?owner=acme&repo=rocket`), new Set([ofGit]));
    assert.deepEqual(await listed(`${path}?owner=acme&repo=rocket&host=other`), new Set([ofOther]));
    assert.deepEqual(await listed(`${path}?host=other`), new Set([ofOther, nested]));
    assert.deepEqual(await listed(`${path}?owner=group/sub`), new Set([nested]));
  });
}

test('an error message names the host in its advice unless it is the first', async () => {
  for (const [url, toDo] of [
    ['/repos/acme/rocket/pulls/99/article', 'call POST /repos/acme/rocket/pulls/99/article.'],
    [
      '/repos/acme/rocket/pulls/99/article?host=other',
      'call POST /repos/acme/rocket/pulls/99/article?host=other.',
    ],
    [
      '/repos/group%2Fsub/rocket/pulls/99?host=other',
      'call POST /repos/group%2Fsub/rocket/pulls/99/ingest?host=other.',
    ],
  ] as const) {
    const { error } = (await server.inject({ url })).json();
    assert.ok(error.message.includes(toDo), error.message);
  }
});

async function askTool(name: string, input: object) {
  const payload = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
  const { result } = (await server.inject({ method: 'POST', url: '/mcp', payload })).json();
  return { text: result.content[0].text, data: result.structuredContent };
}

test('MCP tools use the first host for a name without one, accept nested owners, and name the host in every result', async () => {
  for (const [input, id, host] of [
    [{ pullRequest: 'acme/rocket#1' }, ofGit, 'git'],
    [{ pullRequest: 'acme/rocket#2', host: 'other' }, ofOther, 'other'],
    [{ pullRequest: 'group/sub/rocket#3' }, nested, 'other'],
    [{ pullRequest: 'group/sub/rocket#3', host: 'other' }, nested, 'other'],
  ] as const) {
    const told = await askTool('get_article', input);
    assert.deepEqual([told.data?.article.articleId, told.data?.article.host], [id, host], told.text);
    assert.ok(told.text.includes(`${input.pullRequest} · on ${host} · `), told.text);
  }
  for (const [input, found] of [
    [{}, new Set([`git ${ofGit}`, `other ${ofOther}`, `other ${nested}`])],
    [{ host: 'other' }, new Set([`other ${ofOther}`, `other ${nested}`])],
    [{ repository: 'acme/rocket' }, new Set([`git ${ofGit}`])],
    [{ repository: 'acme/rocket', host: 'other' }, new Set([`other ${ofOther}`])],
    [{ repository: 'group/sub/rocket' }, new Set([`other ${nested}`])],
  ] as const) {
    const told = await askTool('list_ranking', input);
    const listed = told.data?.items.map(
      (one: { host: string; articleId: string }) => `${one.host} ${one.articleId}`,
    );
    assert.deepEqual(new Set(listed), found, told.text);
  }
  const { text } = await askTool('get_article', { pullRequest: 'acme/rocket#1', host: 'nowhere' });
  assert.match(text, /^INVALID_REQUEST: host must be git or other\./);
});
