import type { BaseLogger } from 'pino';
import type { Caller, CodeHost } from '../code-hosts/code-host.ts';
import type { Session, User } from '../db/accounts.ts';
import type { Database } from '../db/database.ts';
import type { DetailScope, Repository } from '../db/visibility.ts';
import type { Identity } from '../domain/accounts.ts';
import type { ModelLimits } from '../domain/model-providers.ts';
import type { SecretKeys } from '../domain/secrets.ts';
import type { LookRounds } from '../writing/ai/looks/look-around.ts';
import type { Model } from '../writing/ai/model.ts';
import type { Prompts } from '../writing/ai/prompts.ts';
import type { RunInThread } from './articles/thread-tasks.ts';

export interface Deps {
  database: Database;
  codeHosts: CodeHost[];
  secretKeys: SecretKeys;
  clock: () => Date;
  log: BaseLogger;
  callerOn: CallerOn;
  renewals: Renewals;
  /** The repository of an article as a user sees it. */
  repositoriesOf: Record<
    DetailScope['purpose'],
    (wanted: { articleId: string; userId: string }) => Promise<Repository | null>
  >;
  confirmedWithinMs: number;
  /**
   * `runReader` reads pull requests in threads; `runWriter` has threads of its own, so that readers do not wait for
   * writers.
   */
  runReader: RunInThread;
  runWriter: RunInThread;
  /** The version of the reader: a diff that was unreadable is tried again when the program or its limits change. */
  readerVersion: string;
  offlineWriter: number;
  /** The models that the operator has set now, which can change between two jobs; null if everything is written without a model. */
  currentModels: () => ModelWriting | null;
  recordings: Recordings;
}

export interface SamplePlace {
  owner: string;
  repo: string;
  number: number;
  languageCode: string;
}

/** Replies that a model once gave about the samples, so that they can be read without a model. */
export interface Recordings {
  numbersIn: (repository: Pick<SamplePlace, 'owner' | 'repo'>) => Promise<number[]>;
  /** The questions about a sample; null if nothing is recorded about it. */
  questionsAbout: (place: SamplePlace) => Promise<string[] | null>;
  /** The models that write the article about a sample, or answer a question about it. */
  modelsFor: (place: SamplePlace, question?: string) => Promise<WritingModels | null>;
}

interface SessionCredential {
  kind: 'session';
  session: Session;
}

interface HostTokenCredential {
  kind: 'hostToken';
  /** The token as presented, for calls to the host. It is not stored. */
  token: string;
  tokenHash: string;
  /** When the token expires; null if the host does not say. */
  expiresAt: Date | null;
  singleUse: boolean;
  /** Whether the token was logged out; such a token can only sign in again. */
  refused: boolean;
}

interface JwtCredential {
  kind: 'jwt';
  tokenHash: string;
  expiresAt: Date;
}

/** The sender of a request: a proven identity, and its user if it has signed up. */
export interface Viewer {
  identity: Identity;
  user: User | null;
  credential: SessionCredential | HostTokenCredential | JwtCredential;
}

export type SignedUpViewer = Viewer & { user: User };

/** A user for whom something is done: with the credential of the request, or in the background with saved tokens. */
export interface ActingUser {
  identity: Identity;
  user: User;
  credential: Viewer['credential'] | { kind: 'saved' };
}

export type CallerOn = (
  codeHost: Pick<CodeHost, 'id' | 'app' | 'isLocal'>,
  viewer: Pick<Viewer | ActingUser, 'identity' | 'credential'> | null,
  signal: AbortSignal,
) => Promise<Caller>;

/**
 * `lapsed`: the host has not responded for too long. `late`: the reader has waited long enough. `…NotPersisted`: the
 * disk is full, so the host's response counts for this request only.
 */
export type RenewalOutcome =
  | 'turnedPrivate'
  | 'unanswered'
  | 'limited'
  | 'late'
  | 'lapsed'
  | 'visibleNotPersisted'
  | 'hiddenNotPersisted'
  | 'otherwise';

export interface Renewals {
  /** Settles when the host has responded, however slow it is. `isRead` is false if only lists need the result. */
  renew: (
    stored: Repository,
    viewer: Viewer | ActingUser | null,
    how?: { isRead?: boolean },
  ) => Promise<RenewalOutcome>;
  /**
   * For a reader, who continues with the stored state if the host is slow. A late response is stored when it arrives.
   */
  renewForReader: (stored: Repository, viewer: Viewer | null) => Promise<RenewalOutcome>;
}

export interface WritingModels {
  writer: Model;
  /** The second model, which checks the text once more; null if it is turned off. */
  judge: Model | null;
  /** Reads large pull requests in parts of `partTokens`, `parallelCalls` at a time. */
  partReader: Model;
  partTokens: number;
  parallelCalls: number;
  /** How many rounds of searches in the repository the writing model may make before it writes. */
  looks: LookRounds;
  prompts: Prompts;
  promptVersion: string;
  /** Set for recorded replies: they cost nothing, and the order of sentences must be that of the recording. */
  recorded?: { seed: string };
}

/** Models with connections of their own. */
export interface OpenedModels extends ModelWriting {
  close: () => Promise<void>;
}

export interface ModelWriting extends WritingModels, ModelLimits {
  watchedArticlesPerDay: number;
}
