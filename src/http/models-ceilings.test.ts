import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, freshDatabase, type TestApp } from '../../test/build-app.ts';
import { makeHistory } from '../../test/make-history.ts';
import { writeObligingly } from '../../test/model/obliging-writer.ts';
import { startScriptedModel } from '../../test/model/scripted-model.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { sql } from '../db/sql.ts';

const root = temporaryFolder();
const pullRequests = 24;
makeHistory(root, 'acme/rocket', pullRequests);
const model = await startScriptedModel(writeObligingly);
const database = await freshDatabase();
const environment = { GIT_REPOS: root, OPERATORS: 'ann', AI_OUTPUT_TOKENS: '1000' };
const start = (more: Record<string, string> = {}) =>
  buildTestApp({ database, environment: { ...environment, ...more }, frozen: true, waits: [] });
const apps = [await start(), await start()];
const [first = assert.fail(), second = assert.fail()] = apps;
const moveTo = (moment: string, ...moved: TestApp[]): void => {
  for (const app of moved) app.advance(Date.parse(moment) - app.now().getTime());
};
moveTo('2050-05-31T22:00:00Z', ...apps);
await first.signUp('ann');

const writer = { provider: 'compatible', model: 'scripted', baseUrl: model.url };

const set = async (limits: object, on = first) => {
  const reply = await on.call('PUT', '/service/model', {
    token: on.tokenFor('ann'),
    body: { writer, reader: null, limits },
  });
  assert.equal(reply.status, 200, reply.text);
  await waitUntil('all processes have it', async () => {
    const settings = await Promise.all(apps.map(settingsOf));
    return settings.every(({ limits: found }) =>
      Object.entries(limits).every(([name, limit]) => found?.[name] === limit),
    );
  });
};

const settingsOf = async (on: TestApp) =>
  (await on.call('GET', '/service/model', { token: on.tokenFor('ann') })).body.data;

const ask = (on: TestApp, number: number, body: object = { language: 'en' }) =>
  on.call('POST', `/repos/acme/rocket/pulls/${number}/article`, { token: on.tokenFor('ann'), body });

const writtenBy = async (on: TestApp, number: number): Promise<string> => {
  const { status, body, text } = await ask(on, number);
  assert.ok(status === 201 || status === 200, text);
  const { kind, because } = body.data.contents.en.writer;
  return because ?? kind;
};

const usedThisMonth = () =>
  first.database.count(sql`
    SELECT coalesce(sum(input_tokens + output_tokens), 0)::bigint FROM model_usage WHERE month = '2050-05-01'`);

test('two processes together use at most the tokens of the month, write the rest without a model, and begin again on the first', async () => {
  const tokensPerMonth = 24_000;
  await set({ tokensPerDay: 1_000_000, tokensPerMonth, articlesPerDay: 1_000 });
  let most = 0;
  const left = Array.from({ length: pullRequests - 2 }, (_, index) => index + 1);
  const written: string[] = [];
  const askInTurn = async (app: TestApp): Promise<void> => {
    for (let number = left.shift(); number !== undefined; number = left.shift()) {
      written.push(await writtenBy(app, number));
      most = Math.max(most, (await settingsOf(app)).usage.tokensThisMonth);
    }
  };
  // A user may have eight requests of each process under way.
  await Promise.all([...apps, ...apps, ...apps, ...apps].map(askInTurn));
  assert.deepEqual(new Set(written), new Set(['ai', 'budget']));
  const used = await usedThisMonth();
  assert.ok(used > 0 && used <= tokensPerMonth, String(used));
  assert.ok(most <= tokensPerMonth, `with what was under way: ${most}`);
  assert.equal((await settingsOf(second)).usage.tokensThisMonth, used, 'nothing stays reserved');

  await set({ tokensPerMonth: used });
  assert.equal(await writtenBy(second, pullRequests), 'budget');
  moveTo('2050-06-01T00:00:01Z', ...apps);
  assert.equal(await writtenBy(second, pullRequests - 1), 'ai');
});

test('beyond a ceiling, rewriting and languages that need a model are refused until it ends', async () => {
  const refusal = async (body: object) => {
    const { status, body: reply, headers } = await ask(first, pullRequests, body);
    assert.deepEqual([status, reply.error?.code], [429, 'QUOTA_EXHAUSTED']);
    return { message: reply.error.message, seconds: Number(headers.get('retry-after')) };
  };
  moveTo('2050-06-10T12:00:00Z', ...apps);
  await set({ tokensPerDay: 0, tokensPerMonth: null });
  const ofDay = await refusal({ language: 'en', regenerate: true });
  assert.equal(ofDay.seconds, 12 * 60 * 60);
  await set({ tokensPerDay: 1_000_000, tokensPerMonth: 0 });
  const ofMonth = await refusal({ language: 'fr' });
  assert.match(ofMonth.message, /this month's.+2050-07-01T00:00:00/);
  assert.equal(ofMonth.seconds, 20.5 * 24 * 60 * 60);
});

test('beyond a ceiling, questions are answered by search, and by the model again after it', async () => {
  const answer = async () => {
    const body = { language: 'en', question: 'What is launched?' };
    const path = `/repos/acme/rocket/pulls/${pullRequests}/questions`;
    const reply = await first.call('POST', path, { token: first.tokenFor('ann'), body });
    assert.ok(reply.status === 201 || reply.status === 200, reply.text);
    const { kind, because } = reply.body.data.writer;
    return because ?? kind;
  };
  await set({ tokensPerMonth: 0 });
  assert.equal(await answer(), 'budget');
  await set({ tokensPerMonth: null });
  assert.equal(await answer(), 'ai');
});

test('limits of the environment win over those that operators set, and are refused if they differ', async () => {
  await set({ tokensPerDay: 5, tokensPerMonth: 7 });
  const fixed = await start({ AI_TOKENS_PER_MONTH: '9', AI_PRIVATE: 'false' });
  const { limits } = await settingsOf(fixed);
  assert.deepEqual(
    [limits.tokensPerDay, limits.tokensPerMonth, limits.setByEnvironment],
    [5, 9, ['tokensPerMonth', 'mayReadPrivate']],
  );
  const put = (wanted: object) =>
    fixed.call('PUT', '/service/model', {
      token: fixed.tokenFor('ann'),
      body: { writer, limits: wanted },
    });
  const refused = await put({ mayReadPrivate: true, tokensPerMonth: 9 });
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'SET_BY_ENVIRONMENT']);
  assert.deepEqual(
    refused.body.error.details.map(({ field }: { field: string }) => field),
    ['limits.mayReadPrivate'],
  );
  assert.equal((await put({ mayReadPrivate: false, tokensPerDay: 6 })).status, 200);
  await fixed.close();
});
