import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { makeClone } from '../../test/make-clone.ts';
import { writeObligingly } from '../../test/model/obliging-writer.ts';
import { startScriptedModel } from '../../test/model/scripted-model.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { insertRemoval } from '../db/removals.ts';
import { sql } from '../db/sql.ts';

const root = temporaryFolder();
for (const name of ['acme/open', 'acme/secret', 'acme/hidden', 'acme/gone'])
  makeClone(root, name, 'feat: launch (#1)');
const model = await startScriptedModel(writeObligingly);
const app = await buildTestApp({
  frozen: true,
  waits: [],
  environment: {
    GIT_REPOS: root,
    GIT_PRIVATE: 'acme/secret=ann+bob,acme/hidden=ann+bob',
    OPERATORS: 'olga,ann',
    AI_MODEL: 'anthropic/claude-sonnet-4-5',
    AI_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'sk-test-0123456789',
    AI_PRIVATE: 'true',
  },
});
for (const name of ['olga', 'ann', 'bob']) await app.signUp(name);

interface Used {
  inputTokens: number;
  outputTokens: number;
  estimatedCostUsd?: number;
}
interface Usage {
  month: string;
  byRepository: (Used & { repository: { repo: string } | null })[];
  byUser: (Used & { user: { hostUsername: string } | null })[];
}

const usageFor = async (by: string): Promise<Usage> =>
  (await app.call('GET', '/service/model', { token: app.tokenFor(by) })).body.data.usage;

const sum = (rows: Used[]) => ({
  inputTokens: rows.reduce((total, one) => total + one.inputTokens, 0),
  outputTokens: rows.reduce((total, one) => total + one.outputTokens, 0),
});
const figures = ({ inputTokens, outputTokens }: Used) => ({ inputTokens, outputTokens });

async function write(repo: string, by: string): Promise<Used> {
  const body = { language: 'en' };
  const reply = await app.call('POST', `/repos/acme/${repo}/pulls/1/article`, {
    token: app.tokenFor(by),
    body,
  });
  assert.equal(reply.status, 201, reply.text);
  return reply.body.data.contents.en.usage;
}

async function answer(repo: string, by: string): Promise<Used> {
  const body = { language: 'en', question: 'What is launched?' };
  const reply = await app.call('POST', `/repos/acme/${repo}/pulls/1/questions`, {
    token: app.tokenFor(by),
    body,
  });
  assert.equal(reply.status, 201, reply.text);
  return reply.body.data.usage;
}

test('each token paid for counts once for its repository and once for its user, and operators see hidden repositories as one row', async () => {
  const open = await write('open', 'ann');
  const asked = await answer('open', 'bob');
  const secret = [await write('secret', 'ann'), await write('hidden', 'bob')];
  const paid = [open, asked, ...secret];
  const seenByOlga = await usageFor('olga');
  assert.equal(seenByOlga.month, app.now().toISOString().slice(0, 7));
  const rowsOf = ({ byRepository }: Usage) =>
    new Map(byRepository.map((row) => [row.repository?.repo ?? null, figures(row)]));
  assert.deepEqual(
    rowsOf(seenByOlga),
    new Map([
      ['open', sum([open, asked])],
      [null, sum(secret)],
    ]),
  );
  const [ofSecret] = secret;
  assert.deepEqual(rowsOf(await usageFor('ann')).get('secret'), ofSecret && figures(ofSecret));
  assert.deepEqual(
    new Map(seenByOlga.byUser.map((row) => [row.user?.hostUsername, figures(row)])),
    new Map([
      ['ann', sum([open, ...secret.slice(0, 1)])],
      ['bob', sum([asked, ...secret.slice(1)])],
    ]),
  );
  const cost = (rows: Used[]) => rows.reduce((total, one) => total + (one.estimatedCostUsd ?? Number.NaN), 0);
  assert.ok(cost(paid) > 0);
  for (const rows of [seenByOlga.byRepository, seenByOlga.byUser])
    assert.ok(Math.abs(cost(rows) - cost(paid)) < 0.000_01, `${cost(rows)} instead of ${cost(paid)}`);
});

test('tokens of a model whose article is unusable count too', async () => {
  const before = sum((await usageFor('olga')).byUser);
  makeClone(root, 'acme/failing', 'feat: fail (#1)');
  const heard = model.heard.length;
  model.play([{ text: 'This is no article.' }]);
  const reply = await app.call('POST', '/repos/acme/failing/pulls/1/article', {
    token: app.tokenFor('ann'),
    body: { language: 'en' },
  });
  model.play(writeObligingly);
  assert.equal(reply.body.data.contents.en.writer.because, 'failed');
  const after = sum((await usageFor('olga')).byUser);
  assert.ok(model.heard.length > heard);
  assert.ok(after.outputTokens > before.outputTokens);
});

test('a removed repository and a deleted account leave no name, and their tokens stay in the sums', async () => {
  await write('gone', 'bob');
  const before = await usageFor('olga');
  const gone = { host: 'git', owner: 'acme', name: 'gone', number: null };
  await app.database.transaction((tx) => insertRemoval(tx, gone, app.now()));
  assert.equal((await app.call('DELETE', '/users/me', { token: app.tokenFor('bob') })).status, 200);
  const after = await usageFor('olga');
  const names = JSON.stringify(after);
  assert.ok(!names.includes('gone') && !names.includes('bob'), names);
  assert.deepEqual(sum(after.byRepository), sum(before.byRepository));
  assert.deepEqual(sum(after.byUser), sum(before.byUser));
  const stored = JSON.stringify(await app.database.query(sql`SELECT * FROM model_usage`));
  assert.ok(!stored.includes('gone') && !stored.includes('bob'), stored);
});

test('usage begins at zero in a new month, and is deleted after thirteen months', async () => {
  const rows = () => app.database.count(sql`SELECT count(*) FROM model_usage`);
  const kept = await rows();
  const day = 24 * 60 * 60_000;
  app.advance(31 * day);
  assert.deepEqual((await usageFor('olga')).byUser, []);
  app.advance(350 * day);
  await app.housekeeping.run();
  assert.equal(await rows(), kept);
  app.advance(60 * day);
  await app.housekeeping.run();
  assert.equal(await rows(), 0);
});
