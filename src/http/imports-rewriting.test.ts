import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, type Reply } from '../../test/build-app.ts';
import { makeHistory } from '../../test/make-history.ts';
import { writeObligingly } from '../../test/model/obliging-writer.ts';
import { startScriptedModel } from '../../test/model/scripted-model.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';

const root = temporaryFolder();
for (const name of ['acme/rocket', 'acme/comet', 'acme/secret', 'acme/poor']) makeHistory(root, name, 5);
const model = await startScriptedModel(writeObligingly);
const app = await buildTestApp({
  frozen: true,
  waits: [],
  environment: { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann', OPERATORS: 'ann' },
});
for (const name of ['ann', 'bob']) await app.signUp(name);

const call = (method: string, path: string, body?: object, by = 'ann'): Promise<Reply> =>
  app.call(method, path, { token: app.tokenFor(by), ...(body && { body }) });

const writer = { provider: 'anthropic', model: 'claude-sonnet-4-5', baseUrl: model.url, apiKey: 'sk-test' };
const setModel = async (limits: object) => {
  const reply = await call('PUT', '/service/model', { writer, limits });
  assert.equal(reply.status, 200, reply.text);
};

async function untilOver(id: string, by = 'ann') {
  const read = async () => (await call('GET', `/jobs/${id}`, undefined, by)).body.data;
  await waitUntil('the job is over', async () => !['queued', 'running'].includes((await read()).state));
  return read();
}

/** Writes about pull requests 2 to 5 without a model. */
async function writeWithout(repo: string): Promise<void> {
  const reply = await call('POST', `/repos/acme/${repo}/import`, { numbers: [2, 3, 4, 5], language: 'en' });
  assert.equal(reply.status, 202, reply.text);
  assert.equal((await untilOver(reply.body.data.id)).state, 'done');
}

const writers = async (repo: string): Promise<string[]> => {
  const { body } = await call('GET', `/articles?owner=acme&repo=${repo}&language=en&limit=100`);
  const found = new Map<number, string>();
  for (const { articleId, prNumber } of body.data.items) {
    const article = await call('GET', `/articles/${articleId}`);
    found.set(prNumber, article.body.data.contents.en.writer.kind);
  }
  return [...found].toSorted(([one], [other]) => one - other).map(([number, kind]) => `${number} ${kind}`);
};

const rewrite = async (repo: string, count: number, by = 'ann') => {
  const reply = await call('POST', `/repos/acme/${repo}/import`, { rewrite: count, language: 'en' }, by);
  assert.equal(reply.status, 202, reply.text);
  return untilOver(reply.body.data.id, by);
};
const estimate = (repo: string, count = 20) =>
  call('GET', `/repos/acme/${repo}/import/estimate?rewrite=${count}&language=en`);

for (const repo of ['rocket', 'comet', 'secret', 'poor']) await writeWithout(repo);

test('without a model, or where it may not read the repository, rewriting and its estimate are refused', async () => {
  const refused = async (repo: string) => {
    const replies = [
      await call('POST', `/repos/acme/${repo}/import`, { rewrite: 20, language: 'en' }),
      await estimate(repo),
    ];
    for (const { body } of replies) assert.equal(body.error?.code, 'LANGUAGE_UNAVAILABLE');
  };
  await refused('rocket');
  await setModel({});
  await refused('secret');
  const both = await call('POST', '/repos/acme/rocket/import', { rewrite: 2, last: 2, language: 'en' });
  assert.equal(both.status, 400);
});

test('rewriting writes the newest articles without a model with it, and leaves those by a model', async () => {
  await setModel({});
  const priced = (await estimate('rocket', 3)).body.data;
  assert.equal(priced.articles, 3);
  assert.ok(priced.inputTokens > priced.outputTokens && priced.estimatedCostUsd > 0, JSON.stringify(priced));
  const first = await rewrite('rocket', 3);
  assert.deepEqual([first.state, first.written], ['done', [5, 4, 3]]);
  assert.deepEqual(await writers('rocket'), ['2 offline', '3 ai', '4 ai', '5 ai']);
  const heard = model.heard.length;
  const second = await rewrite('rocket', 20);
  assert.deepEqual(second.written, [2]);
  const ofOne = model.heard.length - heard;
  assert.ok(ofOne > 0 && ofOne <= heard / 3, `${ofOne} calls for one, ${heard} for three`);
  const third = await rewrite('rocket', 20);
  assert.deepEqual([third.state, third.progress.total], ['done', 0]);
  assert.equal((await estimate('rocket')).body.data.articles, 0);
});

test('rewriting ends when the quota of its user is used up', async () => {
  await setModel({ articlesPerDay: 1 });
  const job = await rewrite('poor', 20, 'bob');
  assert.deepEqual([job.state, job.error.code, job.written], ['failed', 'QUOTA_EXHAUSTED', [5]]);
  assert.deepEqual(await writers('poor'), ['2 offline', '3 offline', '4 offline', '5 ai']);
});

test('beyond the tokens of the day, rewriting changes no article', async () => {
  await setModel({ tokensPerDay: 0, articlesPerDay: 50 });
  const heard = model.heard.length;
  const job = await rewrite('comet', 20);
  assert.deepEqual([job.state, job.error.code], ['failed', 'QUOTA_EXHAUSTED']);
  assert.equal(model.heard.length, heard);
  assert.equal((await writers('comet')).filter((one) => one.endsWith('ai')).length, 0);
});

test('cancelled rewriting keeps what is not rewritten yet', async () => {
  await setModel({ tokensPerDay: 10_000_000 });
  const heard = model.heard.length;
  model.play([{ silent: true }]);
  const reply = await call('POST', '/repos/acme/comet/import', { rewrite: 20, language: 'en' });
  await waitUntil('the model is called', () => model.heard.length > heard);
  await call('DELETE', `/jobs/${reply.body.data.id}`);
  assert.equal((await untilOver(reply.body.data.id)).state, 'cancelled');
  model.play(writeObligingly);
  assert.deepEqual(await writers('comet'), ['2 offline', '3 offline', '4 offline', '5 offline']);
});

test('pages offer no rewriting of samples', async () => {
  const shop = await buildTestApp({ environment: { OPERATORS: 'ann' } });
  const token = await shop.signUp('ann');
  const about = { token, body: { language: 'en' } };
  const written = await shop.call('POST', '/repos/harborline/parcel/pulls/2/article', about);
  assert.equal(written.body.data.contents.en.writer.kind, 'offline', written.text);
  await shop.call('PUT', '/service/model', { token, body: { writer } });
  const session = await shop.call('POST', '/auth/session', { token });
  const headers = { cookie: `pullquote_session=${session.body.data.accessToken}`, accept: 'text/html' };
  for (const path of ['/r/harborline/parcel/2?language=en', '/r/harborline/parcel?language=en']) {
    const { status, text } = await shop.call('GET', path, { headers });
    assert.equal(status, 200);
    assert.ok(text.includes('/settings'), 'it is the page of a user');
    assert.ok(!text.includes('data-regenerate') && !text.includes('name="rewrite"'), path);
  }
});
