import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildGitHubApp } from '../../test/github/build-github-app.ts';
import { pull, repository, type StandInRepository } from '../../test/github/state.ts';
import { rowsToRun, runsWholeTables } from '../../test/tables.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { sql } from '../db/sql.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Starts a service with articles about some repositories, and functions to read them. */
async function begin(names: string[], rest: Partial<StandInRepository> = {}) {
  const { app, github, join } = await buildGitHubApp();
  const token = await join('reader');
  const written = [];
  for (const [index, name] of names.entries()) {
    const on = repository(900 + index, `zoo/${name}`, { pulls: [pull(1, `canary-of-${name}`)], ...rest });
    github.state.repositories.push(on);
    const body = { language: 'en' };
    const { status, body: answered } = await app.call('POST', `/repos/zoo/${name}/pulls/1/article`, {
      token,
      body,
    });
    assert.equal(status, 201);
    written.push({ on, path: `/articles/${answered.data.id}` });
  }
  return {
    app,
    github,
    token,
    written,
    read: async (path: string, by?: string) => (await app.call('GET', path, { token: by })).status,
    listed: async (by?: string) =>
      (await app.call('GET', '/articles?limit=100', { token: by })).body.data.pagination.totalItems,
    /** Lets time pass, with background rounds in between. */
    async pass(minutes: number, { step = 1 } = {}) {
      for (let passed = 0; passed < minutes; passed += step) {
        app.advance(step * minute);
        await app.lists.run();
      }
    },
  };
}

const refusals: Record<string, { status: number; headers: Record<string, string> }> = {
  'an error': { status: 502, headers: {} },
  'a limit': { status: 403, headers: { 'retry-after': '60' } },
};

for (const [name, { status, headers }] of rowsToRun(Object.entries(refusals), () => 'refusal'))
  test(`a single request answered with ${name} removes no repository from lists`, async () => {
    const { app, github, written, read, listed, pass } = await begin(['well']);
    app.advance(6 * minute);
    const stop = github.script(/./, (response) => {
      response.writeHead(status, headers).end('{"message":"API rate limit exceeded"}');
    });
    for (const { path } of written) assert.equal(await read(path), 200);
    stop();
    for (let hours = 0; hours < 3; hours += 1) {
      await pass(61, { step: 4 });
      assert.equal(await listed(), 1, `after ${hours + 1} hours`);
    }
  });

test("a private repository stays in its viewer's lists after one failed check", async () => {
  const visibleTo = new Set(['reader']);
  const { app, github, token, written, read, listed } = await begin(['mine'], {
    visibility: 'private',
    visibleTo,
  });
  app.advance(6 * minute);
  const stop = github.script(/^\/repositories\//, (response) => {
    response.writeHead(502).end('{"message":"no"}');
  });
  for (const { path } of written) assert.equal(await read(path, token), 200);
  stop();
  app.advance(30 * minute);
  assert.equal(await listed(token), 1);
  await waitUntil('it is confirmed behind the answer', async () => {
    const silent = await app.database.query(
      sql`SELECT 1 FROM repository_grants WHERE unreachable_since IS NOT NULL`,
    );
    return silent.length === 0;
  });
  app.advance(31 * minute);
  assert.equal(await listed(token), 1);
});

test('a rate limit removes no repository from lists within LIST_HOURS, but hides an article after an hour', async () => {
  const { app, github, written, read, listed } = await begin(['limited']);
  app.advance(6 * minute);
  const stop = github.script(/^\/repositories\//, (response) => {
    response.writeHead(429, { 'retry-after': '1800' }).end('{"message":"no"}');
  });
  const { path = '' } = written[0] ?? {};
  assert.equal(await read(path), 200);
  app.advance(hour - 1);
  assert.equal(await read(path), 200);
  app.advance(1);
  assert.equal(await read(path), 404);
  app.advance(20 * hour);
  assert.deepEqual([await read(path), await listed()], [404, 1]);
  stop();
  app.advance(hour);
  assert.equal(await read(path), 200);
});

test('a repository that always fails is retried before it leaves lists, then at growing intervals, and returns when it recovers', async () => {
  const { app, github, written, read, listed, pass } = await begin(['broken', 'fine']);
  app.advance(6 * minute);
  let asked = 0;
  const { on, path } = written[0] ?? assert.fail();
  const stop = github.script(new RegExp(`^/repositories/${on.id}$`), (response) => {
    asked += 1;
    response.writeHead(502).end('{"message":"no"}');
  });
  assert.equal(await read(path), 200);
  await pass(59);
  assert.equal(await listed(), 2);
  assert.ok(asked >= 4 && asked <= 10, `${asked} questions`);
  await pass(1);
  assert.equal(await listed(), 1);
  asked = 0;
  await pass(10 * 60, { step: 4 });
  assert.ok(asked >= 5 && asked <= 11, `${asked} questions`);
  stop();
  await pass(61, { step: 4 });
  assert.equal(await listed(), 2);
});

test('anonymous readers of every article leave enough of the rate limit to keep lists confirmed', async () => {
  const { app, github, written, read, listed, pass } = await begin(
    Array.from({ length: 12 }, (_, index) => `walked-${index}`),
  );
  const limit = 10;
  const [secret = assert.fail()] = written.slice(-1);
  let used = 0;
  let refused = 0;
  const stop = github.script(/^\/repositories\//, (response, passOn) => {
    const start = Math.floor(app.now().getTime() / hour) * hour;
    if (start !== begun) [begun, used] = [start, 0];
    used += 1;
    response.setHeader('x-ratelimit-limit', String(limit));
    response.setHeader('x-ratelimit-remaining', String(Math.max(0, limit - used)));
    response.setHeader('x-ratelimit-reset', String((start + hour) / 1_000));
    if (used <= limit) return passOn();
    refused += 1;
    response.writeHead(403).end('{"message":"API rate limit exceeded"}');
  });
  let begun = 0;
  const walk = async () => {
    let found = 0;
    for (const { path } of written) found += Number((await read(path)) === 200);
    return found;
  };
  app.advance(hour - (app.now().getTime() % hour));
  for (let hours = 0; hours < (runsWholeTables ? 30 : 4); hours += 1) {
    assert.ok((await walk()) >= 9, 'those who come first are answered');
    assert.equal(await listed(), 12, `after ${hours} hours`);
    await pass(60, { step: 10 });
  }
  assert.equal(refused, 0, 'the service does not run into the limit');
  secret.on.visibility = 'private';
  for (let minutes = 0; minutes <= 66; minutes += 6) {
    await walk();
    app.advance(6 * minute);
  }
  assert.equal(await read(secret.path), 404, 'what has no answer for an hour does not show');
  stop();
});
