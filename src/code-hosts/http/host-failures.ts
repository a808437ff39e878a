import { Failure } from '../../domain/errors.ts';
import { UselessAnswer } from '../code-host.ts';
import { withoutToken } from './without-token.ts';

export interface HostAnswer {
  status: number;
  headers: Record<string, string | number | undefined>;
  data: unknown;
}

/** Gone for good, or closed by law, is as absent as never there. */
const isGone = (status: number): boolean => status === 404 || status === 410 || status === 451;

/** So is what is closed to the service, to which alone 403 comes back as an answer. */
export const isAbsent = (status: number): boolean => status === 403 || isGone(status);

/** How GitHub says that a diff is too large. */
export const tooLargeToPrint = 406;

/** How it says, with 422 or 500, that it takes too long to make one, which may be small. */
const cannotPrint = /"code":"not_available"/;

/**
 * What a refusal means. Statuses that say "not there" or "too large" are answers, and come back; everything else is thrown
 * as what callers are told. The token that was used is in none of it.
 */
export function refusalOf(
  answered: HostAnswer & { message: string },
  { isService, token }: { isService: boolean; token: string | null },
): HostAnswer {
  const { status, headers, message } = answered;
  const cause = new Error(`GitHub answered ${status}: ${withoutToken(message, token).slice(0, 500)}`);
  if (isGone(status) || status === tooLargeToPrint) return answered;
  if (cannotPrint.test(message)) return { ...answered, status: tooLargeToPrint };
  // What is closed to those without a token is not public, such as everything on a server in private mode.
  if (isService && token === null && status === 401) return { ...answered, status: 404 };
  if (isService && status === 401) throw serviceTokenRefused(cause);
  if (status === 401 || (status === 403 && /suspended/i.test(message))) throw new TokenRefused(cause);
  if (status === 403 && headers['x-github-sso'] !== undefined) throw signOnDemanded(cause, isService);
  if (status === 403 && isService) return answered;
  if (status === 403) throw permissionMissing(cause);
  throw new UselessAnswer(`GitHub answered with an error (${status}). Try again later.`, { cause });
}

/** GitHub no longer accepts the token, whether a user's or the service's. */
export class TokenRefused extends Failure {
  constructor(cause: Error) {
    const message =
      'GitHub no longer accepts this token: it was revoked or has expired. Present another one, or save it with POST /auth/host-token.';
    super('HOST_TOKEN_INVALID', message, { cause });
  }
}

function serviceTokenRefused(cause: Error): Failure {
  return new UselessAnswer(
    'GitHub no longer accepts the token of this service. Its operator has to set another GITHUB_TOKEN.',
    { cause },
  );
}

function signOnDemanded(cause: Error, isService: boolean): Failure {
  const message =
    'The organization demands single sign-on for this token. Authorize the token for it on GitHub, then try again.';
  return isService
    ? new UselessAnswer(message, { cause })
    : new Failure('HOST_TOKEN_INVALID', message, { cause });
}

/** Turned away at the door, by GitHub or by a proxy on the way there: whether there is something behind it is not known. */
export class ClosedToService extends UselessAnswer {
  constructor() {
    super('GitHub turns this service away. Try again later, or present a token of your own.');
  }
}

function permissionMissing(cause?: Error): Failure {
  return new Failure(
    'HOST_TOKEN_INVALID',
    'This token lacks a permission. Present or save (POST /auth/host-token) one that may read Contents, Pull requests and Issues of the repository.',
    { cause },
  );
}

export function limited(seconds: number, isService: boolean): Failure {
  const remedy = isService ? 'Try again then, or present a token of your own' : 'Try again then';
  return new Failure(
    'HOST_RATE_LIMITED',
    `GitHub takes no more questions for the next ${seconds} s. ${remedy}.`,
    { headers: { 'retry-after': String(seconds) } },
  );
}

export function brokenAnswer(cause?: unknown): Failure {
  return new UselessAnswer('GitHub answered something that cannot be read. Try again later.', { cause });
}

/** More than is read at once: less of it may be asked for. */
export class AnswerTooLarge extends UselessAnswer {
  constructor() {
    super('GitHub answered more than can be read. Try again later.');
  }
}

/** Of something that GitHub shows in part: the rest takes one more permission. */
export function partHidden(isService: boolean): Failure {
  return isService ? new ClosedToService() : permissionMissing();
}

export function noAnswer(cause: unknown): Failure {
  return new Failure('HOST_TIMEOUT', 'GitHub did not answer in time. Try again later.', { cause });
}

export function unreachable(cause: unknown): Failure {
  return new Failure('HOST_ERROR', 'GitHub cannot be reached at the moment. Try again later.', { cause });
}
