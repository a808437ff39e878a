import { generateAtomFeed, generateJsonFeed } from 'feedsmith';
import { articleLink, webAddress } from '../pages/links.ts';
import { articleContent } from './article-content.ts';
import { type Feed, type FeedArticle, type FeedFormat, feedTypes } from './feed.ts';
import { line } from './feed-text.ts';
import { stableId } from './stable-id.ts';

/** An article as either format says it. */
interface Entry {
  /** Of an article in one language: it survives when that is written anew. */
  id: string;
  title: string;
  summary: string | null;
  author: string;
  tags: string[];
  /** The article here. */
  url: string;
  /** The pull request on its host. */
  hostUrl: string | null;
  language: string;
  published: Date;
  updated: Date;
  html: string;
}

function entryOf(feed: Feed, article: FeedArticle): Entry {
  const { articleId, owner, repo, prNumber, authorLogin, createdAt, generatedAt, content } = article;
  const { languageCode: language, aiGeneratedTitle, standfirst, changeTypes, notablePoints } = content;
  const name = line(`${owner}/${repo}`);
  const isBreaking = notablePoints.some(({ label }) => label === 'breaking');
  return {
    id: stableId('article', articleId, language),
    title: line(aiGeneratedTitle) || `${name}#${prNumber}`,
    summary: standfirst && line(standfirst.text),
    author: line(authorLogin) || name,
    tags: [name, ...changeTypes, ...(isBreaking ? ['BREAKING'] : [])],
    url: feed.origin + articleLink(article, feed.firstHost, { language }),
    hostUrl: webAddress(article.hostPrUrl),
    language,
    published: createdAt,
    // What is written is stored a moment later.
    updated: generatedAt > createdAt ? generatedAt : createdAt,
    html: articleContent(feed, article),
  };
}

/** When something in a feed was last written; nothing was written before 1970. */
const lastUpdated = (entries: Entry[]): Date =>
  new Date(entries.reduce((last, { updated }) => Math.max(last, updated.getTime()), 0));

const jsonItem = ({ summary, hostUrl, ...entry }: Entry) => ({
  id: entry.id,
  url: entry.url,
  ...(hostUrl !== null && { external_url: hostUrl }),
  title: entry.title,
  ...(summary && { summary }),
  content_html: entry.html,
  date_published: entry.published,
  date_modified: entry.updated,
  authors: [{ name: entry.author }],
  tags: entry.tags,
  language: entry.language,
});

const writers: Record<FeedFormat, (feed: Feed, entries: Entry[]) => string> = {
  atom: (feed, entries) =>
    generateAtomFeed({
      id: stableId('feed', feed.identity),
      title: { value: line(feed.title) },
      updated: lastUpdated(entries),
      xml: { lang: feed.language },
      generator: { text: 'Pullquote' },
      links: [
        { rel: 'alternate', type: 'text/html', href: feed.origin + feed.page },
        ...(feed.self === null ? [] : [{ rel: 'self', type: feedTypes.atom, href: feed.origin + feed.self }]),
      ],
      entries: entries.map(
        ({ id, title, summary, author, tags, language, published, updated, ...entry }) => ({
          id,
          title: { value: title },
          ...(summary && { summary: { value: summary } }),
          authors: [{ name: author }],
          categories: tags.map((term) => ({ term })),
          published,
          updated,
          xml: { lang: language },
          links: [
            { rel: 'alternate', type: 'text/html', hreflang: language, href: entry.url },
            ...(entry.hostUrl === null ? [] : [{ rel: 'related', href: entry.hostUrl }]),
          ],
          content: { type: 'html', value: entry.html },
        }),
      ),
    }),
  json: (feed, entries) =>
    JSON.stringify({
      ...Object(
        generateJsonFeed({
          title: line(feed.title),
          home_page_url: feed.origin + feed.page,
          ...(feed.self !== null && { feed_url: feed.origin + feed.self }),
          items: entries.map(jsonItem),
        }),
      ),
      // The library leaves an empty list out, which a feed has to have.
      ...(entries.length === 0 && { items: [] }),
    }),
};

/** A feed in one of the formats that readers of feeds take, with all that its articles say. */
export const writeFeed = (format: FeedFormat, feed: Feed): string =>
  writers[format](
    feed,
    feed.articles.map((article) => entryOf(feed, article)),
  );
