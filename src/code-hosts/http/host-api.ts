import { Failure } from '../../domain/errors.ts';
import { savingToken } from '../../domain/saving-token.ts';
import { type Caller, UselessAnswer } from '../code-host.ts';
import type { LimitRules } from './rate-limits.ts';

/** With whose token a host is asked, the viewer's or the service's own, and until when the answer is wanted. */
export interface HostCaller {
  isService: boolean;
  token: string | null;
  /** What has taken the place of a token that the host refuses; null where nothing has. */
  replaceToken?: (refused: string) => Promise<string | null>;
  /** Whether it is not asked where little more is left than the service needs to ask by itself. */
  respectsBackgroundQuota?: boolean;
  signal: AbortSignal;
}

export interface HostAnswer {
  status: number;
  headers: Record<string, string | undefined>;
  data: unknown;
}

/** An answer with what it says as it is written; empty where it is what was asked for. */
export type Answered = HostAnswer & { message: string };

/** What sentences about a host need to know of it. */
export interface HostWords {
  /** What the service calls it. */
  id: string;
  /** What people call it. */
  name: string;
  /** The setting that has the service's own token. */
  tokenSetting: string;
  /** What a token has to be allowed, as it continues "one that may". */
  permissions: string;
}

/** How a host is asked over HTTP. */
export interface HostApi extends HostWords {
  /** What paths are put behind, without a slash at its end. */
  address: string;
  /** What goes with every question, the token included. */
  headers: (token: string | null) => Record<string, string>;
  pages: {
    /** How many items a page has, and how few where that is more than is read; each divides the one before. */
    sizes: readonly [number, ...number[]];
    query: (size: number, page: number) => string;
    /** Whether a page is the last one, by its headers and how many items it has; absent where links say so. */
    isLast?: (headers: HostAnswer['headers'], count: number) => boolean;
    /** The header that says how many items a list has; absent where none does. */
    totalHeader?: string;
  };
  limits: LimitRules;
  /** How many questions are answered with a token, or without one, until the host says so itself. */
  usualLimit: (token: string | null) => number;
  /** What a refusal means on this host alone, as an answer or thrown; null where it means what it does everywhere. */
  refusal?: (answered: Answered, caller: HostCaller) => HostAnswer | null;
}

/** With whose rights a host is asked: with the caller's own, or as the service, which is for what is public alone. */
export const callAs =
  (serviceToken: string | null) =>
  ({ token, replaceToken, respectsBackgroundQuota, signal }: Caller): HostCaller =>
    token === null
      ? { isService: true, token: serviceToken, signal, ...(respectsBackgroundQuota && { respectsBackgroundQuota }) }
      : { isService: false, token, signal, ...(replaceToken && { replaceToken }) };

/** A call without any token. */
export const anonymous = ({ signal }: Pick<HostCaller, 'signal'>): HostCaller => ({
  isService: true,
  token: null,
  signal,
});

/** What is closed to the service might be private, which is to look as if it did not exist. */
export async function unlessClosed<Found>(asked: Promise<Found | null>): Promise<Found | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ClosedToService) return null;
    throw error;
  }
}

/** Gone for good, or closed by law, is as absent as never there. */
const isGone = (status: number): boolean => status === 404 || status === 410 || status === 451;

/** So is what is closed to the service, to which alone 403 comes back as an answer. */
export const isAbsent = (status: number): boolean => status === 403 || isGone(status);

/**
 * What a refusal means. Statuses that say "not there" are answers, and come back; everything else is thrown as what callers are
 * told. The token that was used is in none of it.
 */
export function refusalOf(api: HostApi, answered: Answered, caller: HostCaller): HostAnswer {
  const { status } = answered;
  const { isService, token } = caller;
  if (isGone(status)) return answered;
  const own = api.refusal?.(answered, caller);
  if (own) return own;
  const cause = causeOf(api, answered, caller);
  // What is closed to those without a token is not public, such as everything on a server in private mode.
  if (isService && token === null && status === 401) return { ...answered, status: 404 };
  if (isService && status === 401) throw serviceTokenRefused(api, cause);
  if (status === 401) throw new TokenRefused(api, cause);
  if (status === 403 && isService) return answered;
  if (status === 403) throw permissionMissing(api, cause);
  throw new UselessAnswer(`${api.name} answered with an error (${status}). Try again later.`, { cause });
}

/** A refusal as it is logged. */
export const causeOf = (
  { name }: Pick<HostWords, 'name'>,
  { status, message }: Pick<Answered, 'status' | 'message'>,
  { token }: Pick<HostCaller, 'token'>,
): Error => new Error(`${name} answered ${status}: ${withoutToken(message, token).slice(0, 500)}`);

/** A host no longer accepts the token, whether a user's or the service's. */
export class TokenRefused extends Failure {
  constructor({ id, name }: Pick<HostWords, 'id' | 'name'>, cause: Error) {
    const message = `${name} no longer accepts this token: it was revoked or has expired. Present another one, or save it with ${savingToken(id)}.`;
    super('HOST_TOKEN_INVALID', message, { cause });
  }
}

/** A host takes the token and lets its account do nothing. */
export class AccountTurnedAway extends Failure {
  constructor(name: string, cause: Error) {
    const message = `${name} turns away the account of this token: it is blocked or not confirmed, or has to accept terms or change its password there first. Sign in to ${name} to see which, or present a token of another account.`;
    super('HOST_TOKEN_INVALID', message, { cause });
  }
}

/** What a refusal means that is about an account: of what was asked for it says nothing, so that the service is turned away as anywhere. */
export function refuseAccount(words: Pick<HostWords, 'name'>, answered: Answered, caller: HostCaller): null {
  if (caller.isService) return null;
  throw new AccountTurnedAway(words.name, causeOf(words, answered, caller));
}

function serviceTokenRefused({ name, tokenSetting }: HostWords, cause: Error): Failure {
  return new UselessAnswer(
    `${name} no longer accepts the token of this service. Its operator has to set another ${tokenSetting}.`,
    { cause },
  );
}

/** Turned away at the door, by the host or by a proxy on the way there: whether there is something behind it is not known. */
export class ClosedToService extends UselessAnswer {
  constructor(name: string) {
    super(`${name} turns this service away. Try again later, or present a token of your own.`);
  }
}

function permissionMissing({ id, permissions }: HostWords, cause?: Error): Failure {
  return new Failure(
    'HOST_TOKEN_INVALID',
    `This token lacks a permission. Present or save (${savingToken(id)}) one that may ${permissions}.`,
    { cause },
  );
}

export function limited(name: string, seconds: number, isService: boolean): Failure {
  const remedy = isService ? 'Try again then, or present a token of your own' : 'Try again then';
  return new Failure(
    'HOST_RATE_LIMITED',
    `${name} takes no more questions for the next ${seconds} s. ${remedy}.`,
    { headers: { 'retry-after': String(seconds) } },
  );
}

export function brokenAnswer(name: string, cause?: unknown): Failure {
  return new UselessAnswer(`${name} answered something that cannot be read. Try again later.`, { cause });
}

/** More than is read at once: less of it may be asked for. */
export class AnswerTooLarge extends UselessAnswer {
  constructor(name: string) {
    super(`${name} answered more than can be read. Try again later.`);
  }
}

/** Of something that a host shows in part: the rest takes one more permission. */
export function partHidden(words: HostWords, isService: boolean): Failure {
  return isService ? new ClosedToService(words.name) : permissionMissing(words);
}

export function noAnswer(name: string, cause: unknown): Failure {
  return new Failure('HOST_TIMEOUT', `${name} did not answer in time. Try again later.`, { cause });
}

/** What was to be handed on as it arrives has not begun in time. */
export class LateStream extends Failure {
  constructor(name: string) {
    super('HOST_TIMEOUT', `${name} did not answer in time. Try again later.`);
  }
}

export function unreachable(name: string, cause: unknown): Failure {
  return new Failure('HOST_ERROR', `${name} cannot be reached at the moment. Try again later.`, { cause });
}

/** As git presents a token, beside a name that the host wants with it. */
export const basicOf = (user: string, token: string): string => btoa(`${user}:${token}`);

/** For the log: a server or a proxy may repeat what it was sent. */
export const withoutToken = (text: string, token: string | null, gitUser = ''): string =>
  token === null ? text : text.replaceAll(token, '[token]').replaceAll(basicOf(gitUser, token), '[token]');
