import type { HostApi } from '../http/host-api.ts';
import { causeOf, TokenRefused } from '../http/host-failures.ts';
import { limitHeaders } from '../http/rate-limits.ts';

/** How many questions gitlab.com answers in a minute; other servers set limits of their own, or none. */
const anonymousLimit = 500;
const tokenLimit = 2_000;

const words = { id: 'gitlab', name: 'GitLab' };

/** How GitLab is asked at an address. */
export const createGitLabApi = (address: string): HostApi => ({
  ...words,
  tokenSetting: 'GITLAB_TOKEN',
  permissions: 'read_api and read_repository (its scopes)',
  address,
  headers: (token) => (token === null ? {} : { authorization: `Bearer ${token}` }),
  pages: {
    sizes: [100, 10, 1],
    query: (size, page) => `per_page=${size}&page=${page}`,
    totalHeader: 'x-total',
  },
  limits: { read: limitHeaders('ratelimit-'), periodsPerHour: 60 },
  usualLimit: (token) => (token === null ? anonymousLimit : tokenLimit),
  refusal(answered, caller) {
    const { status, data, message } = answered;
    if (status !== 403) return null;
    if (
      /blocked|deactivated|pending approval|password (?:has )?expired/i.test(message) &&
      caller.token !== null
    )
      throw new TokenRefused(words, causeOf(words, answered, caller));
    // In words of its own GitLab says of one thing that it is not for this caller; a proxy on the way says so of everything.
    return isItsWord(data) ? { ...answered, status: 404 } : null;
  },
});

const isItsWord = (data: unknown): boolean =>
  typeof data === 'object' &&
  data !== null &&
  'message' in data &&
  typeof data.message === 'string' &&
  data.message.startsWith('403 Forbidden');
