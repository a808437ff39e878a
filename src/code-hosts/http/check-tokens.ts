import { Failure } from '../../domain/errors.ts';
import type { Identity } from '../../domain/identity.ts';
import { hashToken } from '../../domain/token-hash.ts';
import { type CodeHost, type HostApp, type HostCredential, UselessAnswer } from '../code-host.ts';
import { AccountTurnedAway, TokenRefused } from './host-api.ts';

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

/** How long an answer of a host is cached. */
const rememberedMs = 5 * 60 * 1000;

/** The oldest answers are forgotten first. */
const mostRemembered = 10_000;

interface Remembered<Answer> {
  asked: Promise<Answer>;
  until: number;
  /** Once it is there. */
  answer?: Answer;
}

interface Memory<Answer> {
  /** Asks where no answer is cached under a key, or one that is too old; calls at the same time share one request. */
  remember: (key: string, ask: () => Promise<Answer>) => Promise<Answer>;
  /** Forgets answers, and those that are under way, because it is not known yet what they say. */
  forget: (isMeant: (answer: Answer) => boolean) => void;
}

export function rememberAnswers<Answer>(clock: () => Date): Memory<Answer> {
  const remembered = new Map<string, Remembered<Answer>>();
  return {
    remember(key, ask) {
      const known = remembered.get(key);
      if (known && known.until > clock().getTime()) return known.asked;
      remembered.delete(key);
      const asked = ask();
      const entry: Remembered<Answer> = { asked, until: clock().getTime() + rememberedMs };
      remembered.set(key, entry);
      if (remembered.size > mostRemembered) remembered.delete(remembered.keys().next().value ?? '');
      asked.then(
        (answer) => {
          entry.answer = answer;
        },
        // A failure is not cached: the next caller asks again.
        () => remembered.get(key) === entry && remembered.delete(key),
      );
      return asked;
    },
    forget(isMeant) {
      for (const [key, entry] of remembered)
        if (!('answer' in entry) || isMeant(entry.answer as Answer)) remembered.delete(key);
    },
  };
}
