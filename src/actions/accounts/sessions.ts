import { randomBytes } from 'node:crypto';
import type { CodeHost } from '../../code-hosts/code-host.ts';
import {
  areSessionsLive,
  areTokensRefused,
  endSession,
  findIdentity,
  findLiveSessions,
  insertSession,
  isTokenRefused,
  refuseToken,
  type Session,
  type SignedIn,
  touchSession,
} from '../../db/accounts.ts';
import type { Database, Queries } from '../../db/database.ts';
import { asDatabaseFailure } from '../../db/failures.ts';
import { batchReads } from '../../domain/concurrency.ts';
import { hashToken } from '../../domain/secrets.ts';
import type { Deps, Viewer } from '../deps.ts';

export interface TokenIssuer {
  address: string;
  host: string;
  recognizes: (token: string) => boolean;
  check: (token: string) => Promise<{ hostUserId: number; expiresAt: Date } | null>;
}

interface BearerDeps extends Pick<Deps, 'database' | 'codeHosts' | 'clock'> {
  revocations: Revocations;
  issuer: TokenIssuer | null;
}

/** Concurrent requests share the statement that finds their sessions. */
export function identifyBearers(deps: BearerDeps): (token: string) => Promise<Viewer | null> {
  const findSession = batchReads((hashes: string[]) => findLiveSessions(deps.database, hashes, deps.clock()));
  return async (token) => {
    if (token.startsWith(sessionTokenPrefix)) return identifySession(deps, findSession, token);
    if (deps.issuer?.recognizes(token)) return identifyJwt(deps, deps.issuer, token);
    const host = deps.codeHosts.find(({ recognizes }) => recognizes(token));
    return host ? identifyHostToken(deps, host, token) : null;
  };
}

async function identifySession(
  { database, revocations, clock }: BearerDeps,
  findSession: (tokenHash: string) => Promise<SignedIn | null>,
  token: string,
): Promise<Viewer | null> {
  const now = clock();
  const tokenHash = hashToken(token);
  if (revocations.isPending(tokenHash)) return null;
  const found = await findSession(tokenHash);
  if (!found || revocations.isPending(found.session.id)) return null;
  const { identity, user, session } = found;
  // On a full disk the last use is not stored, but the session stays valid.
  await touchSession(database, session, now).catch(() => {});
  return { identity, user, credential: { kind: 'session', session } };
}

async function identifyHostToken(
  { database, revocations }: BearerDeps,
  host: CodeHost,
  token: string,
): Promise<Viewer | null> {
  const proven = await host.identify(token);
  if (!proven) return null;
  const { identity, expiresAt, singleUse } = proven;
  const tokenHash = hashToken(token);
  const refused = revocations.isPending(tokenHash) || (await isTokenRefused(database, tokenHash));
  const known = await findIdentity(database, identity);
  return {
    identity,
    user: known?.user ?? null,
    credential: { kind: 'hostToken', token, tokenHash, expiresAt, singleUse, refused },
  };
}

const patienceMs = 15_000;

async function identifyJwt(
  { database, revocations, codeHosts }: BearerDeps,
  { host, check }: TokenIssuer,
  token: string,
): Promise<Viewer | null> {
  const proven = await check(token);
  if (!proven) return null;
  const { hostUserId, expiresAt } = proven;
  // Only the signed part is hashed, because a signature can be encoded in several ways.
  const tokenHash = hashToken(token.slice(0, token.lastIndexOf('.')));
  if (revocations.isPending(tokenHash) || (await isTokenRefused(database, tokenHash))) return null;
  const known = await findIdentity(database, { host, hostUserId });
  const codeHost = codeHosts.find(({ id }) => id === host);
  const identity =
    known?.identity ?? (await codeHost?.findAccount(hostUserId, AbortSignal.timeout(patienceMs)));
  return identity
    ? { identity, user: known?.user ?? null, credential: { kind: 'jwt', tokenHash, expiresAt } }
    : null;
}

export function checkCredentials({
  database,
  revocations,
  codeHosts,
  clock,
}: Omit<BearerDeps, 'issuer'>): (viewer: Viewer) => Promise<boolean> {
  const isLive = batchReads((sessionIds: string[]) => areSessionsLive(database, sessionIds, clock()));
  const isRefused = batchReads((tokenHashes: string[]) => areTokensRefused(database, tokenHashes));
  const isVouchedFor = async (host: string, token: string): Promise<boolean> =>
    Boolean(await codeHosts.find(({ id }) => id === host)?.identify(token));
  return async ({ identity, credential }) => {
    if (credential.kind === 'session')
      return !revocations.isPending(credential.session.id) && isLive(credential.session.id);
    const { kind, expiresAt, tokenHash } = credential;
    if (expiresAt && expiresAt <= clock()) return false;
    if (kind === 'hostToken' && !(await isVouchedFor(identity.host, credential.token))) return false;
    return !revocations.isPending(tokenHash) && !(await isRefused(tokenHash));
  };
}

const sessionTokenPrefix = 'pq_';

export async function createSession(
  tx: Queries,
  { identityId, now }: { identityId: string; now: Date },
): Promise<{ session: Session; accessToken: string }> {
  const accessToken = `${sessionTokenPrefix}${randomBytes(32).toString('base64url')}`;
  const session = await insertSession(tx, { identityId, tokenHash: hashToken(accessToken), now });
  return { session, accessToken };
}

type Credential =
  | { kind: 'session'; session: Pick<Session, 'id'> }
  | { kind: 'hostToken' | 'jwt'; tokenHash: string; expiresAt: Date | null };

const retryMs = 1_000;

/** Far more logouts than occur while a disk is full, in little memory. Fewer unknown tokens are kept. */
const mostPending = 10_000;
const mostUnknown = 1_000;

/** No session lasts longer, so an unknown token is refused for this long. */
const unknownForMs = 90 * 24 * 60 * 60 * 1000;

/** Ends credentials. While the database cannot store it, this process refuses them and retries. */
export class Revocations {
  readonly #database: Database;
  readonly #clock: () => Date;
  readonly #pending = new Map<string, () => Promise<unknown>>();
  #retrying: NodeJS.Timeout | null = null;

  constructor({ database, clock }: { database: Database; clock: () => Date }) {
    this.#database = database;
    this.#clock = clock;
  }

  isPending(key: string): boolean {
    return this.#pending.has(key);
  }

  async logOut({ credential }: { credential: Credential }): Promise<Date> {
    if (credential.kind === 'session') return this.endSession(credential.session);
    const { tokenHash, expiresAt } = credential;
    await this.#store(tokenHash, () => refuseToken(this.#database, tokenHash, expiresAt));
    return this.#clock();
  }

  async endSession({ id }: Pick<Session, 'id'>): Promise<Date> {
    const now = this.#clock();
    await this.#store(id, () => endSession(this.#database, { id }, now));
    return now;
  }

  endUnknown(token: string): void {
    if (this.#pending.size >= mostUnknown) return;
    const now = this.#clock();
    const expiresAt = new Date(now.getTime() + unknownForMs);
    for (const named of new Set([token, token.slice(0, token.lastIndexOf('.'))])) {
      const tokenHash = hashToken(named);
      this.storeLater(tokenHash, () =>
        token.startsWith(sessionTokenPrefix)
          ? endSession(this.#database, { tokenHash }, now)
          : refuseToken(this.#database, tokenHash, expiresAt),
      );
    }
  }

  async stop(): Promise<void> {
    if (this.#retrying) clearTimeout(this.#retrying);
    if (this.#pending.size > 0) await this.#retry();
    if (this.#retrying) clearTimeout(this.#retrying);
  }

  async #store(key: string, write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (!asDatabaseFailure(error) || this.#pending.size >= mostPending) throw error;
      this.storeLater(key, write);
    }
  }

  storeLater(key: string, write: () => Promise<unknown>): void {
    if (this.#pending.size < mostPending) this.#pending.set(key, write);
    this.#retrying ??= setTimeout(() => this.#retry(), retryMs).unref();
  }

  async #retry(): Promise<void> {
    for (const [key, write] of this.#pending)
      try {
        await write();
        this.#pending.delete(key);
      } catch (error) {
        if (asDatabaseFailure(error)) break;
        this.#pending.delete(key);
      }
    this.#retrying = this.#pending.size > 0 ? setTimeout(() => this.#retry(), retryMs).unref() : null;
  }
}
