import { Failure } from '../../domain/errors.ts';
import { UselessAnswer } from '../code-host.ts';
import type { HostApi } from '../http/host-api.ts';
import { causeOf, refuseAccount } from '../http/host-failures.ts';
import { limitHeaders } from '../http/rate-limits.ts';
import type { GitHubAddresses } from './addresses.ts';

/** The newest that Enterprise Servers know too; others are refused there. */
const apiVersion = '2022-11-28';

/** How GitHub says that a diff is too large. */
export const tooLargeToPrint = 406;

/** How it says, with 422 or 500, that it takes too long to make one, which may be small. */
const cannotPrint = /"code":\s*"not_available"/;

const anonymousLimit = 60;
const tokenLimit = 5_000;

/** How GitHub is asked. */
export function createGitHubApi(addresses: GitHubAddresses): HostApi {
  const words = { id: 'github', name: 'GitHub' };
  return {
    ...words,
    tokenSetting: 'GITHUB_TOKEN',
    permissions: 'read Contents, Pull requests and Issues of the repository',
    address: addresses.api,
    headers: (token) => ({
      accept: 'application/vnd.github+json',
      'x-github-api-version': apiVersion,
      ...(token !== null && { authorization: `Bearer ${token}` }),
    }),
    pages: { sizes: [100, 10, 1], query: (size, page) => `per_page=${size}&page=${page}` },
    limits: { read: limitHeaders('x-ratelimit-'), periodsPerHour: 1 },
    usualLimit: (token) => (token === null ? anonymousLimit : tokenLimit),
    refusal(answered, caller) {
      const { status, headers, message } = answered;
      if (status === tooLargeToPrint) return answered;
      if (cannotPrint.test(message)) return { ...answered, status: tooLargeToPrint };
      if (status === 403 && /suspended/i.test(message)) return refuseAccount(words, answered, caller);
      if (status === 403 && headers['x-github-sso'] !== undefined)
        throw signOnDemanded(causeOf(words, answered, caller), caller.isService);
      return null;
    },
  };
}

function signOnDemanded(cause: Error, isService: boolean): Failure {
  const message =
    'The organization demands single sign-on for this token. Authorize the token for it on GitHub, then try again.';
  return isService
    ? new UselessAnswer(message, { cause })
    : new Failure('HOST_TOKEN_INVALID', message, { cause });
}
