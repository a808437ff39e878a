import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { tellByHand } from '../../test/doors/articles-by-hand.ts';
import { change, statement } from '../../test/doors/stated-parts.ts';
import { makeArticles } from '../../test/make-articles.ts';
import { git, makeClone } from '../../test/make-clone.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';
import type { FeedEntry } from '../contract/following.ts';
import { sql } from '../db/sql.ts';

const root = temporaryFolder();
const clone = makeClone(root, 'acme/rocket', 'Begin');
makeClone(root, 'acme/other');
makeClone(root, 'acme/secret');
const app = await buildTestApp({
  environment: { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann+bob' },
  frozen: true,
});

/** Commits files on a branch that begins at main, and makes it the head of a pull request. */
function push(number: number, files: Record<string, string>): void {
  git(clone, 'switch', '--quiet', '--force-create', `pull-${number}`, 'main');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(clone, name), text);
  git(clone, 'add', '--all');
  git(clone, 'commit', '--quiet', '--message', `feat: change number ${number}`);
  git(clone, 'update-ref', `refs/pull/${number}/head`, 'HEAD');
  git(clone, 'switch', '--quiet', 'main');
}

async function write(token: string, place: string, body: object = { language: 'en' }): Promise<string> {
  const [repo, number] = place.split('#');
  const reply = await app.call('POST', `/repos/acme/${repo}/pulls/${number}/article`, { token, body });
  assert.ok([200, 201].includes(reply.status), reply.text);
  // A fetched pull request is not fetched again for five minutes.
  app.advance(6 * 60_000);
  return reply.body.data.id;
}

async function signUp(name: string): Promise<string> {
  const token = await app.signUp(name);
  await app.call('PATCH', '/users/me', { token, body: { language: 'en' } });
  return token;
}

const follow = (token: string, repo: string) =>
  app.call('POST', '/users/me', { token, body: { owner: 'acme', repo } });

async function feed(token: string, query = ''): Promise<{ told: string[]; counts: number[] }> {
  const { status, body, text } = await app.call('GET', `/users/me/feed${query}`, { token });
  assert.equal(status, 200, text);
  const { items, pagination, unread, changed } = body.data;
  return {
    told: items.map(
      ({ repo, prNumber, languageCode, read }: FeedEntry) => `${repo}#${prNumber} ${languageCode} ${read}`,
    ),
    counts: [pagination.totalItems, unread, changed],
  };
}

const first = 'export function first(): number {\n  return 1;\n}\n';
const second = 'export function second(): number {\n  return 2;\n}\n';

test('the feed lists articles of favorites newest first, each once, with its read state', async () => {
  const ann = await signUp('ann');
  push(1, { 'first.ts': first });
  push(2, { 'second.ts': second });
  const one = await write(ann, 'rocket#1');
  await write(ann, 'rocket#1', { language: 'ja' });
  const two = await write(ann, 'rocket#2');
  await write(ann, 'other#1');
  assert.deepEqual(await feed(ann), { told: [], counts: [0, 0, 0] });
  await follow(ann, 'rocket');
  assert.deepEqual(await feed(ann), { told: ['rocket#2 en no', 'rocket#1 en no'], counts: [2, 2, 0] });
  const read = await app.call('POST', `/articles/${two}/language/en/read`, { token: ann });
  assert.equal(read.status, 200, read.text);
  assert.equal(new Date(read.body.data.readAt).toISOString(), read.body.data.readAt);
  assert.deepEqual(await feed(ann), { told: ['rocket#2 en yes', 'rocket#1 en no'], counts: [2, 1, 0] });
  assert.deepEqual(await feed(ann, '?unread=true'), { told: ['rocket#1 en no'], counts: [1, 1, 0] });
  assert.deepEqual((await feed(ann, '?language=ja&limit=1&offset=1')).told, ['rocket#1 ja no']);
  await app.call('POST', `/articles/${one}/language/ja/read`, { token: ann });
  assert.deepEqual((await feed(ann)).counts, [2, 0, 0], 'read in another language is read');
  const away = await app.call('GET', '/users/me/feed?offset=7', { token: ann });
  assert.deepEqual([away.body.data.items, away.body.data.pagination.totalItems], [[], 2]);
});

test('a rewritten article is "changed" only for readers of the earlier text, and its page marks the new sentences', async () => {
  const bob = await signUp('bob');
  await follow(bob, 'rocket');
  push(3, { 'first.ts': first });
  const id = await write(bob, 'rocket#3');
  const [one, two, three] = ['first', 'second', 'third'].map((name) =>
    change(`${name}.ts`, [statement(`It is about ${name}.`)]),
  );
  assert.ok(one && two && three);
  const tell = (mainChanges: (typeof one)[]) =>
    tellByHand(app, { articleId: id, languageCode: 'en' }, { mainChanges });
  await tell([one, two]);
  const open = async () => {
    const headers = { accept: 'text/html' };
    const { text } = await app.call('GET', '/r/acme/rocket/3', { token: bob, headers });
    await waitUntil('it is noted', async () => (await feed(bob)).told[0] === 'rocket#3 en yes');
    return text;
  };
  const ahead = { accept: 'text/html', 'sec-purpose': 'prefetch;prerender' };
  await app.call('GET', '/r/acme/rocket/3', { token: bob, headers: ahead });
  assert.match(
    (await feed(bob)).told[0] ?? '',
    /^rocket#3 en no$/,
    'what a browser fetches ahead is not read',
  );
  assert.doesNotMatch(await open(), /class="since"|class="sentence[^"]* new"/, 'who opens its page reads it');

  await tell([three, one]);
  assert.deepEqual((await feed(bob, '?unread=true')).told[0], 'rocket#3 en changed');
  const page = await open();
  const since = /class="since"><a href="#([\w-]+)">(\d+) parts? (?:is|are) new since you read it/.exec(page);
  const marked = page.matchAll(/class="sentence[^"]* new" id="([^"]+)"/g);
  const ids = [...marked].map(([, sentence]) => sentence);
  assert.deepEqual(since?.slice(1), [ids[0], String(ids.length)], 'those that the page shows');
  assert.deepEqual(
    ids,
    three.statements.map((sentence) => sentence.id),
  );
  assert.doesNotMatch(await open(), /class="since"/, 'once it is read, nothing is new');

  await tell([three]);
  assert.equal((await feed(bob)).told[0], 'rocket#3 en yes', 'what says less says nothing new');
  assert.equal((await app.database.query(sql`SELECT FROM read_revisions`)).length, 0);
});

test('marking as read up to a time leaves newer articles and other repositories unread', async () => {
  const carl = await signUp('carl');
  await follow(carl, 'rocket');
  const until = app.now().toISOString();
  app.advance(1_000);
  push(4, { 'fourth.ts': 'export const fourth = 4;\n' });
  await write(carl, 'rocket#4');
  const before = await feed(carl);
  const mark = (body: object) => app.call('POST', '/users/me/feed/read', { token: carl, body });
  const marked = await mark({ until });
  assert.equal(marked.status, 200, marked.text);
  assert.equal(marked.body.data.marked, (before.counts[0] ?? 0) - 1);
  assert.deepEqual((await feed(carl)).counts, [before.counts[0], 1, 0]);
  assert.equal((await mark({ until })).body.data.marked, 0);
  for (const bad of [
    {},
    { until: 'yesterday' },
    { until: '2016-12-31T23:59:60Z' },
    { until: '0000-01-01T00:00:00Z' },
    { until, all: true },
  ])
    assert.equal((await mark(bad)).status, 400);
});

test('articles of a private repository are not in the feed of a user without access, who cannot mark them as read', async () => {
  const [ann, dora] = [app.tokenFor('ann'), await signUp('dora')];
  await follow(ann, 'secret');
  const id = await write(ann, 'secret#1');
  assert.ok((await feed(ann)).told.includes('secret#1 en no'));
  const refused = await app.call('POST', `/articles/${id}/language/en/read`, { token: dora });
  const absent = await app.call('POST', `/articles/${crypto.randomUUID()}/language/en/read`, { token: dora });
  assert.deepEqual([refused.status, refused.body.error.code], [absent.status, absent.body.error.code]);
  assert.equal(refused.status, 404);
  await app.database.query(sql`
    INSERT INTO favorite_repositories (user_id, repository_id, registered_at)
    SELECT users.id, repositories.id, now() FROM users CROSS JOIN repositories
    WHERE repositories.name = 'secret' AND users.id = ${(await app.call('GET', '/users/me', { token: dora })).body.data.id}`);
  assert.deepEqual(await feed(dora), { told: [], counts: [0, 0, 0] });
  assert.equal(
    (await app.call('POST', '/users/me/feed/read', { token: dora, body: { until: app.now().toISOString() } }))
      .body.data.marked,
    0,
  );
});

test('the first page begins with unread articles, and its form marks them as read, only from the same origin', async () => {
  const fay = await signUp('fay');
  const open = async (path: string, token?: string) =>
    (await app.call('GET', path, { ...(token && { token }), headers: { accept: 'text/html' } })).text;
  assert.doesNotMatch(await open('/', fay), /class="new-for-me"/, 'who follows nothing is told nothing');
  assert.match(await open('/new', fay), /Nothing new in the repositories you follow\./);
  await follow(fay, 'rocket');
  const page = await open('/', fay);
  assert.match(page, /New for you<\/h2> <span class="meta">4 unread<\/span>/);
  assert.equal(page.split('class="row read-no"').length - 1, 4);
  assert.doesNotMatch(await open('/'), /class="new-for-me"/);
  assert.doesNotMatch(await open('/?period=all', fay), /class="new-for-me"/);
  const until = /name="until" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const send = (origin: string) =>
    app.call('POST', '/new/read', {
      token: fay,
      raw: new URLSearchParams({ until }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin, referer: `${app.url}/` },
    });
  assert.equal((await send('https://elsewhere.example')).status, 403);
  assert.equal((await feed(fay)).counts[1], 4);
  const sent = await send(app.url);
  assert.deepEqual([sent.status, sent.headers.get('location')], [303, '/']);
  const after = await open('/', fay);
  assert.doesNotMatch(
    after,
    /class="new-for-me"|class="count"/,
    'what is read leaves, and so does its count',
  );
  const id =
    /name="article" value="([^"]+)"/.exec(await open('/r/acme/rocket/3?language=en', fay))?.[1] ?? '';
  const unread = await app.call('POST', '/r/acme/rocket/3/unread', {
    token: fay,
    raw: new URLSearchParams({ article: id, language: 'en' }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: app.url },
  });
  assert.deepEqual([unread.status, unread.headers.get('location')], [303, '/new']);
  assert.match(
    await open('/new', fay),
    /New for you <b class="count">1<\/b>[\s\S]*href="\/r\/acme\/rocket\/3/,
  );
});

test('an article marked as unread is unread in every language, for its reader alone', async () => {
  const [hal, ivy] = [await signUp('hal'), await signUp('ivy')];
  for (const reader of [hal, ivy]) await follow(reader, 'rocket');
  const listed = await app.call('GET', '/users/me/feed', { token: hal });
  const { articleId } = listed.body.data.items[0];
  const mark = (method: 'POST' | 'DELETE', token: string) =>
    app.call(method, `/articles/${articleId}/language/en/read`, { token });
  const unreadOf = async (token: string) => (await feed(token)).counts[1] ?? assert.fail('no count');
  const all = await unreadOf(hal);
  for (const reader of [hal, ivy]) await mark('POST', reader);
  assert.deepEqual([await unreadOf(hal), await unreadOf(ivy)], [all - 1, all - 1]);
  for (const _ of ['once', 'again']) assert.equal((await mark('DELETE', hal)).status, 200);
  assert.deepEqual([await unreadOf(hal), await unreadOf(ivy)], [all, all - 1]);
});

test('a new follower gets the five newest articles, and each one merged afterwards', async () => {
  const jon = await signUp('jon');
  await makeArticles(app, { fullName: 'acme/other', count: 7, languages: ['en'] });
  await follow(jon, 'other');
  const isNew = async () => {
    const { text } = await app.call('GET', '/new', { token: jon, headers: { accept: 'text/html' } });
    return text.match(/class="row read-no"/g)?.length;
  };
  assert.equal(await isNew(), 5);
  const [late] = await makeArticles(app, { fullName: 'acme/other', count: 1, languages: ['en'] });
  await app.database.query(sql`
    UPDATE pull_requests SET merged_at = ${app.now()}::timestamptz + interval '1 hour'
    WHERE id = (SELECT pull_request_id FROM articles WHERE id = ${late ?? ''})`);
  assert.equal(await isNew(), 6);
});

test('an article page does not wait for its read mark, and a failed mark is logged unless the disk is full', async () => {
  const gil = await signUp('gil');
  const { query } = app.database;
  for (const error of [
    Object.assign(new Error('could not extend file'), { code: '53100' }),
    new Error('the table is broken'),
  ]) {
    const noting = Promise.withResolvers<never>();
    let isAsked = false;
    app.database.query = (statement) => {
      if (!statement.render().text.includes('INSERT INTO read_marks')) return query(statement);
      isAsked = true;
      return noting.promise;
    };
    const page = await app.call('GET', '/r/acme/rocket/3', { token: gil, headers: { accept: 'text/html' } });
    assert.equal(page.status, 200);
    await waitUntil('it is to be noted', async () => isAsked);
    app.database.query = query;
    noting.reject(error);
  }
  const logged = () => app.logLines().filter(({ msg }) => msg === 'a read mark could not be stored');
  await waitUntil('it is logged', async () => logged().length > 0);
  assert.equal(logged().length, 1);
});

test('deleting an account deletes its read marks', async () => {
  const eve = await signUp('eve');
  await follow(eve, 'rocket');
  await app.call('POST', '/users/me/feed/read', { token: eve, body: { until: app.now().toISOString() } });
  const mine = sql`SELECT FROM read_marks WHERE user_id = ${(await app.call('GET', '/users/me', { token: eve })).body.data.id}`;
  assert.notEqual((await app.database.query(mine)).length, 0);
  assert.equal((await app.call('DELETE', '/users/me', { token: eve })).status, 200);
  assert.equal((await app.database.query(mine)).length, 0);
});
