import { completeIdentity, type Identity } from '../../domain/identity.ts';
import type { GitHubAddresses } from './addresses.ts';
import type { AccountPayload } from './payloads.ts';

export function identityOf(account: AccountPayload, { domain }: GitHubAddresses): Identity {
  return completeIdentity({
    host: 'github',
    hostUserId: account.id,
    hostUsername: account.login,
    hostDisplayName: account.name ?? null,
    email: account.email ?? null,
    avatarUrl: account.avatar_url ?? null,
    noReplyDomain: domain,
  });
}
