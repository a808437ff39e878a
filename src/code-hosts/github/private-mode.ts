import type { HostRepository } from '../code-host.ts';
import type { HostCaller } from '../http/host-api.ts';
import type { GitHubAddresses } from './addresses.ts';
import type { GitHubClient } from './github-client.ts';
import { RepositoryPayload } from './payloads.ts';

/** Whether a server is in private mode hardly ever changes; what it then hides is noticed with the next renewal anyway. */
const rememberedMs = 60 * 60 * 1000;

interface Parts {
  client: GitHubClient;
  addresses: GitHubAddresses;
  serviceToken: string | null;
  clock: () => Date;
}

/**
 * On an Enterprise Server in private mode "public" is what every account there may see. What a user's token shows as public
 * is public only where the server shows anything without a token.
 */
export function createPrivateModeCheck({ client, addresses, serviceToken, clock }: Parts) {
  let openUntil = 0;
  return async (repository: HostRepository, { isService, signal }: HostCaller): Promise<HostRepository> => {
    const isSure = isService || repository.isPrivate || !addresses.isOwn || serviceToken !== null;
    if (isSure || openUntil > clock().getTime()) return repository;
    const path = `/repositories/${repository.hostRepoId}`;
    const seen = await client.get(path, RepositoryPayload, { isService: true, token: null, signal });
    if (!seen) return { ...repository, isPrivate: true };
    openUntil = clock().getTime() + rememberedMs;
    return repository;
  };
}
