import type { Static, TSchema } from 'typebox';
import { Type } from '../../contract/type.ts';
import type { HostPullRequest, HostPullRequestSummary } from '../code-host.ts';
import { cutText, Id, maybe, Name, orNull, Sha, Text, Time, timeOf } from '../payload-types.ts';
import type { ListedCommit, RangePull } from './ranges.ts';

// Payloads of the API of GitHub, and of Gitea, which follows it. They contain only the fields that we read; a response
// without them is invalid.

/** Null for deleted accounts. */
export const Author = orNull(Type.Object({ login: Text }));

export const pullFields = {
  number: Id,
  title: Text,
  user: Author,
  state: Type.Enum(['open', 'closed'], { type: 'string' }),
  created_at: Time,
  merged_at: orNull(Time),
  updated_at: Time,
};

const Labels = Type.Array(Type.Object({ name: maybe(Text) }));

/** A pull request in a list, or found by a commit of a range. */
export const pullInList = <Base extends TSchema>(base: Base) =>
  Type.Object({
    ...pullFields,
    labels: maybe(Labels),
    body: maybe(Text),
    merge_commit_sha: maybe(Text),
    base,
  });

const RepositoryName = Type.Object({ name: Name, owner: Type.Object({ login: Name }) });
const PullSummary = Type.Object({ ...pullFields, base: Type.Object({ repo: RepositoryName }) });

/** The address of pull request pages: below the repository, at the path of the host. */
export interface PullPages {
  web: string;
  path: 'pull' | 'pulls';
  ghost: string;
}

/** The URL is built from names, because one in the payload could lead anywhere. */
export function pullSummaryOf(
  pull: Static<typeof PullSummary>,
  { web, path, ghost }: PullPages,
): HostPullRequestSummary {
  const { owner, name } = pull.base.repo;
  return {
    number: pull.number,
    title: pull.title,
    authorLogin: pull.user?.login || ghost,
    url: `${web}/${owner.login}/${name}/${path}/${pull.number}`,
    state: pull.merged_at ? 'merged' : pull.state,
    createdAt: timeOf(pull.created_at),
    mergedAt: pull.merged_at ? timeOf(pull.merged_at) : null,
    updatedAt: timeOf(pull.updated_at),
  };
}

type PullInList = Static<typeof PullSummary> & {
  labels?: Static<typeof Labels> | null;
  body?: string | null;
  merge_commit_sha?: string | null;
};

export const rangePullOf = (pull: PullInList, isShown: boolean, pages: PullPages): RangePull => ({
  number: pull.number,
  title: pull.title,
  isMerged: pull.merged_at !== null && isShown,
  mergeCommits: [pull.merge_commit_sha],
  summary: {
    ...pullSummaryOf(pull, pages),
    body: pull.body || null,
    labels: (pull.labels ?? []).flatMap(({ name }) => name ?? []),
  },
});

export const CommitPayload = Type.Object({
  sha: Sha,
  commit: Type.Object({ message: Text, author: orNull(Type.Object({ name: maybe(Text) })) }),
});

export const pullRequestCommit =
  (ghost: string) =>
  ({ sha, commit }: Static<typeof CommitPayload>): HostPullRequest['commits'][number] => ({
    sha,
    message: cutText(commit.message.trimEnd()),
    author: commit.author?.name || ghost,
  });

export const RangeCommitPayload = Type.Object({
  sha: Sha,
  parents: orNull(Type.Array(Type.Object({ sha: Type.Optional(Text) }))),
  author: maybe(Type.Object({ login: maybe(Text) })),
  commit: Type.Object({
    message: Text,
    author: maybe(Type.Object({ name: maybe(Text) })),
    committer: maybe(Type.Object({ date: maybe(Text) })),
  }),
});
export type RangeCommitPayload = Static<typeof RangeCommitPayload>;

export const listedCommitOf = ({ sha, parents, author, commit }: RangeCommitPayload): ListedCommit => ({
  sha,
  parents: (parents ?? []).flatMap((parent) => parent.sha ?? []),
  message: commit.message,
  committedAt: commit.committer?.date,
  authorLogin: author?.login || commit.author?.name || null,
});

/** The date of a tag's commit has another name on each host; GitHub does not say it. */
export const TagPayload = Type.Object({
  name: Text,
  commit: maybe(Type.Object({ created: maybe(Text), committed_date: maybe(Text) })),
});
