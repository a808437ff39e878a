import { Failure } from '../../domain/errors.ts';
import { mostComments, mostCommits } from '../../domain/pull-request-bounds.ts';
import {
  type HostPullRequest,
  type HostPullRequestSummary,
  type HostRepository,
  MovedMeanwhile,
  type PullRequestGlance,
} from '../code-host.ts';
import type { FetchByGit } from '../fetched/fetch-by-git.ts';
import { AnswerTooLarge, type HostCaller } from '../http/host-api.ts';
import { type HostClient, inTurns } from '../http/host-client.ts';
import { issuesInTexts, isUnchanged, readAround } from '../http/network-host.ts';
import { cutText, timeOf } from '../payload-types.ts';
import {
  CommentPayload,
  CommitPayload,
  IssuePayload,
  PullRequestPayload,
  type PullRequestSummaryPayload,
  pathOf,
  ReferencesPayload,
  ReviewCommentPayload,
  ReviewPayload,
  repositoryOf,
} from './gitea-api.ts';

interface Deps {
  client: HostClient;
  findPull: FindPull;
  fetchByGit: FetchByGit;
  /** Where people see pull requests. */
  web: string;
}

/** Its address is made of what it is called: one that is told might lead anywhere. */
export function summaryOf(pull: PullRequestSummaryPayload, web: string): HostPullRequestSummary {
  const { owner, name } = pull.base.repo;
  return {
    number: pull.number,
    title: pull.title,
    authorLogin: pull.user?.login || ghost,
    url: `${web}/${owner.login}/${name}/pulls/${pull.number}`,
    state: pull.merged_at ? 'merged' : pull.state,
    createdAt: timeOf(pull.created_at),
    mergedAt: pull.merged_at ? timeOf(pull.merged_at) : null,
    updatedAt: timeOf(pull.updated_at),
  };
}

/** What Gitea counts, it counts up to where the branch is now; older ones count nothing with the pull request itself. */
export async function glanceOf(
  { client, web }: Pick<Deps, 'client' | 'web'>,
  { pull, head }: FoundPull,
  caller: HostCaller,
): Promise<PullRequestGlance> {
  const { url: _, updatedAt: __, ...summary } = summaryOf(pull, web);
  const { additions, deletions, changed_files: counted } = pull;
  const isCounted = head === pull.head.sha && typeof counted === 'number';
  const path = `${pathOf(repositoryOf(pull.base.repo))}/pulls/${pull.number}/files?limit=1`;
  const changedFiles = isCounted ? counted : await client.count(path, caller);
  const hasLines = isCounted && typeof additions === 'number' && typeof deletions === 'number';
  return { ...summary, changedFiles, lines: hasLines ? { additions, deletions } : null };
}

/** Commits of the base change nothing of a pull request until its merge base moves. */
export const versionOf = ({ pull, head }: FoundPull): string =>
  [pull.updated_at, head, pull.base.ref, pull.merge_base].join(' ');

/** Everything about a pull request. Its diff is fetched by git, and given away only as long as it is still the same. */
export async function readGiteaPullRequest(
  { client, web, findPull, fetchByGit }: Deps,
  found: FoundPull,
  caller: HostCaller,
): Promise<HostPullRequest> {
  const { pull, head } = found;
  const repository = repositoryOf(pull.base.repo);
  if (pull.merge_base === '' || head === '') throw withoutBase();
  const requireSame = () => requireUnchanged(findPull, found, caller);
  const texts = await readAround({ client, caller, requireSame }, (hostCaller) =>
    readTexts(client, repository, pull, hostCaller),
  );
  // What leads to the head leads to the merge base too, whatever has become of the branch that it was for.
  const refs = [headRef(pull.number)];
  const range = { owner: repository.owner, name: repository.name, base: pull.merge_base, head, refs };
  const byGit = fetchByGit(range, caller);
  return {
    ...summaryOf(pull, web),
    ...texts,
    version: versionOf(found),
    body: pull.body || null,
    labels: (pull.labels ?? []).map(({ name }) => name),
    baseRef: pull.base.ref,
    baseSha: pull.merge_base,
    headRef: pull.head.ref,
    headSha: head,
    ...byGit,
    diff: (reader) => byGit.diff(requireSame, reader),
    requireSame,
  };
}

/** What was fetched is that of these commits, and visible as the repository was at that time. */
async function requireUnchanged(findPull: FindPull, before: FoundPull, caller: HostCaller): Promise<void> {
  const repository = repositoryOf(before.pull.base.repo);
  const now = await findPull(repository, before.pull.number, caller);
  const isSame =
    now !== null &&
    now.head === before.head &&
    now.pull.base.ref === before.pull.base.ref &&
    now.pull.merge_base === before.pull.merge_base &&
    isUnchanged(repository, repositoryOf(now.pull.base.repo));
  if (!isSame) throw new MovedMeanwhile();
}

function withoutBase(): Failure {
  return new Failure(
    'UNREADABLE',
    'Gitea tells of no commit that this pull request and its base have in common, so that it has no diff.',
  );
}

type Comment = HostPullRequest['comments'][number];

/** Gitea calls those who have deleted their account so. */
export const ghost = 'Ghost';

/** Comments on lines are asked for by a question for each review, issues by one for each of them: more than these are left out. */
const mostReviewsAsked = 50;
const mostIssuesAsked = 10;

/** What was said about a pull request, in its commits, under it, and in the issues that it closes. */
export async function readTexts(
  client: HostClient,
  repository: HostRepository,
  pull: PullRequestPayload,
  caller: HostCaller,
): Promise<Pick<HostPullRequest, 'commits' | 'comments' | 'linkedIssues'>> {
  const path = pathOf(repository);
  const pullPath = `${path}/pulls/${pull.number}`;
  const [commits, comments, reviews] = await Promise.all([
    client.list(`${pullPath}/commits?stat=false&verification=false&files=false`, CommitPayload, caller, {
      atMost: mostCommits,
      keep: commitOf,
    }),
    readComments(client, `${path}/issues/${pull.number}/comments`, caller),
    readReviews(client, pullPath, caller),
  ]);
  const said = [...comments, ...reviews]
    .filter(({ body }) => body !== '')
    .sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
    .slice(0, mostComments);
  return {
    commits,
    comments: said,
    linkedIssues: await readIssues(client, repository, pull, commits, caller),
  };
}

const commitOf = ({ sha, commit }: CommitPayload): HostPullRequest['commits'][number] => ({
  sha,
  message: cutText(commit.message),
  author: commit.author?.name || ghost,
});

/** They come all at once: where that is more than is read, there are none. */
async function readComments(client: HostClient, path: string, caller: HostCaller): Promise<Comment[]> {
  try {
    const { items } = await client.page(path, CommentPayload, caller);
    return items.slice(0, mostComments).map(commentOf);
  } catch (error) {
    if (error instanceof AnswerTooLarge) return [];
    throw error;
  }
}

const commentOf = ({ user, original_author: original, body, created_at }: CommentPayload): Comment => ({
  kind: 'comment',
  author: original || user?.login || ghost,
  body: cutText(body ?? ''),
  createdAt: timeOf(created_at),
});

/** What their authors have not sent off yet shows to them alone, and is left out for them too. */
const isSentOff = ({ state, submitted_at }: ReviewPayload): boolean =>
  state !== 'PENDING' && state !== 'REQUEST_REVIEW' && submitted_at !== null;

async function readReviews(client: HostClient, pullPath: string, caller: HostCaller): Promise<Comment[]> {
  const all = await client.list(`${pullPath}/reviews`, ReviewPayload, caller, {
    atMost: mostComments,
    keep: (review) => review,
  });
  const reviews = all.filter(isSentOff);
  const remarked = reviews.filter(({ comments_count: count }) => count !== 0).slice(0, mostReviewsAsked);
  const remarks = await inTurns(remarked, async ({ id }) => {
    const { items } = await client.page(`${pullPath}/reviews/${id}/comments`, ReviewCommentPayload, caller);
    return items.map(remarkOf);
  });
  return [...reviews.map(reviewOf), ...remarks.flat()];
}

const reviewOf = ({ user, body, submitted_at: at }: ReviewPayload): Comment => ({
  kind: 'review',
  author: user?.login ?? ghost,
  body: cutText(body ?? ''),
  createdAt: timeOf(at ?? ''),
});

function remarkOf({
  user,
  body,
  created_at,
  path,
  position,
  original_position: old,
}: ReviewCommentPayload): Comment {
  const line = position || old;
  return {
    kind: 'reviewComment',
    author: user?.login ?? ghost,
    body: cutText(body),
    createdAt: timeOf(created_at),
    path,
    ...(line && { line }),
  };
}

/**
 * Gitea closes issues that texts name with the words that GitHub acts upon. What they say is read where everybody is shown them: of
 * what is private, some members are given pull requests and no issues.
 */
async function readIssues(
  client: HostClient,
  repository: HostRepository,
  pull: PullRequestPayload,
  commits: HostPullRequest['commits'],
  caller: HostCaller,
): Promise<HostPullRequest['linkedIssues']> {
  const named = issuesInTexts(repository, pull, commits);
  if (repository.isPrivate) return named;
  return inTurns(named.slice(0, mostIssuesAsked), async ({ number }) => {
    const issue = await client.get(`${pathOf(repository)}/issues/${number}`, IssuePayload, caller);
    return { number, title: issue?.title ?? '', body: cutText(issue?.body ?? '') || null };
  });
}

/** A pull request, and the commit that it is about. */
export interface FoundPull {
  pull: PullRequestPayload;
  head: string;
}

export type FindPull = (
  named: Pick<HostRepository, 'owner' | 'name'>,
  number: number,
  caller: HostCaller,
) => Promise<FoundPull | null>;

export const headRef = (number: number): string => `refs/pull/${number}/head`;

/** The oldest are forgotten first. */
const mostRemembered = 10_000;

/**
 * Finds pull requests and their heads. What Gitea itself calls the head is where the branch is now, which may have moved on since the
 * pull request was merged or closed; the ref that Gitea keeps for it has not. Gitea moves that ref only to where the branch is: where
 * both were the same, they are until the pull request says something else, and the ref is not asked for again.
 */
export function createFindPull(client: HostClient): FindPull {
  const withHeadAtRef = new Set<string>();
  return async (named, number, caller) => {
    const pull = await client.get(`${pathOf(named)}/pulls/${number}`, PullRequestPayload, caller);
    if (!pull) return null;
    const state = stateOf(pull);
    if (withHeadAtRef.has(state)) return { pull, head: pull.head.sha };
    const path = `${pathOf(repositoryOf(pull.base.repo))}/git/${headRef(number)}`;
    const found = await client.get(path, ReferencesPayload, caller);
    const ref = [found ?? []].flat().find((one) => one.ref === headRef(number));
    if (ref?.object.sha === pull.head.sha) {
      withHeadAtRef.add(state);
      const [oldest = ''] = withHeadAtRef;
      if (withHeadAtRef.size > mostRemembered) withHeadAtRef.delete(oldest);
    }
    return { pull, head: ref?.object.sha ?? pull.head.sha };
  };
}

const stateOf = ({ number, state, merged_at, updated_at, base, head }: PullRequestPayload): string =>
  [base.repo.id, number, state, merged_at, updated_at, head.sha].join(' ');
