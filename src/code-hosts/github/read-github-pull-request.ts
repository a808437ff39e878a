import { Failure } from '../../domain/errors.ts';
import { mostComments, mostCommits } from '../../domain/pull-requests.ts';
import { revertedBy } from '../../domain/releases.ts';
import type { FileStatus } from '../../reading/file-diff.ts';
import type {
  FileText,
  HostFileSummary,
  HostPullRequest,
  HostRepository,
  PullRequestGlance,
  PullRequestName,
  WantedText,
} from '../code-host.ts';
import type { FetchByGit } from '../fetched/fetch-by-git.ts';
import type { HostCaller } from '../http/host-api.ts';
import { issuesInTexts, readAround, requireSameDiff } from '../http/network-host.ts';
import { CommitPayload, type PullPages, pullRequestCommit, pullSummaryOf } from '../http/pull-payloads.ts';
import { commentOf, commentsByTime, cutText, ghost, type HostComment } from '../payload-types.ts';
import {
  ClosingIssuesPayload,
  CommentPayload,
  ComparisonPayload,
  FilePayload,
  type GitHubClient,
  gitHubRepository,
  PullRequestPayload,
  ReviewCommentPayload,
  ReviewPayload,
} from './github-api.ts';
import { githubDiscussion, readLinesBehind, readMarks, readQuoted } from './github-reviews.ts';

interface Deps {
  client: GitHubClient;
  fetchByGit: FetchByGit;
  pages: PullPages;
}

const filesKept = { atMost: 3_000, mostText: 16 * 1024 * 1024 };

export const pullRequestPath = ({ owner, name, number }: PullRequestName): string =>
  `/repos/${owner}/${name}/pulls/${number}`;

export function gitHubGlance(pull: PullRequestPayload, pages: PullPages): PullRequestGlance {
  const { url: _, ...summary } = pullSummaryOf(pull, pages);
  const { additions, deletions, changed_files: changedFiles } = pull;
  const isCounted = additions !== undefined && deletions !== undefined;
  return { ...summary, changedFiles, lines: isCounted ? { additions, deletions } : null };
}

/**
 * The repository in the payload changes with stars and pushes, so it is not part of the version. Reviews are not shown
 * without a token, so only callers with one have them in their version.
 */
export const gitHubVersion = (
  { updated_at, head, base }: PullRequestPayload,
  { token }: HostCaller,
): string => [updated_at, head.sha, base.ref, base.sha, ...(token === null ? [] : ['discussed'])].join(' ');

export async function readGitHubPullRequest(
  { client, fetchByGit, pages }: Deps,
  pull: PullRequestPayload,
  caller: HostCaller,
): Promise<HostPullRequest> {
  const repository = gitHubRepository(pull.base.repo);
  const path = pullRequestPath({ ...repository, number: pull.number });
  const requireSame = async () =>
    requireSameDiff(gitHubDiff, pull, await client.get(path, PullRequestPayload, caller));
  const [texts, baseSha] = await readAround({ client, caller, requireSame }, (hostCaller) =>
    Promise.all([
      readGitHubTexts(client, pull, hostCaller),
      mergeBase(client, pull, hostCaller, requireSame),
    ]),
  );
  const byGit = fetchByGit({ ...repository, base: baseSha, head: pull.head.sha }, caller);
  let isByGit = false;
  return {
    ...pullSummaryOf(pull, pages),
    version: gitHubVersion(pull, caller),
    body: pull.body,
    labels: pull.labels.flatMap(({ name: label }) => label ?? []),
    baseRef: pull.base.ref,
    baseSha,
    headRef: pull.head.ref,
    headSha: pull.head.sha,
    ...texts,
    async *diff(reader) {
      const printed = await client.diff(path, caller);
      isByGit = printed === null || filesIn(printed) < pull.changed_files;
      if (isByGit || printed === null) return yield* byGit.diff(requireSame, reader);
      await requireSame();
      yield* chunksOf(printed);
    },
    async fileSummaries() {
      if (isByGit) return byGit.fileSummaries();
      const summaries = await readFileSummaries(client, path, caller);
      await requireSame();
      return summaries;
    },
    fileTexts: (wanted) =>
      isByGit
        ? byGit.fileTexts(wanted)
        : queryFileTexts(client, { repository, base: baseSha, head: pull.head.sha, wanted }, caller),
    requireSame,
  };
}

const gitHubDiff = ({ head, base }: PullRequestPayload) => ({
  repository: gitHubRepository(base.repo),
  commits: [head.sha, base.ref, base.sha],
});

async function mergeBase(
  client: GitHubClient,
  { base, head }: PullRequestPayload,
  caller: HostCaller,
  requireSame: () => Promise<void>,
): Promise<string> {
  const { owner, name } = gitHubRepository(base.repo);
  // The first page of a comparison lists all files; the second has the merge base without them.
  const path = `/repos/${owner}/${name}/compare/${base.sha}...${head.sha}?per_page=1&page=2`;
  const compared = await client.get(path, ComparisonPayload, caller, { isCostly: true });
  if (compared) return compared.merge_base_commit.sha;
  await requireSame();
  throw new Failure(
    'UNREADABLE',
    'This pull request and its base have no common ancestor on GitHub, so it has no diff.',
  );
}

/** Lines of files begin with a sign, so this text can only be a heading. */
function filesIn(diff: Buffer): number {
  const heading = Buffer.from('\ndiff --git ');
  let count = diff.subarray(0, heading.length - 1).equals(heading.subarray(1)) ? 1 : 0;
  for (let at = diff.indexOf(heading); at !== -1; at = diff.indexOf(heading, at + 1)) count += 1;
  return count;
}

/** Small enough to hand to a thread at once. */
const chunkBytes = 256 * 1024;

function* chunksOf(diff: Buffer): Generator<Buffer> {
  for (let at = 0; at < diff.length; at += chunkBytes) {
    // A copy, because the receiver takes over the whole ArrayBuffer.
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
  caller: HostCaller,
): Promise<HostFileSummary[]> {
  return client.list(`${path}/files`, FilePayload, caller, {
    ...filesKept,
    keep: ({ filename, previous_filename, status, additions, deletions }) => ({
      path: filename,
      previousPath: previous_filename ?? null,
      status: statuses[status] ?? 'modified',
      additions,
      deletions,
    }),
  });
}

/** The texts of a pull request, without reviews that were not submitted, which only their author sees. */
async function readGitHubTexts(
  client: GitHubClient,
  pull: PullRequestPayload,
  caller: HostCaller,
): Promise<Pick<HostPullRequest, 'commits' | 'comments' | 'linkedIssues' | 'discussion' | 'unavailable'>> {
  const repository = gitHubRepository(pull.base.repo);
  const path = `/repos/${repository.owner}/${repository.name}`;
  const pullPath = `${path}/pulls/${pull.number}`;
  const atMost = mostComments;
  const [commits, comments, listed, ofReviews, issues, marks, reverted] = await Promise.all([
    client.list(`${pullPath}/commits`, CommitPayload, caller, {
      atMost: mostCommits,
      keep: pullRequestCommit(ghost),
    }),
    client.list(`${path}/issues/${pull.number}/comments`, CommentPayload, caller, {
      atMost,
      keep: (comment) => comment,
    }),
    client.list(`${pullPath}/reviews`, ReviewPayload, caller, { atMost, keep: (review) => review }),
    client.list(`${pullPath}/comments`, ReviewCommentPayload, caller, { atMost, keep: (remark) => remark }),
    closingIssues(client, repository, pull.number, caller),
    readMarks(client, repository, pull.number, caller),
    Promise.all(
      revertedBy(pull, repository).numbers.map((number) =>
        client.get(`${path}/pulls/${number}`, PullRequestPayload, caller),
      ),
    ),
  ]);
  const reviews = listed.filter(isGitHubReviewSubmitted);
  const pending = new Set(listed.filter((review) => !isGitHubReviewSubmitted(review)).map(({ id }) => id));
  const remarks = ofReviews.filter(({ pull_request_review_id: review }) => !pending.has(review ?? 0));
  const said = { comments, reviews, remarks, head: pull.head.sha };
  const readPaths = async () =>
    (await readFileSummaries(client, pullPath, caller)).flatMap(({ path: file, status }) =>
      status === 'removed' ? [] : file,
    );
  const discussion = marks && {
    discussion: githubDiscussion(said, marks, {
      behind: await readLinesBehind(client, repository, said, caller),
      quoted: await readQuoted(
        client,
        repository,
        { ...said, marks, author: pull.user?.login ?? '', readPaths },
        caller,
      ),
    }),
  };
  const submitted = [
    ...comments.map(({ user, body, created_at: at }) => commentOf('comment', user?.login, body, at)),
    ...reviews.map(gitHubReview),
    ...remarks.map(gitHubRemark),
  ];
  return {
    commits,
    comments: commentsByTime(submitted).slice(0, mostComments),
    linkedIssues: [
      ...(issues ?? issuesInTexts(repository, pull, commits)),
      ...reverted.flatMap((one) =>
        one ? [{ number: one.number, title: one.title, body: cutText(one.body ?? '') || null }] : [],
      ),
    ],
    ...(discussion ?? { unavailable: ['discussion'] }),
  };
}

const mostPagesOfIssues = 10;

const closingIssuesQuery = `query ($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      closingIssuesReferences(first: 20, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { number title body repository { databaseId } }
      }
    }
  }
}`;

/** Issues of the same repository only, because others may be private. Null if the caller may not query them. */
async function closingIssues(
  client: GitHubClient,
  { hostRepoId, owner, name }: HostRepository,
  number: number,
  caller: HostCaller,
): Promise<HostPullRequest['linkedIssues'] | null> {
  if (caller.token === null) return null;
  const issues: HostPullRequest['linkedIssues'] = [];
  let after: string | null = null;
  for (let page = 0; page < mostPagesOfIssues; page += 1) {
    const variables: Record<string, unknown> = { owner, name, number, after };
    const found = await client.query(closingIssuesQuery, variables, ClosingIssuesPayload, caller);
    const references = found?.repository?.pullRequest?.closingIssuesReferences;
    if (!references) return null;
    for (const issue of references.nodes) {
      if (issue?.repository.databaseId !== hostRepoId) continue;
      issues.push({ number: issue.number, title: issue.title, body: cutText(issue.body) || null });
    }
    after = references.pageInfo.endCursor;
    if (!references.pageInfo.hasNextPage || after === null) break;
  }
  return issues;
}

/** Only their author sees reviews that were not submitted; they are left out for the author too. */
const isGitHubReviewSubmitted = ({ state, submitted_at: at }: ReviewPayload): boolean =>
  state !== 'PENDING' && !!at;

const gitHubReview = ({ user, body, submitted_at: at }: ReviewPayload): HostComment =>
  commentOf('review', user?.login, body, at ?? '');

function gitHubRemark(payload: ReviewCommentPayload): HostComment {
  const { user, body, created_at: at, path, line, original_line } = payload;
  const place = line ?? original_line ?? null;
  return {
    ...commentOf('reviewComment', user?.login, body, at),
    path,
    ...(place !== null && { line: place }),
  };
}

const mostText = 2 * 1024 * 1024;

interface Wanted {
  repository: HostRepository;
  base: string;
  head: string;
  wanted: WantedText[];
}

async function* queryFileTexts(
  client: GitHubClient,
  { repository, base, head, wanted }: Wanted,
  caller: HostCaller,
): AsyncGenerator<FileText, void> {
  const names = wanted.map(({ path, side }) => `${side === 'new' ? head : base}:${path}`);
  let left = mostText;
  for (const [place, text] of (await client.queryTexts(repository, names, caller)).entries()) {
    if (text === null || text.length > left) continue;
    left -= text.length;
    yield { place, text };
  }
}
