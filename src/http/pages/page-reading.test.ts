import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp } from '../../../test/build-app.ts';
import { git, makeClone } from '../../../test/make-clone.ts';
import { makeHistory } from '../../../test/make-history.ts';
import { makeLargePullRequest } from '../../../test/make-large-pull-request.ts';
import { onlyInFull } from '../../../test/tables.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

const root = temporaryFolder();
const publicUrl = 'https://articles.example.org';

function commit(clone: string, message: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(clone, name)), { recursive: true });
    writeFileSync(join(clone, name), text);
  }
  git(clone, 'add', '--all');
  git(clone, 'commit', '--quiet', '--message', message);
}

const numbers = Array.from({ length: 60 }, (_, index) => `export const n${index} = ${index};`).join('\n');
const rocket = makeClone(root, 'acme/rocket');
commit(
  rocket,
  'feat: count down before the launch (#2)\n\nNobody knew when the rocket would leave the ground at last. Guests went home before it did, because nobody had told them.',
  {
    'src/launch.ts': `/** Counts down to the launch. */\nexport function countDown(from: number): string {\n  if (from < 0) throw new Error("the rocket is gone");\n  return \`\${from}\`;\n}\n`,
    'src/numbers.ts': `${numbers}\n`,
    'test/launch.test.ts': 'test("counts down to zero", () => countDown(3));\n',
  },
);
commit(rocket, 'docs: how to launch (#3)', { 'docs/launch.md': '# Launching\n\nStand back and count.\n' });
makeClone(root, 'acme/secret');

const app = await buildTestApp({
  environment: { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann', PUBLIC_URL: publicUrl },
});
const ann = await app.signUp('ann');
await app.call('PATCH', '/users/me', { token: ann, body: { language: 'en' } });
const article = (place: string) => `/repos/${place.replace(/\/(\d+)$/, '/pulls/$1')}/article`;

async function write(place: string, language = 'en'): Promise<string> {
  const reply = await app.call('POST', article(place), { token: ann, body: { language } });
  assert.equal(reply.status, 201, reply.text);
  return reply.body.data.id;
}

const id = await write('acme/rocket/2');
await write('acme/rocket/2', 'ja');
await write('acme/rocket/3');
await write('acme/secret/1');

const open = (path: string, headers: Record<string, string> = {}) => app.call('GET', path, { headers });
const english = { 'accept-language': 'en' };
const asAnn = { authorization: `Bearer ${ann}` };

test('an article page is complete without scripts: quote, map, tests and highlighted hunks', async () => {
  const { status, text, headers } = await open('/r/acme/rocket/2', english);
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
  assert.match(text, /<blockquote[^>]*><p><bdi>Nobody knew when the rocket would leave the ground at last\./);
  assert.match(text, /By <a class="author" href="\/a\/[^"]+"><bdi>[\s\S]*?<a class="counts"[^>]*>3 files /);
  assert.match(text, /<svg viewBox="0 0 960 240"[^>]*><a [^>]*><title>src\/numbers\.ts \+60 −0<\/title>/);
  assert.match(text, /<figcaption><span class="kind">[\s\S]*?<\/svg>1 test<\/span>/);
  assert.match(text, /<div class="stop item beat" id="change-1">/);
  assert.match(
    text,
    /<div class="line added" data-line="2"><i>\+<\/i><span class="indent"><\/span><code><span class="k">export<\/span>/,
  );
  assert.match(text, /The whole change was read: 3 files/);
  assert.match(text, /More by Rin Example[\s\S]*\/r\/acme\/rocket\/3\?language=en/);
});

test('a page loads only files of the service, has no inline scripts or styles, and requires trusted types', async () => {
  for (const path of ['/', '/r/acme/rocket', '/r/acme/rocket/2', '/r/acme/rocket/99', '/nothing']) {
    const { headers, text } = await open(path, { accept: 'text/html' });
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; /, path);
    assert.match(policy, /require-trusted-types-for 'script'; trusted-types 'none'$/, path);
    assert.doesNotMatch(text, /<style|\sstyle="|\son[a-z]+="|<script(?![^>]*\ssrc="\/assets\/)/, path);
    assert.doesNotMatch(text, /(?:src|href)="(?!\/|#|https:\/\/articles\.example\.org\/)/, path);
  }
});

test("an article is shown in the requested language, else the reader's, the browser's, or an existing one, with links to all", async () => {
  const language = async (path: string, headers: Record<string, string>) =>
    /<article class="article" lang="(\w+)"/.exec((await open(path, headers)).text)?.[1];
  assert.equal(await language('/r/acme/rocket/2', english), 'en');
  assert.equal(await language('/r/acme/rocket/2', { 'accept-language': 'ja-JP, en;q=0.5' }), 'ja');
  assert.equal(await language('/r/acme/rocket/2', { ...asAnn, 'accept-language': 'ja' }), 'en');
  assert.equal(await language('/r/acme/rocket/2?language=ja', asAnn), 'ja');
  assert.equal(await language('/r/acme/rocket/3', { 'accept-language': 'ja' }), 'en');
  const { text } = await open('/r/acme/rocket/2', english);
  for (const code of ['en', 'ja'])
    assert.ok(
      text.includes(
        `<link rel="alternate" hreflang="${code}" href="${publicUrl}/r/acme/rocket/2?language=${code}">`,
      ),
      code,
    );
  assert.ok(text.includes(`<link rel="canonical" href="${publicUrl}/r/acme/rocket/2?language=en">`));
  assert.ok(text.includes(`<meta property="og:url" content="${publicUrl}/r/acme/rocket/2?language=en">`));
  const absent = await open('/r/acme/rocket/3?language=de', english);
  assert.equal(absent.status, 404);
  assert.match(absent.text, /No article in German yet[\s\S]*\/r\/acme\/rocket\/3\?language=en/);
  const inJapanese = await open('/r/acme/rocket/3?language=de', { 'accept-language': 'ja' });
  assert.match(inJapanese.text, /ドイツ語版の記事はまだありません。/);
});

test('private, absent and unwritten pull requests look the same to strangers', async () => {
  const unwritten = ['secret/1', 'secret/2', 'rocket/1', 'rocket/77', 'none/1'];
  const offers = await Promise.all(
    unwritten.map(async (place) => {
      const { status, text } = await open(`/r/acme/${place}`, { accept: 'text/html', ...english });
      const [repo, number] = place.split('/');
      const blank = text.replaceAll(/back=[^"]*/g, 'back=here').replaceAll(`acme/${place}`, 'acme/x/1');
      return `${status} ${blank.replaceAll(`acme/${repo}`, 'acme/x').replaceAll(`#${number}`, '#1')}`;
    }),
  );
  for (const [index, page] of offers.entries()) assert.equal(page, offers[0], unwritten[index]);
  assert.match(
    offers[0] ?? '',
    /^404 [\s\S]*No article yet[\s\S]*If this pull request exists and you have access[\s\S]*Sign in to write article/,
  );
  const strangers = ['/r/acme/secret', '/r/acme/none', '/r/acme/rocket/x', '/r/acme/rocket/1/2/3'];
  const pages = await Promise.all(
    strangers.map(async (path) => {
      const { status, text } = await open(path, { accept: 'text/html', ...english });
      return `${status} ${text.replaceAll(/back=[^"]*/g, 'back=here')}`;
    }),
  );
  for (const [index, page] of pages.entries()) assert.equal(page, pages[0], strangers[index]);
  assert.match(pages[0] ?? '', /^404 [\s\S]*Page not found\./);
  assert.match(pages[0] ?? '', /Sign in to write articles or read private ones/);
  for (const path of ['/nothing/here', '/r/acme/rocket/1/2/3']) {
    const { status, text } = await open(path, { accept: 'text/html', ...asAnn });
    assert.equal(status, 404);
    assert.match(text, /<a href="\/settings">/);
    assert.doesNotMatch(text, /Sign in/);
  }
  const gone = await open('/nothing', { accept: 'text/html', cookie: 'pullquote_session=pq_gone' });
  assert.deepEqual([gone.status, gone.headers.get('location')], [303, '/sign-in?back=%2Fnothing']);
  const own = await open('/r/acme/secret/1', asAnn);
  assert.equal(own.status, 200);
  assert.match(own.text, /<meta name="robots" content="noindex">/);
  assert.doesNotMatch(own.text, /og:title|rel="canonical"/);
  assert.equal(own.headers.get('cache-control'), 'private, no-cache');
});

test('a pasted GitHub address opens its mirror, or explains how to add one', async () => {
  const paste = (url: string) => open(`/go?url=${encodeURIComponent(url)}`, english);
  for (const url of ['https://github.com/acme/rocket/pull/7/files', 'git@github.com:acme/rocket.git'])
    assert.match((await paste(url)).headers.get('location') ?? '', /^\/r\/acme\/rocket(\/7)?$/, url);
  const elsewhere = await paste('https://elsewhere.example/acme/rocket/pull/7');
  assert.match(elsewhere.text, /not a pull request on a supported code host/);
  assert.match(
    (await open('/r/acme/none/7', asAnn)).text,
    /acme\/none isn’t on this service[\s\S]*\/add<[\s\S]*CODE_HOST=git,github/,
  );
  assert.match((await open('/r/acme/none', asAnn)).text, /acme\/none isn’t on this service[\s\S]*\/add</);
  const absent = await open('/r/acme/rocket/77', asAnn);
  assert.match(absent.text, /acme\/rocket#77 doesn’t exist/);
  assert.doesNotMatch(absent.text, /data-write/);
  for (const number of ['0', '9'.repeat(20)]) {
    assert.equal((await paste(`https://github.com/acme/rocket/pull/${number}`)).status, 404);
    assert.equal((await open(`/r/acme/rocket/${number}`)).status, 404);
  }
  assert.equal((await open('/r/acme/rocket/01')).status, 404);
});

test('a signed-in reader of an unwritten pull request sees its size and a button to write', async () => {
  const told =
    /<h1><bdi>Begin<\/bdi><\/h1>[\s\S]*No article yet\. It changes 1 file: 1 line added, 0 removed\./;
  const unknown = await open('/r/acme/rocket/1', asAnn);
  assert.equal(unknown.status, 404);
  assert.match(unknown.text, told);
  assert.match(unknown.text, /data-write/);
  assert.doesNotMatch((await open('/r/acme/rocket/1', english)).text, told, 'nothing is stored of it');
  await app.call('POST', '/repos/acme/rocket/pulls/1/ingest', { token: ann });
  const known = await open('/r/acme/rocket/1', asAnn);
  assert.match(known.text, told);
  const stranger = await open('/r/acme/rocket/1', english);
  assert.match(stranger.text, told, 'what is stored and public is told to all');
  assert.match(stranger.text, /Sign in to write article/);
});

test('a repository page shows articles to every visitor, and pull requests to signed-in users', async () => {
  const stranger = await open('/r/acme/rocket', english);
  assert.match(stranger.text, /<h1 class="repository-name"><bdi>acme\/rocket<\/bdi><\/h1>/);
  assert.doesNotMatch(stranger.text, /data-number|rocket\/2\?language=ja/);
  const count = (text: string, place: string) =>
    text.split(`<h3><a href="/r/acme/rocket/${place}"`).length - 1;
  for (const [language, place] of [
    ['en', '2?language=en'],
    ['ja', '2?language=ja'],
    ['de', '2?language=en'],
    ['ja', '3?language=en'],
  ] as const)
    assert.equal(count((await open('/r/acme/rocket', { 'accept-language': language })).text, place), 1);
  const inAll = await open('/?language=all', { 'accept-language': 'ja' });
  assert.equal(inAll.text.match(/"\/r\/acme\/rocket\/2\?language=/g)?.length, 1);
  assert.doesNotMatch(stranger.text, /data-import/);
  const { text } = await open('/r/acme/rocket?tab=pulls&state=all', asAnn);
  assert.match(
    text,
    /#1<\/span> <span class="title">[\s\S]*?>Write article<[\s\S]*|#3<\/span>[\s\S]*?>Read</,
  );
  assert.match(text, /action="\/r\/acme\/rocket\/1\/write">[\s\S]*?>Write article</);
  assert.match(text, /href="\/r\/acme\/rocket\/2">Read</);
  assert.match(
    text,
    /<span class="title"><bdi>Feature: count down before the launch</,
    'called as its article is',
  );
  assert.doesNotMatch(text, /class="badge"/);
});

test('pull requests are filtered and paged by links, and "newer" returns to the page before', async () => {
  makeHistory(root, 'acme/long', 41);
  const numbersAt = async (path: string) => {
    const { text } = await open(path, asAnn);
    const numbers = [...text.matchAll(/<li data-number="(\d+)"/g)].map(([, number]) => Number(number));
    const link = (rel: string) =>
      new RegExp(`rel="${rel}" href="([^"]+)"`).exec(text)?.[1]?.replaceAll('&amp;', '&');
    return { numbers, newer: link('prev'), older: link('next'), text };
  };
  for (const [query, all] of [
    ['tab=pulls&state=all', Array.from({ length: 42 }, (_, index) => 42 - index)],
    ['tab=pulls', Array.from({ length: 41 }, (_, index) => 41 - index)],
    [
      'tab=pulls&state=all&article=unwritten&bots=without',
      Array.from({ length: 42 }, (_, index) => 42 - index),
    ],
    ['tab=pulls&state=open', []],
    ['tab=pulls&article=written', []],
  ] as const) {
    const pages = [await numbersAt(`/r/acme/long?${query}`)];
    for (let next = pages[0]?.older; next; next = pages.at(-1)?.older) pages.push(await numbersAt(next));
    assert.deepEqual(
      pages.flatMap(({ numbers }) => numbers),
      all,
      query,
    );
    assert.equal(pages[0]?.newer, undefined);
    for (const [index, { newer }] of pages.entries())
      if (newer) assert.deepEqual((await numbersAt(newer)).numbers, pages[index - 1]?.numbers, newer);
  }
  const beside = await open('/r/acme/long?tab=articles', asAnn);
  assert.match(
    beside.text,
    /<h2 class="unseen">Articles<[\s\S]*name="numbers" value="41,[\s\S]*>Write 20 more</,
  );
  const { text } = await numbersAt('/r/acme/long');
  assert.match(
    text,
    /aria-current="page">Pull requests <span class="total">42</,
    'where there is no article',
  );
  assert.match(text, />Write all 20 listed</);
  const all = (await numbersAt('/r/acme/long?state=all')).text;
  assert.match(all, />Write the 19 merged pull requests</, 'what is not merged is not among them');
});

test('the first page shows a lead and the newest articles, and rankings by period', async () => {
  const { text } = await open('/', english);
  assert.match(
    text,
    /<article class="lead">\s*<p class="meta">[\s\S]*?\/r\/acme\/rocket\/3\?language=en/,
    'the newest one leads, without a reason',
  );
  assert.match(text, /<ol class="rows"[\s\S]*\/r\/acme\/rocket\/2\?language=en/);
  assert.doesNotMatch(text, /secret/);
  assert.match((await open('/?period=weekly', english)).text, /No likes in this period\./);
  await app.call('POST', `/articles/${id}/language/en/like`, { token: ann });
  assert.match((await open('/?period=weekly', english)).text, /<b>1<\/b> <span>1 like<\/span>/);
  assert.match(
    (await open('/', english)).text,
    /<article class="lead">[\s\S]*?\/r\/acme\/rocket\/2\?language=en[\s\S]*<\/article>/,
  );
  assert.match((await open('/?language=fr', english)).text, /No articles in this language yet\./);
  assert.equal((await open('/?period=hourly')).status, 400);
  assert.equal((await open('/?offset=20&utm_source=somewhere', english)).status, 200);
});

test('pages for anonymous readers are cached by language, and show a new like at once', async () => {
  const before = await open('/r/acme/rocket/2', english);
  const count = ({ text }: { text: string }) => /class="count">(\d+)</.exec(text)?.[1];
  const reads = app.logLines().length;
  const again = await open('/r/acme/rocket/2', english);
  assert.equal(again.text, before.text);
  assert.equal(
    (await open('/r/acme/rocket/2', { 'accept-language': 'ja' })).text.includes('<html lang="ja">'),
    true,
  );
  const known = { ...english, 'if-none-match': before.headers.get('etag') ?? '' };
  assert.equal((await open('/r/acme/rocket/2', known)).status, 304);
  const spelt = async (language: string) =>
    /<html lang="(\w+)"/.exec((await open('/%72/acme/rocket/2', { 'accept-language': language })).text)?.[1];
  assert.deepEqual([await spelt('en'), await spelt('ja')], ['en', 'ja']);
  const bea = await app.signUp('bea');
  await app.call('POST', `/articles/${id}/language/en/like`, { token: bea });
  const after = await open('/r/acme/rocket/2', english);
  assert.equal(Number(count(after)), Number(count(before)) + 1);
  assert.ok(app.logLines().length > reads);
});

test('an expired session redirects to sign-in and back', async () => {
  const cookie = 'pullquote_session=pq_gone';
  const ended = await open('/r/acme/rocket/2?language=en', { cookie });
  assert.equal(ended.status, 303);
  assert.equal(ended.headers.get('location'), '/sign-in?back=%2Fr%2Facme%2Frocket%2F2%3Flanguage%3Den');
  assert.match(ended.headers.get('set-cookie') ?? '', /^pullquote_session=;/);
});

test('an outdated article shows only the lines stored with it', async () => {
  git(rocket, 'switch', '--quiet', '--create', 'later');
  commit(rocket, 'feat: say when', { 'src/when.ts': numbers.replaceAll('n', 'when') });
  git(rocket, 'update-ref', 'refs/pull/2/head', 'HEAD');
  git(rocket, 'update-ref', 'refs/pull/9/head', 'HEAD');
  git(rocket, 'switch', '--quiet', 'main');
  await write('acme/rocket/9');
  git(rocket, 'switch', '--quiet', 'later');
  commit(rocket, 'feat: say when exactly', { 'src/when.ts': 'export const when = "now";\n' });
  git(rocket, 'update-ref', 'refs/pull/9/head', 'HEAD');
  git(rocket, 'switch', '--quiet', 'main');
  await app.call('POST', '/repos/acme/rocket/pulls/9/ingest', { token: ann });
  const { text } = await open('/r/acme/rocket/9', english);
  assert.match(text, /The pull request has changed since this was written\./);
  assert.doesNotMatch(text, /<div class="evidence"[^>]*><details>/);
  const [{ hunk }] = (await app.call('GET', article('acme/rocket/9'))).body.data.contents.en.mainChanges;
  assert.equal(text.match(/<div class="line /g)?.length, hunk.lines.length);
});

test('an article about hundreds of files begins with a summary and lists its folders, linked from the map', async () => {
  const clone = makeClone(root, 'acme/moved');
  const at = (folder: string) =>
    Object.fromEntries(
      Array.from({ length: 210 }, (_, index) => [
        `${folder}/part-${index % 3}/${index}.md`,
        `# File ${index}\n`,
      ]),
    );
  commit(clone, 'docs: all of them (#2)', at('old'));
  git(clone, 'mv', 'old', 'new');
  commit(clone, 'docs: move all of them (#3)', {});
  await write('acme/moved/3');
  const { text } = await open('/r/acme/moved/3', english);
  assert.match(
    text,
    /<p class="standfirst">Moves 210 files from <code>old<\/code> to <code>new<\/code>\.<\/p>/,
  );
  assert.match(text, /<a href="#folder-1" aria-label="new\/part-\d, 70 files">/);
  assert.match(text, /<tr id="folder-1">[\s\S]*?<td>70 moved from <code>old<\/code><\/td>/);
  await write('acme/moved/2');
  assert.match(
    (await open('/r/acme/moved/2', english)).text,
    /<p class="standfirst"><bdi>Documentation only<\/bdi>: <span>210 files<\/span><\/p>/,
  );
});

test('the page of an article about 3,000 files has at most 400 kB', onlyInFull, async () => {
  makeLargePullRequest(makeClone(root, 'acme/large'), 4, 3000, 1);
  await write('acme/large/4');
  const { status, text } = await open('/r/acme/large/4', english);
  assert.equal(status, 200);
  assert.ok(Buffer.byteLength(text) <= 400_000, `${Buffer.byteLength(text)} bytes`);
  assert.match(text, /<a href="#folder-1" aria-label="large-4, 3,000 files"/);
  assert.match(text, /id="folder-1"/);
});
