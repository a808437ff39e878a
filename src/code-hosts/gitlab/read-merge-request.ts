import { hash } from 'node:crypto';
import { Failure } from '../../domain/errors.ts';
import { mostComments, mostCommits } from '../../domain/pull-requests.ts';
import {
  type HostPullRequest,
  type HostPullRequestSummary,
  type HostRepository,
  MovedMeanwhile,
  type PullRequestGlance,
  type PullRequestState,
} from '../code-host.ts';
import type { FetchByGit } from '../fetched/fetch-by-git.ts';
import { anonymous, type HostCaller } from '../http/host-api.ts';
import { type HostClient, inTurns } from '../http/host-client.ts';
import { issuesInTexts, readAround, requireSameDiff } from '../http/network-host.ts';
import { commentOf, commentsByTime, cutText, ghost, type HostComment, timeOf } from '../payload-types.ts';
import {
  CommitPayload,
  DiscussionPayload,
  IssuePayload,
  MergeRequestPayload,
  type MergeRequestSummaryPayload,
  type NotePayload,
  projectPathById,
  type ReadProject,
} from './gitlab-api.ts';
import { approval, readGitLabDiscussion, withdrawal } from './gitlab-reviews.ts';

interface Deps {
  client: HostClient;
  fetchByGit: FetchByGit;
  readProject: ReadProject;
  web: string;
}

const states: Record<MergeRequestSummaryPayload['state'], PullRequestState> = {
  opened: 'open',
  locked: 'open',
  closed: 'closed',
  merged: 'merged',
};

/** The URL is built from names, because one in the payload could lead anywhere. */
export function mergeRequestSummary(
  { owner, name }: Pick<HostRepository, 'owner' | 'name'>,
  mergeRequest: MergeRequestSummaryPayload,
  web: string,
): HostPullRequestSummary {
  const { iid, title, author, state } = mergeRequest;
  return {
    number: iid,
    title,
    authorLogin: author?.username ?? ghost,
    url: `${web}/${owner}/${name}/-/merge_requests/${iid}`,
    state: states[state],
    createdAt: timeOf(mergeRequest.created_at),
    mergedAt: mergedAt(mergeRequest),
    updatedAt: timeOf(mergeRequest.updated_at),
  };
}

/** GitLab sets the time of a merge slightly after the state. */
export const mergedAt = ({ state, merged_at, updated_at }: MergeRequestSummaryPayload): Date | null =>
  state === 'merged' ? timeOf(merged_at ?? updated_at) : null;

export function mergeRequestGlance(
  repository: HostRepository,
  mergeRequest: MergeRequestPayload,
  web: string,
): PullRequestGlance {
  const { url: _, updatedAt: __, ...summary } = mergeRequestSummary(repository, mergeRequest, web);
  // GitLab returns "1000+" for more than a thousand files.
  const changedFiles = Number.parseInt(mergeRequest.changes_count ?? '0', 10) || 0;
  return { ...summary, changedFiles, lines: null };
}

export interface FoundMergeRequest {
  mergeRequest: MergeRequestPayload;
  issues: ShownIssues;
}

/** Callers with fewer rights get a prefix of the full version. */
export function mergeRequestVersion({ mergeRequest, issues }: FoundMergeRequest, caller: HostCaller): string {
  const { updated_at, target_branch, diff_refs: refs } = mergeRequest;
  const version = [updated_at, target_branch, refs?.base_sha, refs?.head_sha];
  if (issues === 'unavailable') return version.join(' ');
  version.push(typeof issues === 'string' ? issues : hash('sha256', JSON.stringify(issues), 'base64url'));
  if (showsDiscussions(caller)) version.push('discussed');
  return version.join(' ');
}

/** Reads a merge request. Git fetches its diff on demand, because GitLab's API truncates larger ones. */
export async function readMergeRequest(
  deps: Deps,
  repository: HostRepository,
  found: FoundMergeRequest,
  caller: HostCaller,
): Promise<HostPullRequest> {
  const { mergeRequest, issues } = found;
  const { iid, target_branch: baseRef, source_branch: headRef } = mergeRequest;
  const { base, head } = diffCommits(mergeRequest);
  const requireSame = () => requireUnchanged(deps, repository, mergeRequest, caller);
  const { client } = deps;
  const { commits, comments, discussion } = await readAround({ client, caller, requireSame }, (hostCaller) =>
    readMergeRequestTexts(client, repository, { number: iid, head }, hostCaller),
  );
  const body = mergeRequest.description ?? null;
  const isShown = typeof issues !== 'string';
  // The head leads to the base, whatever happened to the target branch.
  const refs = [`refs/merge-requests/${iid}/head`];
  const byGit = deps.fetchByGit({ ...repository, base, head, refs }, caller);
  return {
    ...mergeRequestSummary(repository, mergeRequest, deps.web),
    version: mergeRequestVersion(found, caller),
    body,
    labels: mergeRequest.labels,
    baseRef,
    baseSha: base,
    headRef,
    headSha: head,
    commits,
    comments: comments.slice(0, mostComments),
    ...(discussion && { discussion }),
    linkedIssues: isShown ? issues : issuesInTexts(repository, { title: mergeRequest.title, body }, commits),
    unavailable: [
      ...(showsDiscussions(caller) ? [] : (['comments', 'discussion'] as const)),
      ...(issues === 'unavailable' ? (['linkedIssues'] as const) : []),
    ],
    ...(isShown && {
      areIssuesHidden: (numbers: number[]) => anyHidden(deps.client, repository, numbers, caller),
    }),
    ...byGit,
    diff: (reader) => byGit.diff(requireSame, reader),
    requireSame,
  };
}

function diffCommits({ diff_refs: refs }: MergeRequestPayload): { base: string; head: string } {
  if (refs?.base_sha && refs.head_sha) return { base: refs.base_sha, head: refs.head_sha };
  throw new Failure(
    'UNREADABLE',
    'GitLab has no diff for this merge request: it has no commits, or GitLab is still processing them. Try again in a minute.',
  );
}

const mergeRequestDiff = ([repository, mergeRequest]: [HostRepository, MergeRequestPayload]) => ({
  repository,
  commits: [mergeRequest.diff_refs?.head_sha, mergeRequest.diff_refs?.base_sha, mergeRequest.target_branch],
});

async function requireUnchanged(
  { client, readProject }: Deps,
  repository: HostRepository,
  mergeRequest: MergeRequestPayload,
  caller: HostCaller,
): Promise<void> {
  const path = projectPathById(repository);
  const [project, now] = await Promise.all([
    readProject(path, caller),
    client.get(`${path}/merge_requests/${mergeRequest.iid}`, MergeRequestPayload, caller),
  ]);
  requireSameDiff(mergeRequestDiff, [repository, mergeRequest], project && now && [project, now]);
}

type Texts = Pick<HostPullRequest, 'commits' | 'comments' | 'discussion'>;

async function readMergeRequestTexts(
  client: HostClient,
  { hostRepoId }: HostRepository,
  { number, head }: { number: number; head: string },
  caller: HostCaller,
): Promise<Texts> {
  const path = `/projects/${hostRepoId}/merge_requests/${number}`;
  const [newestFirst, threads] = await Promise.all([
    client.list(`${path}/commits`, CommitPayload, caller, { atMost: mostCommits, keep: mergeRequestCommit }),
    showsDiscussions(caller)
      ? client.list(`${path}/discussions`, DiscussionPayload, caller, {
          atMost: mostComments,
          keep: ({ notes }) => ({ notes: notes.filter(isShown) }),
        })
      : null,
  ]);
  return {
    commits: newestFirst.toReversed(),
    comments: withoutWithdrawn(commentsByTime((threads ?? []).flatMap(commentsIn))),
    ...(threads && { discussion: await readGitLabDiscussion({ client, path, head }, threads, caller) }),
  };
}

/** Without a token GitLab shows no discussions, not even public ones. */
const showsDiscussions = ({ token }: HostCaller): boolean => token !== null;

const mergeRequestCommit = ({
  id,
  message,
  author_name: author,
}: CommitPayload): Texts['commits'][number] => ({
  sha: id,
  message: cutText(message.trimEnd()),
  author: author ?? ghost,
});

const commentsIn = ({ notes }: DiscussionPayload): HostComment[] => notes.flatMap(commentsOf);

/** Internal notes are for members only. */
const isShown = ({ internal, confidential, body }: NotePayload): boolean =>
  !internal && !confidential && !!body;

function commentsOf(note: NotePayload): HostComment[] {
  const { author, body, system, created_at: at, position } = note;
  if (system && body !== approval && body !== withdrawal) return [];
  const path = position?.new_path ?? position?.old_path;
  if (note.type !== 'DiffNote' || !path)
    return [commentOf(system ? 'review' : 'comment', author?.username, body, at)];
  const line = position?.new_line ?? position?.old_line ?? null;
  const comment = commentOf('reviewComment', author?.username, body, at);
  return [{ ...comment, path, ...(line !== null && { line }) }];
}

/** Drops approvals that were withdrawn later. Comments are ordered oldest first. */
const withoutWithdrawn = (comments: HostComment[]): HostComment[] =>
  comments.filter(
    ({ kind, author, body }, place) =>
      kind !== 'review' ||
      (body === approval &&
        !comments
          .slice(place)
          .some((later) => later.kind === 'review' && later.author === author && later.body === withdrawal)),
  );

const mostIssues = 200;

/**
 * Only numbers if some viewers of the merge request may not see the issues; `unavailable` if GitLab cannot be queried
 * now.
 */
type ShownIssues = HostPullRequest['linkedIssues'] | 'numbersOnly' | 'unavailable';

/** Issues are read anonymously, because they may be for members only, even in a private project that becomes public. */
export async function readGitLabIssues(
  client: HostClient,
  { hostRepoId, isPrivate }: HostRepository,
  number: number,
  caller: HostCaller,
): Promise<ShownIssues> {
  if (isPrivate) return 'numbersOnly';
  const keep = (issue: IssuePayload): HostPullRequest['linkedIssues'] => {
    const { iid, project_id: projectId, title, description, confidential } = issue;
    if (!iid || projectId !== hostRepoId || confidential !== false) return [];
    return [{ number: iid, title: cutText(title ?? ''), body: cutText(description ?? '') || null }];
  };
  const path = `/projects/${hostRepoId}/merge_requests/${number}/closes_issues`;
  try {
    const kept = { atMost: mostIssues, keep };
    return (await client.list(path, IssuePayload, anonymous(caller), kept)).flat();
  } catch (error) {
    if (error instanceof MovedMeanwhile) return 'numbersOnly';
    if (error instanceof Failure && error.code === 'HOST_RATE_LIMITED' && caller.token !== null)
      return 'unavailable';
    throw error;
  }
}

async function anyHidden(
  client: HostClient,
  repository: Pick<HostRepository, 'hostRepoId'>,
  numbers: number[],
  caller: Pick<HostCaller, 'signal'>,
): Promise<boolean> {
  const shown = await inTurns(numbers, (number) =>
    client.get(`${projectPathById(repository)}/issues/${number}`, IssuePayload, anonymous(caller)),
  );
  return shown.some((issue) => issue?.confidential !== false);
}

const patienceMs = 3_000;

/** Whether an issue is hidden, as a webhook says. If GitLab does not respond, it counts as hidden. */
export async function isIssueHidden(
  client: HostClient,
  { hostRepoId, number }: { hostRepoId: number; number: number },
): Promise<boolean> {
  const signal = AbortSignal.timeout(patienceMs);
  return anyHidden(client, { hostRepoId }, [number], { signal }).catch(() => true);
}
