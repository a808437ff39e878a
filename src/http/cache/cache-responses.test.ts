import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildTestApp, type Reply, type TestApp } from '../../../test/build-app.ts';
import { makeClone } from '../../../test/make-clone.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { sql } from '../../db/sql.ts';

const root = temporaryFolder();
const reader = 'https://reader.example';
const app = await buildTestApp({ environment: { GIT_REPOS: root, CORS_ORIGINS: reader } });
const token = await app.signUp('alice');
const ranking = '/ranking/articles/likes';
let repositories = 0;

/** An article about a new repository, so that tests do not affect each other. */
async function withArticle(on = app, by = token) {
  repositories += 1;
  const name = `acme/rocket-${repositories}`;
  makeClone(root, name, 'feat: tell of the launch before it happens (#1)');
  const pull = `/repos/${name}/pulls/1/article`;
  const written = await on.call('POST', pull, { token: by, body: { language: 'en' } });
  assert.equal(written.status, 201, written.text);
  const id: string = written.body.data.id;
  return { id, name, pull, path: `/articles/${id}`, like: `/articles/${id}/language/en/like` };
}

/** Changes a title without a notification: a client that sees the old one got a cached response. */
async function changeInSecret({ database }: TestApp, id: string, title: string): Promise<void> {
  await database.query(sql`ALTER TABLE article_contents DISABLE TRIGGER article_changed`);
  await retitle({ database }, id, title);
  await database.query(sql`ALTER TABLE article_contents ENABLE TRIGGER article_changed`);
}

/** Asks again until a response is right; a benchmark measures how long invalidation takes. */
const eventually = (ask: () => Promise<boolean>): Promise<void> => waitUntil('the answer changes', ask);

async function retitle({ database }: Pick<TestApp, 'database'>, id: string, title: string): Promise<void> {
  await database.query(sql`
    UPDATE article_contents SET title = ${title}, revision = revision + 1,
      body = (body::jsonb || jsonb_build_object('aiGeneratedTitle', ${title}::text))::json
    WHERE article_id = ${id}`);
}

async function findRanked(id: string): Promise<{ likeCount: number } | undefined> {
  const { items } = (await app.call('GET', ranking)).body.data;
  return items.find(({ articleId }: { articleId: string }) => articleId === id);
}

/** The ETag without its encoding suffix. */
const tagIn = (reply: Reply | undefined) => reply?.headers.get('etag')?.replace(/-(?:br|gzip)"$/, '"');

const raw = async (on: TestApp, path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const { request } = await import('node:http');
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number;
    headers: NodeJS.Dict<string | string[]>;
    body: Buffer;
  }>();
  const asked = request(new URL(path, on.url), { headers, method }, async (response) => {
    const body = Buffer.concat(await response.toArray());
    resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
  });
  asked.on('error', reject);
  asked.end();
  return promise;
};

test('public JSON responses are cached, and responses to signed-in users or in Markdown are not', async () => {
  const { id, pull, path, like } = await withArticle();
  await app.call('POST', like, { token });
  const paths = [path, `${path}?language=en`, pull, ranking];
  const before = await Promise.all(paths.map((one) => app.call('GET', one)));
  await changeInSecret(app, id, 'Changed in secret');
  for (const [index, one] of paths.entries()) {
    const again = await app.call('GET', one);
    assert.equal(again.text, before[index]?.text);
    assert.equal(tagIn(again), tagIn(before[index]));
    assert.notEqual(again.headers.get('x-request-id'), before[index]?.headers.get('x-request-id'));
  }
  assert.match((await app.call('GET', path, { token })).text, /Changed in secret/);
  const markdown = await app.call('GET', path, { headers: { accept: 'text/markdown' } });
  assert.match(markdown.text, /Changed in secret/);
});

test('with CACHE_MIB=0 no response is cached, and If-None-Match still returns 304', async () => {
  const forgetful = await buildTestApp({ environment: { GIT_REPOS: root, CACHE_MIB: '0' } });
  const { id, path } = await withArticle(forgetful, await forgetful.signUp('alice'));
  const whole = await raw(forgetful, path);
  const tag = String(whole.headers.etag);
  for (const known of [tag, `W/${tag}`, tag.replace(/"$/, '-br"'), '*', `"other", ${tag}`]) {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await raw(forgetful, path, { 'if-none-match': known }, method);
      assert.equal(status, 304, known);
      const length = headers['content-length'];
      assert.ok(length === undefined || length === whole.headers['content-length'], length?.toString());
    }
  }
  await changeInSecret(forgetful, id, 'Changed in secret');
  assert.match((await forgetful.call('GET', path)).text, /Changed in secret/);
  assert.equal((await raw(forgetful, path, { 'if-none-match': tag })).status, 200);
});

test('a like or its removal shows in the next read of the article and the ranking', async () => {
  const { id, path, like } = await withArticle();
  const counts = async () => {
    const article = (await app.call('GET', path)).body.data;
    return [article.totalLikeCount, (await findRanked(id))?.likeCount ?? 0];
  };
  for (let round = 0; round < 5; round++) {
    assert.deepEqual(await counts(), [0, 0]);
    assert.equal((await app.call('POST', like, { token })).status, 201);
    assert.deepEqual(await counts(), [1, 1]);
    assert.equal((await app.call('DELETE', like, { token })).status, 200);
  }
});

test('a repository that turns private leaves the cache, and a rewritten article replaces its cached response', async () => {
  const { id, name, pull, path, like } = await withArticle();
  await app.call('POST', like, { token });
  await Promise.all([path, pull, ranking].map((one) => app.call('GET', one)));
  await retitle(app, id, 'Changed in the open');
  for (const one of [path, pull, ranking]) {
    await eventually(async () => (await app.call('GET', one)).text.includes('Changed in the open'));
  }
  await app.database.query(
    sql`UPDATE repositories SET is_private = true WHERE owner || '/' || name = ${name}`,
  );
  await eventually(async () => (await app.call('GET', path)).status === 404);
  await eventually(async () => (await app.call('GET', pull)).status === 404);
  await eventually(async () => (await findRanked(id)) === undefined);
});

test('a cached response is sent in the accepted encoding, each with its own ETag', async () => {
  const { path } = await withArticle();
  const plain = await raw(app, path);
  const [br, gzip, none] = await Promise.all([
    raw(app, path, { 'accept-encoding': 'gzip, deflate, br' }),
    raw(app, path, { 'accept-encoding': 'gzip;q=0.5, br;q=0' }),
    raw(app, path, { 'accept-encoding': 'identity' }),
  ]);
  assert.equal(br?.headers['content-encoding'], 'br');
  assert.equal(gzip?.headers['content-encoding'], 'gzip');
  assert.equal(none?.headers['content-encoding'], undefined);
  assert.deepEqual(brotliDecompressSync(br?.body ?? ''), plain.body);
  assert.deepEqual(gunzipSync(gzip?.body ?? ''), plain.body);
  assert.ok((br?.body.length ?? 0) < plain.body.length / 2);
  const tags = [plain, br, gzip].map((answer) => String(answer?.headers.etag));
  assert.equal(new Set(tags).size, 3);
  for (const tag of tags) {
    const unchanged = await raw(app, path, { 'if-none-match': tag, 'accept-encoding': 'br' });
    assert.equal(unchanged.status, 304);
    assert.equal(unchanged.body.length, 0);
  }
  assert.equal((await raw(app, path, { 'if-none-match': '"another"' })).status, 200);
  const head = await raw(app, path, {}, 'HEAD');
  assert.equal(head.body.length, 0);
  assert.equal(Number(head.headers['content-length']), plain.body.length);
  for (const answer of [plain, br]) {
    assert.match(String(answer?.headers.vary), /Accept-Encoding/);
    assert.equal(answer?.headers['x-content-type-options'], 'nosniff');
  }
});

test('cached and uncached responses agree for different Accept and Origin headers and foreign cookies', async () => {
  const { id, path } = await withArticle();
  const types = async (accept: string) => {
    const cold = await raw(app, path, { accept });
    await raw(app, path);
    const warm = await raw(app, path, { accept });
    assert.equal(warm.headers['content-type'], cold.headers['content-type'], accept);
    return cold.headers['content-type'];
  };
  const markdown = 'text/markdown; charset=utf-8';
  const json = 'application/json; charset=utf-8';
  for (const accept of [
    'text/markdown',
    'Text/Markdown',
    'text/markdown, */*',
    'text/*',
    'text/MARKDOWN;q=0.3',
  ])
    assert.equal(await types(accept), markdown, accept);
  for (const accept of [
    '*/*',
    'text/markdown;q=0',
    'text/markdown;q=0.5, application/json',
    'image/png',
    ';;,',
  ])
    assert.equal(await types(accept), json, accept);
  const allowed = async (headers: Record<string, string>) =>
    (await raw(app, `${path}?language=en`, headers)).headers['access-control-allow-origin'];
  assert.deepEqual(
    [await allowed({ origin: reader }), await allowed({}), await allowed({ origin: reader })],
    [reader, undefined, reader],
    'what a page of another origin may read is kept for no one else, and the reverse',
  );
  await changeInSecret(app, id, 'Changed in secret');
  const foreign = await raw(app, path, { cookie: 'theme=dark; other_session=pq_1' });
  assert.doesNotMatch(foreign.body.toString(), /Changed in secret/, 'cookies of others are none of ours');
  const ours = await raw(app, path, { cookie: 'theme=dark; pullquote_session=pq_nobody' });
  assert.equal(ours.status, 401);
});

test('list pages up to offset 1,000 are cached, and deeper ones are read each time', async () => {
  await withArticle();
  const { query } = app.database;
  let pages = 0;
  app.database.query = (statement) => {
    if (statement.render().text.includes('page AS MATERIALIZED')) pages += 1;
    return query(statement);
  };
  for (const path of ['/?language=all', `${ranking}?limit=20`, '/r/acme/rocket-1?language=en']) {
    for (const [offset, isKept] of [
      [1_000, true],
      [1_001, false],
    ] as const) {
      const page = `${path}&offset=${offset}`;
      assert.equal((await app.call('GET', page)).status, 200);
      const isAnswered = async () => {
        pages = 0;
        await app.call('GET', page);
        return pages === 0;
      };
      // A notification about the article may arrive between two calls.
      if (isKept) await waitUntil(`${page} is kept`, isAnswered);
      else assert.equal(await isAnswered(), false, page);
    }
  }
  app.database.query = query;
});

test('cached responses count against the rate limit and are logged', async () => {
  const limited = await buildTestApp({ environment: { GIT_REPOS: root, RATE_LIMIT: '40' }, frozen: true });
  const answers: number[] = [];
  for (let index = 0; index < 60; index++) answers.push((await limited.call('GET', ranking)).status);
  assert.ok(answers.includes(429));
  assert.equal(answers[5], 200);
  const logged = limited.logLines().filter((line) => line.path === ranking && line.status === 200);
  assert.equal(logged.length, answers.filter((status) => status === 200).length);
});

test('simultaneous anonymous requests share one uncached response, but not with other credentials or formats', async () => {
  const forgetful = await buildTestApp({ environment: { GIT_REPOS: root, CACHE_MIB: '0' } });
  const mine = await forgetful.signUp('alice');
  const { path, like } = await withArticle(forgetful, mine);
  await forgetful.call('POST', like, { token: mine });
  const { query } = forgetful.database;
  let pages = 0;
  const callers = Array.from({ length: 40 });
  let arrived = 0;
  const allArrived = Promise.withResolvers<void>();
  forgetful.server.server.on('request', () => {
    arrived += 1;
    if (arrived === callers.length) allArrived.resolve();
  });
  forgetful.database.query = async (statement) => {
    if (!statement.render().text.includes('page AS MATERIALIZED')) return query(statement);
    pages += 1;
    await allArrived.promise;
    return query(statement);
  };
  const ranked = await Promise.all(callers.map(() => forgetful.call('GET', ranking)));
  assert.ok(pages < 20, `${pages} pages were read for 40 callers`);
  assert.deepEqual(new Set(ranked.map(({ status }) => status)), new Set([200]));
  assert.equal(new Set(ranked.map(({ text }) => text)).size, 1);
  assert.equal(new Set(ranked.map(({ headers }) => headers.get('x-request-id'))).size, 40);
  pages = 0;
  await Promise.all(callers.map(() => forgetful.call('GET', ranking, { token: mine })));
  assert.equal(pages, 40);
  forgetful.database.query = query;

  const gone = new AbortController();
  const left = fetch(new URL(path, forgetful.url), { signal: gone.signal }).catch(() => null);
  const wishes = [
    {},
    { accept: 'text/markdown' },
    { 'accept-encoding': 'br' },
    { cookie: 'pullquote_session=pq_nobody' },
  ];
  const answers = Promise.all(callers.map((_, index) => raw(forgetful, path, wishes[index % wishes.length])));
  gone.abort();
  await left;
  for (const [index, { status, headers }] of (await answers).entries()) {
    const seen = [status, headers['content-type']?.slice(0, 13), headers['content-encoding']];
    const json = 'application/j';
    const expected = [
      [200, json, undefined],
      [200, 'text/markdown', undefined],
      [200, json, 'br'],
      [401, json, undefined],
    ];
    assert.deepEqual(seen, expected[index % wishes.length]);
  }
});
