import { hash } from 'node:crypto';
import { Failure } from '../../domain/errors.ts';
import { mostComments } from '../../domain/pull-request-bounds.ts';
import {
  type HostPullRequest,
  type HostPullRequestSummary,
  type HostRepository,
  MovedMeanwhile,
  type PullRequestGlance,
  type PullRequestState,
} from '../code-host.ts';
import type { FetchByGit } from '../fetched/fetch-by-git.ts';
import { timeOf } from '../host-times.ts';
import type { HostCaller } from '../http/host-api.ts';
import type { HostClient } from '../http/host-client.ts';
import { issuesInTexts } from '../http/issues-in-texts.ts';
import { readAround } from '../http/read-around.ts';
import { ghost } from '../texts.ts';
import { MergeRequestPayload, type MergeRequestSummaryPayload } from './payloads.ts';
import { anyHidden, type ShownIssues } from './read-issues.ts';
import { isUnchanged, projectPathById, type ReadProject } from './read-project.ts';
import { readTexts, tellsDiscussions } from './read-texts.ts';

export interface Parts {
  client: HostClient;
  fetchByGit: FetchByGit;
  readProject: ReadProject;
  /** Where people see merge requests. */
  web: string;
}

const states: Record<MergeRequestSummaryPayload['state'], PullRequestState> = {
  opened: 'open',
  // While GitLab merges it.
  locked: 'open',
  closed: 'closed',
  merged: 'merged',
};

/** Its address is made of what it is called: one that is told might lead anywhere. */
export function summaryOf(
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

/** GitLab notes when one was merged a moment after it was. */
export const mergedAt = ({ state, merged_at, updated_at }: MergeRequestSummaryPayload): Date | null =>
  state === 'merged' ? timeOf(merged_at ?? updated_at) : null;

export function glanceOf(
  repository: HostRepository,
  mergeRequest: MergeRequestPayload,
  web: string,
): PullRequestGlance {
  const { url: _, updatedAt: __, ...summary } = summaryOf(repository, mergeRequest, web);
  // More than a thousand are told as "1000+".
  const changedFiles = Number.parseInt(mergeRequest.changes_count ?? '0', 10) || 0;
  return { ...summary, changedFiles, lines: null };
}

/** A merge request, and what everybody is shown of the issues that it closes, which change without it. */
export interface FoundMergeRequest {
  mergeRequest: MergeRequestPayload;
  issues: ShownIssues;
}

/** It ends before what the caller is not told, so that a longer one that begins like it is of the same state. */
export function versionOf({ mergeRequest, issues }: FoundMergeRequest, caller: HostCaller): string {
  const { updated_at, target_branch, diff_refs: refs } = mergeRequest;
  const version = [updated_at, target_branch, refs?.base_sha, refs?.head_sha];
  if (issues === 'untold') return version.join(' ');
  version.push(typeof issues === 'string' ? issues : hash('sha256', JSON.stringify(issues), 'base64url'));
  if (tellsDiscussions(caller)) version.push('discussed');
  return version.join(' ');
}

/** Everything about a merge request. Its diff is fetched by git when it is wanted: GitLab's API leaves out parts of larger ones. */
export async function readMergeRequest(
  parts: Parts,
  repository: HostRepository,
  found: FoundMergeRequest,
  caller: HostCaller,
): Promise<HostPullRequest> {
  const { mergeRequest, issues } = found;
  const { iid, target_branch: baseRef, source_branch: headRef } = mergeRequest;
  const { base, head } = commitsOf(mergeRequest);
  const requireSame = () => requireUnchanged(parts, repository, mergeRequest, caller);
  const { client } = parts;
  const { commits, comments } = await readAround({ api: client.api, caller, requireSame }, (asker) =>
    readTexts(client, repository, iid, asker),
  );
  const body = mergeRequest.description ?? null;
  const isShown = typeof issues !== 'string';
  // What leads to the head leads to where the diff begins too, whatever has become of the branch that it was for.
  const refs = [`refs/merge-requests/${iid}/head`];
  const byGit = parts.fetchByGit({ ...repository, base, head, refs }, caller);
  return {
    ...summaryOf(repository, mergeRequest, parts.web),
    version: versionOf(found, caller),
    body,
    labels: mergeRequest.labels,
    baseRef,
    baseSha: base,
    headRef,
    headSha: head,
    commits,
    comments: comments.slice(0, mostComments),
    linkedIssues: isShown ? issues : issuesInTexts(repository, { title: mergeRequest.title, body }, commits),
    untold: [
      ...(tellsDiscussions(caller) ? [] : (['comments'] as const)),
      ...(issues === 'untold' ? (['linkedIssues'] as const) : []),
    ],
    ...(isShown && {
      areIssuesHidden: (numbers: number[]) => anyHidden(parts.client, repository, numbers, caller),
    }),
    ...byGit,
    diff: (reader) => byGit.diff(requireSame, reader),
    requireSame,
  };
}

function commitsOf({ diff_refs: refs }: MergeRequestPayload): { base: string; head: string } {
  if (refs?.base_sha && refs.head_sha) return { base: refs.base_sha, head: refs.head_sha };
  throw new Failure(
    'UNREADABLE',
    'GitLab does not say where the diff of this merge request begins and ends: it has no commits, or they are being looked at. Try again in a minute.',
  );
}

/** The diff is that of whichever commits it has when it is asked for, and visible as the project is at that time. */
async function requireUnchanged(
  { client, readProject }: Parts,
  repository: HostRepository,
  mergeRequest: MergeRequestPayload,
  caller: HostCaller,
): Promise<void> {
  const path = projectPathById(repository);
  const [project, now] = await Promise.all([
    readProject(path, caller),
    client.get(`${path}/merge_requests/${mergeRequest.iid}`, MergeRequestPayload, caller),
  ]);
  if (!now || !isUnchanged(repository, project)) throw new MovedMeanwhile();
  const isSame =
    now.diff_refs?.head_sha === mergeRequest.diff_refs?.head_sha &&
    now.diff_refs?.base_sha === mergeRequest.diff_refs?.base_sha &&
    now.target_branch === mergeRequest.target_branch;
  if (!isSame) throw new MovedMeanwhile();
}
