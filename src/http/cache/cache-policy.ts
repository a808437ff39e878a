import { hash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StoredArticle } from '../../db/articles.ts';
import type { Database } from '../../db/database.ts';
import { findNextVisibilityLapse, freshWithinMs, type ListScope } from '../../db/visibility.ts';
import { preferredLanguages } from '../../domain/languages.ts';
import { chosenInterface, showsBots } from '../requests/cookies.ts';

export interface CachePolicy {
  dependsOn: string[];
  expiresAt: number;
}

/** Pages and feeds, which depend on the language. Other spellings of an address, such as `/%72/…`, are not cached. */
const pageAddress = /^\/(?:$|\?|r\/|a\/|feeds\/|repositories(?:$|\?))/;

export const isPageAddress = (url: string): boolean => pageAddress.test(url);

/** Public reads that many clients repeat. Addresses that wait for a code host are not cached. */
const publicRead = /^\/(?:articles|ranking)\//;

export const isSharedAddress = (url: string): boolean => publicRead.test(url) || isPageAddress(url);

/** The cache key of a response for anonymous viewers: its address, and for pages and feeds what the browser prefers. */
export function cacheKey({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string {
  if (!isPageAddress(url)) return url;
  return `${url} ${preferredLanguages(headers['accept-language'])} ${chosenInterface(headers) ?? ''} ${showsBots(headers)}`;
}

const viewerHeaders = 'Authorization, Cookie, Accept, Accept-Language';

export const isRead = ({ method }: { method?: string | undefined }): boolean =>
  method === 'GET' || method === 'HEAD';

export function describeCaching(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
  const { access = 'public' } = request.routeOptions.config;
  const sameForAll = access === 'public' || (access === 'viewer' && request.viewer === null);
  const isGood = isRead(request) && reply.statusCode === 200;
  if (access !== 'public') vary(reply, viewerHeaders);
  if (!reply.hasHeader('cache-control'))
    reply.header('cache-control', sameForAll && isGood ? 'public, no-cache' : 'private, no-cache');
  if (isGood && !reply.hasHeader('etag') && Buffer.isBuffer(payload)) reply.header('etag', tagOf(payload));
}

export function vary(reply: FastifyReply, headers: string): void {
  const others = reply.getHeader('vary');
  reply.header('vary', others ? `${[others].flat().join(', ')}, ${headers}` : headers);
}

export function tagOf(version: string | Buffer): string {
  return `"${hash('sha256', version, 'base64url').slice(0, 27)}"`;
}

export function hasResponse(
  { 'if-none-match': tags, 'if-modified-since': since }: IncomingHttpHeaders,
  { etag, 'last-modified': modified }: { etag?: unknown; 'last-modified'?: unknown },
): boolean {
  return tags === undefined ? modified !== undefined && since === modified : namesTag(tags, etag);
}

function namesTag(header: string, tag: unknown): boolean {
  if (typeof tag !== 'string') return false;
  return header.split(',').some((entry) => {
    const known = entry.trim().replace(/^W\//, '');
    return ['*', tag].includes(known) || known.replace(/-(?:br|gzip)"$/, '"') === tag;
  });
}

export const tagInEncoding = (tag: string, encoding: string | null): string =>
  encoding === null || tag.startsWith('W/') ? tag : tag.replace(/"$/, `-${encoding}"`);

/** The response may be reused until the host must be asked whether the repository is still public. */
export function articleCachePolicy({
  id,
  pullRequestId,
  repository,
}: Pick<StoredArticle, 'id' | 'pullRequestId' | 'repository'>): { cachePolicy?: CachePolicy } {
  if (repository.unreachableSince) return {};
  const dependsOn = [`article:${id}`, `pullRequest:${pullRequestId}`, `repository:${repository.id}`];
  return { cachePolicy: { dependsOn, expiresAt: repository.checkedAt.getTime() + freshWithinMs } };
}

/** Repositories that a host confirms again return to lists without a notification, so lists are cached this long. */
const cachedForMs = 60_000;

/** Pages further down are rarely read, and caching them would evict more useful ones. */
const deepestCached = 1_000;

export async function listCachePolicy(
  database: Database,
  viewer: ListScope,
  offset: number,
): Promise<{ cachePolicy?: CachePolicy }> {
  if (viewer.userId !== null || offset > deepestCached) return {};
  const expiresAt = Math.min(
    viewer.now.getTime() + cachedForMs,
    await findNextVisibilityLapse(database, viewer),
  );
  return { cachePolicy: { dependsOn: ['ranking'], expiresAt } };
}

/** If there are more feeds than this, all are forgotten and sent once more. */
const mostFeeds = 10_000;

/**
 * Last-Modified of feeds: the time at which this process first saw the content, because articles also disappear and
 * move.
 */
export class ModifiedTimes {
  readonly #seen = new Map<string, { tag: string; at: number }>();

  note(feed: string, tag: string, now: Date): string {
    const known = this.#seen.get(feed);
    const second = Math.floor(now.getTime() / 1000) * 1000;
    const at = known?.tag === tag ? known.at : Math.max(second, (known?.at ?? 0) + 1000);
    if (this.#seen.size >= mostFeeds) this.#seen.clear();
    this.#seen.set(feed, { tag, at });
    return new Date(at).toUTCString();
  }
}
