import { Failure } from '../../domain/errors.ts';
import { completeIdentity, type Identity } from '../../domain/identity.ts';
import type { HostApp } from '../host-app.ts';
import { checkTokens } from '../http/check-tokens.ts';
import type { HostCaller } from '../http/host-api.ts';
import type { HostClient } from '../http/host-client.ts';
import type { GiteaAddresses } from './addresses.ts';
import { neededScopes, ScopeMissing } from './gitea-api.ts';
import { AccountPayload, AccountSettingsPayload } from './payloads.ts';
import { isAppToken } from './token-shapes.ts';

interface Parts {
  client: HostClient;
  addresses: GiteaAddresses;
  app: HostApp | null;
  clock: () => Date;
}

const howTo = `Make one on Gitea, under Settings, Applications, with the scopes ${neededScopes.replaceAll(' ', ', ')}, for all repositories`;

/** Tells whose token one is. */
export const checkGiteaTokens = ({ client, addresses, app, clock }: Parts) =>
  checkTokens({
    name: 'Gitea',
    app,
    isAppToken,
    notOurs: `This token was not made for this service, or has expired. ${howTo}, or sign in at /sign-in.`,
    async whose(token, signal) {
      try {
        const owner = { isService: false, token, signal };
        const account = await client.get('/user', AccountPayload, owner);
        const isPublic = account?.email && (await showsEmail(client, owner));
        return account && identityOf(account, addresses, isPublic ? account.email : null);
      } catch (error) {
        if (error instanceof ScopeMissing)
          throw new Failure('UNAUTHORIZED', `This token may not say whose it is. ${howTo}.`, {
            cause: error,
          });
        throw error;
      }
    },
    clock,
  });

/** Gitea tells people their own address, also where they hide it from others. Tokens that may not say which are taken to hide it. */
async function showsEmail(client: HostClient, owner: HostCaller): Promise<boolean> {
  try {
    const settings = await client.get('/user/settings', AccountSettingsPayload, owner);
    return settings?.hide_email === false;
  } catch (error) {
    if (error instanceof ScopeMissing) return false;
    throw error;
  }
}

/**
 * Null for what is no person, such as what runs workflows. What an account is told of another says nothing of whether its address
 * is public: administrators are told all of them.
 */
export function identityOf(
  account: AccountPayload,
  { domain }: GiteaAddresses,
  publicEmail: string | null = null,
): Identity | null {
  if (account.id < 1) return null;
  return completeIdentity({
    host: 'gitea',
    hostUserId: account.id,
    hostUsername: account.login,
    hostDisplayName: account.full_name ?? null,
    email: publicEmail,
    avatarUrl: account.avatar_url ?? null,
    noReplyDomain: domain,
  });
}
