import { completeIdentity, type Identity } from '../../domain/identity.ts';
import type { GitLabAddresses } from './addresses.ts';
import type { AccountPayload } from './payloads.ts';

export function identityOf(account: AccountPayload, { domain }: GitLabAddresses): Identity {
  return completeIdentity({
    host: 'gitlab',
    hostUserId: account.id,
    hostUsername: account.username,
    hostDisplayName: account.name ?? null,
    email: account.public_email ?? null,
    avatarUrl: account.avatar_url ?? null,
    noReplyDomain: domain,
  });
}
