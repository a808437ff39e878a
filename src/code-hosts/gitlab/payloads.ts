import type { Static, TSchema } from 'typebox';
import { Type } from '../../contract/type.ts';
import { ownerPattern, repositoryNamePattern } from '../../domain/repository-name.ts';
import { Count, Id, Time } from '../payload-types.ts';

/** What is read of GitLab's answers, and nothing more: an answer without it is a broken one. */
const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const maybe = <Schema extends TSchema>(schema: Schema) => Type.Optional(orNull(schema));
const Text = Type.String();
const Sha = Type.String({ pattern: '^[0-9a-f]{40}(?:[0-9a-f]{24})?$' });
const Author = maybe(Type.Object({ username: Text }));

export const AccountPayload = Type.Object({
  id: Id,
  username: Text,
  name: maybe(Text),
  public_email: maybe(Text),
  avatar_url: maybe(Text),
});
export type AccountPayload = Static<typeof AccountPayload>;

/** What becomes part of an address has the form of a name. Those without an account are not told the rest. */
export const ProjectPayload = Type.Object({
  id: Id,
  path: Type.String({ pattern: repositoryNamePattern }),
  namespace: Type.Object({ full_path: Type.String({ pattern: ownerPattern }) }),
  visibility: maybe(Text),
  repository_access_level: maybe(Text),
  merge_requests_access_level: maybe(Text),
});
export type ProjectPayload = Static<typeof ProjectPayload>;

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

/** As lists have it. */
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
  /** Missing while GitLab has not looked at its commits yet, and for some that are older than it. */
  diff_refs: maybe(Type.Object({ base_sha: maybe(Sha), head_sha: maybe(Sha) })),
});
export type MergeRequestPayload = Static<typeof MergeRequestPayload>;

/** One that may have been merged within a range, and the commits that it may have been merged by. */
export const RangeMergeRequestPayload = Type.Object({
  ...summary,
  description: maybe(Text),
  sha: maybe(Text),
  merge_commit_sha: maybe(Text),
  squash_commit_sha: maybe(Text),
});
export type RangeMergeRequestPayload = Static<typeof RangeMergeRequestPayload>;

/** Only that there is one. */
export const AnyMergeRequest = Type.Object({ iid: Id });

export const CommitPayload = Type.Object({ id: Sha, message: Text, author_name: maybe(Text) });
export type CommitPayload = Static<typeof CommitPayload>;

export const RangeCommitPayload = Type.Object({
  id: Sha,
  message: Text,
  parent_ids: Type.Array(Text),
  committed_date: maybe(Text),
});
export type RangeCommitPayload = Static<typeof RangeCommitPayload>;

const Line = maybe(Count);

const NotePayload = Type.Object({
  type: maybe(Text),
  author: Author,
  body: maybe(Text),
  created_at: Time,
  system: Type.Boolean(),
  internal: Type.Optional(Type.Boolean()),
  confidential: maybe(Type.Boolean()),
  position: maybe(
    Type.Object({ new_path: maybe(Text), old_path: maybe(Text), new_line: Line, old_line: Line }),
  ),
});
export type NotePayload = Static<typeof NotePayload>;

export const DiscussionPayload = Type.Object({ notes: Type.Array(NotePayload) });
export type DiscussionPayload = Static<typeof DiscussionPayload>;

/** An issue that may be of another tracker has none of these. */
export const IssuePayload = Type.Object({
  iid: Type.Optional(Id),
  project_id: Type.Optional(Id),
  title: maybe(Text),
  description: maybe(Text),
  confidential: Type.Optional(Type.Boolean()),
});
export type IssuePayload = Static<typeof IssuePayload>;

export const TagPayload = Type.Object({ name: Text });

export const TokenInfoPayload = Type.Object({
  resource_owner_id: maybe(Id),
  expires_in: maybe(Count),
  application: maybe(Type.Object({ uid: Text })),
});
