import { Failure } from '../../domain/errors.ts';

export interface HostAnswer {
  status: number;
  headers: Record<string, string | number | undefined>;
  data: unknown;
}

/** Gone for good, or closed by law, is as absent as never there. */
export const isAbsent = (status: number): boolean => status === 404 || status === 410 || status === 451;

/**
 * What a refusal means. Statuses that say "not there" or "too large" are answers, and come back; everything else is thrown
 * as what callers are told. The token that was used is in none of it.
 */
export function refusalOf(answered: HostAnswer & { message: string }, isService: boolean): HostAnswer {
  const { status, headers, message } = answered;
  const cause = new Error(`GitHub answered ${status}: ${message.slice(0, 500)}`);
  if (isAbsent(status) || status === 406) return answered;
  if (isService && status === 401) throw serviceTokenRefused(cause);
  if (status === 401) throw tokenRefused(cause);
  if (status === 403 && headers['x-github-sso'] !== undefined) throw signOnDemanded(cause, isService);
  // What is closed to the service is not public, and it shows nothing else.
  if (status === 403 && isService) return { ...answered, status: 404 };
  if (status === 403) throw permissionMissing(cause);
  throw new Failure('HOST_ERROR', `GitHub answered with an error (${status}). Try again later.`, { cause });
}

function tokenRefused(cause: Error): Failure {
  return new Failure(
    'HOST_TOKEN_INVALID',
    'GitHub no longer accepts this token: it was revoked or has expired. Present another one.',
    { cause },
  );
}

function serviceTokenRefused(cause: Error): Failure {
  return new Failure(
    'HOST_ERROR',
    'GitHub no longer accepts the token of this service. Its operator has to set another GITHUB_TOKEN.',
    { cause },
  );
}

function signOnDemanded(cause: Error, isService: boolean): Failure {
  return new Failure(
    isService ? 'HOST_ERROR' : 'HOST_TOKEN_INVALID',
    'The organization demands single sign-on for this token. Authorize the token for it on GitHub, then try again.',
    { cause },
  );
}

function permissionMissing(cause: Error): Failure {
  return new Failure(
    'HOST_TOKEN_INVALID',
    'This token lacks a permission. It needs to read Contents, Pull requests and Issues of the repository.',
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
  return new Failure('HOST_ERROR', 'GitHub answered something that cannot be read. Try again later.', {
    cause,
  });
}

export function noAnswer(cause: unknown): Failure {
  return new Failure('HOST_TIMEOUT', 'GitHub did not answer in time. Try again later.', { cause });
}

export function unreachable(cause: unknown): Failure {
  return new Failure('HOST_ERROR', 'GitHub cannot be reached at the moment. Try again later.', { cause });
}
