import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { temporaryFolder } from '../temporary-folder.ts';

export interface StandInAccount {
  id: number;
  username: string;
  name: string;
  publicEmail: string | null;
  isBot?: boolean;
  isBlocked?: boolean;
  tokens: Set<string>;
}

export type Role = 'guest' | 'reporter';

export interface StandInProject {
  id: number;
  /** The path of the group, with slashes. */
  group: string;
  path: string;
  /** Earlier paths that redirect to this project. */
  formerPaths: string[];
  visibility: 'public' | 'internal' | 'private';
  /** The viewers of merge requests: everyone who sees the project, members from reporter on, or no account. */
  mergeRequestsLevel: 'enabled' | 'private' | 'disabled';
  /** The viewers of the code: everyone who sees the project, or members. Without it, merge requests are hidden. */
  repositoryLevel: 'enabled' | 'private';
  issuesLevel: 'enabled' | 'private';
  members: Map<string, Role>;
  mergeRequests: StandInMergeRequest[];
  gitFolder: string;
  tags: string[];
}

export interface StandInNote {
  type?: 'DiffNote' | 'DiscussionNote';
  author: string;
  body: string;
  createdAt?: string;
  isSystem?: boolean;
  isInternal?: boolean;
  position?: {
    head_sha?: string;
    new_path: string;
    old_path: string;
    new_line: number | null;
    old_line: number | null;
  };
  /** The user who resolved the thread, on its first note. */
  resolvedBy?: string;
}

export interface StandInMergeRequest {
  iid: number;
  title: string;
  description: string | null;
  author: string;
  labels: string[];
  state: 'opened' | 'closed' | 'merged';
  isDraft: boolean;
  createdAt: string;
  updatedAt: string;
  mergedAt: string | null;
  targetBranch: string;
  sourceBranch: string;
  baseSha: string;
  headSha: string;
  mergeCommitSha: string | null;
  squashCommitSha: string | null;
  /** The commits of the diff; null until GitLab has read them. */
  diffRefs?: null;
  /** The commits, oldest first; GitLab's responses begin with the newest. */
  commits: { sha: string; message: string; author: string }[];
  discussions: StandInNote[][];
  /** The versions of a merge request, one for each push, oldest first, with the diffs of the files. */
  versions: { head: string; at: string; diffs: { path: string; diff: string }[] }[];
  issues: { iid: number; projectId?: number; title: string; body: string; isConfidential?: boolean }[];
}

/** An application on GitLab, with its codes and tokens. */
export interface StandInApplication {
  clientId: string;
  clientSecret: string;
  callback: string;
  scopes: string;
  /** The account that consents; null for a refusal. */
  consents: string | null;
  codes: Map<string, { username: string; challenge: string; redirectUri: string }>;
  tokens: Map<string, { username: string; expiresAt: number }>;
  refreshTokens: Map<string, { username: string; accessToken: string }>;
}

export interface GitLabState {
  accounts: StandInAccount[];
  projects: StandInProject[];
  applications: StandInApplication[];
  /** Tokens for the API that cannot fetch with git. */
  narrowTokens: Set<string>;
  /** Tokens that may only read their own account. */
  ownAccountTokens: Set<string>;
  /** Whether everything is hidden from requests without a token. */
  isClosed: boolean;
  /** Whether the git server serves only commits with a ref. */
  hasOldGit: boolean;
}

export function account(id: number, username: string, ...tokens: string[]): StandInAccount {
  return { id, username, name: username, publicEmail: null, tokens: new Set(tokens) };
}

export function application(clientId: string, rest: Partial<StandInApplication> = {}): StandInApplication {
  return {
    clientId,
    clientSecret: `secret-of-${clientId}`,
    callback: 'https://pullquote.example.org/auth/callback/gitlab',
    scopes: 'read_api read_repository',
    consents: null,
    codes: new Map(),
    tokens: new Map(),
    refreshTokens: new Map(),
    ...rest,
  };
}

const git = (folder: string, parameters: string[], input = ''): string =>
  execFileSync('git', parameters, { cwd: folder, input }).toString();

interface Change extends Partial<Omit<StandInMergeRequest, 'iid'>> {
  iid: number;
  /** Words that are in every text of the merge request. */
  words: string;
  files?: number;
}

/** A project with its own repository, whose merge requests add files. */
export function project(
  id: number,
  fullPath: string,
  changes: Change[] = [],
  rest: Partial<StandInProject> = {},
): StandInProject {
  const end = fullPath.lastIndexOf('/');
  const gitFolder = join(temporaryFolder(), 'project.git');
  const shas = makeRepository(gitFolder, changes);
  return {
    id,
    group: fullPath.slice(0, end),
    path: fullPath.slice(end + 1),
    formerPaths: [],
    visibility: 'public',
    mergeRequestsLevel: 'enabled',
    repositoryLevel: 'enabled',
    issuesLevel: 'enabled',
    members: new Map(),
    mergeRequests: changes.map((change) => mergeRequest(change, shas)),
    gitFolder,
    tags: [],
    ...rest,
  };
}

function makeRepository(gitFolder: string, changes: Change[]): Map<string, string> {
  git('/', ['init', '--quiet', '--bare', gitFolder]);
  const commit = (ref: string, message: string, files: [string, string][], from = '') =>
    [
      `commit ${ref}`,
      ...(from ? [] : ['mark :1']),
      'committer A <a@example.org> 1772359200 +0000',
      `data ${Buffer.byteLength(message)}`,
      message,
      ...(from ? [`from ${from}`] : []),
      ...files.flatMap(([name, text]) => [
        `M 100644 inline ${name}`,
        `data ${Buffer.byteLength(text)}`,
        text,
      ]),
      '',
      '',
    ].join('\n');
  const filesOf = ({ words, files = 1 }: Change) =>
    Array.from({ length: files }, (_, index): [string, string] => [
      `src/file-${index}.ts`,
      `export const words = '${words}';\n`,
    ]);
  const told = changes.map((change) =>
    commit(`refs/merge-requests/${change.iid}/head`, `feat: tell of ${change.words}`, filesOf(change), ':1'),
  );
  const input = [commit('refs/heads/main', 'begin', [['README.md', '# Begin\n']]), ...told].join('');
  git(gitFolder, ['fast-import', '--quiet'], input);
  const refs = git(gitFolder, ['for-each-ref', '--format=%(refname) %(objectname)']).trim().split('\n');
  return new Map(refs.map((line) => line.split(' ') as [string, string]));
}

/** The default time of everything. */
const day = '2026-03-01T10:00:00.000Z';

function mergeRequest(
  { words, files: _, ...change }: Change,
  shas: Map<string, string>,
): StandInMergeRequest {
  const headSha = shas.get(`refs/merge-requests/${change.iid}/head`) ?? '';
  return {
    title: `feat: tell of ${words}`,
    description: `Because of ${words}.`,
    author: 'mona',
    labels: ['enhancement'],
    state: 'opened',
    isDraft: false,
    createdAt: day,
    updatedAt: day,
    mergedAt: null,
    targetBranch: 'main',
    sourceBranch: 'topic',
    baseSha: shas.get('refs/heads/main') ?? '',
    headSha,
    mergeCommitSha: null,
    squashCommitSha: null,
    commits: [{ sha: headSha, message: `feat: tell of ${words}`, author: 'Mona' }],
    discussions: [],
    versions: [],
    issues: [],
    ...change,
  };
}

/** Marks a merge request as merged at a given time and not changed since. */
export const mergedAt = (at: Date): Partial<StandInMergeRequest> => ({
  state: 'merged',
  mergedAt: at.toISOString(),
  updatedAt: at.toISOString(),
});
