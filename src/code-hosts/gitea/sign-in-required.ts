import type { HostRepository } from '../code-host.ts';
import type { HostCaller } from '../http/host-api.ts';
import type { HostClient } from '../http/host-client.ts';
import { showsPullRequests } from './read-repository.ts';

/** Whether a server shows anything without signing in hardly ever changes; what it then hides is noticed with the next renewal anyway. */
const rememberedMs = 60 * 60 * 1000;

interface Parts {
  client: HostClient;
  serviceToken: string | null;
  clock: () => Date;
}

/**
 * Where everybody has to sign in, "public" is what every account there may see. What a user's token shows as public is public only
 * where the server shows anything without a token, or its operator has given the service one.
 */
export function createSignInCheck({ client, serviceToken, clock }: Parts) {
  let openUntil = 0;
  return async (repository: HostRepository, { isService, signal }: HostCaller): Promise<HostRepository> => {
    const isSure = isService || repository.isPrivate || serviceToken !== null;
    if (isSure || openUntil > clock().getTime()) return repository;
    if (!(await showsPullRequests(client, repository, { isService: true, token: null, signal })))
      return { ...repository, isPrivate: true };
    openUntil = clock().getTime() + rememberedMs;
    return repository;
  };
}
