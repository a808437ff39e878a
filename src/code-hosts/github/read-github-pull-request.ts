import { mostComments, mostCommits } from '../../domain/pull-request-bounds.ts';
import { linkedIssues } from '../../reading/description/linked-issues.ts';
import type { FileStatus } from '../../reading/file-diff.ts';
import {
  type HostFileSummary,
  type HostPullRequest,
  type HostPullRequestSummary,
  type HostRepository,
  MovedMeanwhile,
} from '../code-host.ts';
import { discussionOf, ghost } from './discussion.ts';
import type { FetchByGit } from './fetch-by-git.ts';
import type { GitHubCaller, GitHubClient } from './github-client.ts';
import {
  ClosingIssuesPayload,
  CommentPayload,
  CommitPayload,
  ComparisonPayload,
  FilePayload,
  PullRequestPayload,
  type PullRequestSummaryPayload,
  ReviewCommentPayload,
  ReviewPayload,
} from './payloads.ts';
import { isStill, repositoryOf } from './read-repository.ts';

interface Parts {
  client: GitHubClient;
  fetchByGit: FetchByGit;
}

/** As many as GitHub lists. */
const mostFiles = 3_000;

export const pullRequestPath = (owner: string, name: string, number: number): string =>
  `/repos/${owner}/${name}/pulls/${number}`;

export function summaryOf(pull: PullRequestSummaryPayload): HostPullRequestSummary {
  return {
    number: pull.number,
    title: pull.title,
    authorLogin: pull.user?.login ?? ghost,
    url: pull.html_url,
    state: pull.merged_at ? 'merged' : pull.state,
    createdAt: new Date(pull.created_at),
  };
}

/** Stars and pushes change the repository that comes with a pull request, and say nothing about it. */
export const versionOf = ({ updated_at, head, base }: PullRequestPayload): string =>
  [updated_at, head.sha, base.ref, base.sha].join(' ');

/** Everything about a pull request. Its diff is fetched when it is wanted, and only as long as it is still the same. */
export async function readGitHubPullRequest(
  { client, fetchByGit }: Parts,
  pull: PullRequestPayload,
  caller: GitHubCaller,
): Promise<HostPullRequest> {
  const repository = repositoryOf(pull.base.repo);
  const { owner, name } = repository;
  const path = pullRequestPath(owner, name, pull.number);
  const [commits, comments, reviews, reviewComments, issues, baseSha] = await Promise.all([
    client.list(`${path}/commits`, CommitPayload, caller, mostCommits),
    client.list(
      `/repos/${owner}/${name}/issues/${pull.number}/comments`,
      CommentPayload,
      caller,
      mostComments,
    ),
    client.list(`${path}/reviews`, ReviewPayload, caller, mostComments),
    client.list(`${path}/comments`, ReviewCommentPayload, caller, mostComments),
    closingIssues(client, repository, pull.number, caller),
    mergeBase(client, repository, pull, caller),
  ]);
  const messages = commits.map(({ commit }) => commit.message);
  const fromText = linkedIssues(pull.title, pull.body, messages).map((number) => ({
    number,
    title: '',
    body: null,
  }));
  const range = { ...repository, base: baseSha, head: pull.head.sha };
  const byGit = fetchByGit(range, caller);
  let isByGit = false;
  const requireSame = () => requireUnchanged(client, path, pull, caller);
  return {
    ...summaryOf(pull),
    version: versionOf(pull),
    body: pull.body,
    labels: pull.labels.flatMap(({ name: label }) => label ?? []),
    baseRef: pull.base.ref,
    baseSha,
    headRef: pull.head.ref,
    headSha: pull.head.sha,
    mergedAt: pull.merged_at ? new Date(pull.merged_at) : null,
    commits: commits.map(({ sha, commit }) => ({
      sha,
      message: commit.message,
      author: commit.author?.name ?? ghost,
    })),
    comments: discussionOf(comments, reviews, reviewComments).slice(0, mostComments),
    linkedIssues: issues ?? fromText,
    async *diff() {
      const printed = await client.diff(path, caller);
      isByGit = printed === null || filesIn(printed) < pull.changed_files;
      if (isByGit || printed === null) return yield* byGit.diff(requireSame);
      await requireSame();
      yield* chunksOf(printed);
    },
    async fileSummaries() {
      if (isByGit) return byGit.fileSummaries();
      const summaries = await readFileSummaries(client, path, caller);
      await requireSame();
      return summaries;
    },
    requireSame,
  };
}

/** The diff is that of whichever commits it has when it is asked for, and may be seen by whoever may then. */
async function requireUnchanged(
  client: GitHubClient,
  path: string,
  { head, base }: PullRequestPayload,
  caller: GitHubCaller,
): Promise<void> {
  const now = await client.get(path, PullRequestPayload, caller);
  if (now?.head.sha !== head.sha || now.base.ref !== base.ref || now.base.sha !== base.sha)
    throw new MovedMeanwhile();
  if (!isStill(repositoryOf(base.repo), repositoryOf(now.base.repo))) throw new MovedMeanwhile();
}

async function mergeBase(
  client: GitHubClient,
  { owner, name }: HostRepository,
  { base, head }: PullRequestPayload,
  caller: GitHubCaller,
): Promise<string> {
  // The first page lists all files; the second has the merge base without them.
  const path = `/repos/${owner}/${name}/compare/${base.sha}...${head.sha}?per_page=1&page=2`;
  const compared = await client.get(path, ComparisonPayload, caller);
  if (compared) return compared.merge_base_commit.sha;
  throw new MovedMeanwhile();
}

const closingIssuesQuery = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      closingIssuesReferences(first: 50) { nodes { number title body repository { databaseId } } }
    }
  }
}`;

/** Issues of the same repository only: another one may be private to this viewer. Null where nobody may ask. */
async function closingIssues(
  client: GitHubClient,
  { hostRepoId, owner, name }: HostRepository,
  number: number,
  caller: GitHubCaller,
): Promise<HostPullRequest['linkedIssues'] | null> {
  if (caller.token === null) return null;
  const variables = { owner, name, number };
  const found = await client.query(closingIssuesQuery, variables, ClosingIssuesPayload, caller);
  const references = found?.repository?.pullRequest?.closingIssuesReferences;
  if (!references) return null;
  return references.nodes.flatMap((issue) =>
    issue?.repository.databaseId === hostRepoId
      ? { number: issue.number, title: issue.title, body: issue.body || null }
      : [],
  );
}

/** Lines of files begin with a sign, so that this can only be a heading. */
function filesIn(diff: Buffer): number {
  const heading = Buffer.from('\ndiff --git ');
  let count = diff.subarray(0, heading.length - 1).equals(heading.subarray(1)) ? 1 : 0;
  for (let at = diff.indexOf(heading); at !== -1; at = diff.indexOf(heading, at + 1)) count += 1;
  return count;
}

/** As much as takes no time to hand to another thread. */
const chunkBytes = 256 * 1024;

function* chunksOf(diff: Buffer): Generator<Buffer> {
  for (let at = 0; at < diff.length; at += chunkBytes) {
    // A copy, because whoever gets it takes all of what lies behind it.
    yield Buffer.from(new Uint8Array(diff.subarray(at, at + chunkBytes)).buffer);
  }
}

const statuses: Record<string, FileStatus> = {
  added: 'added',
  removed: 'removed',
  renamed: 'renamed',
  copied: 'copied',
  changed: 'typeChanged',
};

async function readFileSummaries(
  client: GitHubClient,
  path: string,
  caller: GitHubCaller,
): Promise<HostFileSummary[]> {
  const files = await client.list(`${path}/files`, FilePayload, caller, mostFiles);
  return files.map(({ filename, previous_filename, status, additions, deletions }) => ({
    path: filename,
    previousPath: previous_filename ?? null,
    status: statuses[status] ?? 'modified',
    additions,
    deletions,
  }));
}
