import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../../test/build-app.ts';
import {
  byModel,
  byRules,
  description,
  inJapanese,
  small,
  tellByHand,
} from '../../../test/doors/articles-by-hand.ts';
import { makeDoors } from '../../../test/doors/make-doors.ts';
import { gap, statement } from '../../../test/doors/told-parts.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { ArticleContent } from '../../contract/article.ts';
import { sql } from '../../db/sql.ts';

const root = temporaryFolder();
makeDoors(root);
const app = await buildTestApp({
  environment: { GIT_REPOS: root, CACHE_MIB: '0', GIT_WEB_URL: 'https://forge.example.org' },
});
const token = await app.signUp('ann');
const ids: Record<string, string> = {};
for (const language of ['en', 'ja']) {
  const path = '/repos/acme/doors/pulls/2/article';
  const { status, text, body } = await app.call('POST', path, { token, body: { language } });
  assert.equal(status, 201, text);
  ids[language] = body.data.id;
}

/** The page of the article, once it says something else. */
async function pageOf(
  told: Partial<Omit<ArticleContent, 'likeCount' | 'stale'>>,
  { languageCode = 'en', body = description as string | null } = {},
): Promise<string> {
  await tellByHand(app, { articleId: ids[languageCode] ?? '', languageCode }, told, body);
  const page = await app.call('GET', `/r/acme/doors/2?language=${languageCode}`);
  assert.equal(page.status, 200);
  return page.text;
}

/** What stands between two marks of a page. */
function between(page: string, from: string | RegExp, to: string): string {
  const start = page.search(from);
  assert.ok(start >= 0, `${from} is in the page`);
  const end = page.indexOf(to, start);
  assert.ok(end >= 0, `${to} follows ${from}`);
  return page.slice(start, end);
}

const classesIn = (part: string, name: RegExp): string[] =>
  [...part.matchAll(name)].map(([, found]) => found ?? '');

test('an article by rules has its blocks in order, and each of them once', async () => {
  const page = await pageOf(byRules());
  const marks = [
    '<h1>',
    '<p class="standfirst"',
    '<p class="meta"><span>By <a class="author"',
    '<div class="doing">',
    '<figure class="map">',
    '<figure class="quote">',
    '<aside class="callouts"',
    '<section class="changes wide">',
    '<section class="also">',
    '<section class="points">',
    '<section class="description">',
    '<section class="checked">',
  ];
  const places = marks.map((mark) => page.indexOf(mark));
  assert.deepEqual(
    places.toSorted((one, other) => one - other),
    places,
  );
  for (const mark of marks) assert.equal(page.split(mark).length, 2, mark);
  assert.doesNotMatch(
    page,
    /<section class="why"|class="types"/,
    'no heading above a quotation, no badge where no type is sure',
  );
  assert.doesNotMatch(page, /<style|\sstyle="|\son[a-z]+="/);
});

test('the caption of the map is the line of counts, and blocks lead to where their files are told of', async () => {
  const told = byRules();
  const page = await pageOf(told);
  const caption = between(page, '<figcaption><b>7 files', '</figcaption>').replace(/<[^>]*>/g, '');
  assert.equal(
    caption.replace(/\s+/g, ' ').trim(),
    '7 files +16 −5 3 source 1 test 2 documents 1 generated 3 commits',
  );
  assert.match(page, /<a href="#change-2" aria-label="src\/nothing-found\.ts/);
  const row = told.also?.find(({ kind }) => kind === 'sameEdit')?.statement.id;
  assert.match(page, new RegExp(`<a href="#${row}" aria-label="src/trie/node\\.ts`));
  assert.match(page, new RegExp(`<tr id="${row}">`));
});

test('the author’s sentences are quoted apart where it is not known that they follow each other, commit subjects as a list', async () => {
  const quote = between(await pageOf(byRules()), '<figure class="quote">', '</figure>');
  assert.equal(quote.split('<p>').length - 1, 2);
  assert.match(quote, /<bdi>Rin Example<\/bdi>, in the description/);
  const subjects = between(await pageOf(small()), '<figure class="subjects">', '</figure>');
  assert.equal(subjects.split('<li').length - 1, 3);
  assert.match(subjects, /in commit messages/);
});

test('points with a label are callouts, one bar for each kind with its sources, and all others stand behind the changes', async () => {
  const page = await pageOf(byRules());
  const callouts = between(page, '<aside class="callouts"', '</aside>');
  assert.deepEqual(classesIn(callouts, /<div class="callout (\w+)">/g), [
    'breaking',
    'migration',
    'measured',
    'limits',
  ]);
  const breaking = between(callouts, '<div class="callout breaking">', '<div class="callout migration">');
  assert.deepEqual(classesIn(breaking, /<div id="(point-\d)">/g), ['point-2', 'point-3']);
  assert.deepEqual(classesIn(breaking, /rel="noreferrer">.*?<b>([^<]+)<\/b>/g), [
    'CHANGELOG.md',
    'nothing-found.ts',
  ]);
  assert.match(callouts, /<b>Known limits<\/b> <span><bdi>Rin Example<\/bdi>, in the description<\/span>/);
  assert.match(between(page, '<section class="points">', '</section>'), /id="point-6"[\s\S]*RISK TECH/);
});

test('an excerpt shows its lines with number, sign and indentation, opens what it leaves out, and is named by file and function', async () => {
  const page = await pageOf(byRules());
  const figure = between(page, '<figure class="excerpt">', '</figure>');
  assert.match(
    figure,
    /src\/<wbr><b>router\.ts<\/b><\/bdi> <span class="within">› <bdi>Router\.match<\/bdi>/,
  );
  assert.match(
    figure,
    /<a href="https:\/\/forge[^"]*" rel="noreferrer" title="These lines on the code host">15–22<\/a>/,
  );
  const lines = [
    ...figure.matchAll(
      /<div class="line (\w+)" data-line="(\d+)"[^>]*><i>(.?)<\/i><span class="indent">( *)</g,
    ),
  ];
  assert.deepEqual(
    lines.map(([, side, number, sign, indent]) => `${number} ${side} ${sign}${indent?.length}`),
    [
      '13 context 0',
      '14 context 0',
      '15 context 0',
      '16 removed −2',
      '16 added +2',
      '17 context 2',
      '18 context 2',
      '19 context 2',
      '20 context 2',
      '21 removed −2',
      '21 added +2',
      '22 context 0',
      '23 context 0',
    ],
  );
  const left = between(figure, '<details class="gap">', '</details>');
  assert.match(left, /2 more lines<\/summary>/);
  assert.deepEqual(classesIn(left, /data-line="(\d+)"/g), ['18', '19']);
  const fresh = between(page, '<figure class="excerpt new">', '</figure>');
  assert.match(fresh, /<span class="indent">\t<\/span>/);
});

test('in a file that was there before, lines have their signs, even where all that is shown of it is new', async () => {
  const told = structuredClone(byRules());
  for (const excerpt of told.mainChanges?.flatMap(({ excerpts }) => excerpts) ?? [])
    excerpt.lines = excerpt.lines.filter((line) => 'side' in line && line.side === 'added').slice(0, 1);
  const page = await pageOf(told);
  const figures = classesIn(
    page,
    /<figure class="(excerpt(?: new)?)">.*?<b>(?:router|nothing-found)\.ts<\/b>/g,
  );
  assert.deepEqual([...new Set(figures)], ['excerpt', 'excerpt new']);
});

test('what a block begins with is no part of the name above an excerpt', async () => {
  const told = byRules();
  for (const excerpt of told.mainChanges?.flatMap(({ excerpts }) => excerpts) ?? [])
    excerpt.heading = 'Router:';
  const figure = between(await pageOf(told), '<figure class="excerpt">', '</figure>');
  assert.match(figure, /<span class="within">› <bdi>Router<\/bdi>/);
});

test('an excerpt that begins and ends with a gap opens to what its hunk has there, and does not only say that there is more', async () => {
  const told = byRules();
  const [change] = told.mainChanges ?? [];
  const [excerpt] = change?.excerpts ?? [];
  assert.ok(change && excerpt);
  change.excerpts = [{ ...excerpt, lines: [gap, ...excerpt.lines, gap] }];
  const figure = between(await pageOf(told), '<figure class="excerpt">', '</figure>');
  assert.deepEqual(classesIn(figure, /<summary>.*?<\/span> ([^<]+)<\/summary>/g), [
    '2 more lines above',
    '2 more lines',
    '1 more line below',
  ]);
  assert.deepEqual(classesIn(figure, /data-line="(1[3-5]|2[23])"/g), ['13', '14', '15', '22', '23']);
  assert.doesNotMatch(figure, /lines left out/);
});

test('sentences have their ids as addresses, older addresses lead to the article, and lines know who cites them', async () => {
  const told = byModel();
  const page = await pageOf(told);
  const [first] = told.mainChanges ?? [];
  assert.ok(first);
  for (const { id } of [...first.statements, ...(told.background ?? [])])
    assert.equal(page.split(` id="${id}"`).length, 2);
  for (const id of ['change-1', 'change-2', 'point-1', 'why'])
    assert.equal(page.split(` id="${id}"`).length, 2, id);
  const [match, nothing] = first.statements;
  assert.match(page, new RegExp(`<div class="line added" data-line="16" data-sentences="${match?.id}">`));
  assert.match(page, new RegExp(`<div class="line removed" data-line="21" data-sentences="${nothing?.id}">`));
  const every = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  assert.equal(new Set(every).size, every.length, 'no id stands twice');
});

test('an excerpt follows the last sentence that cites it, and what it does not show opens in the margin', async () => {
  const page = await pageOf(byModel());
  const stop = between(page, '<li class="stop item" id="change-1">', '</li>');
  const beats = stop.split('<div class="beat">').slice(1);
  assert.equal(beats.length, 2);
  assert.match(
    beats[0] ?? '',
    /falls back[\s\S]*where no path fits[\s\S]*<figure class="excerpt">[\s\S]*<p class="cite told">/,
  );
  assert.doesNotMatch(
    beats[0] ?? '',
    /<div class="evidence"[\s\S]*<details>/,
    'what the excerpt shows has not to be opened',
  );
  assert.match(beats[1] ?? '', /The table itself[\s\S]*class="sentence judgement"[\s\S]*Whoever enumerates/);
  const opened = between(beats[1] ?? '', '<details><summary>', '</details>');
  assert.match(opened, /data-line="5" data-sentences=/);
  assert.match(
    page,
    /<span class="types"><span class="type FIX">FIX<\/span> <\/span> <a/,
    'changes of several types name theirs',
  );
});

test('what no stop tells is a table: same edits, files, tests, documents', async () => {
  const also = between(await pageOf(byRules()), '<section class="also">', '</section>');
  const rows = also
    .split('<tr ')
    .slice(1)
    .map((row) =>
      row
        .replace(/^[^>]*>|<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    );
  assert.deepEqual(rows, [
    'The same edit {} → Object.create(null) trie/node.ts , src/router.ts and 3 more 3 times',
    'dist/ router.js Generated, 1 file +1 −0',
    'src/a/ Two helpers move. +3 −1',
    'Tests New “reserved words are paths like any other”. Changed “a path is found”. +3 −1',
    'docs/ paths.md New section “Reserved words”. “A path may be called constructor .” +3 −1',
  ]);
  assert.match(also, /<code class="before">\{\}<\/code> → <code class="after">/);
  assert.doesNotMatch(await pageOf({ ...byRules(), also: [] }), /class="also"/);
});

test('the author’s words are markup of ours: headings below the page’s, pictures as links, no element and no script of theirs', async () => {
  const section = between(await pageOf(byRules()), '<section class="description">', '</section>');
  assert.match(section, /<h3><bdi>What is different<\/bdi><\/h3>/);
  assert.match(
    section,
    /<a href="https:\/\/forge\.example\.org\/trace\.png" rel="nofollow noreferrer">the trace<\/a>/,
  );
  assert.match(section, /bold words stay words/);
  assert.doesNotMatch(section, /<img|&lt;|Please describe|<b>|href="javascript:|<summary>Measurements/);
  assert.match(section, /<table><tr><th scope="col">/);
  assert.match(section, /<details><summary>[\s\S]*Read on<\/summary>[\s\S]*<pre><code>/);
  const first = section.slice(0, section.indexOf('<details>'));
  assert.match(first, /even nested/);
  assert.doesNotMatch(first, /Closes/);
});

test('the author’s words are left out where there are none, and where the article has quoted all of them', async () => {
  const told = byRules();
  for (const body of [
    null,
    '',
    '<!-- Describe it. -->',
    '---------\r\n\r\nCo-authored-by: A <a@b.example>\r\nSigned-off-by: C <c@d.example>\r\n',
    ` *${told.background?.[0]?.text}*\n\n${told.quote?.text} `,
  ])
    assert.doesNotMatch(await pageOf(told, { body }), /class="description"/, String(body));
  const signed = await pageOf(told, {
    body: 'Paths are words.\n\n---\n\nCo-authored-by: A <a@b.example>\n',
  });
  assert.match(signed, /<bdi>Paths are words\.|<p>.*Paths are words\./);
  assert.doesNotMatch(signed, /b\.example|Co-authored/);
  const long = await pageOf(told, { body: 'A word. '.repeat(20_000) });
  assert.ok(long.length < 60_000, 'what is longer than anybody reads is cut');
});

test('the ranking, what is liked, the lead and link previews have the standfirst, or else the quote', async () => {
  const articleId = ids.en ?? '';
  await app.call('POST', `/articles/${articleId}/language/en/like`, { token });
  const standfirst = `${'A sentence of nearly two hundred characters says what changes for whom. '.repeat(3).slice(0, 199)}.`;
  const headers = { authorization: `Bearer ${token}` };
  const shown = async (told: Parameters<typeof pageOf>[0]) => {
    const article = await pageOf(told);
    const paths = ['/?period=all&language=en', '/?language=en', '/liked', '/r/acme/doors?language=en'];
    const pages = await Promise.all(paths.map((path) => app.call('GET', path, { headers })));
    return { article, lists: pages.map(({ text }) => text) };
  };
  const { article, lists } = await shown({ ...byModel(), standfirst: statement(standfirst) });
  assert.ok(article.includes(`<meta name="description" content="${standfirst}">`));
  assert.ok(article.includes(`<meta property="og:description" content="${standfirst}">`));
  for (const list of lists)
    assert.match(list, /<p class="standfirst"[^>]*><bdi>A sentence of nearly two hundred/);
  const text = 'Nobody had ever thought of words that every object has. '.repeat(5).trim();
  const other = await shown({ ...byModel(), standfirst: null, quote: { text, from: 'description' } });
  const preview = /<meta property="og:description" content="([^"]*)">/.exec(other.article)?.[1] ?? '';
  assert.match(preview, /^Nobody had ever.* [a-z]+…$/);
  assert.ok(text.startsWith(`${preview.slice(0, -1)} `), 'it ends with a word');
  for (const list of other.lists)
    assert.match(list, /<blockquote class="standfirst"[^>]*><p><bdi>Nobody had ever/);
  for (const path of ['/ranking/articles/likes', '/users/me/liked-articles', '/articles?language=en']) {
    const [item] = (await app.call('GET', path, { token })).body.data.items;
    assert.deepEqual([item.standfirst, item.state, typeof item.mergedAt], [null, 'merged', 'string'], path);
  }
});

test('a page says what was checked by whom, and never that all was found where nobody but rules has read it', async () => {
  const verification = { claims: 16, verified: 11, repaired: 1, dropped: 1, judged: 12, unjudged: 3 };
  const checked = between(
    await pageOf({ ...byModel(), verification }),
    '<section class="checked">',
    '</section>',
  );
  assert.match(
    checked,
    /12 of 16 claims were borne out by the diff, or by the words that they report\. A second reader agreed with 12\. Names and numbers of 3 more were checked by rules alone; no second reader read them\. 1 sentence that could not be confirmed was left out\./,
  );
  assert.match(checked, /<meter min="0" max="16" value="12"[^>]*>12\/16</);
  const none = { ...verification, claims: 3, verified: 0, repaired: 0, dropped: 0, judged: 0 };
  const unread = await pageOf({ ...byModel(), verification: none });
  assert.doesNotMatch(unread, /borne out by the diff, or|Every sentence is checked/);
  assert.match(unread, /Every sentence of ours is checked against the diff\./);
  const japanese = await pageOf({ ...inJapanese(), verification: none }, { languageCode: 'ja' });
  assert.match(japanese, /3 件は名前と数値を規則だけで照合したもので、第二の読み手は読んでいません。/);
  assert.doesNotMatch(japanese, /すべての文は|確認しました/);
  assert.match(japanese, /第二の読み手は読んでいません。\d+ ファイル中/, 'no blank between sentences');
});

test('the author’s words are marked as what nobody has checked', async () => {
  const note = (page: string) => between(page, '<section class="description">', '<div class="written"');
  assert.match(
    note(await pageOf(byRules())),
    /<p class="meta">As the author wrote it; not checked against the diff\.<\/p>/,
  );
  assert.match(
    note(await pageOf(inJapanese(), { languageCode: 'ja' })),
    /作者が書いたままの文章です。差分とは照合していません。/,
  );
});

test('lists show a standfirst or else the quote, how far the pull request got, and no badge where no type is sure', async () => {
  await tellByHand(app, { articleId: ids.en ?? '', languageCode: 'en' }, byRules());
  await tellByHand(
    app,
    { articleId: ids.ja ?? '', languageCode: 'ja' },
    { ...inJapanese(), standfirst: null, quote: { text: '誰も知りませんでした。', from: 'issue' } },
  );
  const row = between((await app.call('GET', '/r/acme/doors?language=en')).text, '<li class="row">', '</li>');
  assert.match(row, /<p class="standfirst"><bdi><code>Router\.match<\/code> returns/);
  assert.match(row, /<time datetime="[^"]+">merged [A-Z][a-z]{2} \d/);
  assert.match(row, /<source media="[^"]+" srcset="[^"]+map\.svg\?shape=strip">/);
  assert.doesNotMatch(row, /class="type/);
  const japanese = between(
    (await app.call('GET', '/r/acme/doors?language=ja')).text,
    '<li class="row">',
    '</li>',
  );
  assert.match(japanese, /<blockquote class="standfirst"><p><bdi>誰も/);
  const { items } = (await app.call('GET', '/articles?language=en')).body.data;
  assert.equal(items[0].standfirst, '`Router.match` returns `Object.create(null)` instead of `{}`.');
  assert.deepEqual(
    [items[0].state, typeof items[0].mergedAt, items[0].changeTypes],
    ['merged', 'string', []],
  );
});

test('a line of 100 kB and one that turns around are shown as what they are, and the page stays small', async () => {
  const page = await pageOf(small());
  assert.match(page, /<div class="line added long" data-line="1"[^>]*>[\s\S]*?<code tabindex="0">/);
  assert.match(page, /⟨U\+202E⟩(?:<[^>]*>)?if(?:<[^>]*>)? \(a\) \{⟨U\+2066⟩/);
  assert.match(page, /<p class="gap">.*7 more lines<\/p>/, 'what the diff does not have cannot be opened');
  assert.ok(page.length < 40_000, `${page.length} characters`);
});

test('an article in Japanese speaks Japanese throughout', async () => {
  const page = await pageOf(inJapanese(), { languageCode: 'ja' });
  for (const word of [
    '7 ファイル',
    'ソース 3',
    '<b>互換性</b>',
    '<h2>そのほか</h2>',
    '<h2>作者の説明</h2>',
    '<b>テスト</b>',
    '<span class="happened">新規</span>',
  ])
    assert.ok(page.includes(word), word);
});

/** The same article in a language that the pages do not speak. */
async function pageInto(languageCode: string, acceptLanguage: string, standfirst: string): Promise<string> {
  await app.database.query(sql`
    INSERT INTO article_contents SELECT (jsonb_populate_record(written, jsonb_build_object('language_code', ${languageCode}::text,
      'body', jsonb_set(written.body::jsonb, '{languageCode}', to_jsonb(${languageCode}::text))))).*
    FROM article_contents AS written WHERE article_id = ${ids.en ?? ''} AND language_code = 'en'
    ON CONFLICT DO NOTHING`);
  const told = { ...byModel(), standfirst: statement(standfirst) };
  await tellByHand(app, { articleId: ids.en ?? '', languageCode }, told);
  const headers = { 'accept-language': acceptLanguage };
  const page = await app.call('GET', `/r/acme/doors/2?language=${languageCode}`, { headers });
  assert.equal(page.status, 200);
  return page.text;
}

test('an article in a language that the pages do not speak has English words around it that say so, within the page of its reader', async () => {
  const page = await pageInto('fr', 'ja', 'Les chemins sont des chemins.');
  assert.match(page, /<html lang="ja">/);
  assert.match(page, /当サイトが書いた文は/);
  const article = between(page, '<article class="article" lang="fr">', '</article>');
  for (const mark of [
    '<p class="meta" lang="en"><a class="repository"',
    '<p class="meta" lang="en"><span>By <a class="author"',
    '<div class="doing" lang="en">',
    '<figure class="map" lang="en">',
    '<h2 lang="en">Why</h2>',
    '<h2 lang="en">What changed</h2>',
    '<h2 lang="en">Also</h2>',
    '<h2 lang="en">Watch for</h2>',
    '<h2 lang="en">In the author’s words</h2>',
    '<th scope="row" lang="en"><b>Tests</b></th>',
    '<td class="count" lang="en">',
    '<figure class="excerpt" lang="en">',
    '<section class="checked" lang="en">',
  ])
    assert.ok(article.includes(mark), mark);
  assert.match(article, /<p class="standfirst" id="[^"]+"><bdi>Les chemins/);
  assert.doesNotMatch(article, /dir="(?:rtl|ltr)"|[ぁ-ん]/);
  assert.doesNotMatch(await pageOf(byRules()), /<h2 lang=|<section class="checked" lang=/);
});

test('an article in Arabic or Hebrew runs from right to left, and English words and code in it do not', async () => {
  for (const language of ['ar', 'he']) {
    const page = await pageInto(language, 'en', '`Router.match` ترجع كائنًا.');
    const article = between(page, `<article class="article" lang="${language}" dir="rtl">`, '</article>');
    assert.match(article, /<p class="standfirst" id="[^"]+"><bdi dir="rtl"><code>Router/);
    assert.match(article, /<h1><bdi dir="rtl">/);
    assert.match(article, /<figure class="excerpt" lang="en" dir="ltr">/);
    assert.match(article, /<section class="checked" lang="en" dir="ltr">/);
    assert.match(article, /<p lang="en" dir="ltr"><code class="before">\{\}<\/code> → /);
    const row = between(
      (await app.call('GET', `/?language=${language}`)).text,
      '<article class="lead">',
      '</article>',
    );
    assert.match(row, new RegExp(`<p class="standfirst" lang="${language}" dir="rtl"><bdi dir="rtl">`));
  }
});

test('an article without excerpts, rows, reason or sure types is a page too', async () => {
  const bare = {
    standfirst: null,
    quote: null,
    background: [],
    notablePoints: [],
    also: [],
    changeTypes: [],
    mainChanges: [
      {
        fileName: 'readme.txt',
        changeTypes: [],
        statements: [statement('It changes.')],
        description: 'It changes.',
        evidence: [],
        excerpts: [],
      },
    ],
  };
  const page = await pageOf(bare, { body: null });
  assert.match(
    page,
    /<p class="told"><span class="number">1<\/span> <span class="sentence"[^>]*>It changes\./,
  );
  assert.doesNotMatch(page, /class="(?:quote|callouts|also|points|why|description|evidence|types)[" ]/);
  const markdown = await app.call('GET', '/repos/acme/doors/pulls/2/article?language=en', {
    headers: { accept: 'text/markdown' },
  });
  assert.match(markdown.text, /^### `readme\.txt`$/m);
});
