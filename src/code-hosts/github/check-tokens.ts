import { Failure } from '../../domain/errors.ts';
import { completeIdentity, type Identity } from '../../domain/identity.ts';
import { hashToken } from '../../domain/token-hash.ts';
import type { GitHubAddresses } from './addresses.ts';
import type { GitHubClient } from './github-client.ts';
import { AccountPayload } from './payloads.ts';

/** How long a token counts as what GitHub last said of it. */
const rememberedMs = 5 * 60 * 1000;

/** The oldest answers are forgotten first. */
const mostRemembered = 10_000;

/** Longer than GitHub is waited for. */
const patienceMs = 15_000;

interface Parts {
  client: GitHubClient;
  addresses: GitHubAddresses;
  clock: () => Date;
}

/** Tells whose token one is. Both answers are remembered by its hash; those who ask at the same time ask once. */
export function checkTokens({
  client,
  addresses,
  clock,
}: Parts): (token: string) => Promise<Identity | null> {
  const remembered = new Map<string, { asked: Promise<Identity | null>; until: number }>();
  const ask = async (token: string): Promise<Identity | null> => {
    try {
      const signal = AbortSignal.timeout(patienceMs);
      const account = await client.get('/user', AccountPayload, { isService: false, token, signal });
      return account && identityOf(account, addresses);
    } catch (error) {
      if (error instanceof Failure && error.code === 'HOST_TOKEN_INVALID') return null;
      throw error;
    }
  };
  return (token) => {
    const key = hashToken(token);
    const known = remembered.get(key);
    if (known && known.until > clock().getTime()) return known.asked;
    remembered.delete(key);
    const asked = ask(token);
    remembered.set(key, { asked, until: clock().getTime() + rememberedMs });
    if (remembered.size > mostRemembered) remembered.delete(remembered.keys().next().value ?? '');
    // What could not be found out is asked again by whoever comes next.
    asked.catch(() => remembered.delete(key));
    return asked;
  };
}

function identityOf(account: AccountPayload, { domain }: GitHubAddresses): Identity {
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
