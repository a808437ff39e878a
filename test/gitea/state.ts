export interface StandInAccount {
  id: number;
  login: string;
  fullName: string;
  email: string;
  /** Whether the email address of the account is visible only to itself and administrators. */
  hidesEmail: boolean;
  tokens: Set<string>;
  /** The scopes of a token, if limited. */
  scopes: Map<string, string[]>;
  /** Whether an operator has prohibited its sign-in. */
  isProhibited?: boolean;
}

export interface StandInRepository {
  id: number;
  owner: string;
  name: string;
  /** Earlier names as OWNER/NAME, which redirect to this repository. */
  formerNames: string[];
  isPrivate: boolean;
  /** The viewers of the owner's repositories: everyone, every account, or members. */
  ownerVisibility: 'public' | 'limited' | 'private';
  /** Logins that may see it if it is not public. */
  visibleTo: Set<string>;
  /** Logins that see the repository, but neither its code nor its pull requests. */
  withoutCode: Set<string>;
  /** Whether the pull request unit is on. */
  hasPulls: boolean;
  /**
   * Whether the repository's code unit is on; without it, only administrators see pull requests and fetch, even from a
   * public repository.
   */
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
  /** The commit of refs/pull/NUMBER/head. */
  head: string;
  /** The head of the branch it was opened from, if that has moved on. */
  branchSha?: string;
  mergeCommitSha: string | null;
  /** The number of files it adds, each with one line. */
  files: number;
  /** The commits, oldest first; Gitea's responses begin with the newest. */
  commits: { sha: string; message: string; author: string }[];
  comments: { author: string; body: string; createdAt: string }[];
  reviews: StandInReview[];
  pushes: { at: string; isForced: boolean; commits: string[] }[];
  mentionedBy: { number: number; isMerged: boolean; repository: string }[];
}

interface StandInReview {
  id: number;
  author: string;
  body: string;
  state: 'APPROVED' | 'COMMENT' | 'REQUEST_CHANGES' | 'PENDING' | 'REQUEST_REVIEW';
  submittedAt: string;
  commit?: string;
  isDismissed?: boolean;
  comments: {
    author: string;
    body: string;
    createdAt: string;
    path: string;
    line: number;
    hunk?: string;
    resolver?: string;
  }[];
}

/** An OAuth application on Gitea, with its codes and tokens. */
export interface StandInApp {
  clientId: string;
  clientSecret: string;
  callback: string;
  /** The account that consents; null for a refusal. */
  consents: string | null;
  codes: Map<string, { login: string; challenge: string; redirectUri: string }>;
  tokens: Map<string, { login: string; expiresAt: number }>;
  refreshTokens: Map<string, { login: string }>;
  /** The code verifiers and scopes of exchanged codes. */
  verifiers: string[];
  scopes: string[];
}

export interface GiteaState {
  accounts: StandInAccount[];
  repositories: StandInRepository[];
  apps: StandInApp[];
  /** Whether everything is hidden from visitors without an account. */
  requiresSignIn: boolean;
  /** Whether token introspection behaves as in Gitea up to 1.22. */
  isUpTo122: boolean;
  /** Whether a token counts in a form or query too, as without DISABLE_QUERY_AUTH_TOKEN. */
  takesTokensInForms: boolean;
  /** Whether the git server serves only commits with a ref. */
  hasOldGit: boolean;
  /** The largest page size. */
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

/**
 * A token as Gitea makes them: forty hexadecimal digits. Tokens of tests have a common prefix, so that they can be found
 * anywhere.
 */
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

/** A pull request whose commits are made with its repository. */
export type PullOfTest = StandInPull & { words: string };

const day = '2026-03-01T10:00:00Z';

/** An open pull request that adds files and contains given words in every text. */
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
  pushes: [],
  mentionedBy: [],
  ...rest,
});

/** A pull request merged at a given time and not changed since. */
export function merged(number: number, at: Date, rest: Partial<StandInPull> = {}): PullOfTest {
  const mergedAt = at.toISOString().replace(/\.\d+Z$/, 'Z');
  return pull(number, `change-${number}`, { state: 'closed', mergedAt, updatedAt: mergedAt, ...rest });
}
