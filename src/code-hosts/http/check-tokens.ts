import type { Identity } from '../../domain/accounts.ts';
import { Failure } from '../../domain/errors.ts';
import { hashToken } from '../../domain/secrets.ts';
import { cacheAnswers } from '../bounded-map.ts';
import { type CodeHost, type HostApp, type HostCredential, UselessAnswer } from '../code-host.ts';
import { AccountTurnedAway, TokenRefused } from './host-api.ts';

const patienceMs = 9_000;

export interface TokenRules {
  isAppToken: (token: string) => boolean;
  notOurs: string;
  whose: (token: string, signal: AbortSignal) => Promise<Identity | null>;
}

interface Options extends TokenRules {
  name: string;
  app: HostApp | null;
  clock: () => Date;
}

/** Tokens of apps count only if granted to ours: otherwise any app that a user has authorized could sign in as that user. */
export function checkTokens(options: Options): Required<Pick<CodeHost, 'identify' | 'forgetTokens'>> {
  const { app, isAppToken, clock } = options;
  const { cached, forget } = cacheAnswers<HostCredential | AccountTurnedAway | null>(clock);
  const ask = async (token: string): Promise<HostCredential | AccountTurnedAway | null> => {
    const signal = AbortSignal.timeout(patienceMs);
    const confirmed = isAppToken(token) ? await app?.confirm(token, signal) : null;
    if (isAppToken(token) && !confirmed) return null;
    const identity = await findOwner(options, token, signal);
    if (identity instanceof AccountTurnedAway) return identity;
    return identity && { identity, expiresAt: confirmed?.expiresAt ?? null, singleUse: false };
  };
  return {
    async identify(token) {
      const found = await cached(hashToken(token), () => ask(token));
      if (found instanceof AccountTurnedAway)
        throw new Failure('UNAUTHORIZED', found.message, { cause: found });
      const isExpired = found?.expiresAt && found.expiresAt <= clock();
      if (found && !isExpired) return found;
      if (isAppToken(token) && !isExpired) throw new Failure('UNAUTHORIZED', options.notOurs);
      return null;
    },
    forgetTokens: (hostUserId) =>
      forget((known) => {
        const identity = known instanceof AccountTurnedAway ? null : known?.identity;
        return hostUserId === null || identity?.hostUserId === hostUserId;
      }),
  };
}

async function findOwner(
  { name, whose }: Options,
  token: string,
  signal: AbortSignal,
): Promise<Identity | AccountTurnedAway | null> {
  try {
    return await whose(token, signal);
  } catch (error) {
    if (error instanceof TokenRefused) return null;
    if (error instanceof AccountTurnedAway) return error;
    // The host, or a proxy in between, refused for another reason, which says nothing about the token.
    if (error instanceof Failure && error.code === 'HOST_TOKEN_INVALID')
      throw new UselessAnswer(`${name} does not say whose token this is. Try again later.`, { cause: error });
    throw error;
  }
}
