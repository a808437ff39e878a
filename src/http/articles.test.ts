import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp, type TestApp } from '../../test/build-app.ts';
import { git, makeClone } from '../../test/make-clone.ts';
import { printedHunks } from '../../test/printed-hunks.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { sql } from '../db/sql.ts';

const samples = await buildTestApp({ environment: { GIT_WEB_URL: 'https://forge.example.org' } });
const root = temporaryFolder();
const clone = makeClone(root, 'acme/rocket', 'feat: begin (#1)');
makeClone(root, 'acme/secret', 'feat: hide something (#1)');
const app = await buildTestApp({ environment: { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann' } });

const parcel = (number: number) => `/repos/harborline/parcel/pulls/${number}/article`;
const rocket = (number: number) => `/repos/acme/rocket/pulls/${number}/article`;
const write = (on: TestApp, path: string, token: string, body: object = { language: 'en' }) =>
  on.call('POST', path, { token, body });

async function countJobs({ database }: TestApp): Promise<number> {
  const [row] = await database.query<{ total: number }>(sql`SELECT count(*) AS total FROM jobs`);
  return row?.total ?? 0;
}

test('an article is written once, and repeated requests and reads return it unchanged, with an ETag', async () => {
  const token = await samples.signUp('first');
  const written = await write(samples, parcel(10), token);
  assert.equal(written.status, 201, written.text);
  const { data } = written.body;
  assert.equal(data.prNumber, 10);
  assert.equal(data.totalLikeCount, 0);
  assert.deepEqual(Object.keys(data.contents), ['en']);
  const { en } = data.contents;
  assert.equal(en.writer.kind, 'offline');
  assert.equal(en.stale, false);
  assert.equal(en.headSha, data.headSha);
  assert.ok(en.mainChanges.length > 0);
  const again = await write(samples, parcel(10), token);
  assert.equal(again.status, 200);
  assert.deepEqual(again.body.data, data);
  const read = await samples.call('GET', parcel(10));
  assert.equal(read.status, 200);
  assert.deepEqual(read.body.data, data);
  assert.equal(read.headers.get('cache-control'), 'public, no-cache');
  const tagged = { 'if-none-match': read.headers.get('etag') ?? '' };
  assert.equal((await samples.call('GET', parcel(10), { headers: tagged })).status, 304);
  assert.deepEqual((await samples.call('GET', `/articles/${data.id}`)).body.data, data);
});

interface ShownEvidence {
  fileName: string;
  startLine: number;
  endLine: number;
  side: 'old' | 'new';
  hostUrl: string;
}

test('every piece of evidence is within a hunk of the stored diff and links to its lines', async () => {
  const token = await samples.signUp('checker');
  for (const number of [6, 13, 15]) {
    const { data } = (await write(samples, parcel(number), token)).body;
    const hunks = printedHunks((await samples.call('GET', parcel(number).replace(/article$/, 'diff'))).text);
    const { mainChanges, notablePoints } = data.contents.en;
    for (const { fileName } of mainChanges) assert.ok(hunks.has(fileName), fileName);
    const evidence: ShownEvidence[] = [...mainChanges, ...notablePoints].flatMap((item) => item.evidence);
    assert.ok(evidence.length > 1);
    for (const { fileName, startLine, endLine, side, hostUrl } of evidence) {
      assert.ok(
        startLine <= endLine &&
          hunks.get(fileName)?.some((hunk) => hunk[side].start <= startLine && endLine <= hunk[side].end),
        `#${number} has no ${side} lines ${startLine} to ${endLine} of ${fileName}`,
      );
      const letter = side === 'new' ? 'R' : 'L';
      const file = createHash('sha256').update(fileName).digest('hex');
      assert.equal(
        hostUrl,
        `https://forge.example.org/harborline/parcel/pull/${number}/files#diff-${file}${letter}${startLine}-${letter}${endLine}`,
      );
    }
  }
});

test("a second language is added to the article; without a language the user's is written", async () => {
  const token = await samples.signUp('reader');
  const first = (await write(samples, parcel(12), token)).body.data;
  const second = await write(samples, parcel(12), token, {});
  assert.equal(second.status, 201);
  assert.equal(second.body.data.id, first.id);
  assert.deepEqual(Object.keys(second.body.data.contents), ['en', 'ja']);
  assert.deepEqual(second.body.data.contents.en, first.contents.en);
  const one = await samples.call('GET', `${parcel(12)}?language=ja`);
  assert.deepEqual(Object.keys(one.body.data.contents), ['ja']);
  const absent = await samples.call('GET', `${parcel(12)}?language=de`);
  assert.equal(absent.status, 404);
  assert.equal(absent.body.error.code, 'ARTICLE_NOT_FOUND');
});

test('a regenerated article keeps its id and likes, and its date if its text is the same', async () => {
  const token = await samples.signUp('again');
  const first = (await write(samples, parcel(14), token)).body.data;
  await samples.database.query(
    sql`UPDATE article_contents SET like_count = 3 WHERE article_id = ${first.id}`,
  );
  const anew = await write(samples, parcel(14), token, { language: 'en', regenerate: true });
  assert.equal(anew.status, 201);
  const { data } = anew.body;
  assert.equal(data.id, first.id);
  assert.equal(data.createdAt, first.createdAt);
  assert.equal(data.totalLikeCount, 3);
  assert.equal(data.contents.en.likeCount, 3);
  assert.equal(data.contents.en.summaryGeneratedAt, first.contents.en.summaryGeneratedAt);
});

test('when the pull request changes, its article is outdated until it is requested again', async () => {
  const token = await app.signUp('mover');
  const commitTo = (text: string, message: string): void => {
    git(clone, 'switch', '--quiet', 'feature');
    writeFileSync(join(clone, 'a.txt'), text);
    git(clone, 'add', '--all');
    git(clone, 'commit', '--quiet', '--message', message);
    git(clone, 'update-ref', 'refs/pull/5/head', git(clone, 'rev-parse', 'HEAD').trim());
    git(clone, 'switch', '--quiet', 'main');
  };
  git(clone, 'branch', 'feature');
  // In a clone with pull request refs, only pull requests with a ref count as merged.
  git(clone, 'update-ref', 'refs/pull/1/head', 'main');
  commitTo('one\n', 'feat: add a');
  const first = (await write(app, rocket(5), token)).body.data;
  commitTo('one\ntwo\n', 'feat: add more to a');
  const confirmed = await write(app, rocket(5), token);
  assert.equal(confirmed.status, 200, 'the host was asked moments ago');
  await app.call('POST', '/repos/acme/rocket/pulls/5/ingest', { token });
  const stale = (await app.call('GET', rocket(5))).body.data;
  assert.equal(stale.contents.en.stale, true);
  assert.equal(stale.contents.en.headSha, first.headSha);
  assert.notEqual(stale.headSha, first.headSha);
  const fresh = await write(app, rocket(5), token);
  assert.equal(fresh.status, 201);
  assert.equal(fresh.body.data.contents.en.stale, false);
  assert.equal(fresh.body.data.id, first.id);

  app.advance(6 * 60 * 1000);
  const before = (await app.call('GET', '/repos/acme/rocket/pulls/5')).body.data.fetchedAt;
  assert.equal((await write(app, rocket(5), token)).status, 200, 'asked again, the head is the same');
  assert.ok((await app.call('GET', '/repos/acme/rocket/pulls/5')).body.data.fetchedAt > before);
});

test('requests for an impossible article are refused with the status, the code and what to do', async () => {
  const token = await app.signUp('wrong');
  const refused = async (path: string, body: object, status: number, code: string) => {
    const reply = await write(app, path, token, body);
    assert.equal(reply.status, status, reply.text);
    assert.equal(reply.body.error.code, code);
    return reply.body.error;
  };
  const unavailable = await refused(rocket(1), { language: 'de' }, 409, 'LANGUAGE_UNAVAILABLE');
  assert.match(unavailable.message, /has none configured\. Request en or ja/);
  const unknown = await refused(rocket(1), { language: 'xx' }, 400, 'INVALID_REQUEST');
  assert.equal(unknown.details[0].field, 'language');
  await refused(rocket(1), { language: 'en', tone: 'merry' }, 400, 'INVALID_REQUEST');
  await refused(rocket(1), { regenerate: 'yes' }, 400, 'INVALID_REQUEST');
  await refused(rocket(99), { language: 'en' }, 404, 'PULL_REQUEST_NOT_FOUND');
  await refused('/repos/acme/nothing/pulls/1/article', { language: 'de' }, 404, 'REPOSITORY_NOT_FOUND');
  assert.equal((await app.call('POST', rocket(1), { body: {} })).status, 401);
  const unsigned = await app.call('POST', rocket(1), { token: app.tokenFor('stranger'), body: {} });
  assert.equal(unsigned.body.error.code, 'USER_NOT_FOUND');
  for (const path of [rocket(99), '/articles/00000000-0000-4000-8000-000000000000']) {
    const reply = await app.call('GET', path);
    assert.equal(reply.status, 404);
    assert.equal(reply.body.error.code, 'ARTICLE_NOT_FOUND');
  }
});

test('an article about a private repository is visible only to users who may see the repository', async () => {
  const ann = await app.signUp('ann');
  const bob = await app.signUp('bob');
  const path = '/repos/acme/secret/pulls/1/article';
  const { data } = (await write(app, path, ann)).body;
  for (const token of [bob, undefined]) {
    const hidden = await app.call('GET', path, { token });
    assert.equal(hidden.status, 404);
    assert.equal(hidden.body.error.code, 'ARTICLE_NOT_FOUND');
    assert.equal((await app.call('GET', `/articles/${data.id}`, { token })).status, 404);
    const { items, pagination } = (await app.call('GET', '/articles?repo=SECRET', { token })).body.data;
    assert.deepEqual(items, []);
    assert.equal(pagination.totalItems, 0);
  }
  const refused = await write(app, path, bob);
  assert.equal(refused.body.error.code, 'REPOSITORY_NOT_FOUND');
  const absent = await write(app, '/repos/acme/secreu/pulls/1/article', bob);
  assert.equal(
    refused.body.error.message.replace('secret', ''),
    absent.body.error.message.replace('secreu', ''),
  );
  assert.equal((await app.call('GET', path, { token: ann })).status, 200);
  const mine = (await app.call('GET', '/articles?repo=SECRET', { token: ann })).body.data;
  assert.equal(mine.items.length, 1);
});

test("Markdown uses the requested language, else the user's, the browser's, or an existing one", async () => {
  const english = samples.tokenFor('english');
  await samples.call('POST', '/auth/signup', { token: english, body: { language: 'en' } });
  await write(samples, parcel(11), english);
  await write(samples, parcel(11), english, { language: 'ja' });
  const markdown = async (query: string, headers: Record<string, string>, token?: string) => {
    const reply = await samples.call('GET', `${parcel(11)}${query}`, {
      token,
      headers: { accept: 'text/markdown', ...headers },
    });
    assert.equal(reply.headers.get('content-type'), 'text/markdown; charset=utf-8');
    assert.match(reply.headers.get('vary') ?? '', /Accept-Language/);
    return /[\u3040-\u30ff]/.test(reply.text.split('\n## ')[1] ?? '') ? 'ja' : 'en';
  };
  assert.equal(await markdown('?language=ja', {}, english), 'ja');
  assert.equal(await markdown('', { 'accept-language': 'ja' }, english), 'en');
  assert.equal(await markdown('', { 'accept-language': 'de, ja-JP;q=0.8, en;q=0.5' }), 'ja');
  assert.equal(await markdown('', { 'accept-language': 'fr' }), 'en');
  const absent = await samples.call('GET', `${parcel(11)}?language=de`, {
    headers: { accept: 'text/markdown' },
  });
  assert.equal(absent.status, 404);
  const { data } = (await samples.call('GET', parcel(11))).body;
  const byId = await samples.call('GET', `/articles/${data.id}?language=en`, {
    headers: { accept: 'text/markdown' },
  });
  assert.ok(byId.text.startsWith('# '));
  const plain = await samples.call('GET', parcel(11), { headers: { accept: 'application/json' } });
  assert.equal(plain.body.success, true);
});

test('articles are listed newest first, by filters and pages, with links to the next and previous page', async () => {
  const token = await samples.signUp('lister');
  for (const number of [1, 2, 3]) await write(samples, parcel(number), token);
  await write(samples, parcel(3), token, { language: 'ja' });
  const list = async (query: string) => (await samples.call('GET', `/articles${query}`)).body.data;
  const all = await list('?limit=100');
  assert.equal(all.items.length, all.pagination.totalItems);
  const times = all.items.map(({ mergedAt }: { mergedAt: string }) => mergedAt);
  assert.deepEqual(times, times.toSorted().reverse());
  const japanese = await list('?language=ja&owner=HarborLine&repo=PARCEL&limit=100');
  assert.ok(japanese.items.length > 0 && japanese.items.length < all.items.length);
  assert.ok(japanese.items.every(({ languageCode }: { languageCode: string }) => languageCode === 'ja'));
  assert.equal((await list('?owner=nobody')).pagination.totalItems, 0);
  type Item = { authorLogin: string; changeTypes: string[] };
  // Upper case of other letters depends on the locale of the database.
  const { authorLogin, changeTypes } = all.items.find(
    (item: Item) => item.changeTypes.length > 0 && /^[ -~]+$/.test(item.authorLogin),
  );
  const isBy = (item: Item) => item.authorLogin === authorLogin;
  const isOf = (item: Item) => item.changeTypes.includes(changeTypes[0]);
  const author = `author=${encodeURIComponent(authorLogin.toUpperCase())}`;
  for (const [query, isListed] of [
    [author, isBy],
    [`changeType=${changeTypes[0]}`, isOf],
    [`${author}&changeType=${changeTypes[0]}&owner=harborline`, (item: Item) => isBy(item) && isOf(item)],
  ] as const) {
    const narrowed = await list(`?${query}&limit=100`);
    assert.deepEqual(narrowed.items, all.items.filter(isListed), query);
    assert.equal(narrowed.pagination.totalItems, narrowed.items.length, query);
  }
  const next = await samples.call('GET', `/articles?${author}&limit=1`);
  assert.match(next.headers.get('link') ?? '', /author=.*offset=1>; rel="next"/);
  for (const wrong of ['author=', `author=${'a'.repeat(201)}`, 'changeType=fix', 'changeType=', 'type=FIX'])
    assert.equal((await samples.call('GET', `/articles?${wrong}`)).status, 400, wrong);
  const page = await samples.call('GET', '/articles?limit=2&offset=1');
  assert.deepEqual(page.body.data.items, all.items.slice(1, 3));
  assert.match(page.headers.get('link') ?? '', /offset=3>; rel="next".*offset=0>; rel="prev"/);
  assert.equal((await samples.call('GET', '/articles?repo=..')).status, 400);
  const { items } = (await samples.call('GET', '/repos/harborline/parcel/pulls?limit=100', { token })).body
    .data;
  const exists = Object.fromEntries(
    items.map(({ prNumber, articleExists }: { prNumber: number; articleExists: boolean }) => [
      prNumber,
      articleExists,
    ]),
  );
  assert.equal(exists[3], true);
  assert.equal(exists[16], false);
});

test("an article stays after its requester's account is deleted", async () => {
  const token = await samples.signUp('leaving');
  const { data } = (await write(samples, parcel(4), token)).body;
  assert.equal((await samples.call('DELETE', '/users/me', { token })).status, 200);
  assert.equal((await samples.call('GET', `/articles/${data.id}`)).status, 200);
});

/** Sends many requests for one article at once; returns the responses. */
async function askAtOnce(apps: TestApp[], tokens: string[], path: string, requests: number) {
  const asked = Array.from({ length: requests }, (_, index) => {
    const on = apps[index % apps.length] ?? assert.fail('no service');
    return write(on, path, tokens[index % tokens.length] ?? '');
  });
  return Promise.all(asked);
}

function assertOneArticle(replies: Awaited<ReturnType<typeof askAtOnce>>): void {
  for (const { status, text } of replies) assert.ok(status === 201 || status === 200, text);
  const times = new Set(replies.map(({ body }) => body.data.contents.en.summaryGeneratedAt));
  assert.equal(times.size, 1, 'all got the same article');
}

test('sixty simultaneous requests for one article create one job and get the same article', async () => {
  const tokens = await Promise.all(
    Array.from({ length: 20 }, (_, index) => samples.signUp(`crowd-${index}`)),
  );
  const before = await countJobs(samples);
  const replies = await askAtOnce([samples], tokens, parcel(7), 60);
  assertOneArticle(replies);
  assert.equal((await countJobs(samples)) - before, 1);
});

test('sixty simultaneous requests to two processes on one database create one job', async () => {
  const { databaseUrl, dataFolder } = samples.config;
  const database = { PULLQUOTE_DATA: dataFolder, DATABASE_URL: databaseUrl ?? '' };
  const other = await buildTestApp({ database });
  const tokens = await Promise.all(Array.from({ length: 10 }, (_, index) => samples.signUp(`pair-${index}`)));
  const before = await countJobs(samples);
  const replies = await askAtOnce([samples, other], tokens, parcel(8), 60);
  assertOneArticle(replies);
  assert.equal((await countJobs(samples)) - before, 1);
});
