import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { makeArticles, makeCrowd } from '../../test/make-articles.ts';
import { makeClone } from '../../test/make-clone.ts';
import { serveBeside } from '../../test/serve-beside.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { checkLikes, storeLikesTogether } from '../actions/likes/likes.ts';
import { notifyPublicChange } from '../db/articles.ts';
import { deleteLikes, insertLikes } from '../db/likes.ts';
import { sql } from '../db/sql.ts';
import { PublicCache } from './cache/public-cache.ts';

const root = temporaryFolder();
for (const name of ['acme/rocket', 'acme/secret']) makeClone(root, name);
const app = await buildTestApp({ environment: { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann+bob' } });
const ann = await app.signUp('ann');
for (const repo of ['rocket', 'secret']) {
  const { status } = await app.call('POST', `/repos/acme/${repo}/pulls/1/ingest`, { token: ann });
  assert.equal(status, 201);
}

const makeArticle = async (fullName = 'acme/rocket', languages = ['en', 'ja']) =>
  (await makeArticles(app, { fullName, count: 1, languages }))[0] ?? assert.fail('no article');
const pathOf = (articleId: string, language = 'en') => `/articles/${articleId}/language/${language}/like`;
const like = (token: string, articleId: string, language?: string) =>
  app.call('POST', pathOf(articleId, language), { token });
const unlike = (token: string, articleId: string, language?: string) =>
  app.call('DELETE', pathOf(articleId, language), { token });

/** With a credential, counts come from the database; without one, a cached response may be slightly old. */
const signedIn = { token: ann };
const anonymous = {};

async function countOf(articleId: string, language = 'en', reader: { token?: string } = signedIn) {
  const { contents } = (await app.call('GET', `/articles/${articleId}`, reader)).body.data;
  return contents[language].likeCount;
}

async function rankOf(articleId: string, language = 'en', reader: { token?: string } = signedIn) {
  const path = `/ranking/articles/likes?language=${language}&limit=100&period=daily`;
  const { items } = (await app.call('GET', path, reader)).body.data;
  return items.find((item: { articleId: string }) => item.articleId === articleId)?.likeCount ?? 0;
}

/** Asserts that every counter matches its rows. */
async function assertNoDrift(): Promise<void> {
  const { counters, totals } = await checkLikes(app.database, { repair: false });
  assert.deepEqual([...counters, ...totals], []);
}

test('a like counts at once in the article and the ranking, only in its language', async () => {
  const articleId = await makeArticle();
  const first = await like(ann, articleId);
  assert.equal(first.status, 201, first.text);
  assert.equal(first.body.data.likeCount, 1);
  const me = (await app.call('GET', '/users/me', { token: ann })).body.data;
  const { id, likedAt, ...rest } = first.body.data.like;
  assert.deepEqual(rest, { userId: me.id, articleId, languageCode: 'en' });
  assert.equal(new Date(likedAt).toISOString(), likedAt);
  for (const reader of [signedIn, anonymous]) {
    assert.equal(await countOf(articleId, 'en', reader), 1);
    assert.equal(await countOf(articleId, 'ja', reader), 0);
    assert.equal(await rankOf(articleId, 'en', reader), 1);
    assert.equal(await rankOf(articleId, 'ja', reader), 0);
  }
  const again = await like(ann, articleId.toUpperCase());
  assert.equal(again.status, 200);
  assert.deepEqual(again.body.data, first.body.data);
  assert.equal(id, again.body.data.like.id);
  await assertNoDrift();
});

test('removing a like counts at once, and removing it again changes no count', async () => {
  const articleId = await makeArticle();
  await like(ann, articleId);
  for (let round = 0; round < 2; round += 1) {
    const { status, body } = await unlike(ann, articleId);
    assert.equal(status, 200);
    assert.deepEqual(body.data, { likeCount: 0 });
    for (const reader of [signedIn, anonymous]) {
      assert.equal(await countOf(articleId, 'en', reader), 0);
      assert.equal(await rankOf(articleId, 'en', reader), 0);
    }
  }
  assert.equal((await like(ann, articleId)).status, 201);
  await assertNoDrift();
});

test('a user sees their own like in the next response, before the process gets a notification', async () => {
  const articleId = await makeArticle();
  const deaf = await serveBeside(app, { cache: new PublicCache(1024 * 1024) });
  const url = await deaf.listen({ host: '127.0.0.1', port: 0 });
  after(() => deaf.close());
  const call = (method: string, path: string) =>
    fetch(`${url}${path}`, { method, headers: method === 'GET' ? {} : { authorization: `Bearer ${ann}` } });
  const readCount = async () => {
    const reply = await call('GET', `/articles/${articleId}`);
    return JSON.parse(await reply.text()).data.totalLikeCount;
  };
  assert.equal(await readCount(), 0);
  await like(ann, articleId, 'ja');
  assert.equal(await readCount(), 0, 'it is kept, and what others do is not heard of');
  await call('POST', pathOf(articleId));
  assert.equal(await readCount(), 2);
  await call('DELETE', pathOf(articleId));
  assert.equal(await readCount(), 1);
});

test('a missing article or language is 404, an invalid id 400, and a like needs an account', async () => {
  const articleId = await makeArticle('acme/rocket', ['en']);
  const unknown = '00000000-0000-4000-8000-000000000000';
  for (const [id, language] of [
    [unknown, 'en'],
    [articleId, 'ja'],
    [articleId, 'xx'],
    [articleId, 'EN'],
    [articleId, 'english'],
    [articleId, '%00'],
  ] as const) {
    for (const method of ['POST', 'DELETE']) {
      const { status, body } = await app.call(method, pathOf(id, language), { token: ann });
      assert.equal(status, 404, `${method} ${language}`);
      assert.equal(body.error.code, 'ARTICLE_NOT_FOUND');
    }
  }
  for (const method of ['POST', 'DELETE']) {
    const { status, body } = await app.call(method, pathOf('7'), { token: ann });
    assert.equal(status, 400);
    assert.equal(body.error.details[0].field, 'articleId');
    assert.equal((await app.call(method, pathOf(articleId))).status, 401);
    const stranger = app.tokenFor('nobody-yet');
    const notSignedUp = await app.call(method, pathOf(articleId), { token: stranger });
    assert.equal(notSignedUp.body.error.code, 'USER_NOT_FOUND');
  }
});

test('sixty simultaneous likes of one user count once', async () => {
  const articleId = await makeArticle();
  const replies = await Promise.all(Array.from({ length: 60 }, () => like(ann, articleId)));
  assert.equal(replies.filter(({ status }) => status === 201).length, 1);
  assert.equal(replies.filter(({ status }) => status === 200).length, 59);
  assert.equal(new Set(replies.map(({ body }) => body.data.like.id)).size, 1);
  assert.equal(await countOf(articleId), 1);
  await assertNoDrift();
});

test('simultaneous likes of sixty users count sixty', async () => {
  const articleId = await makeArticle();
  const crowd = await makeCrowd(app, 'crowd', 60);
  const replies = await Promise.all(crowd.map((token) => like(token, articleId)));
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]));
  const counts = replies.map(({ body }) => body.data.likeCount).sort((one, other) => one - other);
  assert.deepEqual(
    counts,
    Array.from({ length: 60 }, (_, index) => index + 1),
  );
  assert.equal(await countOf(articleId), 60);
  assert.equal(await rankOf(articleId), 60);
  await assertNoDrift();
});

test('simultaneous likes, removals and account deletions leave every count right', async () => {
  const articles = await makeArticles(app, { fullName: 'acme/rocket', count: 4, languages: ['en', 'ja'] });
  const crowd = await makeCrowd(app, 'racer', 12);
  const leaving = new Set(crowd.slice(0, 4));
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const calls = Array.from({ length: 150 }, (_, index) => {
    const token = crowd[random(crowd.length)] ?? '';
    const article = articles[random(articles.length)] ?? '';
    if (index > 75 && leaving.delete(token)) return app.call('DELETE', '/users/me', { token });
    if (index % 50 === 0) return app.rankings.run().then(() => null);
    return (random(2) ? like : unlike)(token, article, random(2) ? 'en' : 'ja');
  });
  for (const reply of await Promise.all(calls)) {
    const isFine = reply === null || reply.status < 300 || reply.body.error.code === 'USER_NOT_FOUND';
    assert.ok(isFine, reply?.text);
  }
  await assertNoDrift();
});

test('deleting an account removes its likes from all counts', async () => {
  const articles = await makeArticles(app, { fullName: 'acme/rocket', count: 3 });
  const leaving = await app.signUp('leaving');
  for (const articleId of articles) await like(leaving, articleId);
  const [first = ''] = articles;
  await like(ann, first);
  assert.equal(await countOf(first), 2);
  assert.equal((await app.call('DELETE', '/users/me', { token: leaving })).status, 200);
  assert.deepEqual(await Promise.all(articles.map((articleId) => countOf(articleId))), [1, 0, 0]);
  assert.deepEqual(await Promise.all(articles.map((articleId) => rankOf(articleId))), [1, 0, 0]);
  await assertNoDrift();
});

test('deleting an article deletes its likes and ranking entries', async () => {
  const articleId = await makeArticle();
  await like(ann, articleId);
  await app.database.query(sql`DELETE FROM articles WHERE id = ${articleId}`);
  await assertNoDrift();
  const left = await app.database.query(sql`
    SELECT FROM article_likes WHERE article_id = ${articleId}
    UNION ALL SELECT FROM article_rankings WHERE article_id = ${articleId}`);
  assert.equal(left.length, 0);
});

test('liked articles are listed by time of the like, by language and in pages', async () => {
  const token = await app.signUp('lister');
  const articles = await makeArticles(app, { fullName: 'acme/rocket', count: 3, languages: ['en', 'ja'] });
  for (const articleId of articles) {
    await like(token, articleId);
    app.advance(1_000);
  }
  await like(token, articles[0] ?? '', 'ja');
  const list = async (query = '') =>
    (await app.call('GET', `/users/me/liked-articles${query}`, { token })).body;
  const { items, pagination } = (await list()).data;
  const order = (listed: { articleId: string; languageCode: string }[]) =>
    listed.map(({ articleId, languageCode }) => `${articles.indexOf(articleId)}${languageCode}`);
  assert.deepEqual(order(items), ['0ja', '2en', '1en', '0en']);
  assert.equal(pagination.totalItems, 4);
  const { likedAt, articleId, prNumber, ...rest } = items[1];
  assert.ok(likedAt && articleId && prNumber > 1);
  assert.deepEqual(rest, {
    host: 'git',
    languageCode: 'en',
    title: 'A change',
    aiGeneratedTitle: 'A title',
    repositoryFullName: 'acme/rocket',
    owner: 'acme',
    repo: 'rocket',
    authorLogin: 'rin',
    byBot: false,
    changeTypes: ['CHORE'],
    quote: { text: 'Nobody knew when it would end.', from: 'description' },
    readingMinutes: 1,
    standfirst: null,
    secondLine: { text: 'Nobody knew when it would end.', from: 'author' },
    state: 'merged',
    mergedAt: null,
    isBreaking: false,
    ...{ hostPrUrl: null, isExample: false, additions: 0, deletions: 0 },
  });
  assert.deepEqual(order((await list('?sort=likedAt_asc')).data.items), ['0en', '1en', '2en', '0ja']);
  assert.deepEqual(order((await list('?language=ja')).data.items), ['0ja']);
  assert.equal((await list('?language=ja')).data.pagination.totalItems, 1);
  assert.deepEqual(order((await list('?limit=2&offset=1')).data.items), ['2en', '1en']);
  assert.deepEqual(order((await list(`?articleId=${articles[0]}`)).data.items), ['0ja', '0en']);
  assert.deepEqual(order((await list(`?articleId=${articles[0]}&language=en`)).data.items), ['0en']);
  assert.deepEqual((await list(`?articleId=${crypto.randomUUID()}`)).data.pagination.totalItems, 0);
  for (const [query, field] of [
    ['sort=best', 'sort'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['offset=-1', 'offset'],
    ['language=xx', 'language'],
    ['articleId=17', 'articleId'],
    ['colour=red', 'colour'],
  ]) {
    const { status, body } = await app.call('GET', `/users/me/liked-articles?${query}`, { token });
    assert.equal(status, 400, query);
    assert.equal(body.error.details[0].field, field);
  }
  assert.equal((await app.call('GET', '/users/me/liked-articles')).status, 401);
});

test('a private article can be liked and listed only by users with access', async () => {
  const articleId = await makeArticle('acme/secret');
  const eve = await app.signUp('eve');
  const bob = await app.signUp('bob');
  for (const token of [eve, bob]) {
    assert.equal((await like(token, articleId)).status, 404, 'nobody has shown it to them yet');
    assert.equal((await unlike(token, articleId)).status, 404);
  }
  await app.call('POST', '/repos/acme/secret/pulls/1/ingest', { token: bob });
  const [bobs, anns] = [await like(bob, articleId), await like(ann, articleId)];
  assert.deepEqual([bobs.status, anns.body.data.likeCount], [201, 2]);
  assert.deepEqual((await like(bob, articleId)).body.data.like, bobs.body.data.like, 'his own');
  assert.deepEqual((await like(ann, articleId)).body.data.like, anns.body.data.like, 'her own');
  assert.equal(await rankOf(articleId), 0, 'the ranking is public');
  const listed = async (token: string) => {
    const { items, pagination } = (await app.call('GET', '/users/me/liked-articles', { token })).body.data;
    return [items.length, pagination.totalItems];
  };
  assert.deepEqual(await listed(bob), [1, 1]);
  await app.database.query(sql`
    DELETE FROM repository_grants USING users JOIN identities ON identities.id = users.identity_id
    WHERE repository_grants.user_id = users.id AND identities.username = 'bob'`);
  assert.deepEqual(await listed(bob), [0, 0]);
  assert.equal((await unlike(bob, articleId)).status, 404);
  const liking = { userId: bobs.body.data.like.userId, articleId, languageCode: 'en', now: app.now() };
  assert.deepEqual(
    await deleteLikes(app.database, [liking], app.now()),
    [null],
    'nor after a check from before',
  );
  await app.database.query(sql`DELETE FROM article_likes WHERE id = ${bobs.body.data.like.id}`);
  await checkLikes(app.database, { repair: true });
  assert.deepEqual(await insertLikes(app.database, [liking], app.now()), [null]);
  await assertNoDrift();
});

test('listeners get a notification for an article exactly when its likes change', async () => {
  const articleId = await makeArticle();
  let heard: string[] = [];
  const stop = await app.database.listen('public_changed', { onMessage: (message) => heard.push(message) });
  /** Whether the article was mentioned since the last call: a mark arrives after everything sent before it. */
  const said = async (): Promise<boolean> => {
    const mark = crypto.randomUUID();
    await notifyPublicChange(app.database, mark);
    await waitUntil('the mark is heard', () => heard.includes(mark));
    const isTold = heard.includes(`article:${articleId}`);
    heard = [];
    return isTold;
  };
  await said();
  await like(ann, articleId);
  assert.equal(await said(), true);
  await like(ann, articleId);
  assert.equal(await said(), false);
  await unlike(ann, articleId);
  assert.equal(await said(), true);
  await unlike(ann, articleId);
  await app.rankings.run();
  assert.equal(await said(), false);
  await stop();
});

test('likes stored or removed together count once each, and are refused alone where the article is hidden', async () => {
  const [open, hidden] = [await makeArticle(), await makeArticle('acme/secret')];
  const users = [];
  for (const name of ['carl', 'dora', 'emil']) {
    const token = await app.signUp(name);
    users.push((await app.call('GET', '/users/me', { token })).body.data.id as string);
  }
  const of = (userId: string, articleId: string) => ({ userId, articleId, languageCode: 'en' });
  const [carl = '', dora = '', emil = ''] = users;
  const nobody = crypto.randomUUID();
  const likings = [
    of(emil, open),
    of(carl, open),
    of(carl, hidden),
    of(dora, open),
    of(carl, open),
    of(nobody, open),
  ];
  const given = await insertLikes(app.database, likings, app.now());
  assert.deepEqual(
    given.map((one) => one?.likeCount ?? null),
    [1, 2, null, 3, null, null],
  );
  assert.equal(await rankOf(open), 3);
  await assertNoDrift();
  const removed = [of(carl, open), of(dora, open), of(carl, open), of(carl, hidden), of(nobody, open)];
  const left = await app.database.transaction((tx) => deleteLikes(tx, removed, app.now()));
  assert.deepEqual(left, [1, 1, 1, null, 1]);
  assert.equal(await rankOf(open), 1);
  await assertNoDrift();
});

test('a like that cannot be stored fails alone, and those stored with it are given', async () => {
  const articleId = await makeArticle();
  const users = await Promise.all(
    ['fred', 'gina', 'hans'].map(async (name) => {
      const token = await app.signUp(name);
      return (await app.call('GET', '/users/me', { token })).body.data.id as string;
    }),
  );
  const { give } = storeLikesTogether({ database: app.database, clock: app.now });
  // One read is under way when the others arrive, so that those are stored together.
  const wanted = [...users, 'no id'].map((userId) => give({ userId, articleId, languageCode: 'en' }));
  const outcomes = (await Promise.allSettled(wanted)).map(({ status }) => status);
  assert.deepEqual(outcomes, ['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  assert.equal(await countOf(articleId), 3);
  await assertNoDrift();
});
