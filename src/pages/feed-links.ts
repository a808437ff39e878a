import type { RankingPeriod } from '../domain/time.ts';
import { type Html, html } from './html.ts';
import { hostNamed, type Query, type RepositoryPlace, repositoryPath, withQuery } from './links.ts';

/** Where a feed is to be had in each of its formats. */
export type FeedAddress = (format: 'atom' | 'json') => string;

const addressOf =
  (path: string, query: Query): FeedAddress =>
  (format) =>
    withQuery(`/feeds${path}.${format}`, query);

export const newestFeed = (query: Query): FeedAddress => addressOf('/articles', query);

export const rankingFeed = (period: RankingPeriod, query: Query): FeedAddress =>
  addressOf(`/ranking/${period}`, query);

export const repositoryFeed = (place: RepositoryPlace, firstHost: string, query: Query = {}): FeedAddress =>
  addressOf(repositoryPath(place), { ...hostNamed(place.host, firstHost), ...query });

export const searchFeed = (query: Query): FeedAddress => addressOf('/search', query);

/** The digests of a repository. */
export const digestFeed = (place: RepositoryPlace, firstHost: string, query: Query = {}): FeedAddress =>
  addressOf(`${repositoryPath(place)}/digest`, { ...hostNamed(place.host, firstHost), ...query });

export const ownFeed = (secret: string): FeedAddress => addressOf(`/mine/${secret}`, {});

export const ownDigestFeed = (secret: string): FeedAddress => addressOf(`/mine/${secret}/digest`, {});

/** By which programs find the feed of a page. */
export const feedHead = (address: FeedAddress, title: string): Html =>
  html`<link rel="alternate" type="application/atom+xml" title="${title}" href="${address('atom')}">
<link rel="alternate" type="application/feed+json" title="${title}" href="${address('json')}">\n`;
