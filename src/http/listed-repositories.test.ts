import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildGitHubApp } from '../../test/github/build-github-app.ts';
import { pull, repository, type StandInRepository } from '../../test/github/state.ts';

const minute = 60_000;
const hour = 60 * minute;
const { app, github, join } = await buildGitHubApp({ environment: { GITHUB_TOKEN: 'ghp_tokenOfservice' } });
await join('service');
const token = await join('reader');

let ids = 100;

/** A public repository with an article that the reader likes, and that is one of their favorites. */
async function write(repo: string): Promise<StandInRepository> {
  ids += 1;
  const on = repository(ids, `zoo/${repo}`, { pulls: [pull(1, `canary-of-${repo}`)] });
  github.state.repositories.push(on);
  const body = { language: 'en' };
  const written = await app.call('POST', `/repos/zoo/${repo}/pulls/1/article`, { token, body });
  assert.equal(written.status, 201, written.text);
  await app.call('POST', `/articles/${written.body.data.id}/language/en/like`, { token });
  await app.call('POST', '/users/me', { token, body: { owner: 'zoo', repo } });
  return on;
}

const remove = (on: StandInRepository): void => {
  github.state.repositories.splice(github.state.repositories.indexOf(on), 1);
};

/** What can become of a repository that everybody could read about. */
const fates: Record<string, (on: StandInRepository) => void> = {
  private: (on) => Object.assign(on, { visibility: 'private' }),
  deleted: remove,
  replaced: (on) => {
    remove(on);
    ids += 1;
    const another = repository(ids, `${on.owner}/${on.name}`, { pulls: [pull(1, 'another')] });
    github.state.repositories.push(another);
  },
};

const lists = [
  { path: '/articles?limit=100' },
  { path: '/articles?owner=zoo&limit=100' },
  { path: '/ranking/articles/likes?limit=100' },
  { path: '/ranking/articles/likes?owner=zoo&limit=100&period=all' },
  { path: '/' },
  { path: '/?period=all' },
  { path: '/articles?limit=100', token },
  { path: '/', token },
  { path: '/users/me/liked-articles?limit=100', token },
  { path: '/users/me/favorite-repositories?limit=100', token },
  { path: '/liked', token },
];

/** Those lists that tell of some repositories, each with how many it says that there are. */
async function listsThatTell(words: string): Promise<string[]> {
  const told: string[] = [];
  for (const { path, token: by } of lists) {
    const { text, body } = await app.call('GET', path, { token: by });
    if (text.includes(words)) told.push(`${path} (${body?.data.pagination.totalItems})`);
  }
  return told;
}

test('what turned private, is gone or was replaced is in no list, kept or not, once its host has not confirmed it for LIST_HOURS', async () => {
  for (const [fate, become] of Object.entries(fates)) {
    const on = await write(`lists-first-${fate}`);
    const shown = await listsThatTell(on.name);
    assert.equal(shown.length, lists.length, shown.join());
    become(on);
    app.advance(24 * hour - 1);
    assert.equal(
      (await listsThatTell(on.name)).length,
      lists.length,
      'they go by what was said within a day',
    );
    app.advance(1);
    assert.deepEqual(await listsThatTell(on.name), []);
    for (const { path, token: by } of lists) {
      const { body } = await app.call('GET', path, { token: by });
      assert.equal(body?.data.pagination.totalItems ?? 0, 0, path);
    }
    app.advance(39 * 24 * hour);
    assert.deepEqual(await listsThatTell(on.name), []);
  }
});
