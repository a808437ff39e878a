import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import RssParser from 'rss-parser';
import { hostileWords } from '../../test/browser/hostile-words.ts';
import { Chance } from '../../test/chance.ts';
import { change, line, point, quoted, row, statement } from '../../test/doors/stated-parts.ts';
import { findAtomProblems, findJsonFeedProblems } from '../../test/feeds/validate-feeds.ts';
import { makeReview } from '../../test/make-review.ts';
import { runsWholeTables } from '../../test/tables.ts';
import { changeTypes } from '../domain/articles.ts';
import { Room } from '../pages/html.ts';
import { tellReview } from '../writing/reviews.ts';
import { articleEntry } from './article-entry.ts';
import { type Feed, type FeedArticle, type FeedRoot, writeFeed, writeOpml } from './feed.ts';

const chance = new Chance(35);

/** Text that breaks naive writers: lone surrogates, end markers, characters that XML forbids, direction controls. */
const pieces = [
  ...hostileWords.map((words) => words.slice(0, 200)),
  ...[
    '\u0000',
    '\u0001',
    '\u000b',
    '\u001f',
    '\u007f',
    '\u0085',
    '\ufffe',
    '\uffff',
    '\ud83d',
    '\udc00',
    '\u2028',
  ],
  ...[
    '\u202e',
    '\u2066',
    '\u200f',
    '\r\n',
    '\t',
    '  ',
    ']]>',
    '<![CDATA[',
    '<!DOCTYPE x>',
    '&amp;',
    '&#0;',
    '&bogus;',
  ],
  ...['שלום', '日本語', '🏳️‍🌈', 'plain words', '`code <b>`', '``', '"', "'", '\\u0000', '%00', '<?xml?>'],
];

const hostile = (): string =>
  Array.from({ length: chance.from(1, 4) }, () => chance.one(pieces)).join(chance.one(['', ' ']));

const hostileLines = 'export function run() {\n  stop();\n}\n';

/** Three discussions in which every comment is hostile. */
function hostileReview() {
  const said = ['rin', 'author', 'rin'].map(
    (by) => `${by}: Would this not break all who call it, because they need what it does?\n\n${hostile()}`,
  );
  const file = { path: 'src/run.ts', base: null, reviewed: hostileLines, end: 'export {};\n' };
  const source = makeReview({ threads: [1, 2, 3].map(() => ({ file, on: 'stop();', said })) });
  const review = tellReview(
    { ...source, hostUrl: chance.one(['javascript:alert(1)', source.hostUrl]) },
    'en',
  );
  assert.equal(review.points.length, 3);
  return review;
}

/** An article whose every text is hostile. */
function hostileArticle(index: number): FeedArticle {
  const lines = [line('context', 1, hostile()), line('removed', 2, hostile()), line('added', 2, hostile())];
  const hunk = {
    fileName: hostile(),
    heading: hostile(),
    lines,
    moreBefore: 0,
    moreAfter: chance.from(0, 2),
  };
  const standfirst = chance.one([null, statement(hostile())]);
  return {
    articleId: `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`,
    host: 'git',
    owner: `owner${chance.one(pieces.filter((one) => one.isWellFormed()))}`,
    repo: 'repo',
    prNumber: index + 1,
    hostPrUrl: chance.one([null, 'javascript:alert(1)', `https://forge.example/pulls/${index}?a=1&b=2`]),
    title: index === 0 ? '   ' : hostile(),
    authorLogin: hostile(),
    listedAt: new Date(Date.UTC(2026, 0, 1) + index),
    secondLine: chance.one([null, { text: hostile(), from: 'author' as const }]),
    generatedAt: new Date(Date.UTC(2026, 0, 1) + index * chance.from(0, 2)),
    content: {
      languageCode: chance.one(['en', 'ja', 'he', 'de']),
      counts: { files: 1, additions: 1, deletions: 0, commits: 1, parts: [] },
      aiGeneratedTitle: index === 0 ? '   ' : hostile(),
      standfirst,
      scope: chance.one([null, { kind: 'tests' as const, statement: statement(hostile()) }]),
      authorWords: chance.one([null, { from: 'description' as const, markdown: hostile(), more: false }]),
      tests: chance.one([null, { added: [hostile()], addedTotal: 3, statements: [statement(hostile())] }]),
      writer: { kind: chance.one(['ai' as const, 'offline' as const]) },
      quote: chance.one([null, { text: hostile(), from: 'description' as const }]),
      changeTypes: [chance.one([...changeTypes])],
      background: [statement(hostile(), [], quoted), statement(hostile())],
      mainChanges: [
        change(hostile(), [statement(hostile()), statement(hostile(), [], { basis: 'judgement' })], {
          heading: chance.one([null, hostile()]),
          hunk,
        }),
      ],
      notablePoints: [
        point('breaking', ['RISK'], [statement(hostile())]),
        point(null, ['UX'], [statement(hostile())]),
      ],
      also: [row(statement(hostile()), [hostile(), hostile()], { filesTotal: 9 })],
      review: hostileReview(),
    },
  };
}

const root: FeedRoot = { origin: 'https://pullquote.example', firstHost: 'github' };
const feedOf = (articles: FeedArticle[], more: Partial<Feed> = {}): Feed => ({
  ...root,
  identity: 'a feed',
  title: `Search: ${hostile()}`,
  language: 'en',
  page: '/find?q=a&host=git',
  self: '/feeds/search.atom?q=a%3C&host=git',
  since: new Date('2025-12-31T00:00:00Z'),
  entries: articles.map((article) => articleEntry(root, article, new Room())),
  ...more,
});

/** Characters that XML forbids, and direction controls. */
const unsayable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u202e\u2066\ufffe\uffff]/;

/** The markup that a feed may contain; anything else that looks like markup must be escaped. */
const ourMarkup =
  /<\/?(?:div|p|em|h2|strong|blockquote|bdi|code|pre|ul|li|small|a)(?: (?:lang|dir)="[a-z]+"| href="https?:\/\/[^"]*")*>/g;

const mostArticles = runsWholeTables ? 400 : 50;

test(`${mostArticles} articles with hostile text and reviews are valid Atom and JSON Feed, with equal entries in both`, async () => {
  const articles = Array.from({ length: mostArticles }, (_, index) => hostileArticle(index));
  const feed = feedOf(articles);
  const [atom, json] = [await writeFeed('atom', feed), await writeFeed('json', feed)];
  assert.deepEqual([...(await findAtomProblems({ 'feed.atom': atom }))], []);
  assert.deepEqual(findJsonFeedProblems(json), []);

  const { items } = JSON.parse(json);
  assert.equal(new Set(items.map(({ id }: { id: string }) => id)).size, mostArticles);
  const seen = await new RssParser().parseString(atom);
  const asRead = (text: string | undefined): string | undefined => text?.replaceAll('\r\n', '\n').trim();
  assert.deepEqual(
    seen.items.map((item) => ({
      id: item.id,
      url: item.link,
      title: asRead(item.title),
      html: asRead(item.content),
      author: asRead(item.author),
      published: item.isoDate,
    })),
    items.map((item: Record<string, string> & { authors: { name: string }[] }) => ({
      id: item.id,
      url: item.url,
      title: item.title,
      html: asRead(item.content_html),
      author: item.authors[0]?.name,
      published: item.date_published,
    })),
  );
  for (const { title, content_html, url, external_url = 'https://' } of items) {
    assert.equal(content_html.replace(ourMarkup, '').includes('<'), false, content_html);
    assert.doesNotMatch(title + content_html, unsayable);
    assert.ok(content_html.isWellFormed() && title.isWellFormed() && url.startsWith(feed.origin), title);
    assert.ok(external_url.startsWith('https://'), 'only what is on the web is linked to');
  }
});

test('a rewritten article keeps its id and publication date, and has a new update date', async () => {
  const article = hostileArticle(7);
  const rewritten = { ...article, generatedAt: new Date('2026-05-01T00:00:00Z') };
  const titled = {
    ...rewritten,
    content: { ...article.content, aiGeneratedTitle: 'Another', languageCode: 'ja' },
  };
  const itemOf = async (one: FeedArticle) =>
    JSON.parse(await writeFeed('json', feedOf([one], { title: 'x' }))).items[0];
  const [before, after, inJapanese] = await Promise.all(
    [{ ...titled, ...article }, rewritten, titled].map(itemOf),
  );
  assert.deepEqual([after.id, after.date_published], [before.id, before.date_published]);
  assert.equal(after.date_modified, '2026-05-01T00:00:00.000Z');
  assert.equal(after.id === inJapanese.id, article.content.languageCode === 'ja', 'each language is its own');
  assert.equal(
    (await writeFeed('atom', feedOf([rewritten]))).match(/<updated>2026-05-01T00:00:00.000Z</g)?.length,
    2,
  );
});

test('a feed at a secret address omits the address, an empty feed is valid, and the validator rejects broken feeds', async () => {
  const secret = feedOf([], { self: null });
  assert.equal(JSON.parse(await writeFeed('json', secret)).feed_url, undefined);
  assert.deepEqual(findJsonFeedProblems(await writeFeed('json', secret)), []);
  const empty = await writeFeed('atom', secret);
  assert.match(empty, /<updated>2025-12-31T00:00:00\.000Z</, 'since when there could have been something');
  const whole = await writeFeed('atom', feedOf([hostileArticle(1)], { title: 'x' }));
  const broken = {
    'no-id.atom': whole.replace(/<id>[^<]*<\/id>/, ''),
    'two-titles.atom': whole.replace('</feed>', '<title>y</title></feed>'),
    'bad-time.atom': whole.replace(/<updated>[^<]*/, '<updated>yesterday'),
    'no-author.atom': whole.replace(/<author>[\s\S]*?<\/author>/, ''),
    'control.atom': whole.replace('</title>', '\u0001</title>'),
    'relative.atom': whole.replace(/href="https:\/\/pullquote.example/, 'href="'),
  };
  const problems = await findAtomProblems({ 'empty.atom': empty, 'whole.atom': whole, ...broken });
  assert.deepEqual([...problems.keys()].sort(), Object.keys(broken).sort(), 'the rules tell the broken ones');
});

test('the OPML list of feeds is well-formed with hostile repository names', async () => {
  const repositories = [
    { host: 'github', owner: 'group/sub', repo: 'next.js' },
    { host: 'git', owner: '<&"\u202e', repo: ']]>' },
  ];
  const written = await writeOpml({
    title: `Repositories ${hostile()} follows`,
    origin: 'https://x.example',
    firstHost: 'github',
    repositories,
  });
  assert.match(written, /xmlUrl="https:\/\/x\.example\/feeds\/r\/group%2Fsub\/next\.js\.atom"/);
  assert.match(written, /htmlUrl="https:\/\/x\.example\/r\/group%2Fsub\/next\.js"/);
  const problems = await findAtomProblems({ 'favorites.opml': written });
  assert.match(
    problems.get('favorites.opml') ?? '',
    /Expecting element feed, got opml/,
    'well-formed, if no feed',
  );
});

test('an entry without room left does not read its article', () => {
  const room = new Room(1);
  articleEntry(root, hostileArticle(1), room);
  const article = hostileArticle(2);
  const also = mock.fn(() => []);
  Object.defineProperty(article.content, 'also', { get: also });
  articleEntry(root, article, room);
  assert.equal(also.mock.callCount(), 0);
});
