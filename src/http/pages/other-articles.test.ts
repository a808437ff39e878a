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
