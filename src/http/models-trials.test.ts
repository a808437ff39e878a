import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, freshDatabase } from '../../test/build-app.ts';
import { makeClone } from '../../test/make-clone.ts';
import { writeObligingly } from '../../test/model/obliging-writer.ts';
import { startScriptedModel } from '../../test/model/scripted-model.ts';
import { honest, playPart } from '../../test/model/trial-models.ts';
import type { Reply } from '../../test/model/wire.ts';
import { rowsToRun } from '../../test/tables.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { createUnkeptQuestions } from '../actions/articles/model-questions.ts';
import { testModels } from '../actions/models/run-trial.ts';
import { runHere } from '../cli/explain/write-about.ts';
import { parseConfig } from '../config.ts';
import { sql } from '../db/sql.ts';
import { readSamples } from '../open-samples.ts';
import { loadPrompts, openModels } from '../open-writing.ts';

const root = temporaryFolder();
makeClone(root, 'acme/rocket', 'feat: launch (#1)');
makeClone(root, 'acme/secret', 'feat: hide (#1)');
const samples = await readSamples(runHere(), [6]);
const [sample = assert.fail()] = samples;
const model = await startScriptedModel();
const database = await freshDatabase();
const environment = { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann+bob', OPERATORS: 'ann', WRITERS: '1' };
const app = await buildTestApp({ database, environment, waits: [] });
const ann = await app.signUp('ann');
const bob = await app.signUp('bob');
const apiKey = 'sk-planted-and-secret-0123456789';
const writer = { provider: 'compatible', model: 'scripted', baseUrl: model.url, apiKey };
const honestly = playPart(honest, samples);

const post = (what: string, body: object, token = ann) =>
  app.call('POST', `/service/model/${what}`, { token, body });
const readJob = async (id: string) => (await app.call('GET', `/jobs/${id}`, { token: ann })).body.data;
const stored = async () => JSON.stringify(await app.database.query(sql`SELECT * FROM jobs`));

async function resultOf(what: string, body: object) {
  const { status, text, body: begun } = await post(what, body);
  assert.equal(status, 202, text);
  await waitUntil('the job is over', async () =>
    ['done', 'failed', 'cancelled'].includes((await readJob(begun.data.id)).state),
  );
  return readJob(begun.data.id);
}

test('a test asks each model once, counts five lies and five truths, and leaves no key', async () => {
  model.play(honestly);
  const before = model.heard.length;
  const job = await resultOf('test', { writer });
  assert.deepEqual([job.work, job.state], ['test', 'done'], JSON.stringify(job));
  assert.deepEqual(job.test, {
    answers: true,
    keepsFormat: true,
    liesCaught: 5,
    truthsKept: 5,
    problem: null,
    problemOf: null,
  });
  assert.equal(model.heard.length - before, 2);
  assert.equal(model.heard.at(-1)?.headers.authorization, `Bearer ${apiKey}`);
  assert.ok(!(await stored()).includes('sealedKey'));
});

test('tokens of tests count for the operator, and for no repository', async () => {
  const used = async () => {
    const { byUser, byRepository } = (await app.call('GET', '/service/model', { token: ann })).body.data
      .usage;
    const sum = (rows: { outputTokens: number }[]) =>
      rows.reduce((total, one) => total + one.outputTokens, 0);
    const own = (one: { user: { hostUsername: string } | null }) => one.user?.hostUsername === 'ann';
    const unnamed = (one: { repository: object | null }) => one.repository === null;
    return { user: sum(byUser.filter(own)), unnamed: sum(byRepository.filter(unnamed)) };
  };
  model.play(honestly);
  const before = await used();
  await resultOf('test', { writer });
  const after = await used();
  assert.ok(after.user > before.user, JSON.stringify({ before, after }));
  assert.equal(after.unnamed - before.unnamed, after.user - before.user);
});

test('a test without a second model says nothing of lies, and one of a credulous model counts none', async () => {
  const job = await resultOf('test', { writer, reader: null });
  assert.deepEqual([job.test.answers, job.test.liesCaught, job.test.truthsKept], [true, null, null]);
  model.play(playPart({ ...honest, judge: () => 'holds' }, samples));
  const { test: credulous } = await resultOf('test', { writer });
  assert.deepEqual([credulous.liesCaught, credulous.keepsFormat], [0, false]);
});

const error = (status: number, code: string): Reply => ({ error: { status, code } });
const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>Hello</p>' };

const problems: [name: string, Reply, problem: string][] = [
  ['wrongKey', error(401, 'invalid_api_key'), 'wrongKey'],
  ['noCredit', error(429, 'insufficient_quota'), 'noCredit'],
  ['noSuchModel', error(404, 'model_not_found'), 'noSuchModel'],
  ['windowTooSmall', error(400, 'context_length_exceeded'), 'windowTooSmall'],
  ['cut', { text: '{}', usage: { input: 500, output: 2 } }, 'windowTooSmall'],
  ['doesNotStream', { raw: page }, 'doesNotStream'],
  ['busy', error(503, 'overloaded_error'), 'busy'],
  ['unreachable', { text: 'x'.repeat(900), cutAfter: 300 }, 'unreachable'],
  ['unusable', { text: 'I cannot do that.' }, 'unusable'],
];

for (const provider of ['anthropic', 'openai', 'google', 'compatible'])
  test(`a test of a model of ${provider} names its problem by a code, without a word of its response`, async () => {
    for (const [, reply, problem] of rowsToRun(problems, ([name]) => name)) {
      model.play([reply]);
      const job = await resultOf('test', { writer: { ...writer, provider } });
      assert.deepEqual([job.test.problem, job.test.problemOf], [problem, 'writer'], JSON.stringify(job));
      assert.doesNotMatch(JSON.stringify(job), /Something happened/);
    }
  });

test('an address where nothing listens is unreachable, and a problem of the second model is named as its own', async () => {
  const nothing = { ...writer, baseUrl: 'http://127.0.0.1:9/v1' };
  const { test: unreachable } = await resultOf('test', { writer: nothing, reader: null });
  assert.deepEqual([unreachable.answers, unreachable.problem], [false, 'unreachable']);
  model.play(honestly);
  const { test: ofReader } = await resultOf('test', { writer, reader: nothing });
  assert.deepEqual([ofReader.problem, ofReader.problemOf], ['unreachable', 'reader']);
});

test('a test of one model for both roles names its problem, whichever question fails first', async () => {
  model.play([error(401, 'invalid_api_key')]);
  const config = parseConfig({ AI_MODEL: 'compatible/scripted', AI_BASE_URL: model.url });
  const { prompts } = loadPrompts();
  const none = new AbortController().signal;
  const { put } = createUnkeptQuestions();
  for (const late of [0, 1]) {
    const models = openModels(config, { clock: () => new Date() }) ?? assert.fail();
    const oneFailed = Promise.withResolvers<void>();
    let asked = 0;
    const result = await testModels(
      {
        ...models,
        judge: models.writer,
        sample,
        prompts,
        put: (own) => async (question) => {
          const place = asked;
          asked += 1;
          if (place === late) await oneFailed.promise;
          return put(own)(question).finally(oneFailed.resolve);
        },
      },
      none,
      () => {},
    );
    assert.deepEqual([result.problem, result.problemOf], ['wrongKey', 'writer'], String(late));
    await models.close();
  }
});

test('models that do not answer within the limit are too slow', async () => {
  model.play([{ silent: true }]);
  const config = parseConfig({ AI_MODEL: 'compatible/scripted', AI_BASE_URL: model.url });
  const models = openModels(config, { clock: () => new Date() }) ?? assert.fail();
  const { prompts } = loadPrompts();
  const none = new AbortController().signal;
  const { put } = createUnkeptQuestions();
  const result = await testModels({ ...models, sample, prompts, put }, none, () => {}, 50);
  assert.deepEqual([result.answers, result.problem], [false, 'tooSlow']);
  await models.close();
});

test('a test that is cancelled stops asking and leaves no key', async () => {
  const isAsked = Promise.withResolvers<void>();
  model.play(() => {
    isAsked.resolve();
    return { silent: true };
  });
  const { body } = await post('test', { writer });
  await isAsked.promise;
  assert.ok(!(await stored()).includes(apiKey));
  assert.ok((await stored()).includes('sealedKey'));
  const { body: cancelled } = await app.call('DELETE', `/jobs/${body.data.id}`, { token: ann });
  assert.equal(cancelled.data.state, 'cancelled');
  assert.ok(!(await stored()).includes('sealedKey'));
  await model.heard.at(-1)?.isOver;
});

const article = async (repo: string, token = ann) =>
  app.call('POST', `/repos/acme/${repo}/pulls/1/article`, { token, body: { language: 'en' } });

test('a preview is written by the given model and stored in its job alone', async () => {
  const { body: before } = await article('rocket');
  model.play(writeObligingly);
  const pullRequest = { owner: 'acme', repo: 'rocket', number: 1, language: 'en' };
  const job = await resultOf('preview', { ...pullRequest, writer });
  assert.deepEqual([job.work, job.state], ['preview', 'done'], JSON.stringify(job));
  assert.deepEqual([job.preview.writer.kind, job.preview.writer.model], ['ai', 'scripted']);
  assert.ok(job.preview.usage.inputTokens > 0);
  const after = await app.call('GET', '/repos/acme/rocket/pulls/1/article', { token: ann });
  assert.deepEqual(after.body.data, before.data);
  const kept = await app.database.count(
    sql`SELECT (SELECT count(*) FROM ai_drafts) + (SELECT count(*) FROM ai_notes) + (SELECT count(*) FROM ai_answers)`,
  );
  assert.equal(kept, 0);
  assert.ok(!(await stored()).includes('sealedKey'));
  assert.equal((await app.call('GET', `/jobs/${job.id}`, { token: bob })).status, 404);
});

test('a preview of a private repository needs the permission for it, and the rights of the operator', async () => {
  await article('secret');
  model.play(writeObligingly);
  const secret = { owner: 'acme', repo: 'secret', number: 1, language: 'en', writer };
  const heard = model.heard.length;
  const refused = await post('preview', secret);
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'FORBIDDEN']);
  assert.equal(model.heard.length, heard);
  const allowed = { ...secret, limits: { mayReadPrivate: true } };
  assert.equal((await resultOf('preview', allowed)).preview?.writer.kind, 'ai');
  const other = { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=bob', OPERATORS: 'ann' };
  const hidden = await buildTestApp({ database, environment: other, waits: [] });
  const body = (await hidden.call('POST', '/service/model/preview', { token: ann, body: allowed })).body;
  assert.equal(body.error.code, 'REPOSITORY_NOT_FOUND');
  await hidden.close();
});

test('a preview fails with a reason: without an article, without a model, and with one that fails', async () => {
  makeClone(root, 'acme/fresh', 'feat: nothing yet (#1)');
  const fresh = { owner: 'acme', repo: 'fresh', number: 1, language: 'en', writer };
  assert.equal((await post('preview', fresh)).body.error.code, 'ARTICLE_NOT_FOUND');
  const { writer: _, ...without } = { ...fresh, repo: 'rocket' };
  assert.equal((await post('preview', without)).body.error.code, 'INVALID_REQUEST');
  assert.equal((await post('test', {})).body.error.code, 'INVALID_REQUEST');
  model.play([error(401, 'invalid_api_key')]);
  const job = await resultOf('preview', { ...fresh, repo: 'rocket' });
  assert.deepEqual([job.state, job.error.code], ['failed', 'AI_ERROR']);
  assert.match(job.error.details[0].problem, /^wrongKey$/);
});

test('the models in use are tested and previewed without sending them', async () => {
  model.play(honestly);
  await app.call('PUT', '/service/model', { token: ann, body: { writer } });
  assert.equal((await resultOf('test', {})).test.problem, null);
  model.play(writeObligingly);
  const pullRequest = { owner: 'acme', repo: 'rocket', number: 1, language: 'ja' };
  assert.equal((await resultOf('preview', pullRequest)).preview?.languageCode, 'ja');
  await app.call('DELETE', '/service/model', { token: ann });
});

test('users who are not operators get the 404 of an address without anything', async () => {
  for (const [what, body] of [
    ['test', { writer }],
    ['preview', { owner: 'acme', repo: 'rocket', number: 1, writer }],
  ] as const) {
    const { status, body: answer } = await post(what, body, bob);
    assert.deepEqual([status, answer.error.code], [404, 'NOT_FOUND']);
  }
});
