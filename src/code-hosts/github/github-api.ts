import type { Static, TSchema } from 'typebox';
import { Type } from '../../contract/type.ts';
import { Failure } from '../../domain/errors.ts';
import { type HostRepository, MovedMeanwhile, UselessResponse } from '../code-host.ts';
import {
  brokenResponse,
  causeOf,
  type HostApi,
  type HostCaller,
  isAbsent,
  LateStream,
  refuseAccount,
} from '../http/host-api.ts';
import { type ClientOptions, HostClient } from '../http/host-client.ts';
import { redacted, ruleBrokenBy } from '../http/host-transport.ts';
import { Author, pullFields, pullInList, RangeCommitPayload } from '../http/pull-payloads.ts';
import { limitHeaders } from '../http/rate-limits.ts';
import { Count, Id, maybe, Name, orNull, Sha, Text, Time } from '../payload-types.ts';
import type { GitHubAddresses } from './github-settings.ts';

/** The newest API version that Enterprise Servers support too. */
const apiVersion = '2022-11-28';

const tooLargeToPrint = 406;

/** GitHub responds like this, with 422 or 500, if computing a diff takes too long, even a small one. */
const cannotPrint = /"code":\s*"not_available"/;

const anonymousLimit = 60;
const tokenLimit = 5_000;

function createGitHubApi(addresses: GitHubAddresses): HostApi {
  const words = { id: 'github', name: 'GitHub' };
  return {
    ...words,
    tokenSetting: 'GITHUB_TOKEN',
    permissions: 'read Contents, Pull requests and Issues of the repository',
    address: addresses.api,
    headers: (token) => ({
      accept: 'application/vnd.github+json',
      'x-github-api-version': apiVersion,
      ...(token !== null && { authorization: `Bearer ${token}` }),
    }),
    pages: { sizes: [100, 10, 1], query: (size, page) => `per_page=${size}&page=${page}` },
    limits: { read: limitHeaders('x-ratelimit-'), periodsPerHour: 1 },
    usualLimit: (token) => (token === null ? anonymousLimit : tokenLimit),
    refusal(answered, caller) {
      const { status, headers, message } = answered;
      if (status === tooLargeToPrint) return answered;
      if (cannotPrint.test(message)) return { ...answered, status: tooLargeToPrint };
      if (status === 403 && /suspended/i.test(message)) return refuseAccount(words, answered, caller);
      if (status === 403 && headers['x-github-sso'] !== undefined)
        throw signOnDemanded(causeOf(words, answered, caller), caller.isService);
      return null;
    },
  };
}

function signOnDemanded(cause: Error, isService: boolean): Failure {
  const message =
    'The organization requires single sign-on. Authorize the token for it on GitHub, then try again.';
  return isService
    ? new UselessResponse(message, { cause })
    : new Failure('HOST_TOKEN_INVALID', message, { cause });
}

/** A diff may have several megabytes. */
const diffMs = 30_000;

const diffType = 'application/vnd.github.diff';

export class GitHubClient extends HostClient {
  readonly #addresses: GitHubAddresses;

  constructor({ addresses, ...options }: Omit<ClientOptions, 'api'> & { addresses: GitHubAddresses }) {
    super({ ...options, api: createGitHubApi(addresses) });
    this.#addresses = addresses;
  }

  async diff(path: string, caller: HostCaller): Promise<Buffer | null> {
    const { name, address } = this.api;
    const signal = AbortSignal.any([caller.signal, AbortSignal.timeout(diffMs)]);
    const request = { address: `${address}${path}`, resource: 'core', streamOf: diffType, isCostly: true };
    const response = await this.call(request, { ...caller, signal }).catch((error) => {
      if (error instanceof LateStream) return null;
      throw error;
    });
    if (!response || response.status === tooLargeToPrint) return null;
    if (isAbsent(response.status)) throw new MovedMeanwhile();
    if (!(response.data instanceof ReadableStream)) throw brokenResponse(name);
    try {
      return Buffer.concat(await Array.fromAsync<Uint8Array>(response.data));
    } catch (error) {
      if (ruleBrokenBy(error) === 'size') return null;
      throw brokenResponse(name, redacted(error));
    }
  }

  async query<Schema extends TSchema>(
    query: string,
    variables: Record<string, unknown>,
    schema: Schema,
    caller: HostCaller,
  ): Promise<Static<Schema> | null> {
    const resource = 'graphql';
    const request = {
      address: this.#addresses.graphql,
      resource,
      body: { query, variables },
      isCostly: true,
    };
    const { data } = await this.call(request, caller);
    if (!isObject(data)) throw brokenResponse(this.api.name);
    if (JSON.stringify(data.errors ?? []).includes('RATE_LIMITED')) throw this.refuse(caller, resource);
    return data.data ? this.checked(schema, data.data) : null;
  }

  /** The first of some files named as COMMIT:PATH; null for each that GitHub does not return as a whole. */
  async queryTexts(
    { owner, name }: Pick<HostRepository, 'owner' | 'name'>,
    wanted: string[],
    caller: HostCaller,
  ): Promise<(string | null)[]> {
    if (caller.token === null || wanted.length === 0) return [];
    const files = wanted.slice(0, mostFilesQueried);
    const variables = { owner, name, ...Object.fromEntries(files.map((one, place) => [`n${place}`, one])) };
    const hostCaller = { ...caller, respectsBackgroundQuota: true };
    const found = await this.query(queryForTexts(files.length), variables, FileTextsPayload, hostCaller);
    return files.map((_, place) => {
      const blob = found?.repository?.[`f${place}`];
      return (blob?.isTruncated === false && blob.text) || null;
    });
  }
}

/** Paths are variables, so that none can become part of the query. */
function queryForTexts(count: number): string {
  const places = Array.from({ length: count }, (_, place) => place);
  const declared = places.map((place) => `, $n${place}: String!`).join('');
  const selections = places
    .map((place) => `f${place}: object(expression: $n${place}) { ...file }`)
    .join('\n    ');
  return `query ($owner: String!, $name: String!${declared}) {
  repository(owner: $owner, name: $name) {
    ${selections}
  }
}
fragment file on Blob { text isTruncated }`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

export const AccountPayload = Type.Object({
  id: Id,
  login: Text,
  name: maybe(Text),
  email: maybe(Text),
  avatar_url: maybe(Text),
});
export type AccountPayload = Static<typeof AccountPayload>;

export const RepositoryPayload = Type.Object({
  id: Id,
  name: Name,
  owner: Type.Object({ login: Name }),
  private: Type.Boolean(),
  /** Repositories with visibility "internal" are shown to members of the enterprise only. */
  visibility: Type.Optional(Text),
});
export type RepositoryPayload = Static<typeof RepositoryPayload>;

export const ListedPullPayload = pullInList(Type.Object({ repo: RepositoryPayload }));
export type ListedPullPayload = Static<typeof ListedPullPayload>;

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
  ...pullFields,
  body: orNull(Text),
  labels: Type.Array(Type.Object({ name: Type.Optional(Text) })),
  changed_files: Count,
  additions: Type.Optional(Count),
  deletions: Type.Optional(Count),
  base: Type.Object({ ref: Text, sha: Sha, repo: RepositoryPayload }),
  head: Type.Object({ ref: Text, sha: Sha }),
});
export type PullRequestPayload = Static<typeof PullRequestPayload>;

const Person = orNull(Type.Object({ login: Text, type: Type.Optional(Text) }));

export const CommentPayload = Type.Object({
  id: Id,
  user: Person,
  body: maybe(Text),
  created_at: Time,
});
export type CommentPayload = Static<typeof CommentPayload>;

export const ReviewPayload = Type.Object({
  id: Id,
  user: Person,
  body: orNull(Text),
  state: Text,
  submitted_at: maybe(Time),
  commit_id: maybe(Text),
});
export type ReviewPayload = Static<typeof ReviewPayload>;

export const ReviewCommentPayload = Type.Object({
  id: Id,
  in_reply_to_id: maybe(Id),
  user: Person,
  pull_request_review_id: maybe(Id),
  body: Text,
  created_at: Time,
  path: Text,
  side: maybe(Text),
  line: maybe(Count),
  original_line: maybe(Count),
  original_start_line: maybe(Count),
  original_commit_id: maybe(Text),
  diff_hunk: maybe(Text),
});
export type ReviewCommentPayload = Static<typeof ReviewCommentPayload>;

export const FilePayload = Type.Object({
  filename: Text,
  previous_filename: Type.Optional(Text),
  status: Text,
  additions: Count,
  deletions: Count,
});

export const ComparisonPayload = Type.Object({ merge_base_commit: Type.Object({ sha: Sha }) });

export const RangePayload = Type.Object({
  base_commit: Type.Object({ sha: Sha }),
  total_commits: Count,
  behind_by: Count,
  commits: Type.Array(RangeCommitPayload),
});

const connectionOf = <Node extends TSchema>(node: Node) =>
  Type.Object({
    pageInfo: Type.Object({ hasNextPage: Type.Boolean(), endCursor: orNull(Text) }),
    nodes: Type.Array(orNull(node)),
  });

export const ClosingIssuesPayload = Type.Object({
  repository: orNull(
    Type.Object({
      pullRequest: orNull(
        Type.Object({
          closingIssuesReferences: connectionOf(
            Type.Object({
              number: Id,
              title: Text,
              body: Text,
              repository: Type.Object({ databaseId: orNull(Id) }),
            }),
          ),
        }),
      ),
    }),
  ),
});

const HiddenMark = Type.Object({
  fullDatabaseId: orNull(Type.Union([Text, Id])),
  isMinimized: Type.Boolean(),
});
const Commit = maybe(Type.Object({ oid: Text }));

export const DiscussionPayload = Type.Object({
  repository: orNull(
    Type.Object({
      pullRequest: orNull(
        Type.Object({
          comments: connectionOf(HiddenMark),
          reviews: connectionOf(HiddenMark),
          reviewThreads: connectionOf(
            Type.Object({
              isResolved: Type.Boolean(),
              isOutdated: Type.Boolean(),
              resolvedBy: Author,
              comments: Type.Object({ nodes: Type.Array(orNull(HiddenMark)) }),
            }),
          ),
          timelineItems: connectionOf(
            Type.Object({
              createdAt: Type.Optional(Time),
              beforeCommit: Commit,
              afterCommit: Commit,
              source: Type.Optional(
                Type.Object({
                  number: Type.Optional(Id),
                  merged: Type.Optional(Type.Boolean()),
                  repository: Type.Optional(Type.Object({ databaseId: orNull(Id) })),
                }),
              ),
            }),
          ),
        }),
      ),
    }),
  ),
});
export type DiscussionPayload = Static<typeof DiscussionPayload>;

const mostFilesQueried = 50;

const File = Type.Object({
  text: maybe(Text),
  isTruncated: maybe(Type.Boolean()),
});
const places = Array.from({ length: mostFilesQueried }, (_, place) => `f${place}`);

const FileTextsPayload = Type.Object({
  repository: orNull(Type.Object(Object.fromEntries(places.map((name) => [name, maybe(File)])))),
});

export function gitHubRepository({
  id,
  name,
  owner,
  private: isPrivate,
  visibility = 'public',
}: RepositoryPayload): HostRepository {
  return { hostRepoId: id, owner: owner.login, name, isPrivate: isPrivate || visibility !== 'public' };
}
