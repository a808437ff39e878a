import { savingToken } from '../../domain/accounts.ts';
import { Failure } from '../../domain/errors.ts';
import { type Caller, UselessResponse } from '../code-host.ts';
import type { LimitRules } from './rate-limits.ts';

/** The caller of a host with their own token or that of the service, and a signal that ends the call. */
export interface HostCaller extends Omit<Caller, 'identity'> {
  isService: boolean;
}

export interface HostResponse {
  status: number;
  headers: Record<string, string | undefined>;
  data: unknown;
}

/** `message` is the raw text of a refusal, and empty otherwise. */
export type Answered = HostResponse & { message: string };

interface HostWords {
  id: string;
  name: string;
  tokenSetting: string;
  permissions: string;
}

export interface HostApi extends HostWords {
  address: string;
  headers: (token: string | null) => Record<string, string>;
  pages: {
    /** The usual page size, and smaller ones for pages that are too large to read. Each divides the one before. */
    sizes: readonly [number, ...number[]];
    query: (size: number, page: number) => string;
    isLast?: (headers: HostResponse['headers'], count: number) => boolean;
    totalHeader?: string;
  };
  limits: LimitRules;
  usualLimit: (token: string | null) => number;
  /** The special meaning of a refusal on this host, returned as a response or thrown; null if it has none. */
  refusal?: (answered: Answered, caller: HostCaller) => HostResponse | null;
}

export const callAs =
  (serviceToken: string | null) =>
  ({ token, replaceToken, respectsBackgroundQuota, signal }: Caller): HostCaller =>
    token === null
      ? {
          isService: true,
          token: serviceToken,
          signal,
          ...(respectsBackgroundQuota && { respectsBackgroundQuota }),
        }
      : { isService: false, token, signal, ...(replaceToken && { replaceToken }) };

export const anonymous = ({
  signal,
  respectsBackgroundQuota = false,
}: Pick<HostCaller, 'signal' | 'respectsBackgroundQuota'>): HostCaller => ({
  isService: true,
  token: null,
  signal,
  respectsBackgroundQuota,
});

export async function unlessClosed<Found>(call: Promise<Found | null>): Promise<Found | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ClosedToService) return null;
    throw error;
  }
}

/** Resources that are gone for good or blocked for legal reasons count as absent. */
const isGone = (status: number): boolean => status === 404 || status === 410 || status === 451;

/** A 403 is returned as a response only if the resource is closed to the service, and then counts as absent. */
export const isAbsent = (status: number): boolean => status === 403 || isGone(status);

/** Interprets a refusal. "Not there" is returned as a response, and everything else is thrown, without the token. */
export function throwUnlessAbsent(api: HostApi, answered: Answered, caller: HostCaller): HostResponse {
  const { status } = answered;
  const { isService, token } = caller;
  if (isGone(status)) return answered;
  const own = api.refusal?.(answered, caller);
  if (own) return own;
  const cause = causeOf(api, answered, caller);
  // If the service has no token, a resource that requires one is not public, such as on a server in private mode.
  if (isService && token === null && status === 401) return { ...answered, status: 404 };
  if (isService && status === 401)
    throw new UselessResponse(
      `${api.name} no longer accepts the token of this service. Ask your administrator to replace ${api.tokenSetting}.`,
      { cause },
    );
  if (status === 401) throw new TokenRefused(api, cause);
  if (status === 403 && isService) return answered;
  if (status === 403) throw new PermissionMissing(api, cause);
  throw new UselessResponse(`${api.name} answered with an error (${status}). Try again later.`, { cause });
}

export const causeOf = (
  { name }: Pick<HostWords, 'name'>,
  { status, message }: Pick<Answered, 'status' | 'message'>,
  { token }: Pick<HostCaller, 'token'>,
): Error => new Error(`${name} answered ${status}: ${withoutToken(message, token).slice(0, 500)}`);

export class TokenRefused extends Failure {
  constructor({ id, name }: Pick<HostWords, 'id' | 'name'>, cause: Error) {
    const message = `${name} no longer accepts this token: it was revoked or has expired. Send another one, or save one with ${savingToken(id)}.`;
    super('HOST_TOKEN_INVALID', message, { cause });
  }
}

export class AccountTurnedAway extends Failure {
  constructor(name: string, cause: Error) {
    const message = `${name} rejects the account of this token: it is blocked or not confirmed, or must first accept terms or change its password. Sign in to ${name} to see why, or send a token from another account.`;
    super('HOST_TOKEN_INVALID', message, { cause });
  }
}

/** A refusal of the account says nothing about the resource; for the service it is handled like any other refusal. */
export function refuseAccount(words: Pick<HostWords, 'name'>, answered: Answered, caller: HostCaller): null {
  if (caller.isService) return null;
  throw new AccountTurnedAway(words.name, causeOf(words, answered, caller));
}

/** The host or a proxy rejects the service, so it is unknown whether the resource exists. */
export class ClosedToService extends UselessResponse {
  constructor(name: string) {
    super(`${name} rejects requests from this service. Try again later, or send your own token.`);
  }
}

export class PermissionMissing extends Failure {
  constructor({ id, permissions }: Pick<HostWords, 'id' | 'permissions'>, cause?: Error) {
    const message = `This token lacks a permission. Send a token that can ${permissions}, or save one (${savingToken(id)}).`;
    super('HOST_TOKEN_INVALID', message, { cause });
  }
}

export function limited(name: string, seconds: number, isService: boolean): Failure {
  const remedy = isService ? 'Try again then, or send your own token.' : 'Try again then.';
  const problem = `The rate limit of ${name} is used up for the next ${seconds} s.`;
  return new Failure('HOST_RATE_LIMITED', problem, { remedy, headers: { 'retry-after': String(seconds) } });
}

export function brokenResponse(name: string, cause?: unknown): Failure {
  return new UselessResponse(`${name} sent a response that is not valid. Try again later.`, { cause });
}

export class ResponseTooLarge extends UselessResponse {
  constructor(name: string) {
    super(`${name} sent a response that is too large. Try again later.`);
  }
}

export function partHidden(words: HostWords, isService: boolean): Failure {
  return isService ? new ClosedToService(words.name) : new PermissionMissing(words);
}

export class HostTimeout extends Failure {
  constructor(name: string, cause?: unknown) {
    super('HOST_TIMEOUT', `${name} did not answer in time. Try again later.`, { cause });
  }
}

export class LateStream extends HostTimeout {}

export function unreachable(name: string, cause: unknown): Failure {
  return new Failure('HOST_ERROR', `Cannot reach ${name} at the moment. Try again later.`, { cause });
}

export const basicOf = (user: string, token: string): string => btoa(`${user}:${token}`);

/** Removes the token from a text for the log, because a server or proxy may repeat what it received. */
export const withoutToken = (text: string, token: string | null, gitUser = ''): string =>
  token === null ? text : text.replaceAll(token, '[token]').replaceAll(basicOf(gitUser, token), '[token]');
