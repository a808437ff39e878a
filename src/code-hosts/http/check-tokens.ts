import { Failure } from '../../domain/errors.ts';
import type { Identity } from '../../domain/identity.ts';
import { hashToken } from '../../domain/token-hash.ts';
import { type CodeHost, type HostCredential, UselessAnswer } from '../code-host.ts';
import type { HostApp } from '../host-app.ts';
import { AccountTurnedAway, TokenRefused } from './host-failures.ts';
import { rememberAnswers } from './remember-answers.ts';

/** For all requests to a host together: the user is to wait no longer than ten seconds. */
const patienceMs = 9_000;

interface Parts {
  /** What people call the host. */
  name: string;
  app: HostApp | null;
  /** By its shape alone whether a token is one that an app was given. */
  isAppToken: (token: string) => boolean;
  /** What to say of a token that another app was given, or ours and no longer is. */
  notOurs: string;
  /** Asks the host whose a token is; null where it is no account's. */
  whose: (token: string, signal: AbortSignal) => Promise<Identity | null>;
  clock: () => Date;
}

/**
 * Tells whose token one is. Both answers are cached by its hash, and concurrent checks share one request. Tokens of apps
 * count where they were made for ours: otherwise any app that a user has authorized could sign in here as that user.
 */
export function checkTokens(parts: Parts): Required<Pick<CodeHost, 'identify' | 'forgetTokens'>> {
  const { app, isAppToken, clock } = parts;
  const { remember, forget } = rememberAnswers<HostCredential | AccountTurnedAway | null>(clock);
  const ask = async (token: string): Promise<HostCredential | AccountTurnedAway | null> => {
    const signal = AbortSignal.timeout(patienceMs);
    const confirmed = isAppToken(token) ? await app?.confirm(token, signal) : null;
    if (isAppToken(token) && !confirmed) return null;
    const identity = await askWhose(parts, token, signal);
    if (identity instanceof AccountTurnedAway) return identity;
    return identity && { identity, expiresAt: confirmed?.expiresAt ?? null, singleUse: false };
  };
  const identify = async (token: string) => {
    const found = await remember(hashToken(token), () => ask(token));
    if (found instanceof AccountTurnedAway)
      throw new Failure('UNAUTHORIZED', found.message, { cause: found });
    const isExpired = found?.expiresAt && found.expiresAt <= clock();
    if (found && !isExpired) return found;
    if (isAppToken(token) && !isExpired) throw new Failure('UNAUTHORIZED', parts.notOurs);
    return null;
  };
  const forgetTokens = (hostUserId: number | null) =>
    forget((known) => {
      const identity = known instanceof AccountTurnedAway ? null : known?.identity;
      return hostUserId === null || identity?.hostUserId === hostUserId;
    });
  return { identify, forgetTokens };
}

async function askWhose(
  { name, whose }: Parts,
  token: string,
  signal: AbortSignal,
): Promise<Identity | AccountTurnedAway | null> {
  try {
    return await whose(token, signal);
  } catch (error) {
    if (error instanceof TokenRefused) return null;
    if (error instanceof AccountTurnedAway) return error;
    // The host, or a proxy on the way, refused for another reason: whose token it is has not been said.
    if (error instanceof Failure && error.code === 'HOST_TOKEN_INVALID')
      throw new UselessAnswer(`${name} does not say whose token this is. Try again later.`, { cause: error });
    throw error;
  }
}
