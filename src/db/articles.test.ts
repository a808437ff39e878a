import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { makeArticles } from '../../test/make-articles.ts';
import { makeClone } from '../../test/make-clone.ts';
import { countLockWaits } from '../../test/operator-of.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { findArticlesById, findNumbersWithArticle, saveArticle } from './articles.ts';
import {
  findUnfetchableDiff,
  findUnreadableDiff,
  isCurrentDiff,
  noteUnfetchableDiff,
  noteUnreadableDiff,
} from './diffs.ts';
import { countLiveWritingJobs } from './job-queue.ts';
import { findFilePosition } from './pull-requests.ts';
import { sql } from './sql.ts';

const root = temporaryFolder();
for (const name of ['open', 'secret']) makeClone(root, `acme/${name}`, `feat: begin ${name} (#1)`);
const app = await buildTestApp({ environment: { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann' } });
const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
for (const name of ['open', 'secret'])
  await app.call('POST', `/repos/acme/${name}/pulls/1/ingest`, { token: ann });

test('`findArticlesById` returns each article at its position, or null where its viewer may not see it', async () => {
  const [open = ''] = await makeArticles(app, { fullName: 'acme/open', count: 1, languages: ['en', 'ja'] });
  const [secret = ''] = await makeArticles(app, { fullName: 'acme/secret', count: 1 });
  const idOf = async (token: string) => (await app.call('GET', '/users/me', { token })).body.data.id;
  const [annId, bobId] = [await idOf(ann), await idOf(bob)];

  const absent = crypto.randomUUID();
  const wanted = [
    { articleId: secret, userId: null },
    { articleId: secret, userId: annId },
    { articleId: open, userId: null },
    { articleId: secret, userId: bobId },
    { articleId: absent, userId: annId },
    { articleId: open, userId: bobId },
  ];
  const seen = async (some: typeof wanted) =>
    (await findArticlesById(app.database, some, { now: new Date(), purpose: 'detail' })).map(
      (article) => article?.id ?? null,
    );
  assert.deepEqual(await seen(wanted), [null, secret, open, null, null, open]);
  const nobodys = wanted.map(({ articleId }) => ({ articleId, userId: null }));
  assert.deepEqual(await seen(nobodys), [null, null, open, null, null, open]);
  assert.deepEqual(await seen([]), []);
  const [both] = await findArticlesById(app.database, [{ articleId: open, userId: null }], {
    now: new Date(),
    purpose: 'detail',
  });
  assert.deepEqual(
    both?.contents.map(({ languageCode }) => languageCode),
    ['en', 'ja'],
  );
});

test('publishing an article in two languages at the same time gives both the same article', async () => {
  const { database } = app;
  const written = await app.call('POST', '/repos/acme/open/pulls/1/article', {
    token: ann,
    body: { language: 'en' },
  });
  const { likeCount, stale, ...content } = written.body.data.contents.en;
  await database.query(sql`DELETE FROM articles WHERE id = ${written.body.data.id}`);
  const diff = { pullRequestId: written.body.data.pullRequestId, revision: 1 };
  const isAhead = Promise.withResolvers<void>();
  const mayGoOn = Promise.withResolvers<void>();
  const publish = (languageCode: string, meanwhile: () => Promise<void>) =>
    database.transaction(async (tx) => {
      assert.equal(await isCurrentDiff(tx, diff), true);
      await meanwhile();
      const said = { ...content, languageCode };
      return saveArticle(tx, { ...diff, content: said, offlineWriter: 1, nextTry: null, now: new Date() });
    });
  const first = publish('en', () => {
    isAhead.resolve();
    return mayGoOn.promise;
  });
  await isAhead.promise;
  let isBeside = false;
  const second = publish('ja', async () => {
    isBeside = true;
  });
  await waitUntil(
    'the other waits, or has come as far',
    async () => isBeside || (await countLockWaits(database)) > 0,
  );
  mayGoOn.resolve();
  const [one, other] = await Promise.all([first, second]);
  assert.equal(one, other);
});

test('the recorded reason for an unreadable diff applies only to the same diff and the same reader version', async () => {
  const { database } = app;
  const [row] = await database.query<{ pullRequestId: string; repositoryId: string; hostRepoId: number }>(sql`
    SELECT pull_requests.id AS "pullRequestId", repositories.id AS "repositoryId", host_repo_id AS "hostRepoId"
    FROM pull_requests JOIN repositories ON repositories.id = repository_id WHERE name = 'open' AND number = 1`);
  const { pullRequestId, repositoryId, hostRepoId } = row ?? assert.fail('nothing was ingested');
  const diff = { baseSha: 'b', headSha: 'c', terms: '1' };
  const address = { host: 'git', hostRepoId, number: 1 };
  await noteUnfetchableDiff(
    database,
    { repositoryId, number: 1, ...diff },
    { message: 'Too much.', now: new Date() },
  );
  assert.equal(await findUnfetchableDiff(database, { ...address, ...diff }), 'Too much.');
  assert.equal(await findUnfetchableDiff(database, { ...address, ...diff, terms: '2' }), null);
  await noteUnreadableDiff(database, { pullRequestId, ...diff }, { message: 'Too long.', now: new Date() });
  assert.equal(await findUnreadableDiff(database, { pullRequestId, ...diff }), 'Too long.');
  assert.equal(await findUnreadableDiff(database, { pullRequestId, ...diff, headSha: 'd' }), null);
  assert.equal(
    await findUnfetchableDiff(database, { ...address, ...diff }),
    null,
    'it was fetched after all',
  );
});

test('`findNumbersWrittenIn` requires every language, `findFilePosition` returns null for an unknown file, and `countLiveWriting` is 0 without jobs', async () => {
  const { database } = app;
  await makeArticles(app, { fullName: 'acme/open', count: 1, languages: ['en', 'ja'] });
  const [row] = await database.query<{ pullRequestId: string; hostRepoId: number; newest: number }>(sql`
    SELECT (array_agg(pull_requests.id ORDER BY number))[1] AS "pullRequestId", host_repo_id AS "hostRepoId",
      max(number) AS newest
    FROM pull_requests JOIN repositories ON repositories.id = repository_id WHERE name = 'open' GROUP BY host_repo_id`);
  const { pullRequestId, hostRepoId, newest } = row ?? assert.fail('nothing was ingested');
  const writtenIn = (languages: string[]) =>
    findNumbersWithArticle(database, { host: 'git', hostRepoId, languages });
  assert.ok((await writtenIn(['en', 'ja'])).has(newest));
  assert.equal((await writtenIn(['en', 'fr'])).size, 0);
  assert.equal(await findFilePosition(database, { pullRequestId, fileName: 'readme.txt' }), 0);
  assert.equal(await findFilePosition(database, { pullRequestId, fileName: 'nothing.txt' }), null);
  assert.equal(await countLiveWritingJobs(database), 0);
});
