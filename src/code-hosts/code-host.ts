import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { TokenKind } from '../contract/service.ts';
import { Failure } from '../domain/errors.ts';
import type { Identity } from '../domain/identity.ts';
import type { MergedPullRequest } from '../domain/watching.ts';
import type { FileStatus } from '../reading/file-diff.ts';

export interface HostRepository {
  hostRepoId: number;
  /** Owner and name as the host spells them. */
  owner: string;
  name: string;
  isPrivate: boolean;
}

/** With whose rights a host is asked, and for how long the caller waits for the answer. */
export interface Caller {
  /** The viewer's identity on this host; null without one, which shows only what is public. */
  identity: Identity | null;
  /** The viewer's own token of this host. Hosts that go by tokens show what is public without one. */
  token: string | null;
  /** What has taken the place of a token that the host refuses; null where nothing has. */
  replaceToken?: (refused: string) => Promise<string | null>;
  /** Whether the question is left unasked where the service needs what is left of the host's limit to ask by itself. */
  respectsBackgroundQuota?: boolean;
  signal: AbortSignal;
}

/** What a token that a host vouches for proves. */
export interface HostCredential {
  identity: Identity;
  /** Null where the host does not tell. */
  expiresAt: Date | null;
  /** Good for opening one session and for nothing else. */
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
  /** When anything of it last changed; null where the host does not tell. */
  updatedAt: Date | null;
}

/** A file as the host counts it, without its lines. */
export interface HostFileSummary {
  path: string;
  previousPath: string | null;
  status: FileStatus;
  additions: number;
  deletions: number;
}

/** A file as it is before or after a pull request, by its path there. */
export interface WantedText {
  path: string;
  side: 'old' | 'new';
}

/** A commit of a range, with the beginning of what its author wrote below the subject. */
export interface RangeCommit {
  sha: string;
  subject: string;
  body: string;
}

/** What a range brings: a pull request, or a commit that came with none. */
export interface RangeChange {
  /** Its state is what the host says elsewhere too: one that was merged into another branch than the main one may be closed. */
  pullRequest: (HostPullRequestSummary & { body: string | null }) | null;
  /** The one that brought it in comes first. */
  commits: RangeCommit[];
  /** Commits that bring the same once more, such as those that were picked for another branch. */
  copies: RangeCommit[];
}

/** The commits that one ref has and another one has not, as `git rev-list from..to` lists them. */
export interface HostRange {
  fromSha: string;
  toSha: string;
  /** When the commit at the end was made; null where that is not known. */
  committedAt: Date | null;
  /** How many commits there are, and how many of them were looked at, the newest. */
  total: number;
  read: number;
  /** How many commits the beginning has that the end has not: none where the one leads to the other. */
  behind: number;
  /** Whether older history is missing, so that more may have changed. */
  isShallow: boolean;
  /** Newest first, each pull request once. */
  changes: RangeChange[];
}

export interface FileText {
  /** Where it stands among those that were wanted. */
  place: number;
  text: string;
}

/** Runs work that may take long and holds little in memory, while another request has the slot of the one that waits for it. */
export type ReleaseSlotWhile = <Done>(work: () => Promise<Done>) => Promise<Done>;

export interface DiffReader {
  /** Where to do what takes long before the diff begins. */
  releaseSlotWhile?: ReleaseSlotWhile;
  /** Takes over to let go of what was fetched, once whole files were read too or nothing more is wanted. */
  atEnd?: (letGo: () => Promise<void>) => void;
}

export interface HostPullRequest extends HostPullRequestSummary {
  /**
   * The same for as long as nothing of it has changed on the host, but shorter by words at its end for callers who are told less;
   * null where only reading it tells.
   */
  version: string | null;
  body: string | null;
  labels: string[];
  baseRef: string;
  headRef: string;
  headSha: string;
  /** Where the diff begins: a commit, or the empty tree where everything is new. It moves without the head. */
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
  /** By their numbers alone where not everybody who sees the pull request is sure to see them. */
  linkedIssues: { number: number; title: string; body: string | null }[];
  /** What the caller could not be told of: what is stored of it stays. */
  unavailable?: readonly ('comments' | 'linkedIssues')[];
  /** Whether any of these issues, which everybody was shown, no longer is. Absent where issues are not hidden from those who see pull requests. */
  areIssuesHidden?: (numbers: number[]) => Promise<boolean>;
  /** What `git diff` prints for it. The reader may stop early. What was fetched for it goes with its end, unless the reader takes over. */
  diff: (reader?: DiffReader) => AsyncIterable<Buffer>;
  /** All files, for when the diff is too large to be read to its end. */
  fileSummaries: () => Promise<HostFileSummary[]>;
  /**
   * Whole files, those that are wanted most first. It leaves out what it does not have, what is no text, and what is more than
   * it reads for one pull request, and may fail: they only tell more about the diff, and are read after it, before what was
   * fetched is let go. Absent where the caller gets none.
   */
  fileTexts?: (wanted: WantedText[]) => AsyncIterable<FileText>;
  /**
   * For a reader that leaves the diff unread, which ends with this check: throws when it, its repository or who may see that
   * is no longer what was said at first. Absent where nothing can change while it is read.
   */
  requireSame?: () => Promise<void>;
}

/** Thrown when a pull request or a range is no longer what was said of it at first, or not there: it can be read once more. */
export class MovedMeanwhile extends Failure {
  constructor() {
    super('UNAVAILABLE', 'What was asked for has changed while it was being read. Try again.');
  }
}

/** Thrown when a host has answered without saying anything about what it was asked for: it is broken, but not silent. */
export class UselessAnswer extends Failure {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super('HOST_ERROR', message, options);
  }
}

/** What a host tells of a pull request at once, before anything of it is read. */
export interface PullRequestGlance extends Omit<HostPullRequestSummary, 'url' | 'updatedAt'> {
  mergedAt: Date | null;
  changedFiles: number;
  /** Null where the host does not tell how many lines it adds and removes. */
  lines: { additions: number; deletions: number } | null;
}

/** What one question tells of a pull request: the repository that it belongs to, and whether it is there. */
export interface FoundPullRequest {
  repository: HostRepository;
  /** Null when the repository has none with this number. */
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
  /** What comes first, where the host can: what was opened last, unless told otherwise, or what has changed last. */
  order?: 'updated';
  /** Those that are listed as if they were not there. */
  without?: ReadonlySet<number>;
}

export interface HostPullRequestList {
  items: HostPullRequestSummary[];
  /** How many there are on all pages; null where the host does not tell it. */
  total: number | null;
}

export interface PullRequestName {
  owner: string;
  name: string;
  number: number;
}

/** A repository that lies on this machine. */
export interface ListedClone extends HostRepository {
  /** How many merged pull requests it has; null where it has no commit. */
  countMerged: () => Promise<number | null>;
}

/** What was merged since a host was asked before. */
export interface MergedSince {
  /** What the host says of the repository beside it; null where it says nothing. */
  repository: HostRepository | null;
  merged: MergedPullRequest[];
  /** How far it has told, in words of its own. */
  cursor: string;
}

/** Lines of one side of a diff. */
export interface DiffLines {
  fileName: string;
  startLine: number;
  endLine: number;
  side: 'old' | 'new';
}

/** What a code host must answer. Its own names and payloads stay in its folder. */
export interface CodeHost {
  id: string;
  webUrl: string | null;
  /** Where it may keep pictures of people. */
  avatarOrigins: string[];
  /** The kind of token people sign in with, as /meta names it. */
  signIn: TokenKind;
  /** A sentence on what counts as a pull request here, for those who find none; null where that is plain. */
  pullRequestHint: string | null;
  /** Whether this host answers everything without the network, so that asking often costs nothing. */
  isLocal: boolean;
  /** Whether its owners are groups that may lie within others, so that an owner may be several names with slashes between. */
  ownersNest?: boolean;
  /** How many questions an hour the service may ask by itself, which readers leave to it; zero while none may be asked. */
  backgroundQuota: () => number;
  /** How many questions it has left for the service, by its last word; null while that is not known. Absent without a limit. */
  limitLeft?: () => number | null;
  /** By its shape alone whether a token is this host's. */
  recognizes: (token: string) => boolean;
  /** What it sends by itself; absent where it sends nothing, or nothing that could be told from what strangers make up. */
  webhooks?: HostWebhooks;
  /** Throws UNAUTHORIZED where there is more to say than that a token is not valid. */
  identify: (token: string) => Promise<HostCredential | null>;
  /** Has the host asked anew whose the tokens of an account are, or of every account; absent where none are remembered. */
  forgetTokens?: (hostUserId: number | null) => void;
  /** A user by their number on this host, with what is public about them. */
  findAccount: (hostUserId: number, signal: AbortSignal) => Promise<Identity | null>;
  /** What this service is on the host; null where it is nothing there. */
  app: HostApp | null;
  /** A repository that the caller may see; null when there is none, or none for this caller. */
  findRepository: (owner: string, name: string, caller: Caller) => Promise<HostRepository | null>;
  /** One that was found before, by its id: whatever it is called now, and whichever repository has its name. */
  findRepositoryById: (
    known: Omit<HostRepository, 'isPrivate'>,
    caller: Caller,
  ) => Promise<HostRepository | null>;
  /** A pull request of a repository that the caller may see; null when there is no such repository. */
  findPullRequest: (
    owner: string,
    name: string,
    number: number,
    caller: Caller,
  ) => Promise<FoundPullRequest | null>;
  /**
   * Says which pull requests are going to be read soon, of a repository that the caller of those reads was shown. Absent where
   * reading them together is no quicker.
   */
  prefetch?: (repository: Pick<HostRepository, 'owner' | 'name'>, numbers: number[]) => Promise<void>;
  /** Where people see these lines of a pull request's diff; null when there is no such page. */
  linesUrl: (pullRequestUrl: string | null, headSha: string, lines: DiffLines) => string | null;
  /** A public one for a user who wants to try; null when there is none. */
  suggestPullRequest: () => Promise<PullRequestName | null>;
  /** Every repository that it shows to an identity, or to everybody; absent where it has more than can be listed. */
  listRepositories?: (identity: Identity | null) => Promise<ListedClone[]>;
  /** Of a repository that the caller was shown, newest first. */
  listPullRequests: (
    repository: HostRepository,
    page: PullRequestPage,
    caller: Caller,
  ) => Promise<HostPullRequestList>;
  /**
   * What was merged in a repository since it told so last, and from where on to ask the next time. At first, nothing: it tells
   * from then on. Whatever happens between two questions, nothing is left out; what is told may be told again. Null when the
   * caller is not shown the repository.
   */
  mergedSince: (
    repository: HostRepository,
    cursor: string | null,
    caller: Caller,
  ) => Promise<MergedSince | null>;
  /** Those that were merged last and are wanted, in any order; null when the caller is not shown the repository. */
  lastMerged: (
    repository: HostRepository,
    wanted: { most: number; isWanted: (pullRequest: MergedPullRequest) => boolean },
    caller: Caller,
  ) => Promise<MergedPullRequest[] | null>;
  /** What lies between two refs of a repository that the caller was shown; throws `UnknownRef`. Null when it no longer is. */
  readRange: (
    repository: HostRepository,
    range: { from: string; to: string },
    caller: Caller,
  ) => Promise<HostRange | null>;
  /** Some of the tags of a repository that the caller was shown, newest first. */
  listTags: (repository: HostRepository, atMost: number, caller: Caller) => Promise<string[]>;
  /** Lets go of what it holds to answer. */
  close: () => Promise<void>;
}

/** What a host gives an app for a user. */
export interface GrantedToken {
  accessToken: string;
  expiresAt: Date | null;
  /** What another one is given for, once. */
  refreshToken: string | null;
}

/** What identifies one sign-in by browser to a host. */
interface AuthorizationRequest {
  redirectUri: string;
  state: string;
  /** The S256 challenge of PKCE. */
  challenge: string;
}

/** The app that this service is on a host: people let it act for them. */
export interface HostApp {
  clientId: string;
  /** What it asks to be allowed, separated by blanks. */
  scopes: string;
  /** Where people come back to, if not to /auth/callback/ID. */
  callbackPath?: string;
  /** Where people are asked whether they let it. */
  authorizeUrl: (request: AuthorizationRequest) => string;
  /** The token for the code of a user who authorized the app; null when the host refuses it. */
  exchangeCode: (
    exchanged: { code: string; verifier: string; redirectUri: string },
    signal: AbortSignal,
  ) => Promise<GrantedToken | null>;
  /** Another token; null when the host refuses to give one. */
  refresh: (refreshToken: string, signal: AbortSignal) => Promise<GrantedToken | null>;
  /** Whose a token is that was made for this app, and until when; null when it was not. */
  confirm: (
    accessToken: string,
    signal: AbortSignal,
  ) => Promise<{ hostUserId: number | null; expiresAt: Date | null } | null>;
  /** By its shape alone whether this is something that another token is given for. */
  isRefreshToken: (token: string) => boolean;
  /** Has the host forget a token, if it is one of this app. */
  revoke: (accessToken: string, signal: AbortSignal) => Promise<void>;
}

/** What a delivery says has happened. None of it is believed but that: the host is asked for everything else. */
export interface WebhookEvent {
  /** What became of a pull request: it was merged, or closed, or may be about something else now, or nothing of these. */
  pullRequest?: { hostRepoId: number; number: number; change: 'merged' | 'closed' | 'moved' | 'other' };
  /** An issue that everybody may have been shown is hidden: what tells of it goes. */
  hiddenIssue?: { hostRepoId: number; number: number };
  /** Who may see what has changed: what the host said before no longer counts. */
  revoked?: {
    hostRepoIds?: number[];
    /** Owners, all of whose private repositories are meant. */
    owners?: string[];
    /** Groups, by all of their names or the last one: whatever may be them or lie in them is meant, as far as it is private. */
    groups?: string[];
    /** An account that took its rights back from this service. */
    hostUserId?: number;
  };
}

/** What a host sends by itself when something happens there. */
export interface HostWebhooks {
  /** The largest body that it sends. */
  mostKib: number;
  /** By its headers alone whether a request may be signed, so that others are refused before their body is read. */
  looksSigned: (headers: IncomingHttpHeaders) => boolean;
  /** Whether the host has signed this body. */
  isSigned: (headers: IncomingHttpHeaders, body: Buffer) => boolean;
  /** The header that it names a delivery in. */
  deliveryHeader: string;
  /** What the host calls a delivery, each time that it sends it; null where a request does not say, or nothing of use. */
  deliveryId: (headers: IncomingHttpHeaders) => string | null;
  /**
   * What a signed delivery tells; nothing where it is of no matter here. Throws INVALID_REQUEST for what the host cannot
   * have meant.
   */
  read: (headers: IncomingHttpHeaders, body: Buffer) => Promise<WebhookEvent>;
}

/** Thrown where both ends of a range are there, and a host cannot tell what lies between them. */
export class UnrelatedRefs extends Failure {
  constructor(from: string, to: string) {
    super(
      'NOT_FOUND',
      `${from} and ${to} share no history: nothing leads from one to the other. Name two others.`,
      {
        details: [{ field: 'from', problem: 'shares no history with to' }],
      },
    );
  }
}

/** Thrown where one end of a range is not there. */
export class UnknownRef extends Failure {
  readonly ref: string;
  readonly suggested: string[];

  constructor(field: 'from' | 'to', ref: string, suggested: string[]) {
    const others = suggested.length > 0 ? ` There is ${suggested.join(', ')}.` : '';
    super('NOT_FOUND', `The repository has no tag, branch or commit ${ref}.${others}`, {
      details: [{ field, problem: `is no tag, branch or commit of the repository.${others}` }],
    });
    this.ref = ref;
    this.suggested = suggested;
  }
}

/** GitHub, which clones mostly come from, gives every file of a diff an anchor that is made from its path. */
export function githubLinesUrl(
  pullRequestUrl: string | null,
  _headSha: string,
  lines: DiffLines,
): string | null {
  if (!pullRequestUrl) return null;
  const anchor = createHash('sha256').update(lines.fileName).digest('hex');
  const side = lines.side === 'old' ? 'L' : 'R';
  return `${pullRequestUrl}/files#diff-${anchor}${side}${lines.startLine}-${side}${lines.endLine}`;
}
