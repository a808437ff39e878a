import type { ArticleContent } from '../contract/article.ts';
import type { PullRequestPlace } from '../pages/links.ts';

export const feedFormats = ['atom', 'json'] as const;
export type FeedFormat = (typeof feedFormats)[number];

/** How programs know each format. */
export const feedTypes: Record<FeedFormat, string> = {
  atom: 'application/atom+xml',
  json: 'application/feed+json',
};

/** An article in one language, as a feed tells it. */
export interface FeedArticle extends PullRequestPlace {
  articleId: string;
  hostPrUrl: string | null;
  authorLogin: string;
  /** When the article was first written, in whichever language. */
  createdAt: Date;
  /** When it was last written in this one. */
  generatedAt: Date;
  content: Pick<
    ArticleContent,
    | 'languageCode'
    | 'aiGeneratedTitle'
    | 'standfirst'
    | 'scope'
    | 'authorWords'
    | 'quote'
    | 'changeTypes'
    | 'background'
    | 'mainChanges'
    | 'notablePoints'
    | 'tests'
    | 'also'
    | 'writer'
  >;
}

/** An article or a digest as either format says it. */
export interface FeedEntry {
  /** For good, whatever the entry comes to say. */
  id: string;
  title: string;
  summary: string | null;
  author: string;
  tags: string[];
  /** The page here that shows it. */
  url: string;
  /** The pull request on its host. */
  hostUrl: string | null;
  language: string;
  published: Date;
  updated: Date;
  html: string;
}

/** Where links of a feed lead. */
export interface FeedRoot {
  /** Under which readers reach this service, such as https://pullquote.example. */
  origin: string;
  firstHost: string;
}

/** A feed, whatever format it is written in. Addresses are paths of this service, but for its origin. */
export interface Feed extends FeedRoot {
  /** What tells this feed from all others, for good. */
  identity: string;
  title: string;
  /** The language of the title. */
  language: string;
  /** The page that shows the same. */
  page: string;
  /** Where the feed itself is read; null where that is a secret, which copies of the feed are not to hold. */
  self: string | null;
  /** Since when there could be something in it: one without entries was last updated then. */
  since: Date;
  entries: FeedEntry[];
}
