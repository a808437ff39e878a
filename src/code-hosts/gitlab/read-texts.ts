import { Failure } from '../../domain/errors.ts';
import { mostComments, mostCommits } from '../../domain/pull-request-bounds.ts';
import { type HostPullRequest, type HostRepository, MovedMeanwhile } from '../code-host.ts';
import type { HostCaller } from '../http/host-api.ts';
import type { HostClient } from '../http/host-client.ts';
import { issuesInTexts } from '../http/issues-in-texts.ts';
import { cutText, ghost } from '../texts.ts';
import { commentsOf } from './discussion.ts';
import { CommitPayload, DiscussionPayload, IssuePayload, type MergeRequestPayload } from './payloads.ts';

/** Far more than one merge request closes. */
const mostIssues = 200;

type Texts = Pick<HostPullRequest, 'commits' | 'comments' | 'linkedIssues'>;

/** What was said about a merge request, in its commits, under it, and in the issues that it closes. */
export async function readTexts(
  client: HostClient,
  repository: HostRepository,
  mergeRequest: MergeRequestPayload,
  caller: HostCaller,
): Promise<Texts> {
  const path = `/projects/${repository.hostRepoId}/merge_requests/${mergeRequest.iid}`;
  const [newestFirst, threads, issues] = await Promise.all([
    client.list(`${path}/commits`, CommitPayload, caller, { atMost: mostCommits, keep: commitOf }),
    // Without a token GitLab tells of no discussion, not even of what everybody sees.
    caller.token === null
      ? []
      : client.list(`${path}/discussions`, DiscussionPayload, caller, {
          atMost: mostComments,
          keep: commentsOf,
        }),
    closedIssues(client, path, repository, caller),
  ]);
  const commits = newestFirst.toReversed();
  const comments = threads.flat().sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
  const { title, description } = mergeRequest;
  const linkedIssues = issues ?? issuesInTexts(repository, { title, body: description ?? null }, commits);
  return { commits, comments, linkedIssues };
}

const commitOf = ({ id, message, author_name: author }: CommitPayload): Texts['commits'][number] => ({
  sha: id,
  message: cutText(message),
  author: author ?? ghost,
});

/**
 * Issues of the same project that are not confidential. Of a project that everybody sees they are asked for without a token: its
 * issues may be for members alone, and what is stored is shown to all. Null where they are not told.
 */
async function closedIssues(
  client: HostClient,
  path: string,
  { hostRepoId, isPrivate }: HostRepository,
  caller: HostCaller,
): Promise<Texts['linkedIssues'] | null> {
  const asker = isPrivate ? caller : { isService: true, token: null, signal: caller.signal };
  const keep = (issue: IssuePayload): Texts['linkedIssues'] => {
    const { iid, project_id: projectId, title, description, confidential } = issue;
    if (!iid || projectId !== hostRepoId || confidential !== false) return [];
    return [{ number: iid, title: cutText(title ?? ''), body: cutText(description ?? '') || null }];
  };
  try {
    const kept = { atMost: mostIssues, keep };
    return (await client.list(`${path}/closes_issues`, IssuePayload, asker, kept)).flat();
  } catch (error) {
    const isLimited = error instanceof Failure && error.code === 'HOST_RATE_LIMITED';
    if (error instanceof MovedMeanwhile || (isLimited && asker !== caller)) return null;
    throw error;
  }
}
