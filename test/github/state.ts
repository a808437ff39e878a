import { createHash } from 'node:crypto';

export interface StandInAccount {
  id: number;
  login: string;
  name: string | null;
  email: string | null;
  tokens: Set<string>;
  isSuspended?: boolean;
}

export interface StandInRepository {
  id: number;
  owner: string;
  name: string;
  /** Earlier names that redirect to this repository. */
  formerNames: string[];
  visibility: 'public' | 'private' | 'internal';
  /** Logins that may see it if it is not public. */
  visibleTo: Set<string>;
  pulls: StandInPull[];
  /** File contents by COMMIT:PATH. */
  texts?: Record<string, string>;
  /** A bare repository on disk, for git over HTTP. */
  gitFolder?: string;
  /** The commits, parents first, and the commits of tags and branches. */
  history?: { refs: Record<string, string>; tags: string[]; commits: StandInCommit[] };
}

export interface StandInCommit {
  sha: string;
  parents: string[];
  message: string;
  committedAt?: string;
  /** Pull requests associated with a commit, whatever its message says. */
  pulls?: number[];
}

export interface StandInPull {
  number: number;
  title: string;
  body: string | null;
  author: string | null;
  labels: string[];
  isDraft?: boolean;
  state: 'open' | 'closed';
  mergedAt: string | null;
  createdAt: string;
  updatedAt: string;
  base: { ref: string; sha: string };
  head: { ref: string; sha: string };
  mergeBase: string;
  /** The merge commit. */
  mergeCommitSha?: string;
  /** The text of the diff; null if GitHub says that it is too large. */
  diff: string | null;
  files: { filename: string; status: string; additions: number; deletions: number }[];
  /** The number of files that GitHub reports, if it differs from the list. */
  changedFiles?: number;
  commits: { sha: string; message: string; author: string }[];
  comments: { author: string | null; body: string; createdAt: string; isHidden?: boolean }[];
  reviews: {
    id?: number;
    commit?: string;
    isHidden?: boolean;
    author: string;
    body: string;
    state: string;
    submittedAt: string | null;
    visibleTo?: string;
  }[];
  reviewComments: {
    id?: number;
    reviewId?: number;
    replyTo?: number;
    commit?: string;
    hunk?: string;
    side?: 'LEFT' | 'RIGHT';
    startLine?: number;
    isHidden?: boolean;
    /** The user who resolved the thread, on its first comment. */
    resolvedBy?: string;
    isOutdated?: boolean;
    author: string;
    body: string;
    createdAt: string;
    path: string;
    line: number | null;
  }[];
  closingIssues: { number: number; title: string; body: string; repositoryId: number; visibleTo?: string }[];
  forcedPushes?: { at: string; before: string; after: string }[];
  mentionedBy?: { number: number; merged: boolean; repositoryId: number }[];
}

/** An app on GitHub, with its codes and tokens. */
export interface StandInApp {
  clientId: string;
  clientSecret: string;
  callback: string;
  /** The lifetime of the app's tokens in seconds; null without expiry. */
  expiresIn: number | null;
  /** The account that consents; null for a refusal. */
  consents: string | null;
  codes: Map<string, { login: string; challenge: string | null; redirectUri: string }>;
  /** The live access tokens. */
  tokens: Map<string, { login: string; expiresAt: number | null }>;
  refreshTokens: Map<string, { login: string; accessToken: string }>;
  /** The code verifiers of exchanged codes. */
  verifiers: string[];
  /** The next responses to a device, before it gets its token. */
  deviceAnswers: string[];
  devices: Map<string, { login: string }>;
}

export interface GitHubState {
  accounts: StandInAccount[];
  repositories: StandInRepository[];
  apps: StandInApp[];
}

export function standInApp(clientId: string, rest: Partial<StandInApp> = {}): StandInApp {
  return {
    clientId,
    clientSecret: `secret-of-${clientId}`,
    callback: 'https://pullquote.example.org/auth/callback',
    expiresIn: null,
    consents: null,
    codes: new Map(),
    tokens: new Map(),
    refreshTokens: new Map(),
    verifiers: [],
    deviceAnswers: [],
    devices: new Map(),
    ...rest,
  };
}

/** A commit id made from any text. */
export const shaOf = (words: string): string => createHash('sha1').update(words).digest('hex');

export function account(id: number, login: string, ...tokens: string[]): StandInAccount {
  return { id, login, name: null, email: null, tokens: new Set(tokens) };
}

export function repository(
  id: number,
  fullName: string,
  rest: Partial<StandInRepository> = {},
): StandInRepository {
  const [owner = '', name = ''] = fullName.split('/');
  return {
    id,
    owner,
    name,
    formerNames: [],
    visibility: 'public',
    visibleTo: new Set(),
    pulls: [],
    ...rest,
  };
}

const addedFile = (name: string, words: string): string =>
  `diff --git a/${name} b/${name}\nnew file mode 100644\nindex 0000000..${shaOf(words).slice(0, 7)}\n` +
  `--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+export const words = '${words}';\n`;

/** A pull request merged at a given time and not changed since. */
export function merged(number: number, at: Date, rest: Parameters<typeof pull>[2] = {}): StandInPull {
  const mergedAt = at.toISOString().replace(/\.\d+Z$/, 'Z');
  return pull(number, `change-${number}`, { state: 'closed', mergedAt, updatedAt: mergedAt, ...rest });
}

/** An open pull request that adds files and contains given words in every text. */
export function pull(
  number: number,
  words: string,
  { files = 1, ...rest }: Partial<Omit<StandInPull, 'files'>> & { files?: number } = {},
): StandInPull {
  const names = Array.from({ length: files }, (_, index) => `src/file-${index}.ts`);
  const day = '2026-03-01T10:00:00Z';
  return {
    number,
    title: `feat: tell of ${words}`,
    body: `Because of ${words}.`,
    author: 'octocat',
    labels: ['enhancement'],
    state: 'open',
    mergedAt: null,
    createdAt: day,
    updatedAt: day,
    base: { ref: 'main', sha: shaOf(`base of ${number}`) },
    head: { ref: 'topic', sha: shaOf(`head of ${words} ${number}`) },
    mergeBase: shaOf(`merge base of ${number}`),
    diff: names.map((name) => addedFile(name, words)).join(''),
    files: names.map((filename) => ({ filename, status: 'added', additions: 1, deletions: 0 })),
    commits: [
      { sha: shaOf(`head of ${words} ${number}`), message: `feat: tell of ${words}`, author: 'Mona' },
    ],
    comments: [],
    reviews: [],
    reviewComments: [],
    closingIssues: [],
    ...rest,
  };
}
