import type { FastifyInstance } from 'fastify';
import type { State } from '../rights.ts';

/** A repository as on every host, with pull request 1 merged between tags v1 and v2. */
/** Words of a review that an article quotes. */
export const discussedAs = (words: string) => ({
  request: `Would ${words} not break its users, because all of them need it as it is?`,
  answer: `They keep it, because ${words} is an addition for them and not a replacement.`,
});

export interface MatrixRepository {
  id: number;
  owner: string;
  name: string;
  /** Words that are in every text of the repository. */
  words: string;
  /** The author of the pull request. */
  author: string;
  /** Logins that always see it. */
  members: string[];
}

/** The viewers who may see a repository: everyone, every account, or members. */
type Audience = 'everybody' | 'accounts' | 'members';

/** A host where a repository can have the same name as on another host. */
export interface Shelf {
  id: string;
  /** Adds a public repository. */
  add: (repository: MatrixRepository) => void;
}

/** A code host in the matrix: what it has, how access is revoked, and what its webhooks send. */
export interface HostColumn extends Shelf {
  /** The name of the owner. */
  owner: string;
  states: readonly State[];
  /** The settings to read from it. */
  environment: Record<string, string>;
  /** Every request since the last call. */
  takeCalls: () => string[];
  /** Makes an account on the host; returns its token. */
  addAccount: (login: string) => string;
  show: (repository: MatrixRepository, to: Audience) => void;
  /** Sets which viewers of a repository may see its pull requests. */
  showPullRequests: (repository: MatrixRepository, to: 'members' | 'nobody') => void;
  /** Hides the code from all but administrators; the repository stays visible. */
  closeCode: (repository: MatrixRepository) => void;
  dismiss: (repository: MatrixRepository, login: string) => void;
  remove: (repository: MatrixRepository) => void;
  block: (login: string) => void;
  /** Revokes the tokens of an account. */
  expire: (login: string) => void;
  /** Stops the host's responses about a repository, until undone. */
  silence: (repository: MatrixRepository) => () => void;
  /** The event that the host sends about a change of a repository or member; undefined if it sends none. */
  newsOf: (state: State, repository: MatrixRepository, member: number | undefined) => News | undefined;
  deliver: (server: FastifyInstance, news: News) => Promise<number>;
  accountId: (login: string) => number | undefined;
}

interface News {
  event: string;
  payload: object;
}
