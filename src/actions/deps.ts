import type { BaseLogger } from 'pino';
import type { Caller, CodeHost } from '../code-hosts/code-host.ts';
import type { Session, User } from '../db/accounts.ts';
import type { Database } from '../db/database.ts';
import type { Repository } from '../db/visibility.ts';
import type { Identity } from '../domain/accounts.ts';
import type { SecretKeys } from '../domain/secrets.ts';
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
  confirmedWithinMs: number;
  /** Threads that read pull requests; those of `runWriter` write articles and answers, and readers do not wait for them. */
  runReader: RunInThread;
  runWriter: RunInThread;
  /** A diff that was too much to read is tried again when this changes: the program or its limits. */
  readerVersion: string;
  offlineWriter: number;
  models: ModelWriting | null;
}

interface SessionCredential {
  kind: 'session';
  session: Session;
}

interface HostTokenCredential {
  kind: 'hostToken';
  /** As it was presented, to call the host with. It is stored nowhere. */
  token: string;
  tokenHash: string;
  /** Null where the host does not say. */
  expiresAt: Date | null;
  singleUse: boolean;
  /** Logged out: it opens a session again, and nothing else. */
  refused: boolean;
}

interface JwtCredential {
  kind: 'jwt';
  tokenHash: string;
  expiresAt: Date;
}

/** The sender of a request: an identity that is proven, and the user it signed up as, if it did. */
export interface Viewer {
  identity: Identity;
  user: User | null;
  credential: SessionCredential | HostTokenCredential | JwtCredential;
}

export type SignedUpViewer = Viewer & { user: User };

/** A user for whom something is done: with the credential that they present, or in their absence with the tokens that they saved. */
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
 * `lapsed`: no answer for too long. `late`: the reader waited long enough. `…NotPersisted`: the disk is full, so the host's
 * answer counts for this request only.
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
  /** Settles when the host has answered, however slow it is. `isRead` is false where only lists need it. */
  renew: (
    stored: Repository,
    viewer: Viewer | ActingUser | null,
    how?: { isRead?: boolean },
  ) => Promise<RenewalOutcome>;
  /** For a reader, who goes on with what is known where the host is slow. Its answer counts when it comes. */
  renewForReader: (stored: Repository, viewer: Viewer | null) => Promise<RenewalOutcome>;
}

export interface WritingModels {
  writer: Model;
  /** Checks once more what was written; null where that is switched off. */
  judge: Model | null;
  /** Reads large pull requests in parts of so many tokens, and so many parts at once. */
  partReader: Model;
  partTokens: number;
  parallelCalls: number;
  prompts: Prompts;
  promptVersion: string;
}

export interface ModelWriting extends WritingModels {
  tokensPerDay: number;
  articlesPerDay: number;
  watchedArticlesPerDay: number;
  mayReadPrivate: boolean;
}
