import type { Static } from 'typebox';
import { Type } from '../../contract/type.ts';
import { Failure } from '../../domain/errors.ts';
import { savingToken } from '../../domain/saving-token.ts';
import type { HostRepository } from '../code-host.ts';
import { causeOf, type HostApi, type HostCaller, refuseAccount } from '../http/host-api.ts';
import type { HostClient } from '../http/host-client.ts';
import { ifVisibleTo } from '../http/network-host.ts';
import { limitHeaders } from '../http/rate-limits.ts';
import { Count, Id, maybe, Name, orNull, Sha, Text, Time } from '../payload-types.ts';
import type { GiteaAddresses } from './gitea-settings.ts';

/** What a personal access token has to be allowed. */
export const neededScopes = 'read:user read:repository read:issue';

const words = {
  id: 'gitea',
  name: 'Gitea',
  tokenSetting: 'GITEA_TOKEN',
  permissions: 'read users, repositories and issues (the scopes read:user, read:repository and read:issue)',
};

/** Gitea itself counts nothing; what stands before it may. It is asked as often as GitHub lets one ask. */
const questionsPerHour = 5_000;

const totalHeader = 'x-total-count';

/** Gitea says in words of its own why a token may not do something. */
export const lacksScope = /required scope|token scope is limited|public-only token/i;

/** Of one thing, that it is for others; whatever else it forbids is about whoever asks. */
const isForOthers = /^(?:user should |must be )/i;
export const mustChangePassword = /must change your password/i;
const isShutOut = /prohibited from signing in|not activated/i;

/** A token that its owner has not allowed enough, or for some repositories only. */
export class ScopeMissing extends Failure {
  constructor(cause: Error) {
    super(
      'HOST_TOKEN_INVALID',
      `This token lacks a permission. Present or save (${savingToken(words.id)}) one that may ${words.permissions}.`,
      { cause },
    );
  }
}

/** How Gitea and Forgejo are asked. */
export function giteaApi({ api }: GiteaAddresses): HostApi {
  return {
    ...words,
    address: api,
    headers: (token) => (token === null ? {} : { authorization: `Bearer ${token}` }),
    pages: {
      sizes: [50, 10, 1],
      query: (size, page) => `limit=${size}&page=${page}`,
      isLast: (headers, count) => isLastPage(headers, count),
      totalHeader,
    },
    limits: { read: limitHeaders('x-ratelimit-'), periodsPerHour: 1 },
    usualLimit: () => questionsPerHour,
    refusal(answered, caller) {
      const said = answered.status === 403 ? itsWord(answered.data) : null;
      if (said === null) return null;
      // Servers on which everybody has to sign in show nothing to those who have not. What is there may be in parts for
      // others, too: units of a repository are given out singly.
      if (caller.token === null || isForOthers.test(said)) return { ...answered, status: 404 };
      if (isShutOut.test(said) || mustChangePassword.test(said))
        return refuseAccount(words, answered, caller);
      if (lacksScope.test(said) && !caller.isService)
        throw new ScopeMissing(causeOf(words, answered, caller));
      return null;
    },
  };
}

/** Some lists come with links to others of their pages, all with how many items there are. */
function isLastPage(headers: Record<string, string | undefined>, count: number): boolean {
  if (headers.link !== undefined) return !headers.link.includes('rel="next"');
  return Number(headers[totalHeader] ?? 0) <= count;
}

/** Why Gitea forbids something; null where that is not said by Gitea. */
const itsWord = (data: unknown): string | null =>
  typeof data === 'object' && data !== null && 'message' in data && typeof data.message === 'string'
    ? data.message
    : null;

/** What is read of Gitea's answers, and nothing more: an answer without it is a broken one. Forgejo answers alike. */
/** Empty where Gitea has found no commit, or not yet. What is none must not reach git, which might take it for an option. */
const MaybeSha = Type.String({ pattern: '^(?:[0-9a-f]{40}(?:[0-9a-f]{24})?)?$' });
/** Those who have deleted their account are all the same one, which has a name. */
const Author = orNull(Type.Object({ login: Text }));

export const AccountPayload = Type.Object({
  /** Below one for those who are no people, such as what runs workflows. */
  id: Type.Integer({ maximum: Number.MAX_SAFE_INTEGER }),
  login: Text,
  full_name: maybe(Text),
  email: maybe(Text),
  avatar_url: maybe(Text),
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
  body: maybe(Text),
  labels,
  merge_base: MaybeSha,
  changed_files: maybe(Count),
  additions: maybe(Count),
  deletions: maybe(Count),
  head: Type.Object({ ref: Text, sha: MaybeSha }),
});
export type PullRequestPayload = Static<typeof PullRequestPayload>;

/** One that may have been merged within a range. */
export const RangePullRequestPayload = Type.Object({
  ...PullRequestSummaryPayload.properties,
  body: maybe(Text),
  merge_commit_sha: maybe(Text),
});
export type RangePullRequestPayload = Static<typeof RangePullRequestPayload>;

/** Whether a list of pull requests is shown at all. */
export const NumberedPayload = Type.Object({ number: Id });

export const ReferencePayload = Type.Object({ ref: Text, object: Type.Object({ sha: Sha }) });
/** Alone where nothing else begins with what was asked for. */
export const ReferencesPayload = Type.Union([ReferencePayload, Type.Array(ReferencePayload)]);

export const CommitPayload = Type.Object({
  sha: Sha,
  commit: Type.Object({ message: Text, author: orNull(Type.Object({ name: maybe(Text) })) }),
});
export type CommitPayload = Static<typeof CommitPayload>;

export const RangeCommitPayload = Type.Object({
  sha: Sha,
  parents: orNull(Type.Array(Type.Object({ sha: Text }))),
  commit: Type.Object({
    message: Text,
    committer: Type.Optional(orNull(Type.Object({ date: maybe(Text) }))),
  }),
});
export type RangeCommitPayload = Static<typeof RangeCommitPayload>;

export const CommentPayload = Type.Object({
  user: Author,
  /** Of what was brought along from elsewhere. */
  original_author: maybe(Text),
  body: maybe(Text),
  created_at: Time,
});
export type CommentPayload = Static<typeof CommentPayload>;

export const ReviewPayload = Type.Object({
  id: Id,
  user: Author,
  body: maybe(Text),
  state: Text,
  submitted_at: orNull(Time),
  comments_count: maybe(Count),
});
export type ReviewPayload = Static<typeof ReviewPayload>;

export const ReviewCommentPayload = Type.Object({
  user: Author,
  body: Text,
  created_at: Time,
  path: Text,
  /** Lines of the new and of the old side; zero on the one that it is not about. */
  position: maybe(Count),
  original_position: maybe(Count),
});
export type ReviewCommentPayload = Static<typeof ReviewCommentPayload>;

export const IssuePayload = Type.Object({ number: Id, title: Text, body: maybe(Text) });

export const TagPayload = Type.Object({ name: Text });

export const VersionPayload = Type.Object({ version: Text });

export const pathOf = ({ owner, name }: Pick<HostRepository, 'owner' | 'name'>): string =>
  `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;

/**
 * What an owner shows to accounts or to members alone is private here, and so is what only some units of are public: what
 * everybody sees on Gitea is what its owner and the repository show to those without an account.
 */
export function repositoryOf({
  id,
  name,
  owner,
  private: isPrivate,
  internal,
}: RepositoryPayload): HostRepository {
  return {
    hostRepoId: id,
    owner: owner.login,
    name,
    isPrivate: isPrivate || internal || owner.visibility !== 'public',
  };
}

/** Whoever sees a repository that has either of them turned off is shown no pull requests, its owner included. */
const isWithoutPullRequests = ({ has_pull_requests: hasPulls, has_code: hasCode }: RepositoryPayload) =>
  !hasPulls || hasCode === false;

/** Whether a caller is shown the code and the pull requests: members may see a repository and neither of these. */
export async function showsPullRequests(
  client: HostClient,
  repository: HostRepository,
  caller: HostCaller,
): Promise<boolean> {
  const path = `${pathOf(repository)}/pulls?state=all&limit=1`;
  return (await client.pageUnlessUnchanged(path, NumberedPayload, caller, null)) !== null;
}

/** A repository whose pull requests the caller may see, by its path: a name as of now or as of before a rename, or a number. */
export async function readRepository(
  client: HostClient,
  path: string,
  caller: HostCaller,
): Promise<HostRepository | null> {
  const found = await client.get(path, RepositoryPayload, caller);
  if (!found || isWithoutPullRequests(found)) return null;
  const shown = ifVisibleTo(caller, repositoryOf(found));
  if (!shown?.isPrivate) return shown;
  return (await showsPullRequests(client, shown, caller)) ? shown : null;
}
