import type { Static } from 'typebox';
import { Type } from '../../contract/type.ts';
import { isBotLogin } from '../../domain/pull-requests.ts';
import { ownerPattern } from '../../domain/repositories.ts';
import type { HostRepository } from '../code-host.ts';
import { type HostApi, type HostCaller, refuseAccount } from '../http/host-api.ts';
import type { HostClient } from '../http/host-client.ts';
import { createVisibility } from '../http/network-host.ts';
import { limitHeaders } from '../http/rate-limits.ts';
import { Count, Id, maybe, Name, Sha, Text, Time } from '../payload-types.ts';

/** Calls per minute on gitlab.com; other servers have other limits, or none. */
const anonymousLimit = 500;
const tokenLimit = 2_000;

const words = { id: 'gitlab', name: 'GitLab' };

export const createGitLabApi = (address: string): HostApi => ({
  ...words,
  tokenSetting: 'GITLAB_TOKEN',
  permissions: 'read_api and read_repository (its scopes)',
  address,
  headers: (token) => (token === null ? {} : { authorization: `Bearer ${token}` }),
  pages: {
    sizes: [100, 10, 1],
    query: (size, page) => `per_page=${size}&page=${page}`,
    totalHeader: 'x-total',
  },
  limits: { read: limitHeaders('ratelimit-'), periodsPerHour: 60 },
  usualLimit: (token) => (token === null ? anonymousLimit : tokenLimit),
  refusal(answered, caller) {
    const reason = answered.status === 403 ? gitLabReason(answered.data) : null;
    // A 403 of GitLab itself is about one resource, and one of a proxy about everything.
    if (reason === null) return null;
    // A 403 of GitLab with a reason is about the account of the token.
    if (reason !== '' && caller.token !== null) return refuseAccount(words, answered, caller);
    return { ...answered, status: 404 };
  },
});

function gitLabReason(data: unknown): string | null {
  if (typeof data !== 'object' || data === null || !('message' in data)) return null;
  const [, why] = /^403 Forbidden(.*)$/s.exec(String(data.message)) ?? [];
  return why?.trim() ?? null;
}

const Author = maybe(Type.Object({ username: Text }));

const ownBot = /^(?:project|group)_\d+_bot/;

/** GitLab marks bots only by their names. */
export const isGitLabBot = (username: string): boolean =>
  ownBot.test(username) || isBotLogin(username) || username.endsWith('-bot');

export const AccountPayload = Type.Object({
  id: Id,
  username: Text,
  name: maybe(Text),
  public_email: maybe(Text),
  avatar_url: maybe(Text),
});
export type AccountPayload = Static<typeof AccountPayload>;

const ProjectPayload = Type.Object({
  id: Id,
  path: Name,
  namespace: Type.Object({ full_path: Type.String({ pattern: ownerPattern }) }),
  /** The visibility of the project; GitLab does not show it to anonymous callers. */
  visibility: maybe(Text),
});

const summary = {
  iid: Id,
  project_id: Id,
  title: Text,
  state: Type.Enum(['opened', 'closed', 'locked', 'merged'], { type: 'string' }),
  author: Author,
  created_at: Time,
  updated_at: Time,
  merged_at: maybe(Time),
};

export const MergeRequestSummaryPayload = Type.Object(summary);
export type MergeRequestSummaryPayload = Static<typeof MergeRequestSummaryPayload>;

export const MergedPayload = Type.Object({
  ...summary,
  labels: Type.Array(Text),
  draft: Type.Optional(Type.Boolean()),
});
export type MergedPayload = Static<typeof MergedPayload>;

export const MergeRequestPayload = Type.Object({
  ...summary,
  description: maybe(Text),
  labels: Type.Array(Text),
  target_branch: Text,
  source_branch: Text,
  changes_count: maybe(Text),
  /** Missing until GitLab has read the commits, and in some very old merge requests. */
  diff_refs: maybe(Type.Object({ base_sha: maybe(Sha), head_sha: maybe(Sha) })),
});
export type MergeRequestPayload = Static<typeof MergeRequestPayload>;

export const RangeMergeRequestPayload = Type.Object({
  ...summary,
  description: maybe(Text),
  sha: maybe(Text),
  merge_commit_sha: maybe(Text),
  squash_commit_sha: maybe(Text),
  labels: maybe(Type.Array(Text)),
});
export type RangeMergeRequestPayload = Static<typeof RangeMergeRequestPayload>;

const AnyMergeRequest = Type.Object({ iid: Id });

export const CommitPayload = Type.Object({ id: Sha, message: Text, author_name: maybe(Text) });
export type CommitPayload = Static<typeof CommitPayload>;

export const RangeCommitPayload = Type.Object({
  id: Sha,
  message: Text,
  parent_ids: Type.Array(Text),
  committed_date: maybe(Text),
  author_name: maybe(Text),
});
export type RangeCommitPayload = Static<typeof RangeCommitPayload>;

const Line = maybe(Count);

const NotePayload = Type.Object({
  id: Id,
  type: maybe(Text),
  author: Author,
  body: maybe(Text),
  created_at: Time,
  system: Type.Boolean(),
  internal: Type.Optional(Type.Boolean()),
  confidential: maybe(Type.Boolean()),
  resolvable: Type.Optional(Type.Boolean()),
  resolved: Type.Optional(Type.Boolean()),
  resolved_by: Author,
  position: maybe(
    Type.Object({
      head_sha: maybe(Text),
      new_path: maybe(Text),
      old_path: maybe(Text),
      new_line: Line,
      old_line: Line,
      line_range: maybe(Type.Object({ start: maybe(Type.Object({ new_line: Line, old_line: Line })) })),
    }),
  ),
});
export type NotePayload = Static<typeof NotePayload>;

export const DiscussionPayload = Type.Object({ notes: Type.Array(NotePayload) });
export type DiscussionPayload = Static<typeof DiscussionPayload>;

/** A version for each push, with the head after it. */
export const VersionPayload = Type.Object({ id: Id, head_commit_sha: Text, created_at: Time });
export type VersionPayload = Static<typeof VersionPayload>;

export const VersionDiffsPayload = Type.Object({
  diffs: Type.Array(Type.Object({ old_path: Text, new_path: Text, diff: Text })),
});
export type VersionDiffsPayload = Static<typeof VersionDiffsPayload>;

export const IssuePayload = Type.Object({
  iid: Type.Optional(Id),
  project_id: Type.Optional(Id),
  title: maybe(Text),
  description: maybe(Text),
  confidential: Type.Optional(Type.Boolean()),
});
export type IssuePayload = Static<typeof IssuePayload>;

export const TokenInfoPayload = Type.Object({
  resource_owner_id: maybe(Id),
  expires_in: maybe(Count),
  application: maybe(Type.Object({ uid: Text })),
});

export type ReadProject = (path: string, caller: HostCaller) => Promise<HostRepository | null>;

export const projectPath = (owner: string, name: string): string =>
  `/projects/${encodeURIComponent(`${owner}/${name}`)}`;

export const projectPathById = ({ hostRepoId }: Pick<HostRepository, 'hostRepoId'>): string =>
  `/projects/${hostRepoId}`;

/**
 * Finds projects whose merge requests the caller may see: each feature has its own visibility, and guests of a private
 * project see neither code nor merge requests.
 */
export function createReadProject(client: HostClient): ReadProject {
  const { ifShownTo } = createVisibility(async ({ hostRepoId }, caller) => {
    // GitLab shows merge requests only to users who may see the code too.
    const listed = `/projects/${hostRepoId}/merge_requests?per_page=1&view=simple`;
    return (await client.pageUnlessUnchanged(listed, AnyMergeRequest, caller, null)) !== null;
  });
  return async (path, caller) => {
    const project = await client.get(path, ProjectPayload, caller);
    if (!project) return null;
    const { id: hostRepoId, namespace, path: name, visibility } = project;
    const isPrivate = (visibility ?? 'public') !== 'public';
    return ifShownTo({ hostRepoId, owner: namespace.full_path, name, isPrivate }, caller);
  };
}
