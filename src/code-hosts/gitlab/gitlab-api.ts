import type { HostApi } from '../http/host-api.ts';
import { refuseAccount } from '../http/host-failures.ts';
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
    const said = answered.status === 403 ? itsWord(answered.data) : null;
    // In words of its own GitLab says of one thing that it is not for this caller; a proxy on the way says so of everything.
    if (said === null) return null;
    // What it says beyond that is about the account, if there is one.
    if (said !== '' && caller.token !== null) return refuseAccount(words, answered, caller);
    return { ...answered, status: 404 };
  },
});

/** Why GitLab forbids something, which may be empty; null where that is not said by GitLab. */
function itsWord(data: unknown): string | null {
  if (typeof data !== 'object' || data === null || !('message' in data)) return null;
  const [, why] = /^403 Forbidden(.*)$/s.exec(String(data.message)) ?? [];
  return why?.trim() ?? null;
}
