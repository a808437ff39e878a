import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { git, makeClone } from '../../test/make-clone.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { FoundArticle } from '../contract/search.ts';
import {
  deleteMisplacedIndexRows,
  type IndexedArticle,
  indexArticles,
  indexDueArticles,
  indexedFields,
} from '../db/search-index.ts';
import { sql } from '../db/sql.ts';
import { shortestStretch, stretchBits } from '../domain/search/indexed-words.ts';

const root = temporaryFolder();
for (const name of ['acme/rocket', 'acme/secret']) makeClone(root, name, 'Begin');
const app = await buildTestApp({
  environment: { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann' },
  frozen: true,
});
const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];

/** Writes articles about a new pull request, as ann. */
async function write(place: string, subject: string, files: string[], languages = ['en']): Promise<string> {
  const [repo = '', number = ''] = place.split('#');
  return writeChange(
    place,
    subject,
    () => {
      for (const [index, name] of files.entries())
        writeFileSync(
          join(root, 'acme', repo, name),
          `export function made${number}${index}(count: number) {\n  return count + ${number};\n}\n`,
        );
    },
    languages,
  );
}

async function writeChange(
  place: string,
  subject: string,
  change: () => void,
  languages = ['en'],
): Promise<string> {
  const [repo = '', number = ''] = place.split('#');
  const clone = join(root, 'acme', repo);
  git(clone, 'switch', '--quiet', '--force-create', `pull-${number}`, 'main');
  change();
  git(clone, 'add', '--all');
  git(clone, 'commit', '--quiet', '--message', subject);
  git(clone, 'update-ref', `refs/pull/${number}/head`, 'HEAD');
  git(clone, 'switch', '--quiet', 'main');
  for (const language of languages) {
    const reply = await app.call('POST', `/repos/acme/${repo}/pulls/${number}/article`, {
      token: ann,
      body: { language },
    });
    assert.equal(reply.status, 201, reply.text);
  }
  app.advance(60_000);
  const { body } = await app.call('GET', `/repos/acme/${repo}/pulls/${number}/article`, { token: ann });
  return body.data.id;
}

interface Found {
  told: string[];
  items: FoundArticle[];
  total: number | null;
  share: number;
}

async function search(query: Record<string, string>, token?: string): Promise<Found> {
  const { status, body, text } = await app.call(
    'GET',
    `/search?${new URLSearchParams(query)}`,
    token ? { token } : {},
  );
  assert.equal(status, 200, text);
  const { items, pagination, indexedShare } = body.data;
  const told = items.map(
    ({ repo, prNumber, languageCode }: FoundArticle) => `${repo}#${prNumber} ${languageCode}`,
  );
  return { told, items, total: pagination.totalItems, share: indexedShare };
}

const first = await write(
  'rocket#4321',
  'fix: Router retries the handshake',
  ['retry-router.ts'],
  ['en', 'ja'],
);
await write('rocket#12', 'feat: Handshakes have a timeout', ['handshakeTimeout.ts', 'app.ts']);
await write('secret#7', 'feat: Routers keep handshakes secret', ['hidden.ts']);

test('an article is found by words of its title, sentences and files, with the matching words marked', async () => {
  const both = ['rocket#12 en', 'rocket#4321 en'];
  assert.deepEqual((await search({ q: 'handshake' })).told.sort(), both);
  assert.deepEqual((await search({ q: 'HANDSHAKES routers' })).told, ['rocket#4321 en']);
  assert.deepEqual((await search({ q: 'handshake', language: 'ja' })).told, ['rocket#4321 ja']);
  const alone: [string, string][] = [
    ['#4321', 'rocket#4321 en'],
    ['app.ts', 'rocket#12 en'],
    ['handshakeTimeout', 'rocket#12 en'],
    ['handshake_timeout.ts', 'rocket#12 en'],
    ['file:retry-router.ts', 'rocket#4321 en'],
    ['file:app.ts handshake', 'rocket#12 en'],
    ['"handshakes have a timeout"', 'rocket#12 en'],
    ['router "retries the handshake', 'rocket#4321 en'],
    ['"timeout handshakes"', ''],
    ['type:fix handshake', 'rocket#4321 en'],
    ['app.tsx', ''],
    ['file:pp.ts', ''],
  ];
  for (const [q, expected] of alone) assert.deepEqual([q, (await search({ q })).told.join()], [q, expected]);
  const { items, total, share } = await search({ q: 'router' });
  assert.deepEqual([total, share], [1, 1]);
  const [match] = items[0]?.matches ?? [];
  assert.ok(match);
  const marked = match.ranges.map(([start, end]) => match.text.slice(start, end));
  assert.deepEqual([match.section, marked], ['title', ['Router']]);
});

test('Japanese is found by one character, two, a word, and together with English', async () => {
  const { items } = await search({ q: 'router', language: 'ja' });
  const { body } = await app.call('GET', `/articles/${first}?language=ja`);
  const { text } = body.data.contents.ja.standfirst;
  const [run = ''] = /[\p{sc=Hira}\p{sc=Kana}\p{sc=Han}]{4,}/u.exec(text) ?? [];
  assert.ok(run.length >= 4 && items.length === 1, text);
  for (const q of [run, run.slice(0, 1), run.slice(-1), run.slice(1, 3), `router ${run.slice(0, 3)}`]) {
    const found = await search({ q });
    assert.ok(found.told.includes('rocket#4321 ja'), q);
    assert.ok(
      found.items[0]?.matches.some(({ ranges }) => ranges.length > 0),
      q,
    );
  }
  assert.equal((await search({ q: [...run].reverse().join('') })).total, 0);
});

test('search parameters and search operators give the same results', async () => {
  const same = [
    { q: 'handshake repo:acme/rocket type:feat' },
    { q: 'handshake', owner: 'ACME', repo: 'Rocket', changeType: 'FEAT' },
    { q: 'author:"Test Author" handshake timeout' },
    { file: 'app.ts' },
  ];
  const { body } = await app.call('GET', '/articles');
  const author = body.data.items[0].authorLogin;
  for (const query of same) {
    const asked = query.q?.includes('author:') ? { q: `author:"${author}" handshake timeout` } : query;
    assert.deepEqual((await search(asked)).told, ['rocket#12 en'], JSON.stringify(asked));
  }
  assert.equal((await search({ q: 'handshake repo:acme/nothing' })).total, 0);
  assert.deepEqual((await search({ q: 'handshake', limit: '1', offset: '1' })).total, 2);
});

test('a private article is neither found nor counted without access, and a repository that turns private leaves at once', async () => {
  for (const token of [undefined, bob]) {
    assert.equal((await search({ q: 'hidden.ts' }, token)).total, 0);
    assert.equal((await search({ q: 'handshake' }, token)).total, 2);
    assert.equal((await search({ q: 'repo:acme/secret' }, token)).total, 0);
  }
  assert.deepEqual((await search({ q: 'hidden.ts' }, ann)).told, ['secret#7 en']);
  assert.equal((await search({ q: 'handshake' }, ann)).total, 3);
  const turn = (isPrivate: boolean) =>
    app.database.query(sql`UPDATE repositories SET is_private = ${isPrivate} WHERE name = 'rocket'`);
  await turn(true);
  assert.deepEqual(
    [(await search({ q: 'handshake' })).total, (await search({ q: 'handshake' })).share],
    [0, 1],
  );
  await turn(false);
  const before = await search({ q: 'handshake' });
  assert.deepEqual([before.total, before.share], [0, 0]);
  while ((await indexDueArticles(app.database, 2)) > 0);
  const after = await search({ q: 'handshake' });
  assert.deepEqual([after.total, after.share], [2, 1]);
  // The index wrongly marks it as public, and the access check still hides it.
  await app.database.query(sql`
    UPDATE article_search SET words = words || array_to_tsvector('{=pub}'), is_public = true WHERE NOT is_public`);
  assert.equal((await search({ q: 'hidden.ts' })).total, 0);
  await deleteMisplacedIndexRows(app.database);
  assert.equal(await indexDueArticles(app.database, 9), 1);
});

test('an article indexed during a rename of its repository is found by the new name after the next pass', async () => {
  const [stored] = await app.database.query<IndexedArticle>(sql`
    SELECT contents.article_id AS "articleId", contents.repository_id AS "repositoryId", contents.body AS content, ${indexedFields} AS about
    FROM article_contents AS contents JOIN articles ON articles.id = contents.article_id
    JOIN pull_requests ON pull_requests.id = articles.pull_request_id
    JOIN repositories ON repositories.id = contents.repository_id WHERE number = 12`);
  assert.ok(stored);
  const indexAll = async () => {
    let indexed = 0;
    for (let some = 1; some > 0; indexed += some) some = await indexDueArticles(app.database, 2);
    return indexed;
  };
  const rename = (name: string) =>
    app.database.query(sql`UPDATE repositories SET name = ${name} WHERE id = ${stored.repositoryId}`);
  await rename('comet');
  assert.equal(await indexAll(), 3);
  // Indexed with the old name after all others have the new one.
  await app.database.transaction((tx) => indexArticles(tx, [stored]));
  assert.deepEqual((await search({ q: 'comet' })).told, ['comet#4321 en']);
  await deleteMisplacedIndexRows(app.database);
  assert.equal(await indexAll(), 1);
  assert.deepEqual((await search({ q: 'comet' })).told.sort(), ['comet#12 en', 'comet#4321 en']);
  await deleteMisplacedIndexRows(app.database);
  assert.equal(await indexAll(), 0);
  await rename('rocket');
  await indexAll();
});

test('is:unread leaves out articles read in their latest version, and needs a user', async () => {
  await app.call('POST', `/articles/${first}/language/ja/read`, { token: bob });
  assert.deepEqual((await search({ q: 'handshake is:unread' }, bob)).told, ['rocket#12 en']);
  await app.database.query(sql`
    UPDATE read_marks SET revision = revision - 1 WHERE article_id = ${first}`);
  assert.equal((await search({ q: 'handshake is:unread' }, bob)).total, 2, 'written anew since');
  const { status, body } = await app.call('GET', '/search?q=is:unread');
  assert.deepEqual([status, body.error.details[0].field], [400, 'q']);
});

test('any search query gets results or a 400 that names the wrong part', async () => {
  const answered = [
    'x',
    '"unbalanced',
    "a'b & c | !d <-> (e) :* \\",
    "'; DROP TABLE articles; --",
    'router\0',
    'nobody:knows',
    'שלום router',
    'عربي',
    '🚀 router',
    '\ud800 router',
    '%',
    'ルーター OR 1=1',
    'a'.repeat(500),
    'type: router',
    'ก',
    'é',
    '＠＃＄ｒｏｕｔｅｒ',
  ];
  for (const q of answered) {
    const { status, body, text } = await app.call('GET', `/search?q=${encodeURIComponent(q.toWellFormed())}`);
    assert.ok(status === 200 || (status === 400 && body.error.details[0].field === 'q'), `${q}: ${text}`);
  }
  const refused: [string, RegExp][] = [
    ['', /no search term/],
    ['the of and', /the of and/],
    ['🚀', /no search term/],
    ['type:NOPE x', /type:NOPE.*FEAT, FIX/],
    ['is:read', /is:read/],
    ['repo:a//c', /repo:a\/\/c/],
    ['author:a author:b', /author:b/],
    ['b '.repeat(40), /24 words/],
    ['x'.repeat(10_000), /500/],
  ];
  for (const [q, problem] of refused) {
    const { status, body } = await app.call('GET', `/search?q=${encodeURIComponent(q)}`);
    assert.deepEqual([q.slice(0, 20), status, body.error?.details[0].field], [q.slice(0, 20), 400, 'q']);
    assert.match(body.error.details[0].problem, problem);
  }
  assert.equal((await app.call('GET', '/search?q=x&colour=red')).status, 400);
});

test('the history of a file has every article about it, also where the article only lists its dependencies', async () => {
  const clone = join(root, 'acme/rocket');
  writeFileSync(join(clone, 'go.mod'), 'module rocket\n\nrequire example.org/fuel v1.0.0\n');
  git(clone, 'add', '--all');
  git(clone, 'commit', '--quiet', '--message', 'Add fuel');
  const id = await writeChange('rocket#7701', 'build: newer fuel', () =>
    writeFileSync(join(clone, 'go.mod'), 'module rocket\n\nrequire example.org/fuel v1.1.0\n'),
  );
  const { items } = await search({ q: 'file:go.mod' });
  assert.deepEqual([items.length, items[0]?.articleId], [1, id]);
});

test('the search page marks matches, links into the article, offers filters and suggests other searches', async () => {
  const open = async (path: string, language = 'en') => {
    const headers = { accept: 'text/html', 'accept-language': language };
    const { status, text, headers: sent } = await app.call('GET', path, { headers });
    return { status, text, location: sent.get('location') };
  };
  const { status, text } = await open('/find?q=handshake');
  assert.equal(status, 200);
  assert.match(text, /<h1><bdi>“handshake”<\/bdi><\/h1>/);
  assert.match(text, /<b>2 articles<\/b>.*most relevant first/);
  assert.match(text, /<code><mark>handshake<\/mark>Timeout\.ts<\/code>/);
  const named = await open('/find?q=made43210');
  const place = /href="\/r\/acme\/rocket\/4321\?language=en#[0-9a-f]{12}(?:-\d+)?">[^<]+<\/a>/;
  assert.match(named.text, place);
  assert.match(named.text, /<code><mark>made43210<\/mark><\/code>/);
  assert.match(text, /href="\/find\?q=handshake\+type%3AFEAT"><bdi>FEAT<\/bdi> <span class="total">1</);
  assert.match(text, /name="url" type="text" value="handshake"/);
  const japanese = await open('/find?q=handshake+type:FIX', 'ja');
  assert.match(japanese.text, /<h1><bdi>「handshake」 · 修正<\/bdi><\/h1>[\s\S]*1 件/);
  assert.match(japanese.text, /rocket\/4321\?language=ja/);
  assert.doesNotMatch(text, /without an article/);
  const nothing = await open('/find?q=nowhere+repo:acme/rocket');
  assert.match(
    nothing.text,
    /Pull requests without an article are not searched\. <a href="\/r\/acme\/rocket\?tab=pulls&amp;article=unwritten">/,
  );
  assert.match(nothing.text, /No results\.[\s\S]*href="\/find\?q=nowhere"[\s\S]*is:unread/);
  assert.match((await open('/find')).text, /How to search/);
  for (const [q, why] of [
    ['the', /are too common: the\./],
    ['is:unread', /Sign in to search/],
    ['x'.repeat(600), /500/],
  ] as const) {
    const refused = await open(`/find?q=${q}`);
    assert.equal(refused.status, 400);
    assert.match(refused.text, why);
  }
  assert.match((await open('/find?q=%3Cscript%3Ealert(1)')).text, /&lt;script&gt;alert\(1\)/);
  const typed = async (url: string) => (await open(`/go?url=${encodeURIComponent(url)}`)).location;
  assert.equal(await typed(' retry リトライ '), '/find?q=retry+%E3%83%AA%E3%83%88%E3%83%A9%E3%82%A4');
  assert.equal(await typed('acme/rocket#12'), '/r/acme/rocket/12');
  assert.equal(await typed('https://elsewhere.example/a/b'), null);
  assert.equal(await typed('acme/Rocket'), '/r/acme/Rocket');
  assert.equal(await typed('acme/none.git'), '/r/acme/none');
  for (const path of ['src/retry.ts', 'acme/none', 'acme/secret'])
    assert.equal(await typed(path), `/find?q=${encodeURIComponent(path)}`);
  assert.match((await open('/find?q=acme%2Fnone')).text, /href="\/r\/acme\/none">Open repository/);
});

test('an article links to others about its files or by its author, and to the history of its files', async () => {
  await write('rocket#13', 'fix: Handshakes end', ['app.ts']);
  const { text } = await app.call('GET', '/r/acme/rocket/13?language=en', {
    headers: { accept: 'text/html' },
  });
  assert.match(
    text,
    /More about these files[\s\S]*rocket\/12\?language=en[\s\S]*More by [\s\S]*rocket\/4321\?language=en/,
  );
  assert.match(text, /href="\/find\?q=repo%3Aacme%2Frocket\+file%3Aapp\.ts"/);
  assert.deepEqual((await search({ q: 'file:app.ts repo:acme/rocket' })).told, [
    'rocket#13 en',
    'rocket#12 en',
  ]);
});

test('a rewritten article is found by its new words, and a deleted one is not found', async () => {
  await app.database.query(sql`UPDATE article_search SET words = NULL WHERE language_code = 'ja'`);
  assert.equal(await indexDueArticles(app.database, 9), 1);
  assert.deepEqual((await search({ q: 'handshake', language: 'ja' })).told, ['rocket#4321 ja']);
  await app.database.query(sql`DELETE FROM articles WHERE id = ${first}`);
  assert.deepEqual((await search({ q: 'handshake timeout' })).told, ['rocket#12 en']);
  assert.equal((await search({ q: '#4321' })).total, 0);
});

test("an article is found by its author's words and its quote", async () => {
  const subject = [
    'feat: Parcels are weighed',
    'Depots filed a complaint because their scales were wrong.',
    '荷物を計量するクエリが遅い。',
    '<!-- template: describe the zebra -->\n- The walrus is listed.\nIt went on\na second line.',
  ].join('\n\n');
  const id = await write('rocket#31', subject, ['scale.ts'], ['en', 'ja']);
  const { body } = await app.call('GET', `/articles/${id}`);
  assert.match(body.data.contents.en.quote.text, /complaint/, 'it is what lists show');
  for (const q of ['complaint', '荷物', 'クエリ', 'walrus', '"on a second line"']) {
    const { told, items } = await search({ q });
    assert.deepEqual([q, told], [q, ['rocket#31 en']]);
    assert.ok(
      items[0]?.matches.some(({ section, ranges }) => section !== 'title' && ranges.length > 0),
      q,
    );
  }
  assert.deepEqual((await search({ q: 'zebra' })).told, []);
  const page = await app.call('GET', '/find?q=walrus', { headers: { accept: 'text/html' } });
  assert.match(page.text, /Author’s words<\/a><\/dt> <dd><a [^>]*><bdi>The <mark>walrus<\/mark> is listed\./);
});

test('a search for "#77" opens that pull request, or ranks it above mentions', async () => {
  await write('rocket#77', 'feat: Rockets land', ['land.ts']);
  await write('rocket#78', 'feat: Rockets land where #77 has them land', ['land-again.ts']);
  await write('secret#77', 'feat: Landings are secret', ['secret-land.ts']);
  for (const q of ['#77', 'acme/rocket#77', 'ACME/Rocket#77'])
    assert.deepEqual([q, (await search({ q })).told], [q, ['rocket#77 en', 'rocket#78 en']]);
  const opened = async (path: string, token?: string) => {
    const { status, headers } = await app.call('GET', path, {
      ...(token && { token }),
      headers: { accept: 'text/html' },
    });
    return status === 200 ? 'shown' : headers.get('location');
  };
  const article = '/r/acme/rocket/77?language=en';
  assert.equal(await opened('/go?url=%2377'), '/find?q=%2377');
  for (const q of ['#77', 'acme/rocket#77', '#77 repo:rocket'])
    assert.equal(await opened(`/find?${new URLSearchParams({ q })}`), article, q);
  assert.equal(await opened('/find?q=acme%2Frocket%23990'), '/r/acme/rocket/990', 'not written about yet');
  assert.equal(await opened('/find?q=%2377', ann), 'shown', 'two repositories have it');
  assert.equal(await opened('/find?q=acme%2Fsecret%2377', ann), '/r/acme/secret/77?language=en');
  for (const q of ['#77 land', '#990', '#77 type:feat'])
    assert.equal(await opened(`/find?${new URLSearchParams({ q })}`), 'shown', q);
});

test('in large search results titles come first, then leads, then the newest, and small results are counted', async () => {
  const [{ top, id } = { top: 0, id: '' }] = await app.database.query<{ top: number; id: string }>(sql`
    SELECT max(place) AS top, (SELECT id FROM repositories WHERE name = 'rocket') AS id FROM article_search`);
  const fill = [
    'SET LOCAL session_replication_role = replica',
    `CREATE TEMPORARY TABLE many ON COMMIT DROP AS
    SELECT gen_random_uuid() AS id, turn, array_to_tsvector(ARRAY['=pub', 'gadget'] || ARRAY(
        SELECT '=s' || bits || '.' || ((turn + ${top}) >> bits) FROM unnest('{${stretchBits}}'::integer[]) AS bits)
      || CASE turn % 500 WHEN 100 THEN ARRAY['^gadget', '^left', '^right'] WHEN 200 THEN ARRAY['~gadget', '~left', '~right'] ELSE '{}' END
      || CASE WHEN turn > 2000 THEN ARRAY['burst'] WHEN turn % 100 = 0 THEN ARRAY['widget'] ELSE '{}' END)
      || (CASE WHEN turn % 4 < 2 THEN 'left:1 right:2' ELSE 'right:1 left:2' END)::tsvector
      || (CASE WHEN turn IN (50, 2299, 2399, 2499) THEN 'north:1 south:2' ELSE 'south:1 north:2' END)::tsvector AS words
    FROM generate_series(1, 2500) AS turn`,
    `INSERT INTO pull_requests (id, repository_id, number, title, author_login, state, head_sha, host_created_at, fetched_at)
    SELECT id, '${id}', 100000 + turn, 'A change', 'rin', 'merged', repeat('a', 40), now(), now() FROM many`,
    `INSERT INTO articles (id, pull_request_id, repository_id, created_at, updated_at, listed_at)
    SELECT id, id, '${id}', now(), now(), now() FROM many`,
    `INSERT INTO article_contents (article_id, repository_id, language_code, title, change_types, reading_minutes, body, head_sha,
      generated_at, listed_at) SELECT id, '${id}', 'en', 'Title', '{FIX}', 1, '{}', repeat('a', 40), now(), now() FROM many`,
    `INSERT INTO article_search (article_id, language_code, repository_id, place, is_public, listed_at, words, sections)
    SELECT id, 'en', '${id}', turn + ${top}, true, now(), words, '[]' FROM many`,
  ];
  await app.database.transaction(async (tx) => {
    for (const statement of fill) await tx.runScript(statement);
  });
  const page = async (q: string, offset = 0) => {
    const { items, total } = await search({ q, limit: '12', offset: String(offset) });
    return { total, turns: items.map(({ prNumber }) => prNumber - 100_000) };
  };
  const heads = [2100, 1600, 1100, 600, 100, 2200, 1700, 1200, 700, 200];
  assert.deepEqual(await page('gadget'), { total: null, turns: [...heads, 2500, 2499] });
  assert.deepEqual((await page('gadget', 5)).turns.slice(0, 6), [...heads.slice(5), 2500]);
  assert.equal((await page('gadget', 800)).turns[0], 1708);
  const newest = Array.from({ length: 12 }, (_, index) => 2500 - index);
  assert.deepEqual(await page('burst'), { total: 500, turns: newest });
  const both = await page('gadget widget');
  assert.deepEqual([both.total, both.turns.slice(0, 6)], [20, [1600, 1100, 600, 100, 2000, 1900]]);
  // A phrase is checked in the newest thousand articles with its words, and in the rest of their stretch.
  const first = Math.floor((top + 1_500) / shortestStretch) * shortestStretch - top;
  const ordered = Array.from({ length: 2_500 }, (_, index) => 2_500 - index).filter((turn) => turn % 4 < 2);
  const best = [...heads.filter((turn) => turn >= first), ...ordered.filter((turn) => !heads.includes(turn))];
  for (const offset of [0, 30, 100])
    assert.deepEqual(await page('"left right"', offset), {
      total: null,
      turns: best.slice(offset, offset + 12),
    });
  const burst = ordered.filter((turn) => turn > 2000);
  const counted = await page('"left right" burst');
  assert.deepEqual(counted, {
    total: burst.length,
    turns: [2100, ...burst.filter((turn) => turn !== 2100)].slice(0, 12),
  });
  assert.deepEqual((await page('"right left" widget')).turns, []);
  // The fourth match is too old to be searched.
  assert.deepEqual(await page('"north south"'), { total: 3, turns: [2499, 2399, 2299] });
  const told = async (q: string, language: string) => {
    const { text } = await app.call('GET', `/find?q=${encodeURIComponent(q)}`, {
      headers: { accept: 'text/html', 'accept-language': language },
    });
    return /<p class="meta">.*<\/p>/.exec(text)?.[0] ?? assert.fail(text);
  };
  assert.match(await told('"north south"', 'en'), /<b>3 articles<\/b>.*only the newest were searched/);
  assert.match(await told('"north south"', 'ja'), /<b>3 件<\/b>.*新しいものだけ/);
  assert.match(await told('"south gadget"', 'en'), /<b>0 articles<\/b>.*only the newest were searched/);
  assert.match(await told('gadget', 'en'), /<b>over 1,000 articles<\/b>/);
  for (const whole of ['gadget', 'burst'])
    assert.doesNotMatch(await told(whole, 'en'), /only the newest were searched/);
});

test('a browser that opens /search is redirected to the page of the search, with its filters, and other clients get JSON', async () => {
  const path = '/search?q=faster+rocket&owner=acme&repo=rocket&file=a+b.ts';
  const open = (accept: string) => fetch(new URL(path, app.url), { headers: { accept }, redirect: 'manual' });
  const page = await open('text/html,application/xhtml+xml,*/*;q=0.8');
  const target = new URL(page.headers.get('location') ?? '', app.url);
  assert.deepEqual(
    [page.status, target.pathname, target.searchParams.get('q')],
    [303, '/find', 'faster rocket repo:acme/rocket file:"a b.ts"'],
  );
  for (const accept of ['*/*', 'application/json']) assert.equal((await open(accept)).status, 200, accept);
});
