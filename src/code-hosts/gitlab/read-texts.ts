import { mostComments, mostCommits } from '../../domain/pull-request-bounds.ts';
import type { HostPullRequest, HostRepository } from '../code-host.ts';
import type { HostCaller } from '../http/host-api.ts';
import type { HostClient } from '../http/host-client.ts';
import { cutText, ghost } from '../texts.ts';
import { commentsOf, withoutWithdrawn } from './discussion.ts';
import { CommitPayload, DiscussionPayload } from './payloads.ts';

type Texts = Pick<HostPullRequest, 'commits' | 'comments'>;

/** What was said about a merge request, in its commits and under it. */
export async function readTexts(
  client: HostClient,
  { hostRepoId }: HostRepository,
  number: number,
  caller: HostCaller,
): Promise<Texts> {
  const path = `/projects/${hostRepoId}/merge_requests/${number}`;
  const [newestFirst, threads] = await Promise.all([
    client.list(`${path}/commits`, CommitPayload, caller, { atMost: mostCommits, keep: commitOf }),
    tellsDiscussions(caller)
      ? client.list(`${path}/discussions`, DiscussionPayload, caller, {
          atMost: mostComments,
          keep: commentsOf,
        })
      : [],
  ]);
  const oldestFirst = threads
    .flat()
    .sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
  return { commits: newestFirst.toReversed(), comments: withoutWithdrawn(oldestFirst) };
}

/** Without a token GitLab tells of no discussion, not even of what everybody sees. */
export const tellsDiscussions = ({ token }: HostCaller): boolean => token !== null;

const commitOf = ({ id, message, author_name: author }: CommitPayload): Texts['commits'][number] => ({
  sha: id,
  message: cutText(message),
  author: author ?? ghost,
});
