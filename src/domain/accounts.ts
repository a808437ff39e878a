import { createHash } from 'node:crypto';

/** The person on a code host whom a credential proves. The same number on two hosts is two identities. */
export interface Identity {
  host: string;
  hostUserId: number;
  hostUsername: string;
  hostDisplayName: string;
  email: string;
  avatarUrl: string | null;
}

interface HostProfile extends Pick<Identity, 'host' | 'hostUserId' | 'hostUsername'> {
  hostDisplayName?: string | null;
  email?: string | null;
  avatarUrl?: string | null;
  noReplyDomain: string;
}

/** Fills in what a host leaves out, so that names and addresses are never missing. */
export function completeIdentity({ noReplyDomain, ...profile }: HostProfile): Identity {
  const { hostUserId, hostUsername, hostDisplayName, email, avatarUrl } = profile;
  return {
    ...profile,
    hostDisplayName: hostDisplayName || hostUsername,
    email: email || `${hostUserId}+${hostUsername}@users.noreply.${noReplyDomain}`,
    avatarUrl: avatarUrl || null,
  };
}

export interface Operator {
  host: string;
  name: string;
}

/**
 * The operator at the command line, who has no credential, and sees every clone and the public repositories of other
 * hosts.
 */
export const operatorIdentity: Identity = {
  host: 'operator',
  hostUserId: 0,
  hostUsername: 'operator',
  hostDisplayName: 'Operator',
  email: 'operator@users.noreply.invalid',
  avatarUrl: null,
};

export const isOperator = ({ host }: Pick<Identity, 'host'>): boolean => host === operatorIdentity.host;

const day = 24 * 60 * 60 * 1000;

/** A session ends after two weeks without use, and after 90 days in any case. */
const idleLifetime = 14 * day;
export const absoluteLifetime = 90 * day;

/** `lastUsedAt` may be this old, because a write for every request would cost more than its precision is worth. */
export const lastUsedPrecision = 60 * 1000;

export function sessionExpiry(createdAt: Date, lastUsedAt: Date): Date {
  return new Date(Math.min(createdAt.getTime() + absoluteLifetime, lastUsedAt.getTime() + idleLifetime));
}

const cells = 5;

export function drawAvatar(seed: string): string {
  const digest = createHash('sha256').update(seed).digest();
  const byte = (index: number): number => digest[index] ?? 0;
  const hue = Math.round((byte(0) / 256) * 360);
  const squares: string[] = [];
  for (let row = 0; row < cells; row += 1) {
    for (let column = 0; column < cells; column += 1) {
      const mirrored = Math.min(column, cells - 1 - column);
      if (byte(1 + row * 3 + mirrored) % 2 === 1) squares.push(`M${column + 1} ${row + 1}h1v1h-1z`);
    }
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 7 7" shape-rendering="crispEdges">` +
    `<rect width="7" height="7" fill="hsl(${hue} 45% 92%)"/>` +
    `<path fill="hsl(${hue} 55% 42%)" d="${squares.join('')}"/></svg>`
  );
}

/** The request that saves a host's token, for error messages. */
export const savingToken = (host: string): string => `POST /auth/host-token?host=${host}`;

/** The longest path to return to: longer than that of any page, and short enough for a cookie after encryption. */
const longest = 2_000;

/** Control characters, and characters that some browsers treat as a slash. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const neverInPaths = /[\u0000-\u0020\\\u007f-\u009f]/;

/** Escapes that become such a character, a slash or another escape when they are decoded again. */
const doublyEncoded = /%(?:[01][0-9a-f]|2[0f5]|5c|7f)/i;

/** Nested group names, which are a single segment in the path of a page. */
const nestedOwner = /^(\/r\/[\w.-]+)(?:%2f[\w.-]+)+(?=\/|$)/i;

/** The path to return to after signing in: a page of this service, or else the first page. */
export function safeReturnPath(wanted: string | undefined): string {
  if (!wanted?.startsWith('/')) return '/';
  if (neverInPaths.test(wanted)) return '/';
  const here = 'https://pullquote.invalid';
  const url = URL.parse(wanted, here);
  if (
    !url ||
    url.origin !== here ||
    url.pathname.startsWith('//') ||
    doublyEncoded.test(url.pathname.replace(nestedOwner, '$1'))
  )
    return '/';
  // Sign-in pages would start signing in again.
  if (/^\/(?:auth|sign-in|sign-up)(?:\/|$)/.test(url.pathname)) return '/';
  const path = url.pathname + url.search + url.hash;
  return path.length > longest ? '/' : path;
}
