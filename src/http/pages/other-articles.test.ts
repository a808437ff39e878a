import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildGitHubApp } from '../../../test/github/build-github-app.ts';
import { pull, repository } from '../../../test/github/state.ts';

test('an article names others about its own repository, and none about one that had its name before', async () => {
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

test('beside articles, the latest merged ones without one are offered, for one more question to the host, and none when the page is refreshed', async () => {
  const { app, github, join } = await buildGitHubApp();
  const token = await join('reader');
  const closed = Array.from({ length: 150 }, (_, index) => pull(index + 1, 'refused', { state: 'closed' }));
  const mergedAt = '2026-03-02T10:00:00Z';
  const merged = [151, 152].map((number) => pull(number, 'merged', { state: 'closed', mergedAt }));
  const open = Array.from({ length: 25 }, (_, index) => pull(index + 153, 'open'));
  github.state.repositories.push(repository(1, 'zoo/busy', { pulls: [...closed, ...merged, ...open] }));
  const look = async (more = '') => {
    github.takeCalls();
    const headers = { accept: 'text/html' };
    const page = await app.call('GET', `/r/zoo/busy?tab=articles${more}`, { token, headers });
    const lists = github.takeCalls().filter((path) => path.includes('/pulls?'));
    return { isOffered: page.text.includes('&quot;numbers&quot;:[152,151]'), lists: lists.length };
  };
  const refreshed = await look('&refresh=yes');
  assert.equal(refreshed.isOffered, false);
  assert.deepEqual(await look(), { isOffered: true, lists: refreshed.lists + 1 });
});
