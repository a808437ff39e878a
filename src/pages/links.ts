import type { ChangeType } from '../domain/article.ts';

/** What a repository is found by. */
export interface RepositoryPlace {
  host: string;
  owner: string;
  repo: string;
}

/** What a pull request is found by. */
export interface PullRequestPlace extends RepositoryPlace {
  prNumber: number;
}

export type Query = Record<string, string | number | undefined>;

/** A path with those parts of a query that are there. */
export function withQuery(path: string, query: Query): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? path : `${path}?${given}`;
}

/** Named unless it is the one that is meant without. */
export const hostNamed = (host: string, firstHost: string): Query => (host === firstHost ? {} : { host });

export const repositoryPath = ({ owner, repo }: RepositoryPlace): string =>
  `/r/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;

export const repositoryLink = (place: RepositoryPlace, firstHost: string, query: Query = {}): string =>
  withQuery(repositoryPath(place), { ...hostNamed(place.host, firstHost), ...query });

export const articleLink = (place: PullRequestPlace, firstHost: string, query: Query = {}): string =>
  withQuery(`${repositoryPath(place)}/${place.prNumber}`, { ...hostNamed(place.host, firstHost), ...query });

/** The article as Markdown. */
export const markdownLink = (place: PullRequestPlace, firstHost: string, query: Query = {}): string =>
  withQuery(`${repositoryPath(place)}/${place.prNumber}.md`, {
    ...hostNamed(place.host, firstHost),
    ...query,
  });

export const mapLink = (place: PullRequestPlace, firstHost: string, query: Query = {}): string =>
  withQuery(`${repositoryPath(place)}/${place.prNumber}/map.svg`, {
    ...hostNamed(place.host, firstHost),
    ...query,
  });

export const linesLink = (place: PullRequestPlace, firstHost: string, query: Query): string =>
  withQuery(`${repositoryPath(place)}/${place.prNumber}/lines`, {
    ...hostNamed(place.host, firstHost),
    ...query,
  });

/** What a list of articles is narrowed to. */
export interface Narrowing {
  author?: { host: string; login: string } | undefined;
  type?: ChangeType | undefined;
  language?: string | undefined;
}

/** As much of a name as is looked for, and as the router takes within a path. */
const longestAuthor = 200;
const longestSegment = 100;

/** The list of articles that is narrowed to this. A name that a path would not hold, such as two dots, stands in the query. */
export function listLink({ author, type, language }: Narrowing, firstHost: string): string {
  if (!author) return withQuery('/', { type, language });
  const login = [...author.login].slice(0, longestAuthor).join('');
  const segment = encodeURIComponent(login);
  const query = { ...hostNamed(author.host, firstHost), type, language };
  return /^\.{1,2}$/.test(login) || segment.length > longestSegment
    ? withQuery('/', { author: login, ...query })
    : withQuery(`/a/${segment}`, query);
}

/** What is found by words; the host is that of the repository or author that they name. */
export const findLink = (question: string, query: Query = {}): string =>
  withQuery('/find', { q: question || undefined, ...query });

/** An operator of a search, with its value in quotation marks where it needs them. */
export const operatorOf = (name: string, value: string): string =>
  `${name}:${/^[^\s"]+$/.test(value) ? value : `"${value.replaceAll('"', '')}"`}`;

/** A URL that is not ours; null unless it is http or https. */
export const webAddress = (address: string | null): string | null =>
  address !== null && /^https?:\/\//i.test(address) ? address : null;

/** Where a user signs in, and is then led back to an address. */
export const signInLink = (address: string): string =>
  withQuery('/sign-in', { back: address === '/' ? undefined : address });

/** Where a user signs up after signing in, and is then led back to an address. */
export const signUpLink = (address: string): string =>
  withQuery('/sign-up', { back: address === '/' ? undefined : address });
