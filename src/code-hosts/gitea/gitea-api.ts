import { Failure } from '../../domain/errors.ts';
import { savingToken } from '../../domain/saving-token.ts';
import type { HostApi } from '../http/host-api.ts';
import { causeOf, TokenRefused } from '../http/host-failures.ts';
import { limitHeaders } from '../http/rate-limits.ts';
import type { GiteaAddresses } from './addresses.ts';

/** What a personal access token has to be allowed. */
export const neededScopes = 'read:user read:repository read:issue';

const words = {
  id: 'gitea',
  name: 'Gitea',
  tokenSetting: 'GITEA_TOKEN',
  permissions: 'read users, repositories and issues (the scopes read:user, read:repository and read:issue)',
};

/** Gitea itself counts nothing; what stands before it may. It is asked as often as GitHub lets one ask. */
const questionsPerHour = 5_000;

const totalHeader = 'x-total-count';

/** Gitea says in words of its own why a token may not do something. */
const lacksScope = /required scope|token scope is limited|public-only token/i;
const isShutOut = /prohibited from signing in|not activated|must change password|is disabled/i;

/** A token that its owner has not allowed enough, or for some repositories only. */
export class ScopeMissing extends Failure {
  constructor(cause: Error) {
    super(
      'HOST_TOKEN_INVALID',
      `This token lacks a permission. Present or save (${savingToken(words.id)}) one that may ${words.permissions}.`,
      { cause },
    );
  }
}

/** How Gitea and Forgejo are asked. */
export function giteaApi({ api }: GiteaAddresses): HostApi {
  return {
    ...words,
    address: api,
    headers: (token) => (token === null ? {} : { authorization: `Bearer ${token}` }),
    pages: {
      sizes: [50, 10, 1],
      query: (size, page) => `limit=${size}&page=${page}`,
      isLast: (headers, count) => isLastPage(headers, count),
      totalHeader,
    },
    limits: { read: limitHeaders('x-ratelimit-'), periodsPerHour: 1 },
    usualLimit: () => questionsPerHour,
    refusal(answered, caller) {
      const { status, message, data } = answered;
      if (status !== 403 || !isSaidByGitea(data)) return null;
      // Servers on which everybody has to sign in show nothing to those who have not.
      if (caller.token === null) return { ...answered, status: 404 };
      const isAboutToken = isShutOut.test(message) || lacksScope.test(message);
      if (isAboutToken && caller.isService) return null;
      const cause = causeOf(words, answered, caller);
      if (isShutOut.test(message)) throw new TokenRefused(words, cause);
      if (isAboutToken) throw new ScopeMissing(cause);
      // It is there, and a part of it is not for this account: units of a repository are given out singly.
      return { ...answered, status: 404 };
    },
  };
}

/** Some lists come with links to others of their pages, all with how many items there are. */
function isLastPage(headers: Record<string, string | undefined>, count: number): boolean {
  if (headers.link !== undefined) return !headers.link.includes('rel="next"');
  return Number(headers[totalHeader] ?? 0) <= count;
}

const isSaidByGitea = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && 'message' in data && typeof data.message === 'string';
