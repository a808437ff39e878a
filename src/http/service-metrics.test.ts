import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registerMemoryTracer } from '../../test/memory-tracer.ts';
import { writeObligingly } from '../../test/model/obliging-writer.ts';
import { startScriptedModel } from '../../test/model/scripted-model.ts';
import { parseExposition } from '../../test/parse-exposition.ts';
import { waitUntil } from '../../test/wait-until.ts';

// The module that makes spans looks for a tracer when it is loaded.
const spans = registerMemoryTracer();
const { buildGitHubApp } = await import('../../test/github/build-github-app.ts');
const { deliver, deliveryOf, post, webhookSecret } = await import('../../test/github/deliver.ts');
const { pull, repository } = await import('../../test/github/state.ts');
const { serveBeside } = await import('../../test/serve-beside.ts');
const { measureDatabase } = await import('../db/connect.ts');
const { createMetrics } = await import('../metrics/metrics.ts');

const METRICS_TOKEN = 'a-token-of-the-operator';
const model = await startScriptedModel(writeObligingly);
const environment = {
  METRICS_TOKEN,
  GITHUB_TOKEN: 'ghp_tokenOfservice',
  GITHUB_WEBHOOK_SECRETS: webhookSecret,
  AI_MODEL: 'compatible/scripted',
  AI_BASE_URL: model.url,
};
const { app, github, join } = await buildGitHubApp({ environment, waits: [] });
await join('service');
const ann = await join('ann');
for (const name of ['rocket', 'comet'])
  github.state.repositories.push(repository(name.length, `acme/${name}`, { pulls: [pull(1, 'words')] }));

async function scrape() {
  const { status, text, headers } = await app.call('GET', '/metrics', { token: METRICS_TOKEN });
  assert.equal(status, 200, text);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.match(headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  // No names of repositories and users, no tokens and no words of pull requests.
  assert.doesNotMatch(text, /acme|rocket|comet|\bann\b|ghp_|\bwords\b|nobody/);
  const families = parseExposition(text);
  return (name: string, wanted: Record<string, string> = {}): number | undefined =>
    [...families.values()]
      .flatMap(({ samples }) => samples)
      .find(
        (one) =>
          one.name === `pullquote_${name}` &&
          Object.entries(wanted).every(([label, value]) => one.labels[label] === value),
      )?.value;
}

test('articles, cache hits, model calls, host calls and webhooks are counted, without names of users or repositories', async () => {
  const before = await scrape();
  assert.equal(before('queue_jobs', { kind: 'asked', state: 'waiting' }), 0);
  const path = '/repos/acme/rocket/pulls/1/article';
  const written = await app.call('POST', path, { token: ann, body: { language: 'en' } });
  assert.equal(written.status, 201, written.text);
  const article = `/articles/${written.body.data.id}`;
  for (let times = 0; times < 3; times += 1) assert.equal((await app.call('GET', article)).status, 200);
  const { id } = (await app.call('POST', '/users/me', { token: ann, body: { owner: 'acme', repo: 'comet' } }))
    .body.data;
  await app.call('PUT', `/users/me/favorite-repositories/${id}/watch`, {
    token: ann,
    body: { language: 'en' },
  });
  assert.equal(await deliver(app.server, 'ping', {}), 200);
  const forged = deliveryOf({ event: 'ping', payload: {}, secret: 'not-ours' });
  assert.equal((await post(app.server, forged.headers, forged.body)).statusCode, 401);
  await app.call('GET', '/nobody/knows/this');
  app.advance(60_000);

  const now = await scrape();
  const seconds = 'http_request_duration_seconds_count';
  assert.equal(now(seconds, { method: 'GET', route: '/articles/:articleId', status: '200' }), 3);
  assert.equal(now(seconds, { route: 'none', status: '404' }), 1);
  assert.ok((now('cache_answers_total', { outcome: 'hit' }) ?? 0) >= 2);
  assert.ok((now('cache_answers_total', { outcome: 'miss' }) ?? 0) >= 1);
  assert.ok((now('cache_bytes') ?? 0) > 1_000);
  assert.equal(now('articles_total', { writer: 'model', outcome: 'written' }), 1);
  assert.equal(
    now('sentences_total', { writer: 'model', outcome: 'verified' }),
    2,
    'its title and its sentence',
  );
  assert.equal(now('model_calls_total', { provider: 'compatible', outcome: 'answered' }), model.heard.length);
  assert.ok((now('model_tokens_total', { direction: 'in' }) ?? 0) > 1_000);
  assert.ok((now('host_calls_total', { host: 'github', outcome: 'ok' }) ?? 0) > 1);
  assert.equal(now('webhooks_total', { host: 'github', outcome: 'nothing' }), 1);
  assert.equal(now('webhooks_total', { host: 'github', outcome: 'refused' }), 1);
  assert.ok((now('database_duration_seconds_count', { kind: 'transaction' }) ?? 0) > 1);
  assert.deepEqual([now('watches', { state: 'active' }), now('watch_lag_seconds')], [1, 60]);
  assert.deepEqual([now('database_up'), now('storage_refused')], [1, 0]);
  assert.ok((now('disk_free_bytes') ?? 0) > 1_000_000);
});

test('the queue metrics give waiting and running jobs and the age of the oldest', async () => {
  const answers = Promise.withResolvers<void>();
  const heard = model.heard.length;
  model.play(async (request) => {
    await answers.promise;
    return writeObligingly(request);
  });
  const later = { token: ann, headers: { prefer: 'respond-async' } };
  const jobs: string[] = [];
  for (const language of ['en', 'ja', 'fr']) {
    const asked = { ...later, body: { language } };
    const { status, body, text } = await app.call('POST', '/repos/acme/comet/pulls/1/article', asked);
    assert.equal(status, 202, text);
    jobs.push(body.data.id);
  }
  await waitUntil('both writers wait for the model', () => model.heard.length === heard + 2);
  app.advance(90_000);
  const now = await scrape();
  const counts = ['running', 'waiting'].map((state) => now('queue_jobs', { kind: 'asked', state }));
  assert.deepEqual([...counts, now('queue_oldest_seconds', { kind: 'asked' })], [2, 1, 90]);
  answers.resolve();
  for (const id of jobs)
    await waitUntil('it is written', async () => {
      const { body } = await app.call('GET', `/jobs/${id}`, { token: ann });
      return body.data.state === 'done';
    });
});

test('/metrics queries the database once in five seconds, works without it, and is not rate limited with its token', async () => {
  let asked = 0;
  let isAway = false;
  let now = 0;
  const database: typeof app.database = {
    ...app.database,
    query: (statement) => {
      asked += 1;
      return isAway ? Promise.reject(new Error('away')) : app.database.query(statement);
    },
  };
  const measuring = { metrics: createMetrics('1.2.3'), token: METRICS_TOKEN, diskFreeBytes: () => 1 };
  const server = await serveBeside(app, { database, measuring, burst: 3, clock: () => new Date(now) });
  const ask = (authorization?: string) =>
    server.inject({ url: '/metrics', headers: { ...(authorization && { authorization }) } });
  const good = `Bearer ${METRICS_TOKEN}`;
  for (let times = 0; times < 10; times += 1) assert.equal((await ask(good)).statusCode, 200);
  assert.equal(asked, 2, 'for the queue and the watches');
  isAway = true;
  now = 5_000;
  const { statusCode, payload } = await ask(good);
  assert.equal(statusCode, 200);
  const families = parseExposition(payload);
  const valuesOf = (name: string) => families.get(`pullquote_${name}`)?.samples.map(({ value }) => value);
  assert.deepEqual(valuesOf('database_up'), [0]);
  for (const stored of [
    'queue_jobs',
    'queue_oldest_seconds',
    'watches',
    'watch_lag_seconds',
    'storage_refused',
  ])
    assert.deepEqual(valuesOf(stored), [], `${stored} is not told while the database is away`);

  const bad = [undefined, 'Bearer ', `Bearer ${METRICS_TOKEN}x`, `Basic ${METRICS_TOKEN}`];
  const refused = await Promise.all(bad.map(ask));
  assert.deepEqual(
    refused.map((one) => [one.statusCode, one.json().error.code]),
    [...Array.from({ length: 3 }, () => [401, 'UNAUTHORIZED']), [429, 'RATE_LIMITED']],
  );
  assert.equal((await ask(good)).statusCode, 200, 'who has the token is not limited by those who have not');
});

test('measuring a transaction keeps its options', async () => {
  const asked: unknown[] = [];
  const transaction: typeof app.database.transaction = (work, how) => {
    asked.push(how);
    return app.database.transaction(work, how);
  };
  for (const metrics of [null, createMetrics('1.2.3').database])
    await measureDatabase({ ...app.database, transaction }, metrics).transaction(async () => {}, {
      hurry: false,
    });
  assert.deepEqual(asked, [{ hurry: false }, { hurry: false }]);
});

test('with a tracer, requests, jobs, calls and transactions are nested spans without names of users or repositories', async () => {
  const nameOf = new Set(spans.map(({ name }) => name));
  const expected = [
    'GET /articles/:articleId',
    'job',
    'model call',
    'host call',
    'database transaction',
    'GET none',
  ];
  assert.deepEqual(
    expected.filter((name) => !nameOf.has(name)),
    [],
  );
  const find = (id: string | null) => spans.find(({ spanId }) => spanId === id);
  const inJob = spans.filter(
    ({ name, parentSpanId }) => name === 'model call' && find(parentSpanId)?.name === 'job',
  );
  assert.equal(inJob.length, model.heard.length, 'each call of a model is inside of its job');
  const called = new Set(inJob.map(({ parentSpanId }) => parentSpanId));
  assert.equal(
    called.size,
    spans.filter(({ name }) => name === 'job').length,
    'and of no other, whose thread it was',
  );
  const asked = spans.filter(
    ({ name, parentSpanId }) => name === 'host call' && find(parentSpanId)?.name.startsWith('POST '),
  );
  assert.ok(asked.length > 0, 'a host is asked inside of the request, its body read');
  const told = JSON.stringify(spans.map(({ name, attributes }) => [name, attributes])).replaceAll(
    /:\w+/g,
    '',
  );
  assert.doesNotMatch(told, /acme|rocket|comet|ann\b|ghp_|words/);
});
