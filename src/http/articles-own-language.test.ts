import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { makeClone } from '../../test/make-clone.ts';
import { makeMergedArticles } from '../../test/make-merges.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { lastPeriod } from '../domain/digests.ts';

const root = temporaryFolder();
for (const repo of ['one', 'two', 'three']) makeClone(root, `acme/${repo}`, 'feat: launch (#1)');
const app = await buildTestApp({ environment: { GIT_REPOS: root, OPERATORS: 'fritz' } });
const token = app.tokenFor('fritz');
const signedUp = await app.call('POST', '/auth/signup', { token, body: { language: 'fr' } });

const post = (path: string, body: object, headers = {}) =>
  app.call('POST', `/repos/acme/${path}`, { token, body, headers });
const instead = / In English, because this service cannot write in fr\.$/;

test('a user whose language cannot be written gets English where no language is named, with a note that says why', async () => {
  assert.deepEqual([signedUp.status, signedUp.body.language], [201, 'fr']);
  const article = await post('one/pulls/1/article', {});
  assert.equal(article.status, 201, article.text);
  assert.deepEqual(Object.keys(article.body.data.contents), ['en']);
  assert.match(article.body.message, instead);
  assert.match((await post('one/pulls/1/article', {})).body.message, instead);
  const answer = await post('one/pulls/1/questions', { question: 'What launches?' });
  assert.deepEqual([answer.status, answer.body.data.languageCode], [201, 'en'], answer.text);
  assert.match(answer.body.message, instead);
  const later = await post('two/pulls/1/article', {}, { prefer: 'respond-async' });
  assert.deepEqual([later.status, instead.test(later.body.message)], [202, true], later.text);
  const imported = await post('three/import', { last: 1 });
  assert.deepEqual([imported.status, instead.test(imported.body.message)], [202, true], imported.text);
});

test('the digest of a user whose language cannot be written shows English articles', async () => {
  await app.call('POST', '/users/me', { token, body: { owner: 'acme', repo: 'one' } });
  const { from } = lastPeriod('weekly', app.now());
  await makeMergedArticles(app, { fullName: 'acme/one', count: 2, mergedAt: from });
  const { body } = await app.call('GET', '/digest', { token });
  assert.deepEqual([body.data.merged, body.data.shown], [2, 2]);
});

test('a language that is named and cannot be written is refused, and one that can be written gets no note', async () => {
  const refused = await post('one/pulls/1/article', { language: 'fr' });
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'LANGUAGE_UNAVAILABLE']);
  const named = await post('one/pulls/1/article', { language: 'en' });
  assert.equal(named.body.message, 'The article is up to date.');
});

test('pages offer English to a user whose language cannot be written, and settings say so', async () => {
  makeClone(root, 'acme/four', 'feat: launch (#1)');
  const unwritten = await app.call('GET', '/r/acme/four/1', { token, headers: { 'accept-language': 'ja' } });
  assert.match(unwritten.text, /data-language="en"[^>]*>英語/);
  const settings = await app.call('GET', '/settings', { token, headers: { 'accept-language': 'en' } });
  assert.match(settings.text, /can’t write articles in this language\. Those you request are in English\./);
});

test('agents get English too, and the text says why', async () => {
  const call = (name: string, input: object) =>
    app.call('POST', '/mcp', {
      token,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } },
      headers: { accept: 'application/json, text/event-stream' },
    });
  for (const [name, input] of [
    ['explain_pull_request', {}],
    ['ask_about_pull_request', { question: 'What launches?' }],
  ] as const) {
    const { text } = await call(name, { pullRequest: 'acme/one#1', ...input });
    assert.match(text, /In English, because this service cannot write in fr\./);
  }
});
