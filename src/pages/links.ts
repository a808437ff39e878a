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

type Query = Record<string, string | number | undefined>;

/** A path with those parts of a query that are there. */
export function withQuery(path: string, query: Query): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? path : `${path}?${given}`;
}

const named = (host: string, firstHost: string): Query => (host === firstHost ? {} : { host });

export const repositoryPath = ({ owner, repo }: RepositoryPlace): string =>
  `/r/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;

/** The page of a repository. A host is named unless it is the one that is meant without. */
export const repositoryLink = (place: RepositoryPlace, firstHost: string, query: Query = {}): string =>
  withQuery(repositoryPath(place), { ...named(place.host, firstHost), ...query });

export const articleLink = (place: PullRequestPlace, firstHost: string, query: Query = {}): string =>
  withQuery(`${repositoryPath(place)}/${place.prNumber}`, { ...named(place.host, firstHost), ...query });

export const mapLink = (place: PullRequestPlace, firstHost: string): string =>
  withQuery(`${repositoryPath(place)}/${place.prNumber}/map.svg`, named(place.host, firstHost));

/** Where somebody signs in who then wants to come back. */
export const signInLink = (address: string): string =>
  withQuery('/sign-in', { back: address === '/' ? undefined : address });

/** Where somebody signs up who has signed in, and then wants to come back. */
export const signUpLink = (address: string): string =>
  withQuery('/sign-up', { back: address === '/' ? undefined : address });
