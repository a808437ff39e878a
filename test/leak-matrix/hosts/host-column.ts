import type { FastifyInstance } from 'fastify';
import type { State } from '../rights.ts';

/** A repository as every host has it, the one pull request of which is number 1, merged between the tags v1 and v2. */
export interface MatrixRepository {
  id: number;
  owner: string;
  name: string;
  /** Stand in every text of it. */
  words: string;
  /** Who made the pull request. */
  author: string;
  /** Logins that see it whatever it is. */
  members: string[];
}

/** Whom it shows to: everybody, all who have an account there, or members. */
type Audience = 'everybody' | 'accounts' | 'members';

/** Where a repository can be put under a name that another host has, too. */
export interface Shelf {
  id: string;
  /** For everybody. */
  add: (repository: MatrixRepository) => void;
}

/** A code host as the matrix goes over it: what there is, how rights are taken away, and how its webhooks tell. */
export interface HostColumn extends Shelf {
  /** What its owners are called. */
  owner: string;
  states: readonly State[];
  /** What a service needs to read from it. */
  environment: Record<string, string>;
  /** Every request since the last call of this. */
  takeCalls: () => string[];
  /** Returns the token of a new account. */
  addAccount: (login: string) => string;
  show: (repository: MatrixRepository, to: Audience) => void;
  /** Whom its pull requests show to, of those who see it. */
  showPullRequests: (repository: MatrixRepository, to: 'members' | 'nobody') => void;
  /** Takes its code from all but those who keep it in their charge; everybody sees the repository still. */
  closeCode: (repository: MatrixRepository) => void;
  dismiss: (repository: MatrixRepository, login: string) => void;
  remove: (repository: MatrixRepository) => void;
  block: (login: string) => void;
  /** Takes back the tokens of an account. */
  expire: (login: string) => void;
  /** Has it not answer about a repository, until that is taken back. */
  silence: (repository: MatrixRepository) => () => void;
  /** What it sends when this becomes of a repository, or of one of its members; undefined where it sends nothing. */
  newsOf: (state: State, repository: MatrixRepository, member: number | undefined) => News | undefined;
  deliver: (server: FastifyInstance, news: News) => Promise<number>;
  accountId: (login: string) => number | undefined;
}

interface News {
  event: string;
  payload: object;
}
