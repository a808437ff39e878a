import type { TSchema } from 'typebox';
import { type HostApi, type HostCaller, refuseAccount } from '../http/host-api.ts';
import type { HostClient } from '../http/host-client.ts';
import { limitHeaders } from '../http/rate-limits.ts';

/** Where a GitLab lives: gitlab.com, or a server of one's own, which may have it below a folder. */
export interface GitLabAddresses {
  web: string;
  api: string;
  /** The domain below which it gives out no-reply addresses. */
  domain: string;
  /** Where pictures of people are. */
  avatars: string[];
  /** Whether it runs on servers of the operator's own, in whichever network those are. */
  isOwn: boolean;
}

/** Groups lie within groups. */
export const ownersNest = true;

export function addressesOf({ origin, host, hostname, pathname }: URL): GitLabAddresses {
  const web = `${origin}${pathname.replace(/(?<!\/)\/+$/, '')}`;
  return {
    web,
    api: `${web}/api/v4`,
    domain: hostname,
    avatars: [origin, 'https://secure.gravatar.com'],
    isOwn: host !== 'gitlab.com',
  };
}

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

const pageSize = 100;

/** No range of commits comes near it; a list that has no end is not counted on. */
const mostItems = 2 ** 22;

/** How many items a list has of which GitLab does not tell that: by asking for the page with one, until the last one is found. */
export async function countItems(
  client: HostClient,
  path: string,
  schema: TSchema,
  caller: HostCaller,
): Promise<number> {
  const read = (size: number, page: number) =>
    client.page(`${path}&per_page=${size}&page=${page}`, schema, caller);
  const first = await read(pageSize, 1);
  if (first.isLast) return first.items.length;
  const has = async (place: number) => (await read(1, place)).items.length > 0;
  let known = pageSize;
  let beyond = 2 * pageSize;
  while (beyond < mostItems && (await has(beyond))) [known, beyond] = [beyond, 2 * beyond];
  while (beyond - known > 1) {
    const middle = Math.floor((known + beyond) / 2);
    if (await has(middle)) known = middle;
    else beyond = middle;
  }
  return known;
}
