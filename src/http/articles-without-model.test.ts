import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { makeClone } from '../../test/make-clone.ts';
import { writeObligingly } from '../../test/model/obliging-writer.ts';
import { startScriptedModel } from '../../test/model/scripted-model.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { sql } from '../db/sql.ts';

const root = temporaryFolder();
makeClone(root, 'acme/rocket', 'feat: launch (#1)');
makeClone(root, 'acme/secret', 'feat: hide (#1)');
const model = await startScriptedModel(writeObligingly);
const environment = {
  GIT_REPOS: root,
  GIT_PRIVATE: 'acme/secret=ann',
  AI_MODEL: 'compatible/scripted',
  AI_BASE_URL: model.url,
  AI_PRIVATE: 'true',
};
const app = await buildTestApp({ environment, waits: [] });
const ann = await app.signUp('ann');
const bob = await app.signUp('bob');

const write = (repo: string, language: string) =>
  app.call('POST', `/repos/acme/${repo}/pulls/1/article`, { token: ann, body: { language } });
const read = (repo: string, query: string, token?: string) =>
  app.call('GET', `/repos/acme/${repo}/pulls/1/article${query}`, token === undefined ? {} : { token });

test('an article by a model is also shown as it is written without one, and only at its own address', async () => {
  await write('rocket', 'en');
  const by = await read('rocket', '?language=en');
  assert.equal(by.body.data.contents.en.writer.kind, 'ai');
  const twin = await read('rocket', '?language=en&writer=offline');
  assert.equal(twin.status, 200, twin.text);
  assert.equal(twin.body.data.contents.en.writer.kind, 'offline');
  assert.equal(twin.body.data.contents.en.headSha, by.body.data.contents.en.headSha);
  const listed = (await app.call('GET', '/articles')).body.data.items;
  assert.deepEqual(
    listed.map(({ aiGeneratedTitle }: { aiGeneratedTitle: string }) => aiGeneratedTitle),
    [by.body.data.contents.en.aiGeneratedTitle],
  );
  assert.equal((await read('rocket', '?language=en')).text, by.text);
});

test('the page of an article by a model links to the one without, which cannot be liked and is not indexed', async () => {
  const page = await app.call('GET', '/r/acme/rocket/1?language=en', { token: ann });
  assert.match(page.text, /href="[^"]*writer=offline"[^>]*>モデルなし</);
  const twin = await app.call('GET', '/r/acme/rocket/1?language=en&writer=offline', { token: ann });
  assert.equal(twin.status, 200);
  assert.match(twin.text, /<b>モデルなし<\/b>/);
  assert.match(twin.text, /noindex/);
  assert.doesNotMatch(twin.text, /class="like"/);
});

test('an article without a model has the same text and ETag until what it quotes changes', async () => {
  const readTwin = () => read('rocket', '?language=en&writer=offline', ann);
  const first = await readTwin();
  app.advance(5_000);
  const later = await readTwin();
  assert.equal(later.text, first.text);
  assert.equal(later.headers.get('etag'), first.headers.get('etag'));
  await app.database.query(
    sql`UPDATE pull_request_contents SET body = 'It lifts off by itself, without a countdown.'`,
  );
  const edited = await readTwin();
  assert.match(edited.text, /lifts off by itself/);
  assert.notEqual(edited.headers.get('etag'), first.headers.get('etag'));
});

test('in a language that needs a model there is nothing to compare', async () => {
  await write('rocket', 'fr');
  const page = await app.call('GET', '/r/acme/rocket/1?language=fr', { token: ann });
  assert.doesNotMatch(page.text, /writer=offline/);
  assert.equal((await read('rocket', '?language=fr&writer=offline')).status, 404);
});

test('an article without a model is hidden from the same users as the one with', async () => {
  await write('secret', 'en');
  assert.equal((await read('secret', '?writer=offline', ann)).status, 200);
  for (const token of [bob, undefined])
    assert.equal((await read('secret', '?writer=offline', token)).status, 404);
});

test('the page of an article that no model wrote stays as it is with `writer=offline`', async () => {
  makeClone(root, 'acme/plain', 'feat: stay (#1)');
  const plain = await buildTestApp({ environment: { GIT_REPOS: root } });
  const token = await plain.signUp('ann');
  await plain.call('POST', '/repos/acme/plain/pulls/1/article', { token, body: { language: 'en' } });
  const page = await plain.call('GET', '/r/acme/plain/1?language=en&writer=offline', { token });
  assert.equal(page.status, 200);
  assert.match(page.text, /class="like"/);
  assert.doesNotMatch(page.text, /noindex|モデルあり/);
  await plain.close();
});
