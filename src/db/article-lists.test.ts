import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { makeArticles } from '../../test/make-articles.ts';
import { makeClone } from '../../test/make-clone.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { type ArticlePage, countByBots, listArticles } from './article-lists.ts';
import { saveArticle } from './articles.ts';
import { checkArticleCounts, checkFacets } from './counters.ts';
import { makeRepositoryPrivate } from './repositories.ts';
import { sql } from './sql.ts';

const root = temporaryFolder();
const names = ['one', 'two', 'secret'];
for (const name of names) makeClone(root, `acme/${name}`, `feat: begin ${name} (#1)`);
makeClone(root, 'zoo/other', 'feat: begin other (#1)');
const app = await buildTestApp({ environment: { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann' } });
const { database } = app;
const ann = await app.signUp('ann');
const annId: string = (await app.call('GET', '/users/me', { token: ann })).body.data.id;
for (const name of ['acme/one', 'acme/two', 'acme/secret', 'zoo/other'])
  await app.call('POST', `/repos/${name}/pulls/1/ingest`, { token: ann });

const everything = { limit: 100, offset: 0 };
const viewer = () =>
  ({ userId: null, now: app.now(), purpose: 'list', confirmedWithinMs: 86_400_000 }) as const;
const list = (page: Partial<ArticlePage>) =>
  listArticles(database, { viewer: viewer(), ...everything, ...page });
async function rightly(): Promise<void> {
  assert.deepEqual([...(await checkArticleCounts(database, { repair: false }))], []);
  assert.deepEqual([...(await checkFacets(database, { repair: false }))], []);
}

/** The total of a list, checked against its rows. */
async function count(page: Partial<ArticlePage> = {}): Promise<number> {
  const { rows, total } = await list(page);
  assert.equal(rows.length, total, JSON.stringify(page));
  return total;
}

const counts = async (who: Partial<ArticlePage> = {}) => [
  await count(who),
  await count({ ...who, language: 'en' }),
  await count({ ...who, onceIn: ['ja'] }),
];

async function idOf(name: string): Promise<string> {
  const [row] = await database.query<{ id: string }>(sql`SELECT id FROM repositories WHERE name = ${name}`);
  return row?.id ?? assert.fail(`${name} is not known`);
}

test('totals of article lists match their rows per language, repository, owner and viewer', async () => {
  await makeArticles(app, { fullName: 'acme/one', count: 3, languages: ['en', 'ja'] });
  await makeArticles(app, { fullName: 'acme/two', count: 2, languages: ['de'] });
  await makeArticles(app, { fullName: 'acme/secret', count: 4 });
  await makeArticles(app, { fullName: 'zoo/other', count: 1 });
  const asAnn = { viewer: { ...viewer(), userId: annId } };
  assert.deepEqual(await counts(), [9, 4, 6]);
  assert.deepEqual(await counts(asAnn), [13, 8, 10]);
  assert.deepEqual(await counts({ host: 'git', owner: 'ACME' }), [8, 3, 5]);
  assert.deepEqual(await counts({ host: 'git', owner: 'acme', ...asAnn }), [12, 7, 9]);
  assert.deepEqual(await counts({ host: 'git', owner: 'acme', repo: 'One' }), [6, 3, 3]);
  assert.deepEqual(await counts({ host: 'git', owner: 'acme', repo: 'secret' }), [0, 0, 0]);
  assert.deepEqual(await counts({ host: 'git', owner: 'acme', repo: 'secret', ...asAnn }), [4, 4, 4]);
  const { rows } = await list({ onceIn: ['ja', 'de'] });
  assert.deepEqual(rows.map(({ languageCode }) => languageCode).toSorted(), [
    'de',
    'de',
    'en',
    'ja',
    'ja',
    'ja',
  ]);
  await rightly();
});

test('totals of lists by author or change type match their rows per host, in any case and for each viewer', async () => {
  const written = { languages: ['en', 'ja'], author: 'Émile O’Hara', changeTypes: ['FIX', 'TEST'] };
  await makeArticles(app, { fullName: 'acme/one', count: 2, ...written });
  await makeArticles(app, { fullName: 'acme/secret', count: 3, ...written, changeTypes: ['FIX'] });
  await makeArticles(app, {
    fullName: 'zoo/other',
    count: 1,
    languages: ['de'],
    changeTypes: ['FIX', 'FIX'],
  });
  await makeArticles(app, {
    fullName: 'acme/secret',
    count: 1,
    author: 'onlyInSecret',
    changeTypes: ['PERF'],
  });
  const emile = { host: 'git', author: 'ÉMILE o’hara' };
  const asAnn = { viewer: { ...viewer(), userId: annId } };
  const fixes = { changeType: 'FIX' } as const;
  assert.deepEqual(await counts(emile), [4, 2, 2]);
  assert.deepEqual(await counts({ ...emile, ...asAnn }), [10, 5, 5]);
  assert.deepEqual(await counts(fixes), [5, 2, 3]);
  assert.deepEqual(await counts({ ...fixes, ...asAnn }), [11, 5, 6]);
  assert.deepEqual(await counts({ ...emile, ...fixes }), [4, 2, 2]);
  assert.deepEqual(await counts({ ...emile, changeType: 'DOCS', ...asAnn }), [0, 0, 0]);
  assert.deepEqual(await counts({ ...fixes, host: 'git', owner: 'zoo' }), [1, 0, 1]);
  assert.deepEqual(await counts({ ...emile, owner: 'acme', repo: 'secret' }), [0, 0, 0]);
  assert.deepEqual(await counts({ ...emile, owner: 'acme', repo: 'secret', ...asAnn }), [6, 3, 3]);
  assert.deepEqual(await counts({ ...emile, host: 'github' }), [0, 0, 0]);
  assert.deepEqual(await counts({ host: 'git', author: 'onlyinsecret' }), [0, 0, 0]);
  assert.deepEqual(await counts({ changeType: 'PERF' }), [0, 0, 0]);
  const [shown] = (await list({ ...fixes, onceIn: ['en'], limit: 1 })).rows;
  assert.deepEqual([shown?.languageCode, shown?.changeTypes], ['de', ['FIX', 'FIX']]);
  await rightly();
});

test('a renamed author and a removed change type leave their lists, and a deleted article leaves no facet', async () => {
  const [id = ''] = await makeArticles(app, {
    fullName: 'zoo/other',
    count: 1,
    author: 'before',
    changeTypes: ['PERF'],
  });
  assert.equal(await count({ host: 'git', author: 'BEFORE' }), 1);
  await database.query(sql`UPDATE pull_requests SET author_login = 'after' WHERE author_login = 'before'`);
  assert.deepEqual(
    [await count({ host: 'git', author: 'before' }), await count({ host: 'git', author: 'After' })],
    [0, 1],
  );
  await database.query(
    sql`UPDATE article_contents SET change_types = '{BUILD,DOCS}' WHERE article_id = ${id}`,
  );
  assert.deepEqual([await count({ changeType: 'PERF' }), await count({ changeType: 'BUILD' })], [0, 1]);
  await rightly();
  await database.query(sql`DELETE FROM articles WHERE id = ${id}`);
  const left = await database.query(sql`
    SELECT author FROM article_facets WHERE author IN ('git:before', 'git:after')
    UNION ALL SELECT author FROM facet_totals WHERE author IN ('git:before', 'git:after')
    UNION ALL SELECT author FROM facet_sums WHERE author IN ('git:before', 'git:after')`);
  assert.deepEqual([...left], []);
  await rightly();
});

test('pages of any size follow on each other without gaps or repeats, newest first, and a page past the end is empty', async () => {
  await makeArticles(app, { fullName: 'zoo/other', count: 5, languages: ['en', 'ja'], equallyNew: true });
  const lists: Partial<ArticlePage>[] = [
    {},
    { language: 'ja' },
    { onceIn: ['ja'] },
    { host: 'git', owner: 'acme' },
    { host: 'git', owner: 'zoo', repo: 'other' },
    { host: 'git', owner: 'zoo', onceIn: ['en'] },
    { host: 'git', author: 'RIN' },
    { host: 'git', author: 'rin', language: 'ja' },
    { changeType: 'CHORE', onceIn: ['ja'] },
    { changeType: 'FIX' },
    { host: 'git', owner: 'acme', author: 'rin', changeType: 'CHORE' },
  ];
  for (const page of lists) {
    const { rows, total } = await list(page);
    const moments = rows.map(({ generatedAt }) => generatedAt.getTime());
    assert.deepEqual(
      moments,
      moments.toSorted((one, other) => other - one),
    );
    for (const limit of [1, 3, 100]) {
      const walked = [];
      for (let offset = 0; offset < total; offset += limit)
        walked.push(...(await list({ ...page, limit, offset })).rows);
      assert.deepEqual(walked, rows);
    }
    for (const offset of [total, 2_147_483_647, Number.MAX_SAFE_INTEGER - 100])
      assert.deepEqual(await list({ ...page, offset }), { rows: [], total });
  }
});

test('totals follow articles that are written, rewritten, deleted, hidden and shown again', async () => {
  const { status, body } = await app.call('POST', '/repos/acme/one/pulls/1/article', {
    token: ann,
    body: { language: 'en' },
  });
  assert.equal(status, 201);
  const { id, pullRequestId, contents } = body.data;
  const { likeCount, stale, ...content } = contents.en;
  const before = await counts();
  const save = (languageCode: string) =>
    database.transaction((tx) =>
      saveArticle(tx, {
        pullRequestId,
        content: { ...content, languageCode },
        offlineWriter: 1,
        nextTry: null,
        now: app.now(),
      }),
    );
  const [all = 0, english = 0, articles = 0] = before;
  await save('en');
  assert.deepEqual(await counts(), before, 'it is written again');
  await save('ja');
  assert.deepEqual(await counts(), [all + 1, english, articles]);
  await database.query(sql`DELETE FROM article_contents WHERE article_id = ${id} AND language_code = 'en'`);
  assert.deepEqual(await counts(), [all, english - 1, articles]);
  await rightly();
  await database.query(sql`DELETE FROM pull_requests WHERE id = ${pullRequestId}`);
  assert.deepEqual(await counts(), [all - 1, english - 1, articles - 1]);
  await rightly();

  const repositoryId = await idOf('one');
  await makeRepositoryPrivate(database, { repositoryId, askedAt: app.now() });
  const hidden = await counts();
  assert.deepEqual(hidden, [all - 11, english - 6, articles - 6]);
  await database.query(sql`UPDATE repositories SET is_private = false WHERE id = ${repositoryId}`);
  assert.deepEqual(await counts(), [all - 1, english - 1, articles - 1]);
  await database.query(
    sql`UPDATE repositories SET checked_at = checked_at - interval '2 days' WHERE id = ${repositoryId}`,
  );
  assert.deepEqual(await counts(), hidden, 'it was confirmed too long ago');
  await database.query(sql`DELETE FROM repositories WHERE id = ${repositoryId}`);
  assert.deepEqual(await counts(), hidden);
  await rightly();
  const left = await app.signUp('leaving');
  await app.call('DELETE', '/users/me', { token: left });
  await rightly();
});

test('totals stay correct during concurrent inserts and deletes', async () => {
  const ids = await makeArticles(app, { fullName: 'zoo/other', count: 40, languages: ['en', 'ja'] });
  const work = [
    ...ids.map((id) => database.query(sql`DELETE FROM articles WHERE id = ${id}`)),
    ...['acme/two', 'acme/secret'].flatMap((fullName) =>
      Array.from({ length: 10 }, (_, index) =>
        database.query(sql`
          WITH pull AS (
            INSERT INTO pull_requests
              (repository_id, number, title, author_login, state, head_sha, host_created_at, fetched_at)
            SELECT id, ${1_000_000 + index}, 'A change', 'rin', 'merged', 'a', now(), now()
            FROM repositories WHERE owner || '/' || name = ${fullName} RETURNING id, repository_id),
          article AS (
            INSERT INTO articles (pull_request_id, repository_id, created_at, updated_at)
            SELECT id, repository_id, now(), now() FROM pull RETURNING id, repository_id)
          INSERT INTO article_contents (article_id, repository_id, language_code, title, change_types, reading_minutes, body,
            head_sha, generated_at)
          SELECT id, repository_id, language, 'A title', '{CHORE}', 1, '{}', 'a', now()
          FROM article, unnest('{ja,en}'::text[]) AS language`),
      ),
    ),
  ];
  await Promise.all(work);
  await rightly();
  assert.equal(await count({ host: 'git', owner: 'acme', repo: 'two', onceIn: ['en'] }), 12);
});

test('lists without bots leave out what bots wrote, with their totals, and follow an author who is renamed', async () => {
  const before = [await count({ isByPeople: true }), await count({ isByPeople: true, owner: 'zoo' })];
  await makeArticles(app, { fullName: 'zoo/other', count: 2, author: 'dependabot[bot]' });
  const people = async () => [
    await count({ isByPeople: true }),
    await count({ isByPeople: true, owner: 'zoo' }),
  ];
  assert.deepEqual(await people(), before);
  assert.equal(await count({ host: 'git', author: 'dependabot[bot]', isByPeople: true }), 2, 'as asked for');
  assert.equal(await countByBots(database, { viewer: viewer(), owner: 'zoo' }), 2);
  await database.query(
    sql`UPDATE pull_requests SET author_login = 'ann' WHERE author_login = 'dependabot[bot]'`,
  );
  assert.deepEqual(
    await people(),
    before.map((total) => total + 2),
  );
  await rightly();
});
