import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, freshDatabase, type TestApp } from '../../test/build-app.ts';
import { makeClone } from '../../test/make-clone.ts';
import { writeObligingly } from '../../test/model/obliging-writer.ts';
import { startScriptedModel } from '../../test/model/scripted-model.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { parseConfig } from '../config.ts';
import { loadSecretKeys } from '../data-folder.ts';
import { sql } from '../db/sql.ts';
import { CurrentModels } from '../open-writing.ts';

const root = temporaryFolder();
makeClone(root, 'acme/one', 'feat: launch (#1)');
makeClone(root, 'acme/two', 'feat: land (#1)');
const model = await startScriptedModel(writeObligingly);
const database = await freshDatabase();
const environment = { GIT_REPOS: root, OPERATORS: 'ann', WRITERS: '1' };
const start = () => buildTestApp({ database, environment, waits: [] });
const [first, second] = [await start(), await start()];
await first.signUp('ann');
await first.signUp('bob');

const key = 'sk-planted-and-secret-0123456789';
const writer = { provider: 'compatible', model: 'scripted', baseUrl: model.url, apiKey: key };

const call = (app: TestApp, method: string, body?: object, by = 'ann') =>
  app.call(method, '/service/model', { token: app.tokenFor(by), ...(body && { body }) });

const writerKind = async (app: TestApp, repo: string, language = 'en'): Promise<string> => {
  const request = { token: app.tokenFor('ann'), body: { language, regenerate: true } };
  const { body, text } = await app.call('POST', `/repos/acme/${repo}/pulls/1/article`, request);
  return body.data?.contents?.[language]?.writer?.kind ?? text;
};

test('the model that an operator sets writes in every process, and none does after it is removed', async () => {
  assert.equal((await call(first, 'GET')).body.data.source, 'none');
  assert.equal(await writerKind(first, 'one'), 'offline');
  const set = await call(first, 'PUT', { writer });
  assert.equal(set.status, 200, set.text);
  const { usage: _, ...settings } = set.body.data;
  assert.deepEqual(settings, {
    source: 'settings',
    isKeyUnreadable: false,
    writer: { provider: 'compatible', model: 'scripted', baseUrl: model.baseUrl('openai') },
    reader: { provider: 'compatible', model: 'scripted', baseUrl: model.baseUrl('openai') },
    local: [],
    limits: {
      tokensPerDay: 10_000_000,
      tokensPerMonth: null,
      articlesPerDay: 50,
      mayReadPrivate: false,
      setByEnvironment: [],
    },
  });
  assert.equal(await writerKind(first, 'one'), 'ai');
  await waitUntil('the other process has it', async () => {
    return (await call(second, 'GET')).body.data.source === 'settings';
  });
  assert.equal(await writerKind(second, 'two'), 'ai');
  assert.equal((await call(second, 'DELETE')).status, 200);
  await waitUntil('the first process writes without', async () => {
    return (await call(first, 'GET')).body.data.source === 'none';
  });
  assert.equal(await writerKind(first, 'two', 'ja'), 'offline');
});

test('a service that starts uses the models that were set', async () => {
  await call(first, 'PUT', { writer, reader: null, limits: { articlesPerDay: 7 } });
  const third = await start();
  const { body } = await call(third, 'GET');
  assert.deepEqual(
    [body.data.source, body.data.reader, body.data.limits.articlesPerDay],
    ['settings', null, 7],
  );
  await third.close();
});

test('a key stays for its provider and address, and is required again for another address', async () => {
  const anthropic = { provider: 'anthropic', model: 'claude-sonnet-4-5' };
  const without = await call(first, 'PUT', { writer: anthropic });
  assert.deepEqual(without.body.error.details, [
    { field: 'writer.apiKey', problem: 'is required' },
    { field: 'reader.apiKey', problem: 'is required' },
  ]);
  assert.equal(
    (await call(first, 'PUT', { writer: { ...anthropic, apiKey: key }, reader: null })).status,
    200,
  );
  assert.equal(
    (await call(first, 'PUT', { writer: { ...anthropic, model: 'claude-opus-4-1' } })).status,
    200,
  );
  const elsewhere = { ...anthropic, baseUrl: 'https://attacker.example/v1' };
  const refused = await call(first, 'PUT', { writer: elsewhere, reader: null });
  assert.deepEqual(refused.body.error.details, [
    { field: 'writer.apiKey', problem: 'is required again for another address' },
  ]);
  assert.equal((await call(first, 'GET')).body.data.writer.model, 'claude-opus-4-1');
});

test('an address that cannot be parsed is refused by its field', async () => {
  const { status, body } = await call(first, 'PUT', {
    writer: { ...writer, baseUrl: 'http://x:99999' },
    reader: null,
  });
  assert.equal(status, 400);
  assert.deepEqual(body.error.details, [{ field: 'writer.baseUrl', problem: 'is not a valid address' }]);
});

test('the reader is asked at its own address, also if it has the name of the writer', async () => {
  const other = await startScriptedModel(writeObligingly);
  await call(first, 'PUT', { writer, reader: { ...writer, baseUrl: other.url, apiKey: 'another-key' } });
  assert.equal(await writerKind(first, 'one', 'fr'), 'ai');
  assert.deepEqual(
    new Set(other.heard.map(({ headers }) => headers.authorization)),
    new Set(['Bearer another-key']),
  );
});

test('of concurrent reloads, the one that read older settings does not win', async () => {
  await call(first, 'PUT', { writer, reader: null });
  const models = new CurrentModels(parseConfig({}), { clock: first.now, metrics: null });
  const slow = Promise.withResolvers<void>();
  let reads = 0;
  const delayed: typeof first.database.query = async (statement) => {
    reads += 1;
    const isSlow = reads === 1;
    const found = await first.database.query<never>(statement);
    if (isSlow) await slow.promise;
    return found;
  };
  const secretKeys = loadSecretKeys({ dataFolder: temporaryFolder(), secretKeys: undefined });
  const reload = () =>
    models.reload({ database: Object.create(first.database, { query: { value: delayed } }), secretKeys });
  const older = reload();
  await waitUntil('the first has read', async () => reads === 1);
  await call(first, 'DELETE');
  const newer = reload();
  // Long enough for the newer one to end if it did not wait.
  for (let turn = 0; turn < 3; turn += 1) await call(first, 'GET');
  slow.resolve();
  await Promise.all([older, newer]);
  assert.equal(models.source(), 'none');
  await models.close();
});

test('private repositories stay allowed for the same address, and are asked about again for another', async () => {
  const limitsAfter = async (body: object) =>
    (await call(first, 'PUT', body)).body.data.limits.mayReadPrivate;
  assert.equal(await limitsAfter({ writer, limits: { mayReadPrivate: true } }), true);
  assert.equal(await limitsAfter({ writer: { ...writer, model: 'larger' } }), true);
  const elsewhere = { provider: 'anthropic', model: 'claude-sonnet-4-5', apiKey: key };
  assert.equal(await limitsAfter({ writer, reader: elsewhere }), false);
});

test('a key is neither in a response, nor in a log, nor in clear in the database', async () => {
  const { text } = await call(first, 'PUT', { writer: { ...writer, provider: 'nonsense' } });
  const texts = [
    text,
    (await call(first, 'PUT', { writer })).text,
    (await call(first, 'GET')).text,
    JSON.stringify(first.logLines()),
    JSON.stringify(await first.database.query(sql`SELECT * FROM model_settings`)),
  ];
  for (const one of texts) assert.ok(!one.includes(key), one);
});

test('users who are not operators get the 404 of an address without anything', async () => {
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const { status, body } = await call(first, method, method === 'PUT' ? { writer } : undefined, 'bob');
    assert.equal(status, 404);
    assert.equal(body.error.code, 'NOT_FOUND');
  }
  assert.equal((await first.call('GET', '/service/model')).status, 401);
});

test('settings of the environment win, and changing the model is refused with 409', async () => {
  const fixed = await buildTestApp({
    database,
    environment: { ...environment, AI_MODEL: 'compatible/other', AI_BASE_URL: model.url },
  });
  assert.equal((await call(fixed, 'GET')).body.data.writer.model, 'other');
  for (const [method, body] of [
    ['PUT', { writer }],
    ['DELETE', undefined],
  ] as const) {
    const refused = await call(fixed, method, body);
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'SET_BY_ENVIRONMENT']);
  }
  await fixed.close();
});
