import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../src/db/sql.ts';
import { buildTestApp, freshDatabase } from '../build-app.ts';
import { makeArticles } from '../make-articles.ts';
import { makeClone } from '../make-clone.ts';
import { runHere } from '../start-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const root = temporaryFolder();
makeClone(root, 'acme/rocket');

test('`pullquote check` shows stored data and wrong counts, corrects them unless --dry-run is given, and then finds none', async () => {
  const environment = await freshDatabase();
  const check = (...parameters: string[]) => runHere(environment, 'check', ...parameters);
  const start = () => buildTestApp({ database: environment, environment: { GIT_REPOS: root } });

  const app = await start();
  const token = await app.signUp('ann');
  await app.call('POST', '/repos/acme/rocket/pulls/1/ingest', { token });
  const [one = '', two = '', three = ''] = await makeArticles(app, { fullName: 'acme/rocket', count: 3 });
  for (const articleId of [one, two, three]) {
    const { status } = await app.call('POST', `/articles/${articleId}/language/en/like`, { token });
    assert.equal(status, 201);
  }
  const before = (await app.call('GET', '/ranking/articles/likes')).body.data.items;
  await app.database.query(sql`UPDATE article_contents SET like_count = 7 WHERE article_id = ${one}`);
  await app.database.query(
    sql`UPDATE article_rankings SET like_count = 9 WHERE article_id = ${two} AND period = 'daily'`,
  );
  await app.database.query(sql`DELETE FROM article_rankings WHERE article_id = ${three} AND period = 'all'`);
  await app.database.query(sql`UPDATE ranking_totals SET articles = 40 WHERE period = 'weekly'`);
  await app.database.query(sql`DELETE FROM ranking_sums WHERE period = 'monthly'`);
  await app.database.query(sql`UPDATE article_totals SET articles = 30 WHERE language_code = 'en'`);
  await app.database.query(sql`DELETE FROM article_sums WHERE language_code = '*'`);
  await app.database.query(sql`DELETE FROM article_facets WHERE article_id = ${one} AND change_type = '*'`);
  await app.database.query(sql`UPDATE facet_sums SET articles = 20 WHERE change_type = 'CHORE'`);
  await app.database.query(
    sql`UPDATE pull_requests SET unused_since = now() - interval '8 days' WHERE unused_since IS NOT NULL`,
  );
  await app.close();

  const found = [
    new RegExp(`^like count of article ${one} in en: 7 instead of 1$`, 'm'),
    new RegExp(`^daily ranking of article ${two} in en: 9 instead of 1$`, 'm'),
    new RegExp(`^all ranking of article ${three} in en: 0 instead of 1$`, 'm'),
    /^total of the weekly ranking of repository \S+ in en: 40 instead of 3$/m,
    /^total of the monthly ranking of part \d+ of all repositories in en: 0 instead of 3$/m,
    /^number of articles of repository \S+ in en: 30 instead of 3$/m,
    /^number of articles of part \d+ of all repositories in any language: 0 instead of 3$/m,
    /^lists of authors and types of repository \S+: 4 entries or counts differ$/m,
    /^lists of authors and types of part \d+ of all repositories: 6 entries or counts differ$/m,
  ];
  const looked = await check('--dry-run');
  assert.equal(looked.code, 1, looked.stderr);
  for (const pattern of [...found, /^Checked 3 article texts: 9 wrong, nothing changed\.$/m])
    assert.match(looked.stdout, pattern);
  for (const line of [
    /^stored +rows +bytes +on disk +deleted soon +bytes$/m,
    /^diffs +1( +\d+\.\d MiB){2} +1 +\d+\.\d MiB$/m,
    /^pull requests +1( +\d+\.\d MiB){2} +1 +\d+\.\d MiB$/m,
    /^articles +3( +\d+\.\d MiB){2}$/m,
    /^offline articles +0( +\d+\.\d MiB){2} +0 +\d+\.\d MiB$/m,
    /^likes and rankings +3( +\d+\.\d MiB){2}$/m,
    /^all( +\d+\.\d MiB){3}$/m,
  ])
    assert.match(looked.stdout, line);
  const repaired = await check();
  assert.equal(repaired.code, 0, repaired.stderr);
  for (const pattern of [...found, /^Checked 3 article texts: 9 wrong, all corrected\.$/m])
    assert.match(repaired.stdout, pattern);
  const again = await check();
  assert.equal(again.code, 0);
  assert.match(again.stdout, /^Checked 3 article texts: every count matches the likes and articles\.$/m);

  const after = await start();
  assert.deepEqual((await after.call('GET', '/ranking/articles/likes')).body.data.items, before);
  assert.equal((await after.call('GET', `/articles/${one}`)).body.data.totalLikeCount, 1);
});
