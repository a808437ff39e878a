import { Failure } from '../../domain/errors.ts';
import { mostComments, mostCommits } from '../../domain/pull-requests.ts';
import { revertedBy } from '../../domain/releases.ts';
import { BoundedMap } from '../bounded-map.ts';
import type { HostPullRequest, HostRepository, PullRequestGlance } from '../code-host.ts';
import type { FetchByGit } from '../fetched/fetch-by-git.ts';
import { type HostCaller, ResponseTooLarge } from '../http/host-api.ts';
import { type HostClient, inTurns } from '../http/host-client.ts';
import { type AsShownTo, issuesInTexts, readAround, requireSameDiff } from '../http/network-host.ts';
import { CommitPayload, type PullPages, pullRequestCommit, pullSummaryOf } from '../http/pull-payloads.ts';
import { commentOf, commentsByTime, cutText, type HostComment } from '../payload-types.ts';
import {
  CommentPayload,
  EventPayload,
  ghost,
  giteaRepository,
  IssuePayload,
  PullRequestPayload,
  ReferencesPayload,
  ReviewCommentPayload,
  ReviewPayload,
  repositoryApiPath,
} from './gitea-api.ts';
import { giteaDiscussion } from './gitea-reviews.ts';

interface Deps {
  client: HostClient;
  findPull: FindPull;
  fetchByGit: FetchByGit;
  pages: PullPages;
  asShownTo: AsShownTo;
}

/** Gitea counts commits up to the current head of the branch; older versions do not count them at all. */
export async function giteaGlance(
  { client, pages }: Pick<Deps, 'client' | 'pages'>,
  { pull, head }: FoundPull,
  caller: HostCaller,
): Promise<PullRequestGlance> {
  const { url: _, updatedAt: __, ...summary } = pullSummaryOf(pull, pages);
  const { additions, deletions, changed_files: counted } = pull;
  const isCounted = head === pull.head.sha && typeof counted === 'number';
  const path = `${repositoryApiPath(giteaRepository(pull.base.repo))}/pulls/${pull.number}/files?limit=1`;
  const changedFiles = isCounted ? counted : await client.count(path, caller);
  const hasLines = isCounted && typeof additions === 'number' && typeof deletions === 'number';
  return { ...summary, changedFiles, lines: hasLines ? { additions, deletions } : null };
}

/** Commits on the base branch do not affect a pull request until its merge base moves. */
export const giteaVersion = ({ pull, head }: FoundPull): string =>
  [pull.updated_at, head, pull.base.ref, pull.merge_base].join(' ');

export async function readGiteaPullRequest(
  { client, pages, findPull, fetchByGit, asShownTo }: Deps,
  repository: HostRepository,
  found: FoundPull,
  caller: HostCaller,
): Promise<HostPullRequest> {
  const { pull, head } = found;
  if (pull.merge_base === '' || head === '')
    throw new Failure(
      'UNREADABLE',
      'This pull request and its base have no common ancestor on Gitea, so it has no diff.',
    );
  const requireSame = async () => {
    const now = await findPull(repository, pull.number, caller);
    const shown = now && (await asShownTo(giteaRepository(now.pull.base.repo), caller));
    requireSameDiff(giteaDiff, [repository, found], shown && [shown, now]);
  };
  const texts = await readAround({ client, caller, requireSame }, (hostCaller) =>
    readGiteaTexts(client, repository, pull, hostCaller),
  );
  // The head leads to the merge base, whatever happened to the target branch.
  const refs = [headRef(pull.number)];
  const range = { owner: repository.owner, name: repository.name, base: pull.merge_base, head, refs };
  const byGit = fetchByGit(range, caller);
  return {
    ...pullSummaryOf(pull, pages),
    ...texts,
    version: giteaVersion(found),
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

const giteaDiff = ([repository, { pull, head }]: [HostRepository, FoundPull]) => ({
  repository,
  commits: [head, pull.base.ref, pull.merge_base],
});

const mostReviewsRead = 50;
const mostIssuesRead = 10;

async function readGiteaTexts(
  client: HostClient,
  repository: HostRepository,
  pull: PullRequestPayload,
  caller: HostCaller,
): Promise<Pick<HostPullRequest, 'commits' | 'comments' | 'linkedIssues' | 'discussion'>> {
  const path = repositoryApiPath(repository);
  const pullPath = `${path}/pulls/${pull.number}`;
  const issuePath = `${path}/issues/${pull.number}`;
  const [newestFirst, comments, reviews] = await Promise.all([
    client.list(`${pullPath}/commits?stat=false&verification=false&files=false`, CommitPayload, caller, {
      atMost: mostCommits,
      keep: pullRequestCommit(ghost),
    }),
    readComments(client, `${issuePath}/comments`, caller),
    readReviews(client, pullPath, caller),
  ]);
  const commits = newestFirst.toReversed();
  const remarks = reviews.flatMap((review) => review.remarks);
  const events = await readGiteaEvents(client, `${issuePath}/timeline`, remarks.length, caller);
  const hasMore = reviews.some((review) => review.remarks.length < (review.comments_count ?? 0));
  const said = [
    ...comments.map(({ user, original_author: original, body, created_at: at }) =>
      commentOf('comment', original || user?.login || ghost, body, at),
    ),
    ...reviews.map(giteaReview),
    ...remarks.map(giteaRemark),
  ];
  return {
    commits,
    comments: commentsByTime(said).slice(0, mostComments),
    linkedIssues: await readGiteaIssues(client, repository, pull, commits, caller),
    discussion: giteaDiscussion(repository, { comments, reviews, events, hasMore }),
  };
}

/** All comments come in one response, so if it is too large none are read. */
async function readComments(client: HostClient, path: string, caller: HostCaller): Promise<CommentPayload[]> {
  try {
    const { items } = await client.page(path, CommentPayload, caller);
    return items.slice(0, mostComments);
  } catch (error) {
    if (error instanceof ResponseTooLarge) return [];
    throw error;
  }
}

/** Only their author sees reviews that were not submitted; they are left out for the author too. */
const isGiteaReviewSubmitted = ({ state, submitted_at }: ReviewPayload): boolean =>
  state !== 'PENDING' && state !== 'REQUEST_REVIEW' && submitted_at !== null;

type ReviewWithRemarks = ReviewPayload & { remarks: ReviewCommentPayload[] };

async function readReviews(
  client: HostClient,
  pullPath: string,
  caller: HostCaller,
): Promise<ReviewWithRemarks[]> {
  const all = await client.list(`${pullPath}/reviews`, ReviewPayload, caller, {
    atMost: mostComments,
    keep: (review) => review,
  });
  const reviews = all.filter(isGiteaReviewSubmitted);
  const remarked = reviews.filter(({ comments_count: count }) => count !== 0).slice(0, mostReviewsRead);
  const read = await inTurns(remarked, async ({ id }) => {
    const { items } = await client.page(`${pullPath}/reviews/${id}/comments`, ReviewCommentPayload, caller);
    return [id, items] as const;
  });
  const remarks = new Map(read);
  return reviews.map((review) => ({ ...review, remarks: remarks.get(review.id) ?? [] }));
}

const mostPagesOfEvents = 5;

/** Servers may return fewer events per page than requested. */
const leastOnPage = 20;

/** Gitea counts only the events on a page, and removes comments on lines after making the page. */
async function readGiteaEvents(
  client: HostClient,
  path: string,
  leftOut: number,
  caller: HostCaller,
): Promise<EventPayload[]> {
  const events: EventPayload[] = [];
  for (let page = 1; page <= mostPagesOfEvents; page += 1) {
    const { items } = await client.page(`${path}?limit=50&page=${page}`, EventPayload, caller);
    events.push(...items);
    if (items.length + leftOut < leastOnPage || items.length === 0) break;
  }
  return events;
}

const giteaReview = ({ user, body, submitted_at: at }: ReviewPayload): HostComment =>
  commentOf('review', user?.login ?? ghost, body, at ?? '');

function giteaRemark(payload: ReviewCommentPayload): HostComment {
  const { user, body, created_at: at, path, position, original_position: old } = payload;
  const line = position || old;
  return { ...commentOf('reviewComment', user?.login ?? ghost, body, at), path, ...(line && { line }) };
}

/**
 * Issues that texts mention and that exist in Gitea, and pull requests that they revert. Their texts are kept only if
 * everyone may see them, because some members of private repositories see only pull requests.
 */
async function readGiteaIssues(
  client: HostClient,
  repository: HostRepository,
  pull: PullRequestPayload,
  commits: HostPullRequest['commits'],
  caller: HostCaller,
): Promise<HostPullRequest['linkedIssues']> {
  const reverted = revertedBy(pull, repository).numbers;
  const named = issuesInTexts(repository, pull, commits).map(({ number }) => number);
  const numbers = [...new Set([...reverted, ...named])].slice(0, mostIssuesRead);
  const issues = await inTurns(numbers, async (number) => {
    const issue = await client.get(`${repositoryApiPath(repository)}/issues/${number}`, IssuePayload, caller);
    if (!issue || (issue.pull_request && !reverted.includes(number))) return [];
    return repository.isPrivate
      ? { number, title: '', body: null }
      : { number, title: issue.title, body: cutText(issue.body ?? '') || null };
  });
  return issues.flat();
}

interface FoundPull {
  pull: PullRequestPayload;
  head: string;
}

export type FindPull = (
  named: Pick<HostRepository, 'owner' | 'name'>,
  number: number,
  caller: HostCaller,
) => Promise<FoundPull | null>;

const headRef = (number: number): string => `refs/pull/${number}/head`;

const mostRemembered = 10_000;

/**
 * Finds pull requests and their heads. Gitea returns the current head of the branch, which may have moved since the
 * merge; its ref for the pull request has not. If both were equal, they stay equal until the pull request changes, so
 * the ref is not read again.
 */
export function createFindPull(client: HostClient): FindPull {
  const withHeadAtRef = new BoundedMap<true>(mostRemembered);
  return async (named, number, caller) => {
    const pull = await client.get(`${repositoryApiPath(named)}/pulls/${number}`, PullRequestPayload, caller);
    if (!pull) return null;
    const state = giteaState(pull);
    if (withHeadAtRef.get(state)) return { pull, head: pull.head.sha };
    const path = `${repositoryApiPath(giteaRepository(pull.base.repo))}/git/${headRef(number)}`;
    const found = await client.get(path, ReferencesPayload, caller);
    const ref = [found ?? []].flat().find((one) => one.ref === headRef(number));
    if (ref?.object.sha === pull.head.sha) withHeadAtRef.set(state, true);
    return { pull, head: ref?.object.sha ?? pull.head.sha };
  };
}

const giteaState = ({ number, state, merged_at, updated_at, base, head }: PullRequestPayload): string =>
  [base.repo.id, number, state, merged_at, updated_at, head.sha].join(' ');
