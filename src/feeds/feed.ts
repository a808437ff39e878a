import { hash } from 'node:crypto';
import type { ArticleContent } from '../contract/articles.ts';
import type { SecondLine } from '../domain/second-line.ts';
import { codePointName, nameHidden } from '../domain/text.ts';
import {
  type PullRequestPlace,
  type RepositoryPlace,
  repositoryFeed,
  repositoryLink,
} from '../pages/links.ts';
import { plainText } from '../pages/text.ts';

export const feedFormats = ['atom', 'json'] as const;
export type FeedFormat = (typeof feedFormats)[number];

export const feedTypes: Record<FeedFormat, string> = {
  atom: 'application/atom+xml',
  json: 'application/feed+json',
};

export interface FeedArticle extends PullRequestPlace {
  articleId: string;
  hostPrUrl: string | null;
  title: string;
  authorLogin: string;
  listedAt: Date;
  generatedAt: Date;
  secondLine: SecondLine | null;
  content: Pick<
    ArticleContent,
    | 'languageCode'
    | 'aiGeneratedTitle'
    | 'standfirst'
    | 'scope'
    | 'authorWords'
    | 'counts'
    | 'quote'
    | 'changeTypes'
    | 'background'
    | 'mainChanges'
    | 'notablePoints'
    | 'beforeAfter'
    | 'tests'
    | 'dependencies'
    | 'also'
    | 'writer'
    | 'review'
  >;
}

export interface FeedEntry {
  id: string;
  title: string;
  summary: string | null;
  author: string;
  tags: string[];
  url: string;
  hostUrl: string | null;
  language: string;
  published: Date;
  updated: Date;
  html: string;
}

export interface FeedRoot {
  origin: string;
  firstHost: string;
}

/** URLs are paths of this service. */
export interface Feed extends FeedRoot {
  identity: string;
  title: string;
  language: string;
  page: string;
  /** The address of the feed; null for a secret one, which copies of the feed must not contain. */
  self: string | null;
  since: Date;
  entries: FeedEntry[];
}

/** A UUID derived from a name (version 8 of RFC 9562, by SHA-256). */
export function stableId(...names: string[]): string {
  const digits = hash('sha256', JSON.stringify(names));
  const variant = (8 + (Number.parseInt(digits.slice(16, 17), 16) % 4)).toString(16);
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ];
  return `urn:uuid:${parts.join('-')}`;
}

export const sayable = (text: string): string => text.replace(/[\ufffe\uffff]/g, codePointName);

/** Text of other people on one line, without markup; invisible characters are named. */
export const line = (text: string): string =>
  sayable(nameHidden(plainText(text).replace(/\s+/g, ' ').trim(), 'prose'));

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

const writers: Record<FeedFormat, (feed: Feed, feedsmith: typeof import('feedsmith')) => string> = {
  atom: (feed, { generateAtomFeed }) =>
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
  json: (feed, { generateJsonFeed }) =>
    JSON.stringify({
      ...Object(
        generateJsonFeed({
          title: line(feed.title),
          home_page_url: feed.origin + feed.page,
          ...(feed.self !== null && { feed_url: feed.origin + feed.self }),
          items: feed.entries.map(jsonItem),
        }),
      ),
      // A feed must have this list, but the library leaves an empty one out.
      ...(feed.entries.length === 0 && { items: [] }),
    }),
};

export const writeFeed = async (format: FeedFormat, feed: Feed): Promise<string> =>
  writers[format](feed, await import('feedsmith'));

/** A folder with the feeds of repositories; it needs at least one, because an outline must not be empty. */
export async function writeOpml({
  title,
  origin,
  firstHost,
  repositories,
}: FeedRoot & { title: string; repositories: RepositoryPlace[] }): Promise<string> {
  const { generateOpml } = await import('feedsmith');
  const name = line(title);
  const outlines = repositories.map((place) => {
    const repository = line(`${place.owner}/${place.repo}`);
    return {
      type: 'rss',
      text: repository,
      title: repository,
      xmlUrl: origin + repositoryFeed(place, firstHost)('atom'),
      htmlUrl: origin + repositoryLink(place, firstHost),
    };
  });
  return generateOpml({ head: { title: name }, body: { outlines: [{ text: name, title: name, outlines }] } });
}
