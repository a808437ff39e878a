import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { buildTestApp, freshDatabase, type Reply, type TestApp } from '../../test/build-app.ts';
import { makeHistory } from '../../test/make-history.ts';
import { questionIn, writeObligingly } from '../../test/model/obliging-writer.ts';
import { type Script, startScriptedModel } from '../../test/model/scripted-model.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { createPaidQuestions } from '../actions/articles/model-questions.ts';
import type { Database } from '../db/database.ts';
import type { HeldJob } from '../db/job-queue.ts';
import { allTokensQuota, countQuota, takeQuota } from '../db/quotas.ts';
import { sql } from '../db/sql.ts';
import { createModel } from '../writing/ai/model.ts';
import { type ModelQuestion, noTokens } from '../writing/ai/model-question.ts';

const root = temporaryFolder();
const pullRequests = 25;
makeHistory(root, 'acme/rocket', pullRequests);
const model = await startScriptedModel(writeObligingly);
const environment = {
  GIT_REPOS: root,
  AI_MODEL: 'compatible/scripted',
  AI_BASE_URL: model.url,
  AI_JUDGE_MODEL: 'off',
  AI_ARTICLES_PER_DAY: '1',
};
const app = await buildTestApp({ environment, frozen: true, waits: [] });
await app.signUp('ann');

const ask = (on: TestApp, number: number, more = {}, by = 'ann'): Promise<Reply> =>
  on.call('POST', `/repos/acme/rocket/pulls/${number}/article`, {
    token: on.tokenFor(by),
    body: { language: 'en', ...more },
  });

const quotasOf = (on: TestApp) =>
  on.database.query(sql`SELECT count AS articles FROM daily_counts WHERE kind = 'articles' AND count > 0`);

test('a quota of one article holds for a hundred simultaneous requests: one is written, the others get 429 until the next day', async () => {
  const before = model.heard.length;
  const replies = await Promise.all(
    // The others are for later tests: any of these may be written.
    Array.from({ length: 100 }, (_, index) => ask(app, 1 + (index % 19))),
  );
  const refused = replies.filter(({ status }) => status === 429);
  const written = replies.filter(({ status }) => status === 201 || status === 200);
  assert.equal(refused.length + written.length, 100);
  assert.equal(new Set(written.map(({ body }) => body.data.id)).size, 1);
  assert.equal(model.heard.length - before, 1);
  // Some requests are refused by other limits on simultaneous requests.
  const exhausted = refused.find(({ body }) => body.error.code === 'QUOTA_EXHAUSTED');
  const seconds = Number(exhausted?.headers.get('retry-after'));
  assert.ok(seconds >= 1 && seconds <= 24 * 60 * 60, String(seconds));
  app.advance(seconds * 1000);
  await app.signUp('bob');
  assert.equal((await ask(app, 20)).status, 201);
});

test('an article that the model failed to write does not count against the quota', async () => {
  await app.signUp('cat');
  const before = (await quotasOf(app)).length;
  const broken: Script = [{ error: { status: 400, code: 'invalid' } }];
  model.play(broken);
  assert.equal((await ask(app, 21, {}, 'cat')).status, 201, 'the offline writer stands in');
  assert.equal((await ask(app, 22, { language: 'fr' }, 'cat')).status, 502);
  model.play(writeObligingly);
  assert.equal((await quotasOf(app)).length, before);
  assert.equal((await ask(app, 22, { language: 'fr' }, 'cat')).status, 201);
});

test('a cancelled article counts against the quota only if a model was called for it', async () => {
  const askInVain = (on: TestApp, number: number) =>
    on.call('POST', `/repos/acme/rocket/pulls/${number}/article`, {
      token: on.tokenFor('dan'),
      body: { language: 'en' },
      headers: { prefer: 'respond-async' },
    });
  const cancel = async (on: TestApp, { body }: Reply) => {
    const cancelled = await on.call('DELETE', `/jobs/${body.data.id}`, { token: on.tokenFor('dan') });
    assert.equal(cancelled.body.data.state, 'cancelled');
  };
  const idle = await buildTestApp({ environment: { ...environment, WRITERS: '0' }, frozen: true });
  await Promise.all([idle, app].map((on) => on.signUp('dan')));
  for (const number of [1, 2]) {
    const queued = await askInVain(idle, number);
    assert.equal(queued.status, 202);
    await cancel(idle, queued);
  }
  const before = model.heard.length;
  model.play([{ silent: true }]);
  const begun = await askInVain(app, 23);
  assert.equal(begun.status, 202);
  await waitUntil('the model is called', () => model.heard.length > before);
  await cancel(app, begun);
  model.play(writeObligingly);
  const again = await askInVain(app, 24);
  assert.deepEqual([again.status, again.body.error?.code], [429, 'QUOTA_EXHAUSTED']);
  assert.equal(model.heard.length - before, 1);
});

test('a job that was just cancelled calls no model and reserves no tokens', async () => {
  const { database } = app;
  const now = new Date('2032-01-01T12:00:00Z');
  const { signal } = new AbortController();
  const asked = {
    ask: async ({ beforeCall }: ModelQuestion) => {
      await beforeCall?.(noTokens);
      throw new Error('It was called.');
    },
    provider: 'compatible' as const,
    baseUrl: '',
    name: 'none',
    estimateTokens: (bytes: number) => bytes,
    limits: async () => ({ outputTokens: 10, promptBytes: 10, surePromptBytes: 10 }),
    priceOf: async () => undefined,
  };
  const held = { id: crypto.randomUUID(), attempt: 1 };
  let isLost = false;
  const onLost = () => {
    isLost = true;
  };
  const paid = createPaidQuestions(
    { database, clock: () => now, models: { tokensPerDay: 1_000, tokensPerMonth: null } },
    held,
    onLost,
  );
  const question = {
    instructions: 'x',
    prompt: '',
    earlier: [],
    schema: Type.Object({}),
    maxOutputTokens: 10,
  };
  await assert.rejects(paid.put(asked)({ ...question, signal, onText: () => {} }), /cancelled/);
  assert.ok(isLost);
  assert.equal(await countQuota(database, allTokensQuota, now), 0);
});

test('a question that fails in the database before the call uses no tokens', async () => {
  const { database } = app;
  const now = new Date('2033-01-01T12:00:00Z');
  const access = { provider: 'compatible' as const, name: 'scripted', apiKey: 'key', isOwnAddress: true };
  const asked = createModel(
    {
      ...access,
      contextTokens: undefined,
      outputTokens: 1_000,
      timeoutMs: 60_000,
      baseUrl: model.baseUrl('compatible'),
    },
    { fetch, clock: () => now, wait: async () => {} },
  );
  const locked: Database = Object.assign(Object.create(database), {
    query: database.query.bind(database),
    transaction: async () => {
      throw new Error('canceling statement due to lock timeout');
    },
  });
  const held = { id: crypto.randomUUID(), attempt: 1 };
  const paid = createPaidQuestions(
    { database: locked, clock: () => now, models: { tokensPerDay: 100_000, tokensPerMonth: null } },
    held,
    () => {},
  );
  const before = model.heard.length;
  await takeQuota(database, allTokensQuota, { amount: 7, most: 100_000, now });
  await assert.rejects(
    paid.put(asked)({
      instructions: 'x'.repeat(5_000),
      prompt: '',
      earlier: [],
      schema: Type.Object({}),
      maxOutputTokens: 10,
      signal: new AbortController().signal,
      onText: () => {},
    }),
    /lock timeout/,
  );
  assert.equal(model.heard.length, before);
  assert.equal(await countQuota(database, allTokensQuota, now), 7, 'what others have used');
  assert.equal(paid.spent().inputTokens, 0);
});

test('a retry reserves tokens before its call, and is not made beyond the daily limit', async () => {
  const { database } = app;
  const now = new Date('2031-01-01T12:00:00Z');
  const access = { provider: 'compatible' as const, name: 'scripted', apiKey: 'key', isOwnAddress: true };
  const limits = { contextTokens: undefined, outputTokens: 1_000, timeoutMs: 60_000 };
  const asked = createModel(
    { ...access, ...limits, baseUrl: model.baseUrl('compatible') },
    { fetch, clock: () => now, wait: async () => {} },
  );
  const question = { instructions: 'x'.repeat(5_000), prompt: '', earlier: [], schema: Type.Object({}) };
  const { promise: cutWhen, resolve } = Promise.withResolvers<void>();
  const [job] = await database.query<HeldJob>(sql`
    INSERT INTO jobs (work, subject, state, attempt, queued_at, created_at, heartbeat_at)
    VALUES ('article', 'held', 'running', 1, ${now}, ${now}, 'infinity') RETURNING id, attempt`);
  assert.ok(job);
  const put = (tokensPerDay: number) => {
    const models = { tokensPerDay, tokensPerMonth: null };
    const paid = createPaidQuestions({ database, clock: () => now, models }, job, () => {});
    const { signal } = new AbortController();
    return paid.put(asked)({ ...question, maxOutputTokens: 1_000, signal, onText: () => resolve() });
  };
  model.play([
    { text: '{"a":', cutAfter: 1, cutWhen },
    { text: '{}', usage: null },
  ]);
  const before = model.heard.length;
  // The first call may use 3,000 tokens, and has been read when its connection breaks.
  await assert.rejects(put(4_000), { code: 'QUOTA_EXHAUSTED' });
  assert.equal(model.heard.length - before, 1);
  const used = await countQuota(database, allTokensQuota, now);
  assert.ok(used >= 2_000 && used < 2_100, String(used));
  await put(used + 3_000);
  assert.equal(model.heard.length - before, 2);
  model.play(writeObligingly);
});

test('beyond AI_TOKENS_PER_DAY no model is called, and the article says that a limit was reached', async () => {
  const poor = await buildTestApp({
    environment: { ...environment, AI_TOKENS_PER_DAY: '5000' },
    frozen: true,
  });
  await poor.signUp('ann');
  const before = model.heard.length;
  const reply = await ask(poor, 1);
  assert.deepEqual(reply.body.data?.contents.en.writer, { kind: 'offline', because: 'budget' });
  assert.equal(model.heard.length - before, 0);
  assert.equal((await quotasOf(poor)).length, 0);
});

test('a worker that takes over a job does not pay again for replies it already has', async () => {
  const database = await freshDatabase();
  const judged = { ...environment, AI_JUDGE_MODEL: 'compatible/scripted' };
  const first = await buildTestApp({ database, environment: judged });
  await first.signUp('ann');
  const { promise: isJudging, resolve } = Promise.withResolvers<void>();
  const before = model.heard.length;
  model.play((request) => {
    if (questionIn(request).asked !== 'verdicts') return writeObligingly(request);
    resolve();
    return { silent: true };
  });
  const started = await first.call('POST', '/repos/acme/rocket/pulls/1/article', {
    token: first.tokenFor('ann'),
    body: { language: 'en' },
    headers: { prefer: 'respond-async' },
  });
  assert.equal(started.status, 202);
  await isJudging;
  await first.close();
  model.play(writeObligingly);
  const second = await buildTestApp({ database, environment: judged });
  const reply = await ask(second, 1);
  assert.ok(reply.status === 201 || reply.status === 200, reply.text);
  const { writer, verification, usage } = reply.body.data.contents.en;
  assert.deepEqual([writer.kind, verification.judged], ['ai', 2]);
  assert.equal(usage.outputTokens, 400, 'both answers are counted, whoever paid');
  const asked = model.heard.slice(before).map((request) => questionIn(request).asked);
  assert.deepEqual(asked, ['article', 'verdicts', 'verdicts']);
});

test('an article whose model replies were unusable counts against the quota, because they were paid for', async () => {
  await app.signUp('dora');
  model.play(() => ({ text: 'I refuse.' }));
  const asked = model.heard.length;
  assert.equal((await ask(app, 25, {}, 'dora')).status, 201, 'the offline writer stands in');
  const calls = model.heard.length - asked;
  const again = await ask(app, 25, { regenerate: true }, 'dora');
  assert.deepEqual([again.status, again.body.error?.code], [429, 'QUOTA_EXHAUSTED']);
  assert.equal(model.heard.length - asked, calls, 'nobody was called again');
  model.play(writeObligingly);
});
