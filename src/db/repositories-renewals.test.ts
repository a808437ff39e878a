import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { makeArticles } from '../../test/make-articles.ts';
import { insertFavorite } from './following.ts';
import {
  claimRenewalRound,
  listDueRepositories,
  makeRepositoryPrivate,
  noteUnansweredRepositories,
  saveRepository,
} from './repositories.ts';
import { sql } from './sql.ts';

const app = await buildTestApp();
const { database } = app;
const userId: string = (await app.call('GET', '/users/me', { token: await app.signUp('ann') })).body.data.id;
const at = (hours: number) => new Date(Date.UTC(2026, 2, 1, hours));
const host = 'elsewhere';
let ids = 0;

/** A repository that was last checked at hour 0 and last read at `readAt`. */
async function save(name: string, readAt: number): Promise<string> {
  ids += 1;
  const seen = { host, hostRepoId: ids, owner: 'zoo', name, isPrivate: false };
  const { id } = await saveRepository(database, seen, at(0));
  await database.query(sql`UPDATE repositories SET read_at = ${at(readAt)} WHERE id = ${id}`);
  return id;
}

const due = async (now: number, limit = 10) => {
  const before = new Date(at(now).getTime() - 20 * 60 * 60 * 1000);
  const rows = await listDueRepositories(database, { host, now: at(now), before, limit });
  return rows.map(({ name }) => name);
};

test('`listDueRepositories` returns repositories with the newest or ranked articles first, then the last read, and none that no list can show', async () => {
  for (const [name, readAt] of Object.entries({ ranked: 1, late: 9, early: 3, newest: 2 })) {
    await save(name, readAt);
    // Later articles are newer.
    await makeArticles(app, { fullName: `zoo/${name}`, count: name === 'newest' ? 250 : 1 });
  }
  const liked = await save('favorite', 6);
  await insertFavorite(database, { userId, repositoryId: liked, now: at(0) });
  await save('unwritten', 10);
  const hidden = await save('private', 10);
  await makeArticles(app, { fullName: 'zoo/private', count: 1 });
  await makeRepositoryPrivate(database, { repositoryId: hidden, askedAt: at(0) });
  await database.query(sql`
    INSERT INTO article_rankings
      (article_id, language_code, period, repository_id, pull_request_number, like_count, written_at)
    SELECT articles.id, 'en', 'all', repositories.id, number, 1, articles.created_at
    FROM articles JOIN pull_requests ON pull_requests.id = pull_request_id
    JOIN repositories ON repositories.id = articles.repository_id WHERE name = 'ranked'`);
  assert.deepEqual(await due(19), []);
  assert.deepEqual(await due(20), ['newest', 'ranked', 'late', 'favorite', 'early']);
  assert.deepEqual(await due(20, 2), ['newest', 'ranked']);
});

test('a repository that did not answer is due again after a sixteenth of its silence, and after the usual time once it answered', async () => {
  const repositoryId = await save('silent', 11);
  await insertFavorite(database, { userId, repositoryId, now: at(0) });
  const isDue = async (now: number) => (await due(now)).includes('silent');
  await noteUnansweredRepositories(database, { repositoryId, now: at(32) });
  assert.deepEqual([await isDue(34), await isDue(35)], [false, true]);
  const seen = { host, hostRepoId: ids, owner: 'zoo', name: 'silent', isPrivate: false };
  await saveRepository(database, seen, at(36));
  assert.deepEqual([await isDue(55), await isDue(56)], [false, true]);
});

test('`claimRound` gives a host to one process until its time, also after a claim far in the future', async () => {
  await database.query(sql`INSERT INTO code_host_addresses (host, address) VALUES (${host}, 'https://any')`);
  const claim = (now: number) =>
    claimRenewalRound(database, { host, now: at(now), until: at(now + 1), latest: at(now + 2) });
  const claims = await Promise.all(Array.from({ length: 5 }, () => claim(1)));
  assert.equal(claims.filter((isMine) => isMine).length, 1);
  assert.equal(await claim(1.5), false);
  assert.equal(await claim(2), true);
  await database.query(sql`UPDATE code_host_addresses SET next_round_at = ${at(1_000)} WHERE host = ${host}`);
  assert.equal(await claim(3), true);
});
