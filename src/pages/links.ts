import type { ChangeType } from '../domain/articles.ts';
import type { RankingPeriod } from '../domain/time.ts';

export interface RepositoryPlace {
  host: string;
  owner: string;
  repo: string;
}

export interface PullRequestPlace extends RepositoryPlace {
  prNumber: number;
}

export type Query = Record<string, string | number | undefined>;

export function withQuery(path: string, query: Query): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? path : `${path}?${given}`;
}

export const hostNamed = (host: string, firstHost: string): Query => (host === firstHost ? {} : { host });

const namePath = ({ owner, repo }: RepositoryPlace): string =>
  `${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;

export const repositoryPath = (place: RepositoryPlace): string => `/r/${namePath(place)}`;

export const apiPath = (place: RepositoryPlace): string => `/repos/${namePath(place)}`;

export const repositoryLink = (
  place: RepositoryPlace,
  firstHost: string,
  query: Query = {},
  below = '',
): string => withQuery(`${repositoryPath(place)}${below}`, { ...hostNamed(place.host, firstHost), ...query });

export const articleLink = (
  place: PullRequestPlace,
  firstHost: string,
  query: Query = {},
  below = '',
): string => repositoryLink(place, firstHost, query, `/${place.prNumber}${below}`);

export const markdownLink = (place: PullRequestPlace, firstHost: string, query: Query = {}): string =>
  articleLink(place, firstHost, query, '.md');

/** The article as one HTML file. */
export const savedLink = (place: PullRequestPlace, firstHost: string, query: Query = {}): string =>
  articleLink(place, firstHost, query, '.html');

/** The raw diff, of all files or of one. */
export const rawDiffLink = (place: PullRequestPlace, firstHost: string, file?: string): string =>
  withQuery(`${apiPath(place)}/pulls/${place.prNumber}/diff`, { ...hostNamed(place.host, firstHost), file });

export const releaseLink = (place: RepositoryPlace, firstHost: string, query: Query = {}): string =>
  repositoryLink(place, firstHost, query, '/release');

export interface Narrowing {
  author?: { host: string; login: string } | undefined;
  type?: ChangeType | undefined;
  language?: string | undefined;
}

const longestAuthor = 200;

const longestSegment = 100;

/** A name that a path cannot contain, such as two dots, is put into the query. */
export function listLink({ author, type, language }: Narrowing, firstHost: string): string {
  if (!author) return withQuery('/', { type, language });
  const login = [...author.login].slice(0, longestAuthor).join('');
  const segment = encodeURIComponent(login);
  const query = { ...hostNamed(author.host, firstHost), type, language };
  return /^\.{1,2}$/.test(login) || segment.length > longestSegment
    ? withQuery('/', { author: login, ...query })
    : withQuery(`/a/${segment}`, query);
}

export const findLink = (question: string, query: Query = {}): string =>
  withQuery('/find', { q: question || undefined, ...query });

export const operatorOf = (name: string, value: string): string =>
  `${name}:${/^[^\s"]+$/.test(value) ? value : `"${value.replaceAll('"', '')}"`}`;

export const webAddress = (address: string | null): string | null =>
  address !== null && /^https?:\/\//i.test(address) ? address : null;

export const signInLink = (address: string): string =>
  withQuery('/sign-in', { back: address === '/' ? undefined : address });

export const signUpLink = (address: string): string =>
  withQuery('/sign-up', { back: address === '/' ? undefined : address });

export type FeedAddress = (format: 'atom' | 'json') => string;

const feedAt =
  (path: string, query: Query): FeedAddress =>
  (format) =>
    withQuery(`/feeds${path}.${format}`, query);

export const newestFeed = (query: Query): FeedAddress => feedAt('/articles', query);

export const rankingFeed = (period: RankingPeriod, query: Query): FeedAddress =>
  feedAt(`/ranking/${period}`, query);

export const repositoryFeed = (place: RepositoryPlace, firstHost: string, query: Query = {}): FeedAddress =>
  feedAt(repositoryPath(place), { ...hostNamed(place.host, firstHost), ...query });

export const searchFeed = (query: Query): FeedAddress => feedAt('/search', query);

export const digestFeed = (place: RepositoryPlace, firstHost: string, query: Query = {}): FeedAddress =>
  feedAt(`${repositoryPath(place)}/digest`, { ...hostNamed(place.host, firstHost), ...query });

export const ownFeed = (secret: string): FeedAddress => feedAt(`/mine/${secret}`, {});

export const ownDigestFeed = (secret: string): FeedAddress => feedAt(`/mine/${secret}/digest`, {});
