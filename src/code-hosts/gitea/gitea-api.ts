import { Failure } from '../../domain/errors.ts';
import { savingToken } from '../../domain/saving-token.ts';
import { causeOf, type HostApi, refuseAccount } from '../http/host-api.ts';
import { limitHeaders } from '../http/rate-limits.ts';

/** Where a Gitea or Forgejo lives: on a name of its own, or in a folder below one. */
export interface GiteaAddresses {
  /** Without a slash at its end. */
  web: string;
  api: string;
  origin: string;
  /** The domain below which no-reply addresses are made up. */
  domain: string;
}

export function addressesOf({ origin, pathname, hostname }: URL): GiteaAddresses {
  const web = `${origin}${pathname.replace(/\/$/, '')}`;
  return { web, api: `${web}/api/v1`, origin, domain: hostname };
}

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
export const lacksScope = /required scope|token scope is limited|public-only token/i;

/** Of one thing, that it is for others; whatever else it forbids is about whoever asks. */
const isForOthers = /^(?:user should |must be )/i;
export const mustChangePassword = /must change your password/i;
const isShutOut = /prohibited from signing in|not activated/i;

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
      const said = answered.status === 403 ? itsWord(answered.data) : null;
      if (said === null) return null;
      // Servers on which everybody has to sign in show nothing to those who have not. What is there may be in parts for
      // others, too: units of a repository are given out singly.
      if (caller.token === null || isForOthers.test(said)) return { ...answered, status: 404 };
      if (isShutOut.test(said) || mustChangePassword.test(said))
        return refuseAccount(words, answered, caller);
      if (lacksScope.test(said) && !caller.isService)
        throw new ScopeMissing(causeOf(words, answered, caller));
      return null;
    },
  };
}

/** Some lists come with links to others of their pages, all with how many items there are. */
function isLastPage(headers: Record<string, string | undefined>, count: number): boolean {
  if (headers.link !== undefined) return !headers.link.includes('rel="next"');
  return Number(headers[totalHeader] ?? 0) <= count;
}

/** Why Gitea forbids something; null where that is not said by Gitea. */
const itsWord = (data: unknown): string | null =>
  typeof data === 'object' && data !== null && 'message' in data && typeof data.message === 'string'
    ? data.message
    : null;
