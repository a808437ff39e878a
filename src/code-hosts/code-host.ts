import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { TokenKind } from '../contract/service.ts';
import type { Identity } from '../domain/accounts.ts';
import { Failure } from '../domain/errors.ts';
import type { MergedPullRequest } from '../domain/pull-requests.ts';
import type { SuggestedRefs } from '../domain/releases.ts';
import type { CloneProblem } from '../domain/repositories.ts';
import type { Discussion } from '../domain/reviews.ts';
import type { FileKind } from '../reading/facts.ts';
import type { FileStatus } from '../reading/file-diff.ts';

export interface HostRepository {
  hostRepoId: number;
  owner: string;
  name: string;
  isPrivate: boolean;
}

export interface Caller {
  /** The viewer's identity on this host; null shows public repositories only. */
  identity: Identity | null;
  token: string | null;
  replaceToken?: (refused: string) => Promise<string | null>;
  respectsBackgroundQuota?: boolean;
  signal: AbortSignal;
}

export interface HostCredential {
  identity: Identity;
  expiresAt: Date | null;
  singleUse: boolean;
}

export type PullRequestState = 'open' | 'closed' | 'merged';

export interface HostPullRequestSummary {
  number: number;
  title: string;
  authorLogin: string;
  url: string | null;
  state: PullRequestState;
  createdAt: Date;
  mergedAt: Date | null;
  updatedAt: Date | null;
}

export interface HostFileSummary {
  path: string;
  previousPath: string | null;
  status: FileStatus;
  additions: number;
  deletions: number;
}

export interface WantedText {
  path: string;
  side: 'old' | 'new';
}

export interface RangeCommit {
  sha: string;
  subject: string;
  body: string;
  /** Null if the host does not say it. */
  authorLogin: string | null;
}

export interface RangePullRequest extends HostPullRequestSummary {
  body: string | null;
  labels?: string[];
  /** The kinds of its files; absent if they are unknown. */
  fileKinds?: FileKind[];
}

export interface RangeChange {
  /** `state` is the host's own: a pull request that was merged into a branch other than the main one may be closed. */
  pullRequest: RangePullRequest | null;
  commits: RangeCommit[];
  copies: RangeCommit[];
}

/** The commits that one ref has and another lacks, as listed by `git rev-list from..to`. */
export interface HostRange {
  fromSha: string;
  toSha: string;
  committedAt: Date | null;
  /** `total` counts all commits of the range, and `read` the newest ones that were read. */
  total: number;
  read: number;
  /** The number of commits that the start has and the end lacks; zero if one leads to the other. */
  behind: number;
  /** Whether the clone lacks older history, so that more may have changed. */
  isShallow: boolean;
  changes: RangeChange[];
  /** The headings under which the changelog lists pull requests, by their numbers. */
  headings: ReadonlyMap<number, string>;
  /** The page of the host that compares both ends; null if the host is unknown. */
  compareUrl: string | null;
}

export interface HostTag {
  name: string;
  /** The date of its commit; null if the host does not say it. */
  committedAt: Date | null;
}

export interface FileText {
  place: number;
  text: string;
}

export type TreeSide = WantedText['side'];

export interface TreeHit {
  path: string;
  line: number;
  text: string;
}

/** All files of both sides of a pull request: of its head, and of the state before. */
export interface Tree {
  /** The paths of files that differ between the two sides. */
  changedPaths: () => Promise<string[]>;
  /** Lines that contain one of the texts, in the order of their files; `isPartial` if there may be more. */
  find: (side: TreeSide, texts: string[]) => Promise<{ hits: TreeHit[]; isPartial: boolean }>;
  /** The texts of files, without missing, binary, large and irregular ones. */
  read: (side: TreeSide, paths: string[]) => Promise<{ path: string; text: string }[]>;
  /** The same for the highest and the newest release before the change; none if tags are unknown. */
  readReleased: (paths: string[]) => Promise<TreeRelease[]>;
  close: () => Promise<void>;
}

export interface TreeRelease {
  name: string;
  date: string;
  texts: { path: string; text: string }[];
}

export type ReleaseSlotWhile = <Done>(work: () => Promise<Done>) => Promise<Done>;

export interface DiffReader {
  releaseSlotWhile?: ReleaseSlotWhile;
  /**
   * Called with a function that removes the fetched files. The reader then calls it itself, after reading whole files.
   */
  atEnd?: (letGo: () => Promise<void>) => void;
}

export interface HostPullRequest extends HostPullRequestSummary {
  /**
   * Equal as long as nothing has changed, and a prefix of it for callers with fewer rights. Null if the host tells only
   * by reading the pull request.
   */
  version: string | null;
  body: string | null;
  labels: string[];
  baseRef: string;
  headRef: string;
  headSha: string;
  /**
   * The commit at which the diff begins, or the empty tree if everything is new. It may change while the head stays.
   */
  baseSha: string;
  commits: { sha: string; message: string; author: string }[];
  comments: {
    kind: 'comment' | 'review' | 'reviewComment';
    author: string;
    body: string;
    createdAt: Date;
    path?: string;
    line?: number;
  }[];
  linkedIssues: { number: number; title: string; body: string | null }[];
  /** The comments and reviews; absent if there is no discussion to read. */
  discussion?: Discussion;
  /** Parts that the host did not show to the caller; stored ones are kept. */
  unavailable?: readonly ('comments' | 'linkedIssues' | 'discussion')[];
  /**
   * Whether any of these issues was public and is hidden now. Absent if the host hides no issues of visible pull
   * requests.
   */
  areIssuesHidden?: (numbers: number[]) => Promise<boolean>;
  /**
   * The output of `git diff`. The reader may stop early. Fetched files are removed when it ends, unless the reader
   * takes over.
   */
  diff: (reader?: DiffReader) => AsyncIterable<Buffer>;
  fileSummaries: () => Promise<HostFileSummary[]>;
  /**
   * Whole files, most wanted first; missing, binary and large ones are skipped. Read them before the diff is closed.
   */
  fileTexts?: (wanted: WantedText[]) => AsyncIterable<FileText>;
  /**
   * Throws if the pull request or its visibility has changed. Reading the diff to its end checks the same. Absent if
   * nothing can change meanwhile.
   */
  requireSame?: () => Promise<void>;
}

/** A pull request or range changed or vanished while it was read. Reading it once more may succeed. */
export class MovedMeanwhile extends Failure {
  constructor() {
    super('UNAVAILABLE', 'This changed while it was being read. Try again.');
  }
}

/** The host responded, but with something useless: it is broken, not silent. */
export class UselessResponse extends Failure {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super('HOST_ERROR', message, options);
  }
}

export class UnrelatedRefs extends Failure {
  constructor(from: string, to: string) {
    super('NOT_FOUND', `${from} and ${to} have no common history. Choose two versions that do.`, {
      details: [{ field: 'from', problem: 'has no common history with to' }],
    });
  }
}

export class UnknownRef extends Failure {
  readonly ref: string;
  readonly suggested: SuggestedRefs;

  constructor(field: 'from' | 'to', ref: string, suggested: SuggestedRefs) {
    const { names, more, isWhole } = suggested;
    const rest = more > 0 ? `, and ${isWhole ? '' : 'at least '}${more} more` : '';
    const others = names.length > 0 ? ` Available: ${names.join(', ')}${rest}.` : '';
    super('NOT_FOUND', `The repository has no tag, branch or commit ${ref}.${others}`, {
      details: [{ field, problem: `is not a tag, branch or commit of the repository.${others}` }],
    });
    this.ref = ref;
    this.suggested = suggested;
  }
}

export interface PullRequestGlance extends Omit<HostPullRequestSummary, 'url' | 'updatedAt'> {
  changedFiles: number;
  lines: { additions: number; deletions: number } | null;
}

export interface FoundPullRequest {
  repository: HostRepository;
  pullRequest: {
    version: HostPullRequest['version'];
    glance: () => Promise<PullRequestGlance>;
    read: () => Promise<HostPullRequest>;
  } | null;
}

export interface PullRequestPage {
  state: 'open' | 'closed' | 'all';
  limit: number;
  offset: number;
  /** Last changed first, if the host can; otherwise last opened first. In clones only a merge counts as a change. */
  order?: 'updated';
  without?: ReadonlySet<number>;
}

export interface HostPullRequestList {
  items: HostPullRequestSummary[];
  total: number | null;
}

export interface PullRequestName {
  owner: string;
  name: string;
  number: number;
}

export interface ListedClone extends HostRepository {
  countMerged: () => Promise<number | null>;
}

export interface MergedSince {
  /** The repository as the host describes it in the list; null if it does not. */
  repository: HostRepository | null;
  merged: MergedPullRequest[];
  cursor: string;
}

/** All merges of a period, and which of them are by bots. */
export interface MergesOfPeriod {
  merged: { number: number; mergedAt: Date }[];
  findBots: () => Promise<ReadonlySet<number>>;
}

/** A repository that an operator may add: a clone on disk, or the URL of one to mirror. */
export interface InspectedRepository {
  owner: string;
  name: string;
  clone: { folder: string; root: string; defaultRef: string | null } | { address: string };
}

/** Adds repositories in the browser; the database stores them. */
export interface AddingRepositories {
  /** The folders below which paths are accepted, and the hosts whose URLs are; empty if that is turned off. */
  roots: string[];
  hosts: string[];
  /** Throws INVALID_REQUEST with what to do. Does not call the URL yet. */
  inspect: (
    wanted: { location: string; fullName: string | null },
    identity: Identity,
  ) => Promise<InspectedRepository>;
  /** The paths of clones inside the roots that are public and not added yet: not too deep, within a short time. */
  findClones: () => Promise<string[]>;
  /** The folder in GIT_ROOTS that contains a clone; null if none does. */
  rootOf: (folder: string) => Promise<string | null>;
  /** The reasons why added repositories cannot be read, by id. */
  findProblems: () => Promise<Map<string, CloneProblem>>;
  /** Whether a repository that the caller may see is unreadable because its folder is missing. */
  isMissing: (named: { owner: string; name: string }) => Promise<boolean>;
  /** `onProgress` gets percentages. Rejects with the abort reason of the signal. */
  mirror: (
    job: { id: string; address: string },
    signals: { signal: AbortSignal; onProgress: (done: number) => void },
  ) => Promise<void>;
  /** Updates a mirror, or throws and leaves it unchanged. Must not run twice at once. */
  refreshMirror: (job: { id: string; address: string }, signal: AbortSignal) => Promise<void>;
  removeMirror: (id: string) => Promise<void>;
  removeUnlisted: (listIds: () => Promise<string[]>) => Promise<void>;
}

export interface DiffLines {
  fileName: string;
  startLine: number;
  endLine: number;
  side: 'old' | 'new';
  /** Set if the lines are not in the diff. */
  unchanged?: true;
}

export interface GrantedToken {
  accessToken: string;
  expiresAt: Date | null;
  refreshToken: string | null;
}

interface AuthorizationRequest {
  redirectUri: string;
  state: string;
  challenge: string;
}

export interface HostApp {
  clientId: string;
  scopes: string;
  callbackPath?: string;
  authorizeUrl: (request: AuthorizationRequest) => string;
  exchangeCode: (
    exchanged: { code: string; verifier: string; redirectUri: string },
    signal: AbortSignal,
  ) => Promise<GrantedToken | null>;
  refresh: (refreshToken: string, signal: AbortSignal) => Promise<GrantedToken | null>;
  /** The owner of a token that this app was granted, and when it expires; null for other tokens. */
  confirm: (
    accessToken: string,
    signal: AbortSignal,
  ) => Promise<{ hostUserId: number | null; expiresAt: Date | null } | null>;
  isRefreshToken: (token: string) => boolean;
  revoke: (accessToken: string, signal: AbortSignal) => Promise<void>;
}

/** The only parts of a delivery that are used; everything else is read from the host. */
export interface WebhookEvent {
  /** A pull request that was merged, closed, discussed or changed, and may have a new diff. */
  pullRequest?: {
    hostRepoId: number;
    number: number;
    change: 'merged' | 'closed' | 'moved' | 'discussed' | 'other';
  };
  /** An issue that may have been public and is hidden now: its stored text must be deleted. */
  hiddenIssue?: { hostRepoId: number; number: number };
  /** Visibility changed: earlier responses of the host no longer count. */
  revoked?: {
    hostRepoIds?: number[];
    owners?: string[];
    /** Full paths or last names of groups, which stand for all private repositories that may be in them. */
    groups?: string[];
    hostUserId?: number;
  };
}

export interface HostWebhooks {
  mostKib: number;
  /** Whether the headers may carry a valid signature; if not, the body is not even read. */
  looksSigned: (headers: IncomingHttpHeaders) => boolean;
  isSigned: (headers: IncomingHttpHeaders, body: Buffer) => boolean;
  deliveryHeader: string;
  /** The id of a delivery, the same if it is sent again; null if it is missing or malformed. */
  deliveryId: (headers: IncomingHttpHeaders) => string | null;
  /** The event of a signed delivery, empty if it is irrelevant. Throws INVALID_REQUEST for a malformed one. */
  read: (headers: IncomingHttpHeaders, body: Buffer) => Promise<WebhookEvent>;
}

export interface CodeHost {
  id: string;
  webUrl: string | null;
  /** The host that remotes of clones may name, for clones without a configured web address. */
  originUrl?: string | undefined;
  avatarOrigins: string[];
  /** The kind of token for signing in, as named by /meta. */
  signIn: TokenKind;
  /** Explains to users without pull requests what counts as one here; null if that is obvious. */
  pullRequestHint: string | null;
  /** Whether the host needs no network, so that calls cost nothing. */
  isLocal: boolean;
  /** Whether owners are nested groups, whose names contain slashes. */
  ownersNest?: boolean;
  /** The hourly calls that are reserved for background jobs; zero while none are allowed. */
  backgroundQuota: () => number;
  /** The remaining calls of the service; null if unknown. Absent if there is no limit. */
  limitLeft?: () => number | null;
  recognizes: (token: string) => boolean;
  /** How the host's webhooks are read; absent if it sends none, or none that can be verified. */
  webhooks?: HostWebhooks;
  /** The owner of a token; null if it is invalid. Throws UNAUTHORIZED if more can be said. */
  identify: (token: string) => Promise<HostCredential | null>;
  /**
   * Throws HOST_TOKEN_INVALID if a valid token may not read pull requests. Absent if the host cannot tell for all
   * tokens.
   */
  requireRights?: (token: string, signal: AbortSignal) => Promise<void>;
  /** Drops cached identities of an account, or of all. Absent if none are cached. */
  forgetTokens?: (hostUserId: number | null) => void;
  findAccount: (hostUserId: number, signal: AbortSignal) => Promise<Identity | null>;
  app: HostApp | null;
  findRepository: (owner: string, name: string, caller: Caller) => Promise<HostRepository | null>;
  findRepositoryById: (
    known: Omit<HostRepository, 'isPrivate'>,
    caller: Caller,
  ) => Promise<HostRepository | null>;
  findPullRequest: (
    owner: string,
    name: string,
    number: number,
    caller: Caller,
  ) => Promise<FoundPullRequest | null>;
  /**
   * Reads merged pull requests with their diffs. Leaves out diffs above the limit, and pull requests whose failure only
   * a single read explains. Absent if reading them together is no faster.
   */
  readTogether?: (
    repository: Pick<HostRepository, 'owner' | 'name'>,
    wanted: { numbers: number[]; maxDiffBytes: number },
    caller: Caller,
  ) => Promise<{ onHost: HostPullRequest; diff: Buffer }[]>;
  linesUrl: (pullRequestUrl: string | null, headSha: string, lines: DiffLines) => string | null;
  suggestPullRequest: () => Promise<PullRequestName | null>;
  listRepositories?: (identity: Identity | null) => Promise<ListedClone[]>;
  adding?: AddingRepositories;
  /** Pull requests, newest first. This and the following methods require that the caller may see the repository. */
  listPullRequests: (
    repository: HostRepository,
    page: PullRequestPage,
    caller: Caller,
  ) => Promise<HostPullRequestList>;
  /**
   * Merges since the cursor, possibly repeated; none without a cursor. Null if the caller may not see the repository.
   */
  mergedSince: (
    repository: HostRepository,
    cursor: string | null,
    caller: Caller,
  ) => Promise<MergedSince | null>;
  /** The last merges that match, in any order; null if the caller may not see the repository. */
  lastMerged: (
    repository: HostRepository,
    wanted: { most: number; isWanted: (pullRequest: MergedPullRequest) => boolean },
    caller: Caller,
  ) => Promise<MergedPullRequest[] | null>;
  /**
   * All merges within a time. Null if they cannot be read now; absent if the host would have to be called. Requires that
   * the viewer may see the repository.
   */
  mergedWithin?: (
    repository: Pick<HostRepository, 'owner' | 'name' | 'hostRepoId'>,
    span: { from: Date; to: Date },
  ) => Promise<MergesOfPeriod | null>;
  /** All files of both sides, until it is closed. Null if the host cannot give them, or no longer shows them. */
  openTree?: (
    repository: HostRepository,
    range: { base: string; head: string },
    caller: Caller,
  ) => Promise<Tree | null>;
  /** Throws `UnknownRef`. Null if the caller may no longer see the repository. */
  readRange: (
    repository: HostRepository,
    range: { from: string; to: string },
    caller: Caller,
  ) => Promise<HostRange | null>;
  /** The changes of several ranges; null for one that is too long to read with others. Absent if it takes calls. */
  readRanges?: (
    repository: HostRepository,
    ranges: { from: string; to: string }[],
    caller: Caller,
  ) => Promise<(Pick<HostRange, 'changes' | 'headings'> | null)[]>;
  /** The authors of commits of a range who wrote none before it, by login. Absent if the host cannot tell for certain. */
  findNewcomers?: (
    repository: HostRepository,
    range: Pick<HostRange, 'fromSha' | 'toSha'>,
    caller: Caller,
  ) => Promise<ReadonlySet<string>>;
  /** Newest first. */
  listTags: (repository: HostRepository, atMost: number, caller: Caller) => Promise<HostTag[]>;
  close: () => Promise<void>;
}

/** GitHub, where most clones come from, hashes the path of a file for its anchor in a diff. */
export function githubLinesUrl(
  pullRequestUrl: string | null,
  headSha: string,
  lines: DiffLines,
): string | null {
  if (!pullRequestUrl) return null;
  if (lines.unchanged) return fileUrl(pullRequestUrl.replace(/\/pull\/\d+$/, `/blob/${headSha}`), lines, 'L');
  const anchor = createHash('sha256').update(lines.fileName).digest('hex');
  const side = lines.side === 'old' ? 'L' : 'R';
  return `${pullRequestUrl}/files#diff-${anchor}${side}${lines.startLine}-${side}${lines.endLine}`;
}

/** The address of lines of a file at the head of a pull request. Lines of the old side have no address there. */
export function fileUrl(
  folderUrl: string,
  { fileName, side, startLine, endLine }: DiffLines,
  last: 'L' | '',
): string | null {
  if (side === 'old') return null;
  const path = fileName.split('/').map(encodeURIComponent).join('/');
  return `${folderUrl}/${path}#L${startLine}${endLine > startLine ? `-${last}${endLine}` : ''}`;
}
