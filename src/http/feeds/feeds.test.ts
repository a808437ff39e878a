import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { test } from 'node:test';
import { buildTestApp, type Reply } from '../../../test/build-app.ts';
import { findAtomProblems, findJsonFeedProblems } from '../../../test/feeds/validate-feeds.ts';
import { makeClone } from '../../../test/make-clone.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { sql } from '../../db/sql.ts';

const root = temporaryFolder();
makeClone(root, 'acme/rocket.js', 'feat: count down from ten (#1)');
makeClone(root, 'acme/other', 'fix: do not count down (#1)');
makeClone(root, 'acme/secret', 'feat: a hidden engine (#1)');
makeClone(root, 'acme/unwritten', 'feat: not written about (#1)');
makeClone(root, 'acme/followed', 'feat: not written about either (#1)');
const PUBLIC_URL = 'https://pullquote.example';
const app = await buildTestApp({
  environment: { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann', PUBLIC_URL },
  logLevel: 'trace',
});
const ann = await app.signUp('ann');
await app.call('PATCH', '/users/me', { token: ann, body: { language: 'en' } });

async function write(name: string, language = 'en'): Promise<string> {
  const path = `/repos/acme/${name}/pulls/1/article`;
  const written = await app.call('POST', path, { token: ann, body: { language } });
  assert.ok(written.status === 201, written.text);
  await app.call('POST', '/users/me', { token: ann, body: { owner: 'acme', repo: name } });
  return written.body.data.id;
}
const rocket = await write('rocket.js');
await write('rocket.js', 'ja');
await write('secret');
await write('other');
for (const language of ['en', 'ja'])
  await app.call('POST', `/articles/${rocket}/language/${language}/like`, { token: ann });

interface Item {
  id: string;
  url: string;
  title: string;
  language: string;
  content_html: string;
  date_modified: string;
  date_published: string;
}

const get = (path: string, headers: Record<string, string> = {}) => app.call('GET', path, { headers });
const itemsOf = ({ text, status }: Reply): Item[] => {
  assert.equal(status, 200, text);
  return JSON.parse(text).items;
};
/** The articles in a feed, as `repository language`, sorted, because they were merged almost at once. */
const told = async (path: string, headers?: Record<string, string>) =>
  itemsOf(await get(path, headers))
    .map(({ url, language }) => `${/acme\/([\w.]+)/.exec(url)?.[1]} ${language}`)
    .sort();

test('feeds of articles, rankings, repositories and searches are valid Atom and JSON Feed, and support ETag and If-Modified-Since', async () => {
  const feeds = {
    '/feeds/articles': ['other en', 'rocket.js en'],
    '/feeds/articles.EXT?language=ja': ['rocket.js ja'],
    '/feeds/ranking/weekly': ['rocket.js en'],
    '/feeds/ranking/all.EXT?language=ja': ['rocket.js ja'],
    '/feeds/r/acme/rocket.js': ['rocket.js en'],
    '/feeds/r/ACME/Other': ['other en'],
    '/feeds/r/acme/other.EXT?language=de': [],
    '/feeds/search.EXT?q=count': ['other en', 'rocket.js en'],
    '/feeds/search.EXT?q=repo%3Aacme%2Frocket.js&language=ja': ['rocket.js ja'],
  };
  const atoms: Record<string, string> = {};
  for (const [path, expected] of Object.entries(feeds)) {
    const address = (format: string) =>
      path.includes('EXT') ? path.replace('EXT', format) : `${path}.${format}`;
    assert.deepEqual(await told(address('json')), expected, path);
    const json = await get(address('json'));
    assert.deepEqual(findJsonFeedProblems(json.text), [], path);
    assert.equal(json.headers.get('content-type'), 'application/feed+json; charset=utf-8');
    const atom = await get(address('atom'), { 'accept-encoding': 'br' });
    assert.equal(atom.headers.get('content-type'), 'application/atom+xml; charset=utf-8');
    assert.equal(atom.headers.get('cache-control'), 'public, no-cache');
    assert.match(atom.headers.get('vary') ?? '', /Accept-Language/);
    assert.equal(atom.headers.get('content-encoding'), expected.length > 0 ? 'br' : null);
    assert.equal(atom.text.split('<entry ').length - 1, expected.length);
    const known = { 'if-none-match': atom.headers.get('etag') ?? '', 'accept-encoding': 'br' };
    assert.equal((await get(address('atom'), known)).status, 304, path);
    const since = atom.headers.get('last-modified') ?? '';
    assert.equal((await get(address('atom'), { 'if-modified-since': since })).status, 304, path);
    assert.equal(
      (await get(address('atom'), { ...known, 'if-none-match': '"x"', 'if-modified-since': since })).status,
      200,
    );
    atoms[`${Object.keys(atoms).length}.atom`] = atom.text;
    for (const { url, content_html } of itemsOf(json)) {
      assert.ok(url.startsWith(`${PUBLIC_URL}/r/acme/`), url);
      assert.match(content_html, /<pre dir="ltr"><code>[\s\S]*This is acme/, 'code is shown');
      assert.ok(content_html.includes(`href="${url.replaceAll('&', '&amp;')}"`));
    }
  }
  assert.deepEqual([...(await findAtomProblems(atoms))], []);
  const narrowed = JSON.parse(
    (await get('/feeds/search.json?q=count&owner=acme&repo=other&changeType=FIX')).text,
  );
  assert.equal(narrowed.title, 'Pullquote · Search: count repo:acme/other type:FIX');
  assert.equal(narrowed.home_page_url, `${PUBLIC_URL}/find?q=count+repo%3Aacme%2Fother+type%3AFIX`);
  const inJapanese = { 'accept-language': 'ja' };
  assert.deepEqual(await told('/feeds/articles.json', inJapanese), ['other en', 'rocket.js ja']);
  assert.deepEqual(await told('/feeds/ranking/all.json', inJapanese), ['rocket.js ja']);
  assert.deepEqual(
    await told('/feeds/articles.json'),
    ['other en', 'rocket.js en'],
    'each is kept for itself',
  );
});

test('a feed of a repository is cached until its content changes, a search feed is not, and a rewritten article keeps its entry id', async () => {
  const path = '/feeds/r/acme/rocket.js.json';
  const kept = await get(path);
  const since = { 'if-modified-since': kept.headers.get('last-modified') ?? '' };
  const [before] = itemsOf(kept);
  assert.ok(before);
  const retitle = (title: string) =>
    app.database.query(sql`
      UPDATE article_contents SET title = ${title}, revision = revision + 1, generated_at = generated_at + interval '1 hour',
        body = (body::jsonb || jsonb_build_object('aiGeneratedTitle', ${title}::text))::json
      WHERE article_id = ${rocket} AND language_code = 'en'`);
  await app.database.query(sql`ALTER TABLE article_contents DISABLE TRIGGER article_changed`);
  let times = 0;
  // A notification about an earlier change may arrive only now, and then the feed is read again.
  await waitUntil('it is answered from memory', async () => {
    times += 1;
    await retitle(`Changed in secret ${times}`);
    return itemsOf(await get(path))[0]?.title !== `Changed in secret ${times}`;
  });
  await app.database.query(sql`ALTER TABLE article_contents ENABLE TRIGGER article_changed`);
  const found = itemsOf(await get('/feeds/search.json?q=repo%3Aacme%2Frocket.js'));
  assert.equal(found[0]?.title, `Changed in secret ${times}`, 'what is searched for is not kept');
  await retitle('Changed in the open');
  await waitUntil(
    'the change is told',
    async () => itemsOf(await get(path))[0]?.title === 'Changed in the open',
  );
  assert.equal((await get(path, since)).status, 200, 'it is another, be it within the same second');
  const [after] = itemsOf(await get(path));
  assert.deepEqual([after?.id, after?.date_published], [before.id, before.date_published]);
  assert.ok((after?.date_modified ?? '') > before.date_modified);
});

test('private, absent and unwritten repositories have no feed, and invalid requests say what is wrong', async () => {
  const bodyOf = async (name: string, token?: string) => {
    const { status, text } = await app.call('GET', `/feeds/r/acme/${name}.atom`, { token });
    return `${status} ${text.replaceAll(name, 'NAME').replace(/"requestId":"[^"]+"/, '')}`;
  };
  const absent = await bodyOf('absent');
  assert.match(absent, /^404 .*REPOSITORY_NOT_FOUND/);
  for (const name of ['secret', 'unwritten']) assert.equal(await bodyOf(name), absent, name);
  assert.equal(await bodyOf('secret', ann), absent, 'a credential shows no more');
  for (const [path, status, said] of [
    ['/feeds/ranking/hourly.atom', 400, /daily/],
    ['/feeds/articles.rss', 404, /NOT_FOUND/],
    ['/feeds/r/acme/other', 404, /NOT_FOUND/],
    ['/feeds/search.atom', 400, /contains no search term/],
    ['/feeds/search.atom?q=the', 400, /only words that are too common/],
    ['/feeds/search.atom?q=is%3Aunread', 400, /is:unread, which needs you to be signed in/],
    ['/feeds/articles.atom?page=2', 400, /page is not allowed here|page/],
    ['/feeds/articles.atom?language=xx-nonsense', 400, /language/],
  ] as const) {
    const reply = await get(path);
    assert.equal(reply.status, status, path);
    assert.match(reply.text, said, path);
  }
});

/** Sends paths that fetch would normalize. */
async function raw(url: string, method: string, path: string, headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(url);
  const asked = request({ hostname, port, method, path, headers }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return { headers: response.headers, text: Buffer.concat(await response.toArray()).toString() };
}

const make = async (token = ann): Promise<{ atomUrl: string; jsonUrl: string }> => {
  const made = await app.call('POST', '/users/me/feed-address', { token });
  assert.equal(made.status, 201, made.text);
  assert.equal(made.headers.get('cache-control'), 'no-store');
  return made.body.data;
};
const pathOf = (url: string) => url.replace(PUBLIC_URL, '');

test("a personal feed has a secret address, follows its user's access, ends with it, and is in no log", async () => {
  const nothing = await get(`/feeds/mine/pqf_${'x'.repeat(43)}.atom`);
  const bare = ({ status, text }: Reply) => `${status} ${text.replace(/"requestId":"[^"]+"/, '')}`;
  assert.match(bare(nothing), /^404 .*"NOT_FOUND"/);
  const first = await make();
  assert.match(first.atomUrl, /^https:\/\/pullquote\.example\/feeds\/mine\/pqf_[\w-]{43}\.atom$/);
  assert.deepEqual(await told(pathOf(first.jsonUrl)), ['other en', 'rocket.js en', 'secret en']);
  assert.deepEqual(await told(`${pathOf(first.jsonUrl)}?language=ja`), [
    'other en',
    'rocket.js ja',
    'secret en',
  ]);
  const read = await get(pathOf(first.atomUrl));
  assert.equal(read.headers.get('cache-control'), 'private, no-cache');
  assert.equal(read.headers.get('referrer-policy'), 'no-referrer');
  assert.deepEqual([...(await findAtomProblems({ 'mine.atom': read.text }))], []);
  const known = { 'if-none-match': read.headers.get('etag') ?? '' };
  assert.equal((await get(pathOf(first.atomUrl), known)).status, 304);

  await app.database.query(sql`UPDATE repository_grants SET withdrawn = true`);
  assert.deepEqual(
    await told(pathOf(first.jsonUrl)),
    ['other en', 'rocket.js en'],
    'rights are looked up each time',
  );
  await app.database.query(sql`UPDATE repository_grants SET withdrawn = false`);

  const second = await make();
  assert.equal(bare(await get(pathOf(first.atomUrl))), bare(nothing), 'the one before has ended');
  assert.match((await get(pathOf(second.atomUrl))).text, /acme\/secret/);
  assert.equal((await app.call('DELETE', '/users/me/feed-address', { token: ann })).status, 200);
  assert.equal(bare(await get(pathOf(second.atomUrl))), bare(nothing));
  assert.equal((await app.call('DELETE', '/users/me/feed-address', { token: ann })).status, 200, 'again');

  const bob = await app.signUp('bob');
  const his = await make(bob);
  assert.equal((await get(pathOf(his.jsonUrl))).status, 200);
  await app.call('DELETE', '/users/me', { token: bob });
  assert.equal(bare(await get(pathOf(his.atomUrl))), bare(nothing), 'gone with the account');

  const third = await make();
  const secrets = [first, second, third, his].map(({ atomUrl }) => /pqf_([\w-]+)/.exec(atomUrl)?.[1] ?? '');
  const [secret = ''] = secrets.slice(2);
  for (const path of [
    pathOf(third.atomUrl),
    `/feeds/mine/%70qf_${secret}.json`,
    `/feeds/%6Dine/pqf_${secret}.atom?language=nonsense`,
    `//feeds//mine//pqf_${secret}`,
    `/feeds/mine/${secret}`,
    `/feeds/mine/pqf_${secret}.atom/${'x'.repeat(200)}`,
    `/r/pqf_${secret}/x`,
    `/feeds/mine/%ff${secret}.atom`,
  ])
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
      const { text } = await raw(app.url, method, path, { accept: 'text/html' });
      assert.equal(text.includes(secret), false, `${method} ${path}: ${text}`);
    }
  const log = JSON.stringify(app.logLines());
  assert.match(log, /"path":"\/feeds\/mine\/…"/);
  for (const one of secrets) assert.equal(log.includes(one), false);
  const stored = await app.database.query(
    sql`SELECT to_json(feed_addresses)::text AS row FROM feed_addresses`,
  );
  assert.equal(JSON.stringify(stored).includes(secret), false, 'a hash is all that is kept');
});

test('settings show the personal feed address once, without scripts, and can replace or delete it', async () => {
  const opened = await app.call('POST', '/auth/session', { token: ann, body: { cookie: true } });
  const session = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const page = async (cookie = session) => (await get('/settings', { cookie, 'accept-language': 'en' })).text;
  const submit = (path: string) =>
    app.call('POST', path, {
      raw: '',
      headers: { cookie: session, origin: PUBLIC_URL, 'content-type': 'application/x-www-form-urlencoded' },
    });
  await submit('/settings/feed/end');
  assert.match(await page(), /Create feed URL/);
  const made = await submit('/settings/feed');
  assert.equal(made.headers.get('location'), '/settings#feed');
  const [handed = ''] = made.headers.getSetCookie();
  assert.match(handed, /^pullquote_feed=[^;]+; Max-Age=60; Path=\/settings; HttpOnly; Secure; SameSite=Lax$/);
  const shown = await get('/settings', { cookie: `${session}; ${handed.split(';')[0]}` });
  assert.equal(shown.headers.get('cache-control'), 'no-store');
  assert.match(shown.headers.get('set-cookie') ?? '', /^pullquote_feed=;/);
  const [url = ''] = /https:\/\/pullquote\.example\/feeds\/mine\/[\w-]+\.json/.exec(shown.text) ?? [];
  assert.equal((await get(pathOf(url))).status, 200);
  assert.doesNotMatch(await page(), /feeds\/mine/);
  assert.match(await page(), /Created [\s\S]*Replace feed URL[\s\S]*Delete feed URL/);
  const bob = await app.signUp('bea');
  const other = await app.call('POST', '/auth/session', { token: bob, body: { cookie: true } });
  const stolen = `${other.headers.getSetCookie()[0]?.split(';')[0]}; ${handed.split(';')[0]}`;
  assert.doesNotMatch(await page(stolen), /feeds\/mine/, 'it is sealed for its user');
  await submit('/settings/feed/end');
  assert.equal((await get(pathOf(url))).status, 404);
  const refused = await app.call('POST', '/settings/feed', {
    headers: { cookie: session, origin: 'https://evil.example' },
  });
  assert.equal(refused.status, 403);
});

test('pages link their feeds, and favorites can be exported as OPML with public feeds only', async () => {
  for (const [path, feed] of [
    ['/?language=all', '/feeds/articles'],
    ['/?period=weekly&language=ja', '/feeds/ranking/weekly.EXT?language=ja'],
    ['/r/acme/rocket.js', '/feeds/r/acme/rocket.js'],
    ['/find?q=count+down', '/feeds/search.EXT?q=count+down'],
  ] as const) {
    const { text } = await get(path, { 'accept-language': 'en' });
    for (const [format, type] of [
      ['atom', 'atom+xml'],
      ['json', 'feed+json'],
    ] as const) {
      const href = feed.includes('EXT') ? feed.replace('EXT', format) : `${feed}.${format}`;
      assert.ok(text.includes(`<link rel="alternate" type="application/${type}" title="`), path);
      assert.ok(text.includes(`href="${href}">`), `${path} has no ${href}`);
      assert.equal((await get(href)).status, 200, href);
    }
    assert.match(text, />(?:Feed|フィード)<\/a>/);
  }
  assert.match((await get('/find?q=count', { 'accept-language': 'en' })).text, />Feed for this search</);
  const followed = await app.call('POST', '/users/me', {
    token: ann,
    body: { owner: 'acme', repo: 'followed' },
  });
  const opml = await app.call('GET', '/users/me/favorites.opml', { token: ann });
  assert.equal(opml.headers.get('content-type'), 'text/x-opml; charset=utf-8');
  assert.equal(opml.headers.get('cache-control'), 'private, no-cache');
  assert.match(opml.text, /xmlUrl="https:\/\/pullquote\.example\/feeds\/r\/acme\/rocket\.js\.atom"/);
  assert.doesNotMatch(opml.text, /secret|mine/);
  const [, ...listed] = opml.text.split('xmlUrl="').map((rest) => pathOf(rest.split('"')[0] ?? ''));
  assert.deepEqual(listed.sort(), [
    '/feeds/r/acme/followed.atom',
    '/feeds/r/acme/other.atom',
    '/feeds/r/acme/rocket.js.atom',
  ]);
  for (const address of listed) assert.equal((await get(address)).status, 200, address);
  const empty = await get('/feeds/r/acme/followed.atom');
  assert.deepEqual([...(await findAtomProblems({ 'empty.atom': empty.text }))], []);
  const updatedOf = (feed: string): string => /<updated>([^<]+)</.exec(feed)?.[1] ?? assert.fail(feed);
  const sinceThereIsADatabase = updatedOf((await get('/feeds/search.atom?q=unheardof')).text);
  assert.ok(sinceThereIsADatabase < followed.body.data.registeredAt);
  for (const feed of [empty, await get('/feeds/r/acme/followed/digest.atom')])
    assert.equal(updatedOf(feed.text), sinceThereIsADatabase, 'when a user made a favorite is not told');
  const nothing = JSON.parse((await get('/feeds/r/acme/followed.json')).text);
  assert.deepEqual(nothing.items, []);
  assert.equal((await get('/users/me/favorites.opml')).status, 401);
});

test('without PUBLIC_URL, feeds use the host name of the request and are not cached for other names', async () => {
  const plain = await buildTestApp({ environment: { GIT_REPOS: root } });
  const token = await plain.signUp('cy');
  await plain.call('POST', '/repos/acme/other/pulls/1/article', { token, body: { language: 'en' } });
  for (const host of ['192.0.2.1', '192.0.2.2:81', '192.0.2.1']) {
    const { text, headers } = await raw(plain.url, 'GET', '/feeds/articles.json', { host });
    assert.equal(JSON.parse(text).feed_url, `http://${host}/feeds/articles.json`);
    assert.ok(headers.etag);
  }
  const { body } = await plain.call('POST', '/users/me/feed-address', { token });
  assert.ok(body.data.atomUrl.startsWith(`${plain.url}/feeds/mine/`), body.data.atomUrl);
});
