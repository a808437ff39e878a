import type { Static } from 'typebox';
import { Type } from '../../contract/type.ts';
import { isBotLogin } from '../../domain/pull-requests.ts';
import type { HostRepository } from '../code-host.ts';
import {
  causeOf,
  type HostApi,
  type HostCaller,
  PermissionMissing,
  refuseAccount,
} from '../http/host-api.ts';
import type { HostClient } from '../http/host-client.ts';
import { Author, pullFields, pullInList } from '../http/pull-payloads.ts';
import { limitHeaders } from '../http/rate-limits.ts';
import { Count, Id, maybe, Name, orNull, Sha, Text, Time } from '../payload-types.ts';
import type { GiteaAddresses } from './gitea-settings.ts';

export const neededScopes = 'read:user read:repository read:issue';

const words = {
  id: 'gitea',
  name: 'Gitea',
  tokenSetting: 'GITEA_TOKEN',
  permissions: 'read users, repositories and issues (the scopes read:user, read:repository and read:issue)',
};

const callsPerHour = 5_000;

const totalHeader = 'x-total-count';

export const lacksScope = /required scope|token scope is limited|public-only token/i;

/** The words with which Gitea refuses a resource of other users; all other refusals are about the caller. */
const isForOthers = /^(?:user should |must be )/i;
export const mustChangePassword = /must change your password/i;
const isShutOut = /prohibited from signing in|not activated/i;

/** Thrown for a token with too few scopes, or with access to some repositories only. */
export class ScopeMissing extends PermissionMissing {}

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
    usualLimit: () => callsPerHour,
    refusal(answered, caller) {
      const reason = answered.status === 403 ? giteaReason(answered.data) : null;
      if (reason === null) return null;
      // A server that requires sign-in shows nothing without a token. Single units of a repository may be closed too.
      if (caller.token === null || isForOthers.test(reason)) return { ...answered, status: 404 };
      if (isShutOut.test(reason) || mustChangePassword.test(reason))
        return refuseAccount(words, answered, caller);
      if (lacksScope.test(reason) && !caller.isService)
        throw new ScopeMissing(words, causeOf(words, answered, caller));
      return null;
    },
  };
}

function isLastPage(headers: Record<string, string | undefined>, count: number): boolean {
  if (headers.link !== undefined) return !headers.link.includes('rel="next"');
  return Number(headers[totalHeader] ?? 0) <= count;
}

/** The reason that Gitea gives for a refusal; null if a proxy refused. */
const giteaReason = (data: unknown): string | null =>
  typeof data === 'object' && data !== null && 'message' in data && typeof data.message === 'string'
    ? data.message
    : null;

export const ghost = 'Ghost';

const workflowLogin = /^(?:gitea|forgejo)-actions$/;

/** Gitea marks bots only by their names. */
export const isGiteaBot = (login: string): boolean => isBotLogin(login) || workflowLogin.test(login);

/** Empty if Gitea has no commit. Any other value is rejected, because git might take it for an option. */
const MaybeSha = Type.String({ pattern: '^(?:[0-9a-f]{40}(?:[0-9a-f]{24})?)?$' });
export const AccountPayload = Type.Object({
  /** Bots, such as the one of workflows, have ids below one. */
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
});
export type RepositoryPayload = Static<typeof RepositoryPayload>;

const Base = Type.Object({ ref: Text, repo: RepositoryPayload });

export const ListedPullPayload = pullInList(Base);
export type ListedPullPayload = Static<typeof ListedPullPayload>;

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
  ...pullFields,
  base: Base,
  body: maybe(Text),
  labels,
  merge_base: MaybeSha,
  changed_files: maybe(Count),
  additions: maybe(Count),
  deletions: maybe(Count),
  head: Type.Object({ ref: Text, sha: MaybeSha }),
});
export type PullRequestPayload = Static<typeof PullRequestPayload>;

const NumberedPayload = Type.Object({ number: Id });

export const ReferencePayload = Type.Object({ ref: Text, object: Type.Object({ sha: Sha }) });
export const ReferencesPayload = Type.Union([ReferencePayload, Type.Array(ReferencePayload)]);

export const CommentPayload = Type.Object({
  id: Id,
  user: Author,
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
  commit_id: maybe(Text),
  dismissed: maybe(Type.Boolean()),
});
export type ReviewPayload = Static<typeof ReviewPayload>;

export const ReviewCommentPayload = Type.Object({
  id: Id,
  user: Author,
  resolver: maybe(Type.Object({ login: Text })),
  body: Text,
  created_at: Time,
  path: Text,
  position: maybe(Count),
  original_position: maybe(Count),
  diff_hunk: maybe(Text),
});
export type ReviewCommentPayload = Static<typeof ReviewCommentPayload>;

/** An event in the history of a pull request. */
export const EventPayload = Type.Object({
  type: Text,
  body: maybe(Text),
  created_at: Time,
  ref_issue: maybe(
    Type.Object({
      number: Id,
      pull_request: maybe(Type.Object({ merged: maybe(Type.Boolean()) })),
      repository: maybe(Type.Object({ full_name: Text })),
    }),
  ),
});
export type EventPayload = Static<typeof EventPayload>;

export const IssuePayload = Type.Object({
  number: Id,
  title: Text,
  body: maybe(Text),
  /** Gitea lists pull requests among issues. */
  pull_request: maybe(Type.Object({})),
});

export const VersionPayload = Type.Object({ version: Text });

export const repositoryApiPath = ({ owner, name }: Pick<HostRepository, 'owner' | 'name'>): string =>
  `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;

/**
 * The repository as Gitea describes it. It is public only if neither it nor its owner is limited to accounts or
 * members.
 */
export function giteaRepository({
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

/**
 * Users may see the repository without its pull requests: code or pull requests may be turned off, for all or some
 * users.
 */
export async function showsPullRequests(
  client: HostClient,
  repository: HostRepository,
  caller: HostCaller,
): Promise<boolean> {
  const path = `${repositoryApiPath(repository)}/pulls?state=all&limit=1`;
  return (await client.pageUnlessUnchanged(path, NumberedPayload, caller, null)) !== null;
}
