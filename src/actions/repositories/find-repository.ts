import type { Caller, CodeHost, HostRepository } from '../../code-hosts/code-host.ts';
import type { Database } from '../../db/database.ts';
import { findLearnedRemoval } from '../../db/removals.ts';
import { findVisibleRepository as findStored } from '../../db/repositories.ts';
import { holdsGrant } from '../../db/rights.ts';
import { type DetailScope, freshWithinMs, isHiddenBySilence, type Repository } from '../../db/visibility.ts';
import { isOperator, savingToken } from '../../domain/accounts.ts';
import { Failure } from '../../domain/errors.ts';
import type { SavedTokens } from '../accounts/saved-tokens.ts';
import type { ActingUser, CallerOn, Deps, Renewals, Viewer } from '../deps.ts';

/** Uses the token of the request, or else the saved one. A token for one host means nothing on another. */
export function createCallerOn(savedTokens: SavedTokens): CallerOn {
  return async (codeHost, viewer, signal) => {
    if (!viewer) return anonymousCaller(signal);
    // Users of every host may add clones.
    if (codeHost.isLocal) return { identity: viewer.identity, token: null, signal };
    const isKnown = viewer.identity.host === codeHost.id || isOperator(viewer.identity);
    const identity = isKnown ? viewer.identity : null;
    const { credential } = viewer;
    if (identity && credential.kind === 'hostToken') return { identity, token: credential.token, signal };
    const holder = { codeHost, identity: viewer.identity };
    const token = await savedTokens.find(holder);
    return { identity, token, replaceToken: (refused) => savedTokens.replace(holder, refused), signal };
  };
}

export const anonymousCaller = (signal: AbortSignal): Caller => ({ identity: null, token: null, signal });

export interface RepositoryAddress {
  codeHost: CodeHost;
  owner: string;
  name: string;
}

export interface Asker {
  viewer: ActingUser;
  signal: AbortSignal;
}

/** Fetches removed repositories too, so that the response time does not reveal them. */
export async function findOnHost(
  { database, callerOn, clock }: Pick<Deps, 'database' | 'callerOn' | 'clock'>,
  address: RepositoryAddress,
  { viewer, signal }: { viewer: ActingUser | null; signal: AbortSignal },
): Promise<HostRepository> {
  const { codeHost, owner, name } = address;
  const caller = await callerOn(codeHost, viewer, signal);
  const found = await codeHost.findRepository(owner, name, caller);
  const seen = found && { host: codeHost.id, ...found };
  if (seen && !(await findLearnedRemoval(database, seen, clock())).isWhole) return found;
  throw viewer ? await notShown(database, address, viewer, caller) : noRepository(address);
}

export async function notShown(
  database: Database,
  address: RepositoryAddress,
  viewer: ActingUser,
  { token }: Caller,
): Promise<Failure> {
  const { codeHost, owner, name } = address;
  const isShownByToken = !codeHost.isLocal && token === null;
  const grant = { host: codeHost.id, owner, name, userId: viewer.user.id };
  if (isShownByToken && (await holdsGrant(database, grant))) return tokenRequired(codeHost);
  return isShownByToken ? new UnshownWithoutToken(address) : noRepository(address);
}

export class UnshownWithoutToken extends Failure {
  constructor(address: RepositoryAddress) {
    const toDo = `If it is private, save your token for that host in Settings, or with ${savingToken(address.codeHost.id)}.`;
    super('REPOSITORY_NOT_FOUND', noRepository(address).message, { remedy: toDo });
  }
}

export function noRepository({ codeHost, owner, name }: RepositoryAddress): Failure {
  const full = `${owner}/${name}`;
  const wanted = codeHost.isLocal ? `clone of ${full}` : `repository ${full} on the code host ${codeHost.id}`;
  return new Failure(
    'REPOSITORY_NOT_FOUND',
    `There is no ${wanted}, or you do not have access to it. Check the spelling.`,
  );
}

export function tokenRequired({ id }: Pick<CodeHost, 'id'>): Failure {
  return new Failure(
    'HOST_TOKEN_REQUIRED',
    `This repository is private, and ${id} must confirm that you still have access. Save your token for that host with ${savingToken(id)}, or send it instead of a session token.`,
  );
}

export const isFresh = ({ checkedAt }: Repository, now: Date): boolean =>
  now.getTime() - checkedAt.getTime() < freshWithinMs;

export interface Look {
  viewer: Viewer | null;
  now: Date;
}

export const seenBy = ({ viewer, now }: Look): DetailScope => ({
  userId: viewer?.user?.id ?? null,
  now,
  purpose: 'detail',
});

export interface Seen<Found> {
  found: Found;
  /** The state of the repository that the request has read, for its further reads. */
  seen: DetailScope;
}

export async function findRepositoryFor(
  { database, renewals }: Pick<Deps, 'database' | 'renewals'>,
  { codeHost, owner, name }: RepositoryAddress,
  look: Look,
): Promise<Seen<Repository> | null> {
  const find = (viewer: DetailScope) => findStored(database, { host: codeHost.id, owner, name, viewer });
  return findAfterRenewal(renewals, look, find, (repository) => repository);
}

export async function requireVisibleRepository(
  deps: Pick<Deps, 'database' | 'renewals'>,
  address: RepositoryAddress,
  look: Look,
): Promise<Seen<Repository>> {
  const visible = await findRepositoryFor(deps, address, look);
  if (!visible) throw noRepository(address);
  return visible;
}

/**
 * Finds data of a repository that the viewer may see. If the repository was not confirmed recently, it is renewed first
 * and the search repeated.
 */
export async function findAfterRenewal<Found>(
  renewals: Renewals,
  look: Look,
  find: (viewer: DetailScope) => Promise<Found | null>,
  /** Returns the repository of what was found; null if it belongs to none. */
  repositoryOf: (found: Found) => Repository | null,
): Promise<Seen<Found> | null> {
  const { viewer, now } = look;
  const seen = seenBy(look);
  const beforeAskingHost: DetailScope = { ...seen, purpose: 'beforeAskingHost' };
  // Two rounds: if the repository became private, the viewer may have a grant, which is renewed separately.
  for (let round = 0; round < 2; round += 1) {
    const found = await find(beforeAskingHost);
    if (!found) return null;
    const repository = repositoryOf(found);
    if (!repository) return { found, seen };
    if (isHiddenBySilence(repository, now)) {
      // Not awaited, because the response must be as fast as for a repository that does not exist.
      renewals.renew(repository, viewer).catch(() => {});
      return null;
    }
    if (isFresh(repository, now)) return { found, seen };
    const outcome = await renewals.renewForReader(repository, viewer);
    // The host has shown it, but the disk is full, so it is visible for this request only.
    if (outcome === 'visibleNotPersisted') return { found, seen: beforeAskingHost };
    if (outcome === 'hiddenNotPersisted' || outcome === 'lapsed') return null;
    if (outcome !== 'turnedPrivate') break;
  }
  const found = await find(seen);
  return found && { found, seen };
}
