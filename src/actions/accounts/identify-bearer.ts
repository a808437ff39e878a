import type { CodeHost } from '../../code-hosts/code-host.ts';
import {
  areSessionsLive,
  areTokensRefused,
  findIdentity,
  findLiveSession,
  isTokenRefused,
  type Session,
  touchSession,
  type User,
} from '../../db/users.ts';
import type { Identity } from '../../domain/accounts.ts';
import { batchReads } from '../../domain/concurrency.ts';
import { hashToken } from '../../domain/secrets.ts';
import type { Deps } from '../deps.ts';
import { type Revocations, sessionTokenPrefix } from './log-out.ts';

interface SessionCredential {
  kind: 'session';
  session: Session;
}

interface HostTokenCredential {
  kind: 'hostToken';
  /** As it was presented, to ask the host with. It is kept nowhere. */
  token: string;
  tokenHash: string;
  /** Null where the host does not tell. */
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

/** An identity provider whose signed tokens count. */
export interface TokenIssuer {
  address: string;
  /** The code host that its users are of. */
  host: string;
  recognizes: (token: string) => boolean;
  check: (token: string) => Promise<{ hostUserId: number; expiresAt: Date } | null>;
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

interface BearerDeps extends Pick<Deps, 'database' | 'codeHosts' | 'clock'> {
  revocations: Revocations;
  issuer: TokenIssuer | null;
}

/** Identifies the sender by token; null if the token is not valid. */
export async function identifyBearer(deps: BearerDeps, token: string): Promise<Viewer | null> {
  if (token.startsWith(sessionTokenPrefix)) return identifySession(deps, token);
  if (deps.issuer?.recognizes(token)) return identifyJwt(deps, deps.issuer, token);
  const host = deps.codeHosts.find(({ recognizes }) => recognizes(token));
  return host ? identifyHostToken(deps, host, token) : null;
}

async function identifySession(
  { database, revocations, clock }: BearerDeps,
  token: string,
): Promise<Viewer | null> {
  const now = clock();
  const tokenHash = hashToken(token);
  if (revocations.isPending(tokenHash)) return null;
  const found = await findLiveSession(database, tokenHash, now);
  if (!found || revocations.isPending(found.session.id)) return null;
  const { identity, user, session } = found;
  // On a full disk reads go on; the session is then idle a little longer than it was.
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

/** Longer than the transport's timeout. */
const patienceMs = 15_000;

async function identifyJwt(
  { database, revocations, codeHosts }: BearerDeps,
  { host, check }: TokenIssuer,
  token: string,
): Promise<Viewer | null> {
  const proven = await check(token);
  if (!proven) return null;
  const { hostUserId, expiresAt } = proven;
  // What is signed has one spelling; a signature may have several.
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

/** Whether a credential is still valid, after a while. Concurrent checks share one query. */
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
