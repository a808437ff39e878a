import { Failure } from '../../domain/errors.ts';
import { completeIdentity, type Identity } from '../../domain/identity.ts';
import { hashToken } from '../../domain/token-hash.ts';
import { githubAppToken } from '../../domain/token-shapes.ts';
import { type CodeHost, type HostCredential, UselessAnswer } from '../code-host.ts';
import type { HostApp } from '../host-app.ts';
import { TokenRefused } from '../http/host-failures.ts';
import { rememberAnswers } from '../http/remember-answers.ts';
import type { GitHubAddresses } from './addresses.ts';
import type { GitHubClient } from './github-client.ts';
import { AccountPayload } from './payloads.ts';

/** For all requests to GitHub together: the user is to wait no longer than ten seconds. */
const patienceMs = 9_000;

interface Parts {
  client: GitHubClient;
  addresses: GitHubAddresses;
  app: HostApp | null;
  clock: () => Date;
}

/**
 * Tells whose token one is. Both answers are cached by its hash, and concurrent checks share one request. Tokens of apps
 * count where they were made for ours: otherwise any app that a user has authorized could sign in here as that user.
 */
export function checkTokens(parts: Parts): Required<Pick<CodeHost, 'identify' | 'forgetTokens'>> {
  const { app, clock } = parts;
  const { remember, forget } = rememberAnswers<HostCredential | null>(clock);
  const ask = async (token: string): Promise<HostCredential | null> => {
    const signal = AbortSignal.timeout(patienceMs);
    const confirmed = githubAppToken.test(token) ? await app?.confirm(token, signal) : null;
    if (githubAppToken.test(token) && !confirmed) return null;
    const identity = await askWhose(parts, token, signal);
    return identity && { identity, expiresAt: confirmed?.expiresAt ?? null, singleUse: false };
  };
  const identify = async (token: string) => {
    const found = await remember(hashToken(token), () => ask(token));
    const isExpired = found?.expiresAt && found.expiresAt <= clock();
    if (found && !isExpired) return found;
    if (githubAppToken.test(token) && !isExpired) throw notOurs();
    return null;
  };
  const forgetTokens = (hostUserId: number | null) =>
    forget((known) => hostUserId === null || known?.identity.hostUserId === hostUserId);
  return { identify, forgetTokens };
}

async function askWhose(
  { client, addresses }: Parts,
  token: string,
  signal: AbortSignal,
): Promise<Identity | null> {
  try {
    const account = await client.get('/user', AccountPayload, { isService: false, token, signal });
    return account && identityOf(account, addresses);
  } catch (error) {
    if (error instanceof TokenRefused) return null;
    // GitHub, or a proxy on the way, refused for another reason: whose token it is has not been said.
    if (error instanceof Failure && error.code === 'HOST_TOKEN_INVALID')
      throw new UselessAnswer('GitHub does not say whose token this is. Try again later.', { cause: error });
    throw error;
  }
}

function notOurs(): Failure {
  return new Failure(
    'UNAUTHORIZED',
    'This token was not made for this service, or is revoked: `gh auth token`, for one, prints that of another app. ' +
      'Make a personal access token, or sign in at /sign-in.',
  );
}

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
