import type { CodeHost, HostRepository } from '../code-hosts/code-host.ts';
import { Failure } from '../domain/errors.ts';
import type { Identity } from '../domain/identity.ts';

export interface RepositoryAddress {
  codeHost: CodeHost;
  owner: string;
  name: string;
}

/** Asks the host for a repository on behalf of somebody. One that is hidden from them might as well not exist. */
export async function findOnHost(address: RepositoryAddress, viewer: Identity): Promise<HostRepository> {
  const { codeHost, owner, name } = address;
  const found = await codeHost.findRepository(owner, name, viewer);
  if (found) return found;
  throw noRepository(address);
}

export function noRepository({ codeHost, owner, name }: RepositoryAddress): Failure {
  return new Failure(
    'REPOSITORY_NOT_FOUND',
    `There is no repository ${owner}/${name} on the code host ${codeHost.id}, or you may not see it. Check the spelling.`,
  );
}
