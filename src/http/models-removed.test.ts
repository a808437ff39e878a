import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, freshDatabase } from '../../test/build-app.ts';
import { makeClone } from '../../test/make-clone.ts';
import { writeObligingly } from '../../test/model/obliging-writer.ts';
import { startScriptedModel } from '../../test/model/scripted-model.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { sql } from '../db/sql.ts';

const root = temporaryFolder();
makeClone(root, 'acme/one', 'feat: launch (#1)');
makeClone(root, 'acme/two', 'feat: land (#1)');
const model = await startScriptedModel();
const database = await freshDatabase();
const environment = { GIT_REPOS: root, OPERATORS: 'ann', WRITERS: '1' };
const app = await buildTestApp({ database, environment, waits: [] });
const token = await app.signUp('ann');
const key = 'sk-planted-and-secret-0123456789';
const writer = { provider: 'compatible', model: 'scripted', baseUrl: model.url, apiKey: key };
const settings = (method: string, body?: object, from = app) =>
  from.call(method, '/service/model', { token: from.tokenFor('ann'), ...(body && { body }) });

const request = (path: string, body: object) =>
  app.call('POST', path, { token, body, headers: { prefer: 'respond-async' } });

test('queued articles and answers are written without a model when it is removed, without reporting a failed model', async () => {
  const free = Promise.withResolvers<void>();
  const isAsked = Promise.withResolvers<void>();
  model.play(async (heard) => {
    isAsked.resolve();
    await free.promise;
    return writeObligingly(heard);
  });
  assert.equal((await settings('PUT', { writer })).status, 200);
  await request('/repos/acme/one/pulls/1/article', { language: 'en' });
  await isAsked.promise;
  const waiting = [
    await request('/repos/acme/two/pulls/1/article', { language: 'en' }),
    await request('/repos/acme/two/pulls/1/article', { language: 'fr' }),
    await request('/repos/acme/two/pulls/1/questions', { question: 'What is new?', language: 'en' }),
  ];
  assert.equal((await settings('DELETE')).status, 200);
  free.resolve();
  const jobs = waiting.map(({ body }) => body.data.id);
  const read = async (id: string) => (await app.call('GET', `/jobs/${id}`, { token })).body.data;
  await waitUntil('all are over', async () => {
    const states = await Promise.all(jobs.map(async (id) => (await read(id)).state));
    return states.every((state) => state === 'done' || state === 'failed');
  });
  const [article, french, answer] = await Promise.all(jobs.map(read));
  assert.deepEqual(article.article.contents.en.writer, { kind: 'offline' });
  assert.deepEqual([french.state, french.error?.code], ['failed', 'LANGUAGE_UNAVAILABLE']);
  assert.deepEqual(answer.answer.writer, { kind: 'offline' });
});

test('a key that cannot be decrypted is reported, and required again for its provider and address', async () => {
  assert.equal((await settings('PUT', { writer })).status, 200);
  const secretKeys = `2:${'A'.repeat(43)}`;
  const other = await buildTestApp({ database, environment: { ...environment, SECRET_KEYS: secretKeys } });
  const { body } = await settings('GET', undefined, other);
  assert.deepEqual([body.data.source, body.data.isKeyUnreadable, body.data.writer], ['settings', true, null]);
  const { apiKey, ...without } = writer;
  const refused = await settings('PUT', { writer: without }, other);
  assert.equal(refused.status, 400, refused.text);
  const problem = 'is required again: SECRET_KEYS have changed';
  assert.deepEqual(refused.body.error.details, [
    { field: 'writer.apiKey', problem },
    { field: 'reader.apiKey', problem },
  ]);
  const { body: again } = await settings('PUT', { writer: { ...without, apiKey } }, other);
  assert.deepEqual([again.data.isKeyUnreadable, again.data.writer.model], [false, 'scripted']);
  await settings('DELETE', undefined, other);
});

test('removing the models removes the copies of their key in drafts of operators', async () => {
  assert.equal((await settings('PUT', { writer })).status, 200);
  const connected = await app.call('POST', '/settings/model/connect', {
    token,
    raw: new URLSearchParams({ provider: 'compatible', baseUrl: model.url }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: app.url },
  });
  assert.equal(connected.status, 303);
  const drafts = () => app.database.count(sql`SELECT count(*) FROM model_drafts`);
  assert.equal(await drafts(), 1);
  assert.equal((await settings('DELETE')).status, 200);
  assert.equal(await drafts(), 0);
});
