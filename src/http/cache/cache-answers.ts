import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { prefersMarkdown } from '../requests/accept.ts';
import { presentsCredential } from '../requests/session-cookie.ts';
import { cacheKey } from './cache-key.ts';
import { isRead } from './describe-caching.ts';
import type { CachedBody, CacheGeneration, CachePolicy, PublicCache } from './public-cache.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What was current before anything was looked at for this request; null where its answer may not be kept. */
    cacheGeneration: CacheGeneration | null;
  }
  interface FastifyReply {
    cachePolicy: CachePolicy | null;
    /** What was cached of this answer. */
    cachedBody: CachedBody | null;
  }
}

/** Whether a request is answered in the same way for every client: not with Markdown, and for no page of another origin. */
export const isCacheable = (request: IncomingMessage): boolean =>
  isRead(request) &&
  request.headers.origin === undefined &&
  !presentsCredential(request.headers) &&
  !prefersMarkdown(request.headers.accept);

/** Notes for each request what is current before anything is looked at for it. */
export function noteCacheGeneration(app: FastifyInstance, cache: PublicCache): void {
  app.decorateRequest('cacheGeneration', null);
  app.decorateReply('cachePolicy', null);
  app.decorateReply('cachedBody', null);
  if (!cache.keepsAnything) return;
  app.addHook('onRequest', (request, _reply, done) => {
    if (isCacheable(request.raw)) request.cacheGeneration = cache.generation();
    done();
  });
}

/** What belongs to one request alone, or to one encoding. */
const ownHeaders = /^(?:x-request-id|ratelimit-|connection|content-(?:length|encoding))/;

/** Keeps an answer with its headers, before it is encoded; false where it may not be kept. */
export function cacheAnswer(
  cache: PublicCache,
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
): boolean {
  const { cachePolicy } = reply;
  const { cacheGeneration: generation } = request;
  if (!cachePolicy || generation === null || reply.statusCode !== 200 || !Buffer.isBuffer(body)) return false;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (!ownHeaders.test(name)) headers[name] = String(value);
  const route = request.routeOptions.url;
  reply.cachedBody = { body, route, headers, encoded: new Map(), heads: new Map(), hits: null };
  cache.put(cacheKey(request.raw), reply.cachedBody, { ...cachePolicy, generation });
  return true;
}
