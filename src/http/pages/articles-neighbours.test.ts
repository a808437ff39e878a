import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildGitHubApp } from '../../../test/github/build-github-app.ts';
import { pull, repository } from '../../../test/github/state.ts';

test('an article lists others of its repository, but none of an earlier repository of that name', async () => {
  const { app, github, join } = await buildGitHubApp();
  const token = await join('reader');
  const { repositories } = github.state;
  const write = async (number: number) => {
    const body = { language: 'en' };
    const { status } = await app.call('POST', `/repos/zoo/reused/pulls/${number}/article`, { token, body });
    assert.equal(status, 201);
  };
  repositories.push(repository(1, 'zoo/reused', { pulls: [pull(1, 'predecessor')] }));
  await write(1);
  repositories.pop();
  repositories.push(repository(2, 'zoo/reused', { pulls: [pull(2, 'successor'), pull(3, 'sibling')] }));
  app.advance(60_000);
  await write(2);
  await write(3);
  const { status, text } = await app.call('GET', '/r/zoo/reused/2?language=en', {
    headers: { accept: 'text/html' },
  });
  assert.deepEqual([status, text.includes('sibling'), text.includes('predecessor')], [200, true, false]);
});

test('a repository page offers to write its latest merged pull requests, even if the list begins with others', async () => {
  const { app, github, join } = await buildGitHubApp();
  const token = await join('reader');
  const closed = Array.from({ length: 150 }, (_, index) => pull(index + 1, 'refused', { state: 'closed' }));
  const mergedAt = '2026-03-02T10:00:00Z';
  const merged = [151, 152].map((number) => pull(number, 'merged', { state: 'closed', mergedAt }));
  const open = Array.from({ length: 25 }, (_, index) => pull(index + 153, 'open'));
  github.state.repositories.push(repository(1, 'zoo/busy', { pulls: [...closed, ...merged, ...open] }));
  const headers = { accept: 'text/html' };
  const page = await app.call('GET', '/r/zoo/busy?tab=articles', { token, headers });
  assert.ok(page.text.includes('&quot;numbers&quot;:[152,151]'));
});

test('lists, feeds and neighbours are ordered by merge date, or else by creation, not by writing', async () => {
  const { app, github, join } = await buildGitHubApp();
  const token = await join('reader');
  const merged = (number: number, mergedAt: string) =>
    pull(number, `part ${number}`, { state: 'closed', mergedAt });
  const open = pull(20, 'part 20', { createdAt: '2026-02-20T10:00:00Z' });
  const pulls = [
    merged(13, '2026-03-03T10:00:00Z'),
    merged(16, '2026-03-04T10:00:00Z'),
    merged(12, '2026-03-02T10:00:00Z'),
    merged(11, '2026-03-02T10:00:00Z'),
    merged(9, '2023-05-05T10:00:00Z'),
    open,
  ];
  github.state.repositories.push(repository(1, 'zoo/late', { pulls }));
  for (const number of [16, 20, 12, 9, 11, 13]) {
    const body = { language: 'en' };
    const { status } = await app.call('POST', `/repos/zoo/late/pulls/${number}/article`, { token, body });
    assert.equal(status, 201);
    app.advance(60_000);
  }
  await app.call('POST', '/users/me', { token, body: { owner: 'zoo', repo: 'late' } });
  const address = await app.call('POST', '/users/me/feed-address', { token });
  const inLists = async (path: string): Promise<number[]> => {
    const { status, body, text } = await app.call('GET', path, { token });
    assert.equal(status, 200, `${path}: ${text}`);
    return body.data.items.map(({ prNumber }: { prNumber: number }) => prNumber);
  };
  const onPages = async (path: string): Promise<number[]> => {
    const { text } = await app.call('GET', path, { token, headers: { accept: 'text/html' } });
    const rows = text.matchAll(/<h[23]><a href="\/r\/zoo\/late\/(\d+)\?/g);
    return [...new Set([...rows].map(([, number]) => Number(number)))];
  };
  const inFeeds = async (path: string): Promise<number[]> => {
    const { text } = await app.call('GET', path);
    const { items } = JSON.parse(text);
    return items.map(({ url }: { url: string }) => Number(/late\/(\d+)/.exec(url)?.[1]));
  };
  const toAgents = async (method: string, params: object): Promise<string> => {
    const body = { jsonrpc: '2.0', id: 1, method, params };
    const headers = { accept: 'application/json, text/event-stream' };
    return (await app.call('POST', '/mcp', { token, body, headers })).text;
  };
  const named = (text: string) => [
    ...new Set([...text.matchAll(/late#(\d+)/g)].map(([, number]) => Number(number))),
  ];
  const everywhere = async (expected: number[]) => {
    const lists = ['', '?language=en', '?owner=zoo&repo=late', '?author=octocat', '?changeType=FEAT'];
    for (const query of lists) assert.deepEqual(await inLists(`/articles${query}`), expected, query);
    assert.deepEqual(await inLists('/users/me/feed'), expected);
    assert.deepEqual(await inLists('/search?q=repo%3Azoo%2Flate'), expected);
    for (const path of ['/?language=all', '/r/zoo/late?tab=articles', '/a/octocat', '/find?q=file%3Asrc%2F'])
      assert.deepEqual(await onPages(path), expected, path);
    const own = new URL(address.body.data.jsonUrl).pathname;
    for (const path of ['/feeds/articles.json', '/feeds/r/zoo/late.json', '/feeds/search.json?q=part', own])
      assert.deepEqual(await inFeeds(path), expected, path);
    assert.deepEqual(named(await toAgents('tools/call', { name: 'list_my_feed', arguments: {} })), expected);
    assert.deepEqual(named(await toAgents('resources/list', {})), expected);
    for (const [index, number] of expected.entries()) {
      const headers = { accept: 'text/html' };
      const { text } = await app.call('GET', `/r/zoo/late/${number}?language=en`, { token, headers });
      const around = [...text.matchAll(/<a rel="(prev|next)" href="\/r\/zoo\/late\/(\d+)/g)];
      const beside = Object.fromEntries(around.map(([, rel = '', other]) => [rel, Number(other)]));
      const [prev, next] = [expected[index - 1], expected[index + 1]];
      assert.deepEqual(beside, { ...(prev && { prev }), ...(next && { next }) }, `beside ${number}`);
    }
  };
  assert.deepEqual(await onPages('/new'), [16, 13, 12, 11, 20]);
  await everywhere([16, 13, 12, 11, 20, 9]);
  Object.assign(open, {
    state: 'closed',
    mergedAt: '2026-03-05T10:00:00Z',
    updatedAt: '2026-03-05T10:00:00Z',
  });
  app.advance(6 * 60_000);
  assert.equal((await app.call('POST', '/repos/zoo/late/pulls/20/ingest', { token })).status, 200);
  await everywhere([20, 16, 13, 12, 11, 9]);
});
