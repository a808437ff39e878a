import type { Static, TSchema } from 'typebox';
import { Type } from '../../contract/type.ts';
import { repositoryNamePattern } from '../../domain/repository-name.ts';
import { Count, Id, Time } from '../payload-types.ts';

/** What is read of Gitea's answers, and nothing more: an answer without it is a broken one. Forgejo answers alike. */
const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const Text = Type.String();
const MaybeText = Type.Optional(orNull(Text));
/** What becomes part of an address. */
const Name = Type.String({ pattern: repositoryNamePattern });
const Sha = Type.String({ pattern: '^[0-9a-f]{40}(?:[0-9a-f]{24})?$' });
/** Empty where Gitea has found no commit, or not yet. What is none must not reach git, which might take it for an option. */
const MaybeSha = Type.String({ pattern: '^(?:[0-9a-f]{40}(?:[0-9a-f]{24})?)?$' });
const MaybeCount = Type.Optional(orNull(Count));
/** Those who have deleted their account are all the same one, which has a name. */
const Author = orNull(Type.Object({ login: Text }));

export const AccountPayload = Type.Object({
  /** Below one for those who are no people, such as what runs workflows. */
  id: Type.Integer({ maximum: Number.MAX_SAFE_INTEGER }),
  login: Text,
  full_name: MaybeText,
  email: MaybeText,
  avatar_url: MaybeText,
});
export type AccountPayload = Static<typeof AccountPayload>;

export const AccountSettingsPayload = Type.Object({ hide_email: Type.Boolean() });

export const AccountsPayload = Type.Object({ data: Type.Array(AccountPayload) });

export const RepositoryPayload = Type.Object({
  id: Id,
  name: Name,
  owner: Type.Object({ login: Name, visibility: Text }),
  private: Type.Boolean(),
  internal: Type.Boolean(),
  has_pull_requests: Type.Boolean(),
  /** Newer servers tell. */
  has_code: Type.Optional(Type.Boolean()),
});
export type RepositoryPayload = Static<typeof RepositoryPayload>;

const Base = Type.Object({ ref: Text, repo: RepositoryPayload });

export const PullRequestSummaryPayload = Type.Object({
  number: Id,
  title: Text,
  user: Author,
  state: Type.Enum(['open', 'closed'], { type: 'string' }),
  created_at: Time,
  merged_at: orNull(Time),
  updated_at: Time,
  base: Base,
});
export type PullRequestSummaryPayload = Static<typeof PullRequestSummaryPayload>;

const labels = orNull(Type.Array(Type.Object({ name: Text })));

export const MergedPullRequestPayload = Type.Object({
  number: Id,
  title: Text,
  user: Author,
  labels,
  draft: Type.Optional(Type.Boolean()),
  merged_at: orNull(Time),
  updated_at: Time,
  base: Base,
});
export type MergedPullRequestPayload = Static<typeof MergedPullRequestPayload>;

export const PullRequestPayload = Type.Object({
  ...PullRequestSummaryPayload.properties,
  body: MaybeText,
  labels,
  merge_base: MaybeSha,
  changed_files: MaybeCount,
  additions: MaybeCount,
  deletions: MaybeCount,
  head: Type.Object({ ref: Text, sha: MaybeSha }),
});
export type PullRequestPayload = Static<typeof PullRequestPayload>;

/** One that may have been merged within a range. */
export const RangePullRequestPayload = Type.Object({
  ...PullRequestSummaryPayload.properties,
  body: MaybeText,
  merge_commit_sha: MaybeText,
});
export type RangePullRequestPayload = Static<typeof RangePullRequestPayload>;

/** Whether a list of pull requests is shown at all. */
export const NumberedPayload = Type.Object({ number: Id });

export const ReferencePayload = Type.Object({ ref: Text, object: Type.Object({ sha: Sha }) });
/** Alone where nothing else begins with what was asked for. */
export const ReferencesPayload = Type.Union([ReferencePayload, Type.Array(ReferencePayload)]);

export const CommitPayload = Type.Object({
  sha: Sha,
  commit: Type.Object({ message: Text, author: orNull(Type.Object({ name: MaybeText })) }),
});
export type CommitPayload = Static<typeof CommitPayload>;

export const RangeCommitPayload = Type.Object({
  sha: Sha,
  parents: orNull(Type.Array(Type.Object({ sha: Text }))),
  commit: Type.Object({
    message: Text,
    committer: Type.Optional(orNull(Type.Object({ date: MaybeText }))),
  }),
});
export type RangeCommitPayload = Static<typeof RangeCommitPayload>;

export const CommentPayload = Type.Object({
  user: Author,
  /** Of what was brought along from elsewhere. */
  original_author: MaybeText,
  body: MaybeText,
  created_at: Time,
});
export type CommentPayload = Static<typeof CommentPayload>;

export const ReviewPayload = Type.Object({
  id: Id,
  user: Author,
  body: MaybeText,
  state: Text,
  submitted_at: orNull(Time),
  comments_count: MaybeCount,
});
export type ReviewPayload = Static<typeof ReviewPayload>;

export const ReviewCommentPayload = Type.Object({
  user: Author,
  body: Text,
  created_at: Time,
  path: Text,
  /** Lines of the new and of the old side; zero on the one that it is not about. */
  position: MaybeCount,
  original_position: MaybeCount,
});
export type ReviewCommentPayload = Static<typeof ReviewCommentPayload>;

export const IssuePayload = Type.Object({ number: Id, title: Text, body: MaybeText });

export const TagPayload = Type.Object({ name: Text });

export const VersionPayload = Type.Object({ version: Text });
