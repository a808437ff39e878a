import type { Caller, CodeHost, HostRepository } from '../../code-hosts/code-host.ts';
import type { Database } from '../../db/database.ts';
import { findLearnedRemoval } from '../../db/removals.ts';
import { holdsGrant } from '../../db/rights.ts';
import { Failure } from '../../domain/errors.ts';
import { savingToken } from '../../domain/saving-token.ts';
import type { ActingUser } from '../accounts/identify-bearer.ts';
import type { CallerOn } from './call-host.ts';

export interface RepositoryAddress {
  codeHost: CodeHost;
  owner: string;
  name: string;
}

/** The user for whom a host is asked, and for how long they wait. */
export interface Asker {
  viewer: ActingUser;
  signal: AbortSignal;
}

interface Parts {
  database: Database;
  callerOn: CallerOn;
  clock: () => Date;
}

/**
 * Asks the host for a repository on behalf of a user, or of the public. One that is hidden from them, or that was removed here, might as well
 * not exist: the host is asked all the same, so that neither its answers nor its silence tell the two apart.
 */
export async function findOnHost(
  { database, callerOn, clock }: Parts,
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

/** The failure for a user whom the host did not show a repository. A user who has seen it before may lack a token only. */
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

/** For a user who has no token of the host that could show them what is private there. It is said of what is absent too. */
export class UnshownWithoutToken extends Failure {
  constructor(address: RepositoryAddress) {
    const toDo = `If it is private, save your token of that host in the settings, or with ${savingToken(address.codeHost.id)}.`;
    super('REPOSITORY_NOT_FOUND', `${noRepository(address).message} ${toDo}`);
  }
}

export function noRepository({ codeHost, owner, name }: RepositoryAddress): Failure {
  return new Failure(
    'REPOSITORY_NOT_FOUND',
    `There is no repository ${owner}/${name} on the code host ${codeHost.id}, or you may not see it. Check the spelling.`,
  );
}

/** Of a repository that a viewer was shown once, and can be shown again only with a token of their own. */
export function tokenRequired({ id }: Pick<CodeHost, 'id'>): Failure {
  return new Failure(
    'HOST_TOKEN_REQUIRED',
    `This repository is private, and the code host ${id} has to be asked again whether you may see it. Save your token of that host with ${savingToken(id)}, or present it instead of a session.`,
  );
}
