import type { Static, TSchema } from 'typebox';
import { Type } from '../../contract/type.ts';
import { repositoryNamePattern } from '../../domain/repository-name.ts';
import type { HostRepository } from '../code-host.ts';
import type { HostCaller } from '../http/host-api.ts';
import { Count, Id, Time } from '../payload-types.ts';
import type { GitHubClient } from './github-api.ts';

/** What is read of GitHub's answers, and nothing more: an answer without it is a broken one. */
const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const Text = Type.String();
/** What becomes part of an address. */
const Name = Type.String({ pattern: repositoryNamePattern });
const Sha = Type.String({ pattern: '^[0-9a-f]{40}(?:[0-9a-f]{24})?$' });
/** Deleted accounts leave null behind. */
const Author = orNull(Type.Object({ login: Text }));

export const AccountPayload = Type.Object({
  id: Id,
  login: Text,
  name: Type.Optional(orNull(Text)),
  email: Type.Optional(orNull(Text)),
  avatar_url: Type.Optional(orNull(Text)),
});
export type AccountPayload = Static<typeof AccountPayload>;

export const RepositoryPayload = Type.Object({
  id: Id,
  name: Name,
  owner: Type.Object({ login: Name }),
  private: Type.Boolean(),
  /** Internal ones show only to members of the enterprise. */
  visibility: Type.Optional(Text),
});
export type RepositoryPayload = Static<typeof RepositoryPayload>;

const summary = {
  number: Id,
  title: Text,
  user: Author,
  state: Type.Enum(['open', 'closed'], { type: 'string' }),
  created_at: Time,
  merged_at: orNull(Time),
  updated_at: Time,
};

export const PullRequestSummaryPayload = Type.Object({
  ...summary,
  base: Type.Object({ repo: RepositoryPayload }),
});
export type PullRequestSummaryPayload = Static<typeof PullRequestSummaryPayload>;

export const MergedPullRequestPayload = Type.Object({
  number: Id,
  user: orNull(Type.Object({ login: Text, type: Type.Optional(Text) })),
  labels: Type.Array(Type.Object({ name: Type.Optional(Text) })),
  draft: Type.Optional(Type.Boolean()),
  merged_at: orNull(Time),
  updated_at: Time,
  base: Type.Object({ repo: RepositoryPayload }),
});
export type MergedPullRequestPayload = Static<typeof MergedPullRequestPayload>;

export const PullRequestPayload = Type.Object({
  ...summary,
  body: orNull(Text),
  labels: Type.Array(Type.Object({ name: Type.Optional(Text) })),
  changed_files: Count,
  additions: Type.Optional(Count),
  deletions: Type.Optional(Count),
  base: Type.Object({ ref: Text, sha: Sha, repo: RepositoryPayload }),
  head: Type.Object({ ref: Text, sha: Sha }),
});
export type PullRequestPayload = Static<typeof PullRequestPayload>;

/** One that may have been merged within a range. */
export const RangePullRequestPayload = Type.Object({
  ...summary,
  body: Type.Optional(orNull(Text)),
  merge_commit_sha: Type.Optional(orNull(Text)),
  base: Type.Object({ repo: RepositoryPayload }),
});
export type RangePullRequestPayload = Static<typeof RangePullRequestPayload>;

export const TagPayload = Type.Object({ name: Text });

export const CommitPayload = Type.Object({
  sha: Sha,
  commit: Type.Object({ message: Text, author: orNull(Type.Object({ name: Type.Optional(Text) })) }),
});
export type CommitPayload = Static<typeof CommitPayload>;

export const CommentPayload = Type.Object({
  user: Author,
  body: Type.Optional(orNull(Text)),
  created_at: Time,
});
export type CommentPayload = Static<typeof CommentPayload>;

export const ReviewPayload = Type.Object({
  id: Id,
  user: Author,
  body: orNull(Text),
  state: Text,
  submitted_at: Type.Optional(orNull(Time)),
});
export type ReviewPayload = Static<typeof ReviewPayload>;

export const ReviewCommentPayload = Type.Object({
  user: Author,
  pull_request_review_id: Type.Optional(orNull(Id)),
  body: Text,
  created_at: Time,
  path: Text,
  line: Type.Optional(orNull(Count)),
  original_line: Type.Optional(orNull(Count)),
});
export type ReviewCommentPayload = Static<typeof ReviewCommentPayload>;

export const FilePayload = Type.Object({
  filename: Text,
  previous_filename: Type.Optional(Text),
  status: Text,
  additions: Count,
  deletions: Count,
});
export type FilePayload = Static<typeof FilePayload>;

export const ComparisonPayload = Type.Object({ merge_base_commit: Type.Object({ sha: Sha }) });

/** A page of the commits between two refs, oldest first. */
export const RangePayload = Type.Object({
  base_commit: Type.Object({ sha: Sha }),
  total_commits: Count,
  behind_by: Count,
  commits: Type.Array(
    Type.Object({
      sha: Sha,
      parents: Type.Array(Type.Object({ sha: Type.Optional(Text) })),
      commit: Type.Object({
        message: Text,
        committer: Type.Optional(orNull(Type.Object({ date: Type.Optional(Text) }))),
      }),
    }),
  ),
});
export type RangePayload = Static<typeof RangePayload>;

export const ClosingIssuesPayload = Type.Object({
  repository: orNull(
    Type.Object({
      pullRequest: orNull(
        Type.Object({
          closingIssuesReferences: Type.Object({
            pageInfo: Type.Object({ hasNextPage: Type.Boolean(), endCursor: orNull(Text) }),
            nodes: Type.Array(
              orNull(
                Type.Object({
                  number: Id,
                  title: Text,
                  body: Text,
                  repository: Type.Object({ databaseId: orNull(Id) }),
                }),
              ),
            ),
          }),
        }),
      ),
    }),
  ),
});

/** As many files as one question asks for. */
export const mostFilesAsked = 50;

/** What is there and no file has neither text nor anything else that is asked for. */
const File = Type.Object({
  text: Type.Optional(orNull(Text)),
  isTruncated: Type.Optional(orNull(Type.Boolean())),
});
const places = Array.from({ length: mostFilesAsked }, (_, place) => `f${place}`);

/** Files by the names that they have in the question. */
export const FileTextsPayload = Type.Object({
  repository: orNull(
    Type.Object(Object.fromEntries(places.map((name) => [name, Type.Optional(orNull(File))]))),
  ),
});

/** A repository that the caller may see, by its path: a name as of now or as of before a rename, or a number. */
export async function readRepository(
  client: GitHubClient,
  path: string,
  caller: HostCaller,
): Promise<HostRepository | null> {
  const found = await client.get(path, RepositoryPayload, caller);
  return found && ifVisibleTo(caller, repositoryOf(found));
}

export function repositoryOf({
  id,
  name,
  owner,
  private: isPrivate,
  visibility = 'public',
}: RepositoryPayload): HostRepository {
  return { hostRepoId: id, owner: owner.login, name, isPrivate: isPrivate || visibility !== 'public' };
}

/** Whether it is the one that was found before, and is as public or private as it was. */
export const isUnchanged = (before: HostRepository, now: HostRepository): boolean =>
  now.hostRepoId === before.hostRepoId && now.isPrivate === before.isPrivate;

/** The service's own token may see more than it may show: with it, only what is public counts as found. */
export const ifVisibleTo = ({ isService }: HostCaller, repository: HostRepository): HostRepository | null =>
  isService && repository.isPrivate ? null : repository;
