import { Failure } from '../../domain/errors.ts';
import { completeIdentity, type Identity } from '../../domain/identity.ts';
import type { HostApp } from '../host-app.ts';
import { checkTokens } from '../http/check-tokens.ts';
import type { HostClient } from '../http/host-client.ts';
import type { GiteaAddresses } from './addresses.ts';
import { neededScopes, ScopeMissing } from './gitea-api.ts';
import { AccountPayload } from './payloads.ts';
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
        const account = await client.get('/user', AccountPayload, { isService: false, token, signal });
        return account && identityOf(account, addresses);
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

/** Null for what is no person, such as what runs workflows. */
export function identityOf(account: AccountPayload, { domain }: GiteaAddresses): Identity | null {
  if (account.id < 1) return null;
  return completeIdentity({
    host: 'gitea',
    hostUserId: account.id,
    hostUsername: account.login,
    hostDisplayName: account.full_name ?? null,
    email: account.email ?? null,
    avatarUrl: account.avatar_url ?? null,
    noReplyDomain: domain,
  });
}
