export interface StandInAccount {
  id: number;
  login: string;
  fullName: string;
  email: string;
  /** Whether its address shows to itself and to administrators alone. */
  hidesEmail: boolean;
  tokens: Set<string>;
  /** What a token may do, where that is not everything. */
  scopes: Map<string, string[]>;
  /** Whether an operator has prohibited it from signing in. */
  isProhibited?: boolean;
}

export interface StandInRepository {
  id: number;
  owner: string;
  name: string;
  /** Names that it had before and that lead here still, as OWNER/NAME. */
  formerNames: string[];
  isPrivate: boolean;
  /** Who sees what the owner has: everybody, everybody with an account, or members. */
  ownerVisibility: 'public' | 'limited' | 'private';
  /** Logins that may see it where it is not public. */
  visibleTo: Set<string>;
  /** Logins that see the repository, but neither its code nor its pull requests. */
  withoutCode: Set<string>;
  /** Whether it has pull requests at all, which can be turned off. */
  hasPulls: boolean;
  /** Whether it has code; without it, only administrators see pull requests and fetch, also of a public repository. */
  hasCode: boolean;
  /** Logins that administer it. */
  admins: Set<string>;
  pulls: StandInPull[];
  issues: { number: number; title: string; body: string }[];
  /** A bare repository on disk. */
  gitFolder: string;
  tags: string[];
}

export interface StandInPull {
  number: number;
  title: string;
  body: string;
  author: string | null;
  labels: string[];
  isDraft: boolean;
  state: 'open' | 'closed';
  mergedAt: string | null;
  createdAt: string;
  updatedAt: string;
  baseRef: string;
  mergeBase: string;
  /** What refs/pull/NUMBER/head names. */
  head: string;
  /** Where the branch is that it was opened from, if that has moved on. */
  branchSha?: string;
  mergeCommitSha: string | null;
  /** How many files it adds, of a line each. */
  files: number;
  /** Oldest first; Gitea answers newest first. */
  commits: { sha: string; message: string; author: string }[];
  comments: { author: string; body: string; createdAt: string }[];
  reviews: StandInReview[];
}

interface StandInReview {
  id: number;
  author: string;
  body: string;
  state: 'APPROVED' | 'COMMENT' | 'REQUEST_CHANGES' | 'PENDING' | 'REQUEST_REVIEW';
  submittedAt: string;
  comments: { author: string; body: string; createdAt: string; path: string; line: number }[];
}

/** An application on Gitea, and what it was given. */
export interface StandInApp {
  clientId: string;
  clientSecret: string;
  callback: string;
  /** The account that consents when it is asked; null for one that refuses. */
  consents: string | null;
  codes: Map<string, { login: string; challenge: string; redirectUri: string }>;
  tokens: Map<string, { login: string; expiresAt: number }>;
  refreshTokens: Map<string, { login: string }>;
  /** What those who exchanged codes had kept secret until then, and what they asked to be allowed. */
  verifiers: string[];
  scopes: string[];
}

export interface GiteaState {
  accounts: StandInAccount[];
  repositories: StandInRepository[];
  apps: StandInApp[];
  /** Whether nothing shows without an account. */
  requiresSignIn: boolean;
  /** Whether it tells of tokens what Gitea up to 1.22 does. */
  isUpTo122: boolean;
  /** Whether a token counts in a form or query too, as it does unless DISABLE_QUERY_AUTH_TOKEN is set. */
  takesTokensInForms: boolean;
  /** Whether git there gives out what refs lead to, and nothing by its id. */
  hasOldGit: boolean;
  /** The most items that it puts on a page. */
  mostItems: number;
}

export const standInApp = (clientId: string, rest: Partial<StandInApp> = {}): StandInApp => ({
  clientId,
  clientSecret: `secret-of-${clientId}`,
  callback: 'https://pullquote.example.org/auth/callback/gitea',
  consents: null,
  codes: new Map(),
  tokens: new Map(),
  refreshTokens: new Map(),
  verifiers: [],
  scopes: [],
  ...rest,
});

/** A token the way Gitea makes them: forty hexadecimal digits. Those of tests begin alike, so that they can be found anywhere. */
export const tokenOf = (login: string): string =>
  `c0ffee${Buffer.from(login).toString('hex')}`.padEnd(40, '0');

export const account = (id: number, login: string, ...tokens: string[]): StandInAccount => ({
  id,
  login,
  fullName: '',
  email: `${login}@inbox.example`,
  hidesEmail: true,
  tokens: new Set(tokens),
  scopes: new Map(),
});

/** One whose commits are made with its repository. */
export type PullOfTest = StandInPull & { words: string };

const day = '2026-03-01T10:00:00Z';

/** An open pull request that adds some files, whose every text holds the same words. */
export const pull = (number: number, words: string, rest: Partial<StandInPull> = {}): PullOfTest => ({
  words,
  number,
  title: `feat: tell of ${words}`,
  body: `Because of ${words}.`,
  author: 'mona',
  labels: ['enhancement'],
  isDraft: false,
  state: 'open',
  mergedAt: null,
  createdAt: day,
  updatedAt: day,
  baseRef: 'main',
  mergeBase: '',
  head: '',
  mergeCommitSha: null,
  files: 1,
  commits: [],
  comments: [],
  reviews: [],
  ...rest,
});

/** One that was merged at a moment, and not changed since. */
export function merged(number: number, at: Date, rest: Partial<StandInPull> = {}): PullOfTest {
  const mergedAt = at.toISOString().replace(/\.\d+Z$/, 'Z');
  return pull(number, `change-${number}`, { state: 'closed', mergedAt, updatedAt: mergedAt, ...rest });
}
