import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../../test/build-app.ts';
import { callersOf } from '../../../test/callers-of.ts';
import { Failure } from '../../domain/errors.ts';
import type { LanguageWish } from '../../domain/languages.ts';
import { findVisiblePullRequest } from '../pull-requests/find-pull-request.ts';
import { RepositoryRenewals } from '../repositories/renew-repositories.ts';
import { contentInLanguage, printArticle, readArticleAbout, readArticlesById } from './read-article.ts';

const app = await buildTestApp();
const { call, database, codeHosts } = app;
const token = await app.signUp('ann');
const path = '/repos/harborline/parcel/pulls/10';
for (const language of ['en', 'ja']) {
  const { status, text } = await call('POST', `${path}/article`, { token, body: { language } });
  assert.equal(status, 201, text);
}

const clock = () => new Date();
const callerOn = callersOf(app, app.config);
const renewals = new RepositoryRenewals({ database, codeHosts, callerOn, clock });
const parts = { database, renewals, clock, codeHosts };
const [codeHost = assert.fail('there is no host')] = codeHosts;
const address = { codeHost, owner: 'Harborline', name: 'parcel', number: 10 };

const anyLanguage: LanguageWish = { requested: undefined, own: undefined, acceptLanguage: undefined };

const isFailure = (code: string) => (error: unknown) => error instanceof Failure && error.code === code;

test('`readArticleAbout`, `readArticlesById` and `printArticle` return what the API returns, and concurrent reads share one result', async () => {
  const { found: article } = await readArticleAbout(parts, address, null);
  const replied = (await call('GET', `${path}/article`)).body.data;
  assert.equal(article.id, replied.id);
  assert.deepEqual(
    article.contents.map(({ languageCode }) => languageCode),
    Object.keys(replied.contents),
  );
  const readById = readArticlesById(parts);
  const [one, other] = await Promise.all([readById(article.id, null), readById(article.id, null)]);
  assert.deepEqual(one.found, article);
  assert.equal(one.found, other.found, 'those who look together are given the same');
  const printed = await printArticle(
    article,
    contentInLanguage(article, { ...anyLanguage, requested: 'ja' }),
  );
  const markdown = await call('GET', `${path}/article?language=ja`, { headers: { accept: 'text/markdown' } });
  assert.equal(printed, markdown.text);
});

test('`findVisiblePullRequest` finds the stored pull request that the API returns', async () => {
  const found = await findVisiblePullRequest(parts, address, null);
  assert.equal(found.id, (await call('GET', path)).body.data.id);
});

test('reading an absent article or pull request fails with ARTICLE_NOT_FOUND or PULL_REQUEST_NOT_FOUND', async () => {
  const absent = { ...address, number: 9999 };
  await assert.rejects(readArticleAbout(parts, absent, null), isFailure('ARTICLE_NOT_FOUND'));
  await assert.rejects(readArticlesById(parts)(crypto.randomUUID(), null), isFailure('ARTICLE_NOT_FOUND'));
  await assert.rejects(findVisiblePullRequest(parts, absent, null), isFailure('PULL_REQUEST_NOT_FOUND'));
});

test("`contentInLanguage` returns the requested language or fails; without a request the user's own, then the browser's, then any", async () => {
  const { found: article } = await readArticleAbout(parts, address, null);
  const chosen = (wish: Partial<LanguageWish>) =>
    contentInLanguage(article, { ...anyLanguage, ...wish }).languageCode;
  assert.equal(chosen({ requested: 'ja', own: 'en', acceptLanguage: 'en' }), 'ja');
  assert.throws(() => chosen({ requested: 'de', own: 'en' }), isFailure('ARTICLE_NOT_FOUND'));
  assert.equal(chosen({ own: 'ja', acceptLanguage: 'en' }), 'ja');
  assert.equal(chosen({ own: 'de', acceptLanguage: 'fr, en;q=0.2, ja-JP;q=0.8' }), 'ja');
  assert.equal(chosen({ acceptLanguage: 'ja;q=0' }), 'en');
  assert.equal(chosen({}), 'en');
});
