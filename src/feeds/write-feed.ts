import { generateAtomFeed, generateJsonFeed } from 'feedsmith';
import { type Feed, type FeedEntry, type FeedFormat, feedTypes } from './feed.ts';
import { line } from './feed-text.ts';
import { stableId } from './stable-id.ts';

const lastUpdated = ({ entries, since }: Feed): Date =>
  entries.length === 0 ? since : new Date(Math.max(...entries.map(({ updated }) => updated.getTime())));

const jsonItem = ({ summary, hostUrl, ...entry }: FeedEntry) => ({
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

const writers: Record<FeedFormat, (feed: Feed) => string> = {
  atom: (feed) =>
    generateAtomFeed({
      id: stableId('feed', feed.identity),
      title: { value: line(feed.title) },
      updated: lastUpdated(feed),
      xml: { lang: feed.language },
      generator: { text: 'Pullquote' },
      links: [
        { rel: 'alternate', type: 'text/html', href: feed.origin + feed.page },
        ...(feed.self === null ? [] : [{ rel: 'self', type: feedTypes.atom, href: feed.origin + feed.self }]),
      ],
      entries: feed.entries.map(
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
  json: (feed) =>
    JSON.stringify({
      ...Object(
        generateJsonFeed({
          title: line(feed.title),
          home_page_url: feed.origin + feed.page,
          ...(feed.self !== null && { feed_url: feed.origin + feed.self }),
          items: feed.entries.map(jsonItem),
        }),
      ),
      // The library leaves an empty list out, which a feed has to have.
      ...(feed.entries.length === 0 && { items: [] }),
    }),
};

/** A feed in one of the formats that readers of feeds take. */
export const writeFeed = (format: FeedFormat, feed: Feed): string => writers[format](feed);
