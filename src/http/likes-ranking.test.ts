import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { makeArticles } from '../../test/make-articles.ts';
import { makeClone } from '../../test/make-clone.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { checkLikes } from '../actions/likes/likes.ts';
import { sql } from '../db/sql.ts';

const root = temporaryFolder();
for (const name of ['acme/rocket', 'acme/Anvil', 'other/rocket', 'acme/secret']) makeClone(root, name);
const hour = 60 * 60 * 1000;
const day = 24 * hour;

const app = await buildTestApp({ environment: { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann' } });
for (const name of ['ann', 'bob', 'cid', 'dan']) await app.signUp(name);
for (const name of ['acme/rocket', 'acme/anvil', 'other/rocket', 'acme/secret']) {
  const { status } = await app.call('POST', `/repos/${name}/pulls/1/ingest`, { token: app.tokenFor('ann') });
  assert.equal(status, 201, name);
}

/** The ranking covers all articles, so each test starts with an empty database. */
beforeEach(async () => {
  await app.rankings.run();
  await app.database.runScript(
    'TRUNCATE articles, article_rankings, ranking_totals, ranking_sums, article_totals, article_sums CASCADE',
  );
  await app.database.runScript("UPDATE repositories SET is_private = name = 'secret'");
});

/** Lets time pass and confirms listed repositories. */
async function pass(ms: number): Promise<void> {
  app.advance(ms);
  await app.lists.run();
}

async function change(method: 'POST' | 'DELETE', names: string[], articleId = '', code = 'en') {
  for (const name of names) {
    const path = `/articles/${articleId}/language/${code}/like`;
    const reply = await app.call(method, path, { token: app.tokenFor(name) });
    assert.ok(reply.status < 300, reply.text);
  }
}

const like = (names: string[], articleId?: string, code?: string) => change('POST', names, articleId, code);

/** Reads with a credential, so that the response is not cached. */
async function ranking(query = '') {
  const reply = await app.call('GET', `/ranking/articles/likes${query}`, { token: app.tokenFor('ann') });
  assert.equal(reply.status, 200, reply.text);
  return reply.body.data;
}

/** The ranking as index among some articles, language and likes. */
async function ranked(articles: string[], query = ''): Promise<string[]> {
  const { items } = await ranking(query);
  return items.map(
    ({
      articleId,
      languageCode,
      likeCount,
    }: {
      articleId: string;
      languageCode: string;
      likeCount: number;
    }) => `${articles.indexOf(articleId)}${languageCode} ${likeCount}`,
  );
}

async function assertNoDrift(): Promise<void> {
  const { counters, totals } = await checkLikes(app.database, { repair: false });
  assert.deepEqual([...counters, ...totals], []);
}

test('the ranking is ordered by likes, then newer articles, then id, and ranks continue over pages', async () => {
  assert.deepEqual((await ranking()).items, []);
  const articles = await makeArticles(app, { fullName: 'acme/rocket', count: 4 });
  const twins = await makeArticles(app, { fullName: 'acme/Anvil', count: 3, equallyNew: true });
  const [one, two, three, four] = articles;
  await like(['ann'], one);
  await like(['ann', 'bob'], two);
  await like(['cid', 'dan'], three);
  await like(['ann', 'bob', 'cid'], four);
  for (const twin of twins) await like(['dan'], twin);
  const all = [...articles, ...twins];
  const order = ['3en 3', '2en 2', '1en 2', '0en 1', '4en 1', '5en 1', '6en 1'];
  assert.deepEqual(await ranked(all), order);
  const { items, pagination, asOf } = await ranking('?limit=3&offset=3');
  assert.deepEqual(
    items.map(({ rank }: { rank: number }) => rank),
    [4, 5, 6],
  );
  assert.deepEqual(pagination, { totalItems: 7, limit: 3, offset: 3 });
  assert.equal(new Date(asOf).toISOString(), asOf);
  const { articleId, prNumber, ...rest } = items[1];
  assert.ok(twins.includes(articleId) && prNumber > 1);
  assert.deepEqual(rest, {
    rank: 5,
    host: 'git',
    languageCode: 'en',
    title: 'A change',
    aiGeneratedTitle: 'A title',
    repositoryFullName: 'acme/Anvil',
    owner: 'acme',
    repo: 'Anvil',
    likeCount: 1,
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
  const page = await app.call('GET', '/ranking/articles/likes?limit=3&offset=3');
  assert.match(page.headers.get('link') ?? '', /offset=6>; rel="next".*offset=0>; rel="prev"/);
  assert.ok(page.headers.get('etag'));
  const beyond = await ranking('?offset=100');
  assert.deepEqual(beyond.items, []);
  assert.equal(beyond.pagination.totalItems, 7);
});

test('a like counts for its period, and removing it later subtracts it only from periods that still count it', async () => {
  const [article = ''] = await makeArticles(app, { fullName: 'acme/rocket', count: 1 });
  const begun = app.now().getTime();
  const counts = async () =>
    Promise.all(
      ['daily', 'weekly', 'monthly', 'yearly', 'all'].map(async (period) => {
        const { items, pagination } = await ranking(`?period=${period}`);
        assert.equal(pagination.totalItems, items.length);
        return items[0]?.likeCount ?? 0;
      }),
    );
  await like(['ann', 'bob'], article);
  assert.deepEqual(await counts(), [2, 2, 2, 2, 2]);
  await pass(25 * hour);
  await like(['cid'], article);
  await app.rankings.run();
  assert.deepEqual(await counts(), [1, 3, 3, 3, 3]);
  const { asOf } = await ranking('?period=daily');
  assert.ok(new Date(asOf).getTime() > begun + 24 * hour);
  await change('DELETE', ['ann'], article);
  assert.deepEqual(await counts(), [1, 2, 2, 2, 2]);
  await assertNoDrift();
  await pass(7 * day);
  await change('DELETE', ['cid'], article);
  assert.deepEqual(
    await counts(),
    [0, 1, 1, 1, 1],
    'not swept yet, but gone from the windows that still had it',
  );
  await app.rankings.run();
  assert.deepEqual(await counts(), [0, 0, 1, 1, 1]);
  await pass(30 * day);
  await app.rankings.run();
  assert.deepEqual(await counts(), [0, 0, 0, 1, 1]);
  await pass(365 * day);
  await app.rankings.run();
  assert.deepEqual(await counts(), [0, 0, 0, 0, 1]);
  assert.equal((await app.call('GET', `/articles/${article}`)).body.data.totalLikeCount, 1);
  await assertNoDrift();
  await change('DELETE', ['bob'], article);
  assert.deepEqual(await counts(), [0, 0, 0, 0, 0]);
  await assertNoDrift();
});

test('expired likes are swept, and likes given or removed after the sweep began are counted', async () => {
  const articles = await makeArticles(app, {
    fullName: 'acme/rocket',
    count: 550,
    languages: ['en', 'ja'],
  });
  await app.database.query(sql`
    INSERT INTO article_likes (user_id, article_id, language_code, liked_at)
    SELECT users.id, contents.article_id, contents.language_code,
      ${app.now()}::timestamptz + random() * interval '1 hour'
    FROM (SELECT id FROM users LIMIT 2) AS users, article_contents AS contents`);
  await checkLikes(app.database, { repair: true });
  assert.equal((await ranking('?period=daily')).pagination.totalItems, 1_100);
  await pass(26 * hour);
  const swept = app.rankings.run();
  const [first = '', second = ''] = articles;
  await like(['dan'], first);
  await change('DELETE', ['ann', 'bob', 'cid'], second);
  await swept;
  const { items, pagination } = await ranking('?period=daily');
  assert.equal(pagination.totalItems, 1);
  assert.equal(items[0].articleId, first);
  assert.equal((await ranking('?period=weekly')).pagination.totalItems, 1_099);
  await assertNoDrift();
});

test('filters by language, owner and repository ignore case, and totals follow them', async () => {
  const rocket = await makeArticles(app, { fullName: 'acme/rocket', count: 2, languages: ['en', 'ja'] });
  const anvil = await makeArticles(app, { fullName: 'acme/Anvil', count: 1 });
  const others = await makeArticles(app, { fullName: 'other/rocket', count: 1, languages: ['ja'] });
  const all = [...rocket, ...anvil, ...others];
  await like(['ann', 'bob'], rocket[0], 'ja');
  await like(['ann'], rocket[1]);
  await like(['ann', 'bob', 'cid'], anvil[0]);
  await like(['ann', 'bob', 'cid', 'dan'], others[0], 'ja');
  for (const [query, expected] of Object.entries({
    '': ['3ja 4', '2en 3', '0ja 2', '1en 1'],
    '?language=ja': ['3ja 4', '0ja 2'],
    '?owner=ACME': ['2en 3', '0ja 2', '1en 1'],
    '?owner=Acme&language=en': ['2en 3', '1en 1'],
    '?owner=acme&repo=anvil': ['2en 3'],
    '?repo=Rocket': ['3ja 4', '0ja 2', '1en 1'],
    '?owner=acme&repo=rocket&language=ja&period=weekly': ['0ja 2'],
    '?host=git': ['3ja 4', '2en 3', '0ja 2', '1en 1'],
    '?owner=nobody': [],
    '?language=de': [],
  })) {
    assert.deepEqual(await ranked(all, query), expected, query);
    assert.equal((await ranking(query)).pagination.totalItems, expected.length, query);
  }
  assert.deepEqual(await ranked(all, '?owner=acme&limit=1&offset=1'), ['0ja 2']);
  for (const query of ['?offset=2147483647', '?owner=acme&limit=100&offset=2147483647'])
    assert.deepEqual(await ranked(all, query), []);
});

test('an invalid parameter is 400 and names the field', async () => {
  for (const query of [
    'period=fortnightly',
    'limit=0',
    'limit=101',
    'offset=-1',
    'language=xx',
    'repo=..',
    'x=1',
  ]) {
    const { status, body } = await app.call('GET', `/ranking/articles/likes?${query}`);
    assert.equal(status, 400, query);
    assert.equal(body.error.details[0].field, query.split('=')[0]);
  }
});

test('a private repository is never ranked, and one that turns private leaves the ranking', async () => {
  const [open = ''] = await makeArticles(app, { fullName: 'acme/rocket', count: 1 });
  const [secret = ''] = await makeArticles(app, { fullName: 'acme/secret', count: 1 });
  await like(['ann'], secret);
  await like(['ann'], open);
  const path = '/ranking/articles/likes';
  for (const query of [
    '',
    '?limit=1',
    '?owner=acme',
    '?owner=acme&limit=1',
    '?owner=acme&repo=secret',
    '?language=en',
  ]) {
    const { body } = await app.call('GET', `${path}${query}`, { token: app.tokenFor('ann') });
    const { items, pagination } = body.data;
    const expected = query.includes('secret') ? [] : [open];
    assert.deepEqual(
      items.map(({ articleId }: { articleId: string }) => articleId),
      expected,
    );
    assert.equal(pagination.totalItems, expected.length);
  }
  await app.database.query(sql`UPDATE repositories SET is_private = true WHERE name = 'rocket'`);
  assert.deepEqual((await ranking()).items, []);
  assert.equal((await ranking()).pagination.totalItems, 0);
});
