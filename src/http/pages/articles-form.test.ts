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
import { change, matchHunk, point, statement } from '../../../test/doors/stated-parts.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { TerminalArticle } from '../../cli/explain/terminal-article.ts';
import type { ArticleContent } from '../../contract/articles.ts';
import { sql } from '../../db/sql.ts';

const root = temporaryFolder();
makeDoors(root);
const app = await buildTestApp({
  environment: {
    GIT_REPOS: root,
    CACHE_MIB: '0',
    GIT_WEB_URL: 'https://forge.example.org',
    CONTACT_URL: 'mailto:editor@example.org',
  },
});
const token = await app.signUp('ann');
const ids: Record<string, string> = {};
for (const language of ['en', 'ja']) {
  const path = '/repos/acme/doors/pulls/2/article';
  const { status, text, body } = await app.call('POST', path, { token, body: { language } });
  assert.equal(status, 201, text);
  ids[language] = body.data.id;
}

/** The page of the article with other content. */
async function pageOf(
  told: Partial<Omit<ArticleContent, 'likeCount' | 'stale'>>,
  { languageCode = 'en', body = description as string | null } = {},
): Promise<string> {
  await tellByHand(app, { articleId: ids[languageCode] ?? '', languageCode }, told, body);
  const page = await app.call('GET', `/r/acme/doors/2?language=${languageCode}`);
  assert.equal(page.status, 200);
  return page.text;
}

/** The part of a page between two marks. */
function between(page: string, from: string | RegExp, to: string): string {
  const start = page.search(from);
  assert.ok(start >= 0, `${from} is in the page`);
  const end = page.indexOf(to, start);
  assert.ok(end >= 0, `${to} follows ${from}`);
  return page.slice(start, end);
}

const classesIn = (part: string, name: RegExp): string[] =>
  [...part.matchAll(name)].map(([, found]) => found ?? '');

const inOrder = (page: string, marks: string[]): void => {
  const places = marks.map((mark) => page.indexOf(mark));
  assert.deepEqual(
    places.toSorted((one, other) => one - other),
    places,
  );
  for (const mark of marks) assert.equal(page.split(mark).length, 2, mark);
};

test('an article by rules has its blocks in order, each once', async () => {
  const page = await pageOf(byRules());
  inOrder(page, [
    '<h1>',
    '<p class="standfirst"',
    '<p class="byline meta"><span>By <a class="author"',
    '<b class="label"',
    '<figure class="map">',
    '<div class="doing">',
    '<section class="description" id="words"',
    '<aside class="risks"',
    '<section class="changes">',
    '<section class="tests" id="tests">',
    '<section class="also">',
    '<p class="checked">',
  ]);
  assert.doesNotMatch(page, /class="(?:why|types|original meta)"/);
  assert.doesNotMatch(page, /<style|\sstyle="|\son[a-z]+="/);
});

test("an article by a model has headed sections, two risks after the first one, and the folded author's words last", async () => {
  const page = await pageOf(byModel());
  inOrder(page, [
    '<h1>',
    '<p class="standfirst"',
    '<section class="why" id="why">',
    '<section class="changes">',
    '<h2 class="statement"><bdi><code>/constructor</code> is a path like any other</bdi></h2>',
    '<aside class="risks"',
    '<h2 class="statement"><bdi>Nothing found is one object</bdi></h2>',
    '<section class="also">',
    '<section class="description" id="words">',
    '<p class="checked">',
  ]);
  const risks = between(page, '<aside class="risks"', '</aside>');
  assert.deepEqual(classesIn(risks, /<div class="risk[^"]*" id="(point-\d)">/g), ['point-3', 'point-1']);
  assert.match(risks, /<b>Deprecated<\/b>[\s\S]*<b>Risk<\/b>/);
  assert.match(page, /<a class="label deprecated" href="#point-3">Deprecated<\/a>/);
  assert.match(
    between(page, '<section class="description"', '</section>'),
    /<details><summary>In the author’s words<\/summary><blockquote class="written"/,
  );
  assert.doesNotMatch(page, /<h2>(?:The change|Why|Tests)<\/h2>/);
});

test("the map's caption has the counts, and its blocks link to the sentences about their files", async () => {
  const told = byRules();
  const page = await pageOf(told);
  const caption = between(page, '<figcaption><span class="kind"', '</figcaption>').replace(/<[^>]*>/g, '');
  assert.equal(caption.replace(/\s+/g, ' ').trim(), '3 source 1 test 2 docs 1 generated 3 commits');
  assert.match(page, /<a href="#change-2" aria-label="src\/nothing-found\.ts/);
  const row = told.also?.at(-1)?.statement.id;
  assert.match(page, new RegExp(`<a href="#${row}" aria-label="src/trie/node\\.ts`));
  assert.match(page, new RegExp(`<span class="sentence" id="${row}"`));
});

test("a short author's text is a pull quote, and in another language it is marked as such", async () => {
  const quote = between(await pageOf(small()), '<figure class="quote" id="words">', '</figure>');
  assert.match(quote, /<blockquote dir="auto"><p><bdi>Replace <code>\{\}<\/code> in a few places\./);
  assert.match(quote, /<bdi>Rin Example<\/bdi>, in the commit message/);
  const japanese = await pageOf(
    { ...small(), aiGeneratedTitle: '`{}` を置き換え', languageCode: 'ja' },
    { languageCode: 'ja' },
  );
  const foreign = between(japanese, '<figure class="quote" id="words">', '</figure>');
  assert.match(foreign, /<blockquote dir="auto" lang="en">/);
  assert.match(foreign, /、コミットメッセージより<\/span> <span>原文（英語）<\/span>/);
  assert.match(japanese, /<p class="original meta">原題：<bdi lang="en">/);
  const { authorWords: _, ...older } = small();
  const text = 'Nobody had thought of `{}`.';
  const one = await pageOf({ ...older, authorWords: null, quote: { text, from: 'description' } });
  assert.match(between(one, '<figure class="quote"', '</figure>'), /had thought of <code>\{\}/);
});

test("the author's words name their source and whether they are cut, and a reference to an issue is a link", async () => {
  const wordsOf = async (authorWords: ArticleContent['authorWords'], commits = 77): Promise<string> => {
    const counts = { files: 1, additions: 1, deletions: 0, commits, parts: [] };
    const page = await pageOf({ ...small(), counts, authorWords });
    return between(page, 'id="words">', '<section class="changes">').replace(/<[^>]*>/g, '');
  };
  const markdown = '- Lock the row\n\n  Two took it.\n\n- Free it\n\n  - Others wait.';
  const list = { from: 'commits' as const, markdown };
  assert.match(await wordsOf({ ...list, more: true }), /\nFrom 2 of 77 commits\s/);
  assert.match(await wordsOf({ ...list, more: true }, 2), /\nFrom the commit messages Shortened\s/);
  assert.match(await wordsOf({ ...list, more: false }, 3), /\nFrom the commit messages\s/);
  const issue = { from: 'description' as const, markdown: 'Fixes #12', more: false };
  const page = await pageOf({ ...small(), authorWords: issue });
  assert.match(
    page,
    /<blockquote class="written"[^>]*><p><bdi>Fixes <a href="https:\/\/forge\.example\.org\/acme\/doors\/issues\/12"/,
  );
});

test('a risk begins with its label, followed by its text and its evidence', async () => {
  const risks = between(await pageOf(byRules()), '<aside class="risks"', '</aside>');
  assert.deepEqual(classesIn(risks, /<div class="risk ?(\w*)" id=/g), [
    'measured',
    'breaking',
    'breaking',
    'migration',
    'limits',
    '',
  ]);
  const breaking = between(risks, 'id="point-2">', '</div>');
  assert.match(breaking, /<p class="told"><b>Breaking<\/b> <span class="sentence"/);
  assert.match(breaking, /rel="noreferrer">.*?<b>CHANGELOG\.md<\/b>/);
  assert.match(risks, /<span><bdi>Rin Example<\/bdi>, in the description<\/span>/);
});

test('a risk of a section is one of its sentences, the first of several with the label in bold, on the page, in Markdown, feeds, the terminal and over MCP', async () => {
  const breaks = statement('`params` has no prototype.', [['src/router.ts', 'new', 21]]);
  const follows = statement('Methods of it end in a `TypeError`.', [], { basis: 'judgement' });
  const also = statement('`match` throws.', [['src/router.ts', 'new', 22]]);
  const told = byModel();
  const [first, second] = told.mainChanges ?? [];
  assert.ok(first && second);
  const [opening, ...others] = first.statements;
  assert.ok(opening);
  const page = await pageOf({
    ...told,
    mainChanges: [second, { ...first, statements: [opening, breaks, follows, also, ...others.slice(0, 1)] }],
    notablePoints: [breaks, also].map((one) => ({ ...point('breaking', ['RISK'], [one]), section: 1 })),
  });
  const paragraphs = between(page, 'id="change-2"', '</figure>').match(/<p class="told.*?<\/p>/gs);
  assert.deepEqual(
    paragraphs?.map((one) => one.replace(/<[^>]*>/g, '').trim()),
    [
      '`match` falls back to `*`.',
      'Breaking: `params` has no prototype. Inference Methods of it end in a `TypeError`. `match` throws.',
      'It returns `nothingFound` where no path fits.',
    ].map((text) => text.replaceAll('`', '')),
  );
  assert.match(
    paragraphs?.[1] ?? '',
    /^<p class="told risky breaking"><b>Breaking: <\/b><span class="sentence"/,
  );
  assert.match(page, new RegExp(`<a class="label breaking" href="#${breaks.id}">Breaking</a>`));
  assert.doesNotMatch(page, /<aside class="risks"/);
  assert.equal(page.split('has no prototype.').length, 2, 'once');

  const { text: markdown } = await app.call('GET', '/r/acme/doors/2.md');
  const printed =
    '**Breaking:** `params` has no prototype. *Inference*: Methods of it end in a `TypeError`. `match` throws.\n\nIt returns';
  assert.equal(markdown.split(`\n\n${printed}`).length, 2, markdown);

  const { text: feed } = await app.call('GET', '/feeds/r/acme/doors.json?language=en');
  const [entry] = JSON.parse(feed).items;
  assert.match(
    entry.content_html,
    /<p><strong>Breaking: <\/strong>.{0,40}<code>params<\/code> has no prototype/,
  );
  assert.equal(entry.content_html.split('Breaking').length, 2, 'the second risk follows without its label');
  assert.ok(entry.tags.includes('BREAKING'));

  const article = (await app.call('GET', '/repos/acme/doors/pulls/2/article', { token })).body.data;
  const terminal = { columns: 90, hasColours: true, isUnicode: true };
  const subject = { name: 'acme/doors#2', title: 'Doors', author: 'rin', state: null, url: null };
  const lines = new TerminalArticle(terminal, 'en').print(subject, article.contents.en, false);
  const at = lines.findIndex((one) => one.includes('has no prototype'));
  const bold = '\u001b[1mBreaking: \u001b[0m';
  assert.ok(lines[at]?.startsWith(`${bold}\`params\` has no prototype. Inference:`), lines[at]);
  const brief = new TerminalArticle(terminal, 'en').print(subject, article.contents.en, true);
  assert.equal(brief.filter((one) => one.includes('has no prototype')).length, 1);

  const { body: called } = await app.call('POST', '/mcp', {
    headers: { accept: 'application/json, text/event-stream' },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_article', arguments: { pullRequest: 'acme/doors#2', detail: 'full' } },
    },
  });
  const said: string = called.result.content.map(({ text }: { text: string }) => text).join('\n');
  const places = ['falls back to', '**Breaking:** `params` has no prototype.', 'It returns'].map((mark) =>
    said.indexOf(mark),
  );
  assert.ok(
    places.every((place, index) => place > (places[index - 1] ?? 0)),
    said,
  );
  assert.equal(said.split('**Breaking:**').length, 2);
});

test('a hunk without sentences shows numbers, signs and indentation, headed by file and function', async () => {
  const page = await pageOf(byRules());
  const stop = between(
    page,
    '<div class="stop item beat" id="change-1">',
    '<div class="stop item beat" id="change-2">',
  );
  assert.doesNotMatch(stop, /class="(?:telling|evidence|sentence)"/);
  const figure = between(stop, '<figure class="hunk">', '</figure>');
  assert.match(
    figure,
    /src\/<wbr><b>router\.ts<\/b><\/bdi> <span class="within">› <bdi>Router\.match<\/bdi>/,
  );
  assert.match(figure, /<figcaption><a href="\/r\/acme\/doors\/2\/diff\?language=en#file-\d"/);
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
  assert.deepEqual(classesIn(figure, /<summary>.*?<\/span> ([^<]+)<\/summary>/g), [
    '2 more lines above',
    '1 more line below',
  ]);
  const fresh = between(page, 'id="change-2">', '</figure>');
  assert.match(fresh, /<div class="line added" data-line="1"[^>]*><i>\+<\/i>/);
  assert.match(fresh, /<span class="indent">\t<\/span>/);
});

test('a cut hunk opens the remaining lines if the diff has them, and otherwise counts them', async () => {
  const told = byRules();
  const [first] = told.mainChanges ?? [];
  assert.ok(first);
  const cut = { ...first, hunk: { ...matchHunk, moreAfter: 34 } };
  const page = await pageOf({ ...told, mainChanges: [cut] });
  const section = between(page, '<section class="changes">', '</section>');
  assert.match(
    between(section, '<figure class="hunk">', '</figure>'),
    /<details class="gap"[^>]*><summary><span aria-hidden="true">⋯<\/span> 1 more line below<\/summary>/,
  );
  assert.match(
    await pageOf(small()),
    /<p class="gap"><span aria-hidden="true">⋯<\/span> 7 more lines<\/p>/,
    'what the diff does not have cannot be opened',
  );
});

test('sentences are addressable by unique ids, and lines name the sentences that cite them', async () => {
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

test('a section shows its sentences, then its hunk, and other cited lines open in the margin', async () => {
  const page = await pageOf(byModel());
  const stop = between(page, '<div class="stop item beat" id="change-1">', '<aside class="risks"');
  assert.match(
    stop,
    /falls back[\s\S]*where no path fits[\s\S]*<small class="judgement">Inference<\/small> <span class="sentence"[^>]*>Whoever enumerates[\s\S]*<figure class="hunk">/,
  );
  const margin = stop.slice(stop.indexOf('<div class="evidence"'));
  assert.doesNotMatch(margin, />\+(?:16|21)</, 'what the hunk shows is not named again');
  const opened = between(stop, '<details><summary>', '</details>');
  assert.match(opened, /data-line="5" data-sentences=/);
});

test('remaining changes are listed by edit, and new tests are named', async () => {
  const page = await pageOf(byRules());
  const plain = (part: string) =>
    part
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
  const also = between(page, '<section class="also">', '</section>');
  assert.deepEqual(also.split('<li>').slice(1).map(plain), [
    'New section “Reserved words” in docs/paths.md . docs/ paths.md',
    '{} → Object.create(null)',
  ]);
  assert.equal(
    plain(between(page, '<section class="tests"', '</section>')),
    'Tests New: reserved words are paths like any other , finds `*` and 2 more “a path is found” is no longer skipped.',
  );
  const bare = await pageOf({ ...byRules(), also: [], tests: null });
  assert.doesNotMatch(bare, /class="(?:also|tests)"/);
});

test("the author's Markdown is shown without elements, scripts or images, with headings below the page's", async () => {
  const section = between(await pageOf(byRules()), '<section class="description" id="words"', '</section>');
  assert.match(section, /<h3><bdi>What is different<\/bdi><\/h3>/);
  assert.match(
    section,
    /<a href="https:\/\/forge\.example\.org\/trace\.png" rel="nofollow noreferrer">the trace<\/a>/,
  );
  assert.match(section, /bold words stay words/);
  assert.doesNotMatch(section, /<img|&lt;|Please describe|<b>|href="javascript:|<summary>Measurements/);
  assert.match(section, /<table><tr><th scope="col">/);
  assert.match(section, /<details><summary>[\s\S]*Show more<\/summary>[\s\S]*Nobody should/);
  const first = section.slice(0, section.indexOf('<details>'));
  assert.match(first, /even nested/);
  assert.doesNotMatch(first, /Closes/);
});

test("empty author's words are left out, and cut ones link to the code host", async () => {
  const none = { from: 'description', markdown: '<!-- Describe it. -->', more: false } as const;
  for (const authorWords of [null, none])
    assert.doesNotMatch(await pageOf({ ...byRules(), quote: null, authorWords }), /id="words"/);
  const cut = { from: 'description', markdown: `${'A word. '.repeat(400)}`, more: true } as const;
  const page = await pageOf({ ...byRules(), authorWords: cut });
  assert.match(
    between(page, 'id="words"', '</section>'),
    /Rin Example<\/bdi>, in the description<\/span>( <span>Shortened<\/span> <a [^>]*>Read the rest on the code host<\/a>)?<\/p>/,
  );
});

test('lists and link previews show the lead, or else the quote', async () => {
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
  const text = 'Nobody had ever thought of words that every object has. '.repeat(7).trim();
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

test('the last line says what was read and links to a page with check results, limits and a contact', async () => {
  const verification = { claims: 16, verified: 11, repaired: 1, dropped: 1, judged: 12, unjudged: 3 };
  const article = await pageOf({ ...byModel(), verification });
  const line = between(article, '<p class="checked">', '</p>');
  assert.match(
    line,
    /\d+ of \d+ files and \d+ of \d+ changed lines were read[^.]*\. Written by the language model scripted\. <a href="[^"]+" rel="nofollow">How this was checked<\/a>/,
  );
  const [, path = ''] = /href="([^"]+)"/.exec(line) ?? [];
  assert.match(path, /^\/r\/acme\/doors\/\d+\/checked\?language=en$/);
  const { text, status, headers } = await app.call('GET', path);
  assert.equal(status, 200);
  assert.equal(
    headers.get('cache-control'),
    (await app.call('GET', path.replace('/checked', ''))).headers.get('cache-control'),
  );
  for (const words of [
    'they cite: 11<',
    'after a correction: 1<',
    'by a model: 12<',
    'names and numbers: 3<',
    'could not be confirmed: 1<',
    'can make the same mistake',
    '<a href="mailto:editor@example.org">Report it</a>',
  ])
    assert.ok(text.includes(words), words);
  for (const page of [article, text]) assert.doesNotMatch(page, /check out|No statement/);
  const rules = await pageOf(byRules());
  assert.match(rules, /Generated from the diff by rules, without a language model\. <a/);
  const { text: ofRules } = await app.call('GET', path);
  assert.doesNotMatch(ofRules, /same mistake/);
  const japanese = await app.call('GET', path.replace('language=en', 'language=ja'), {
    headers: { 'accept-language': 'ja' },
  });
  assert.match(japanese.text, /<h1>照合の詳細<\/h1>[\s\S]*照合では分からないこと[\s\S]*誤りを報告/);
});

test('lists show lead or quote and merge date, no picture, and no badge without a certain type', async () => {
  await tellByHand(app, { articleId: ids.en ?? '', languageCode: 'en' }, byRules());
  await tellByHand(
    app,
    { articleId: ids.ja ?? '', languageCode: 'ja' },
    { ...inJapanese(), standfirst: null, quote: { text: '誰も知りませんでした。', from: 'issue' } },
  );
  const row = between((await app.call('GET', '/r/acme/doors?language=en')).text, '<li class="row">', '</li>');
  assert.match(row, /<p class="standfirst"><bdi><code>Router\.match<\/code> returns/);
  assert.match(row, /<span>merged <time datetime="[^"]+">[A-Z][a-z]{2} \d/);
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

test('a line of 100 kB scrolls, bidi characters are shown, and the page stays below 40 kB', async () => {
  const page = await pageOf(small());
  assert.match(page, /<div class="line added long" data-line="1"[^>]*>[\s\S]*?<code tabindex="0">/);
  assert.match(page, /⟨U\+202E⟩(?:<[^>]*>)?if(?:<[^>]*>)? \(a\) \{⟨U\+2066⟩/);
  assert.ok(page.length < 40_000, `${page.length} characters`);
});

test('a Japanese article has a Japanese page', async () => {
  const page = await pageOf(inJapanese(), { languageCode: 'ja' });
  for (const word of [
    '7 ファイル',
    'ソース 3',
    '<b>互換性に影響</b>：',
    '<h2>その他</h2>',
    '<summary>作成者の説明</summary>',
    '<small class="judgement">推測</small>',
    '照合の詳細',
  ])
    assert.ok(page.includes(word), word);
});

test('an inference that is not certain is labelled on the page, in Markdown, feeds and the terminal', async () => {
  const doubtful = statement('読めないおそれがあります。', [], { basis: 'judgement' });
  const certain = statement('`toString` はもう使えません。', [], { basis: 'judgement', certain: true });
  const told = inJapanese();
  const [first] = told.mainChanges ?? [];
  assert.ok(first);
  const [opening] = first.statements;
  assert.ok(opening);
  const content = { ...told, mainChanges: [{ ...first, statements: [opening, doubtful, certain] }] };
  const page = await pageOf(content, { languageCode: 'ja' });
  const label = (word: string) => `<small class="judgement">${word}</small>`;
  assert.match(page, new RegExp(`${label('推測')} <span[^>]*>読めないおそれ`));
  assert.doesNotMatch(page, /<\/small> <span[^>]*><code>toString<\/code>/);

  const { text: markdown } = await app.call('GET', '/r/acme/doors/2.md?language=ja');
  assert.ok(
    markdown.includes('*推測*：読めない') && markdown.includes('おそれがあります。`toString`'),
    markdown,
  );
  const { text: feed } = await app.call('GET', '/feeds/r/acme/doors.json?language=ja');
  assert.match(
    JSON.parse(feed).items[0].content_html,
    /<em[^>]*>推測<\/em>：<bdi>読めないおそれがあります。<\/bdi><bdi><code>toString/,
  );

  const article = (await app.call('GET', '/repos/acme/doors/pulls/2/article', { token })).body.data;
  assert.deepEqual(
    article.contents.ja.mainChanges[0].statements.map(
      ({ certain: isCertain }: { certain?: true }) => isCertain,
    ),
    [undefined, undefined, true],
  );
  const terminal = { columns: 90, hasColours: false, isUnicode: true };
  const subject = { name: 'acme/doors#2', title: 'Doors', author: 'rin', state: null, url: null };
  const lines = new TerminalArticle(terminal, 'ja').print(subject, article.contents.ja, false).join('\n');
  assert.ok(lines.includes('推測：読めない') && lines.includes('おそれがあります。`toString`'), lines);
});

test('a risk that is inferred has one label on the page, in Markdown, feeds and the terminal', async () => {
  const told = inJapanese();
  const [first] = told.mainChanges ?? [];
  const [opening] = first?.statements ?? [];
  assert.ok(first && opening);
  const doubtful = statement('読めないおそれがあります。', [], { basis: 'judgement' });
  const content = {
    ...told,
    mainChanges: [{ ...first, statements: [opening, doubtful] }],
    notablePoints: [{ ...point('breaking', ['RISK'], [doubtful]), section: 0 }],
  };
  const page = await pageOf(content, { languageCode: 'ja' });
  assert.match(page, /<b[^>]*>互換性に影響（推測）：<\/b><span class="sentence"[^>]*>読めない/);
  assert.doesNotMatch(page, /class="judgement"/);
  const { text: markdown } = await app.call('GET', '/r/acme/doors/2.md?language=ja');
  assert.ok(markdown.includes('**互換性に影響（推測）：** 読めない'), markdown);
  const { text: feed } = await app.call('GET', '/feeds/r/acme/doors.json?language=ja');
  assert.match(JSON.parse(feed).items[0].content_html, /互換性に影響（推測）：<\/strong>(?:<bdi>)?読めない/);
  const article = (await app.call('GET', '/repos/acme/doors/pulls/2/article', { token })).body.data;
  const lines = new TerminalArticle({ columns: 90, hasColours: false, isUnicode: true }, 'ja')
    .print({ name: '', title: '', author: '', state: null, url: null }, article.contents.ja, false)
    .join('\n');
  assert.ok(lines.includes('互換性に影響（推測）：読めない'), lines);
});

/** The same article in a language without an interface. */
async function pageInto(languageCode: string, acceptLanguage: string, standfirst: string): Promise<string> {
  await app.database.query(sql`
    INSERT INTO article_contents (article_id, repository_id, language_code, title, change_types, quote, reading_minutes, body,
      head_sha, generated_at)
    SELECT article_id, repository_id, ${languageCode}::text, title, change_types, quote, reading_minutes,
      jsonb_set(body::jsonb, '{languageCode}', to_jsonb(${languageCode}::text)), head_sha, generated_at
    FROM article_contents AS written WHERE article_id = ${ids.en ?? ''} AND language_code = 'en'
    ON CONFLICT DO NOTHING`);
  const told = { ...byModel(), standfirst: statement(standfirst) };
  await tellByHand(app, { articleId: ids.en ?? '', languageCode }, told);
  const headers = { 'accept-language': acceptLanguage };
  const page = await app.call('GET', `/r/acme/doors/2?language=${languageCode}`, { headers });
  assert.equal(page.status, 200);
  return page.text;
}

test('page texts around an article use the interface language and are marked with it', async () => {
  const page = await pageInto('fr', 'ja', 'Les chemins sont des chemins.');
  assert.match(page, /<html lang="ja">/);
  assert.match(page, /このサービスが生成した文は/);
  const article = between(page, '<article class="article" lang="fr">', '</article>');
  for (const mark of [
    '<p class="meta" lang="ja"><a class="repository"',
    '<p class="byline meta" lang="ja">',
    '<div class="doing" lang="ja">',
    '<figure class="map" lang="ja">',
    '<h2 lang="ja">その他</h2>',
    '<b lang="ja">非推奨</b>',
    '<summary lang="ja">作成者の説明</summary>',
    '<small class="judgement" lang="ja">',
    '<figure class="hunk" lang="ja">',
    '<p class="checked" lang="ja">',
  ])
    assert.ok(article.includes(mark), mark);
  assert.match(article, /<p class="standfirst" id="[^"]+"[^>]*><bdi>Les chemins/);
  assert.doesNotMatch(article, /dir="(?:rtl|ltr)"/);
  assert.doesNotMatch(await pageOf(byRules()), /<h2 lang=|<p class="checked" lang=/);
});

test('Arabic and Hebrew articles run from right to left, and code and interface in them do not', async () => {
  for (const language of ['ar', 'he']) {
    const page = await pageInto(language, 'en', '`Router.match` ترجع كائنًا.');
    const article = between(page, `<article class="article" lang="${language}" dir="rtl">`, '</article>');
    assert.match(article, /<p class="standfirst" id="[^"]+"[^>]*><bdi dir="rtl"><code>Router/);
    assert.match(article, /<h1><bdi dir="rtl">/);
    assert.match(article, /<figure class="hunk" lang="en" dir="ltr">/);
    assert.match(article, /<p class="checked" lang="en" dir="ltr">/);
    const row = between(
      (await app.call('GET', `/?language=${language}`)).text,
      '<article class="lead">',
      '</article>',
    );
    assert.match(row, new RegExp(`<p class="standfirst" lang="${language}" dir="rtl"><bdi dir="rtl">`));
  }
});

test('an article without hunks, rows, reason or types still has a page', async () => {
  const page = await pageOf(
    {
      ...{ standfirst: null, scope: null, quote: null, authorWords: null, tests: null, background: [] },
      ...{ notablePoints: [], also: [], changeTypes: [] },
      mainChanges: [change('readme.txt', [statement('It changes.')])],
    },
    { body: null },
  );
  assert.match(page, /<div class="telling"><p class="told"><span class="sentence"[^>]*>It changes\./);
  assert.doesNotMatch(
    page,
    /class="(?:quote|risks|also|tests|why|description|evidence|types|scope|hunk)[" ]/,
  );
  const markdown = await app.call('GET', '/repos/acme/doors/pulls/2/article?language=en', {
    headers: { accept: 'text/markdown' },
  });
  assert.match(markdown.text, /^`readme\.txt`\n\nIt changes\.$/m);
});
