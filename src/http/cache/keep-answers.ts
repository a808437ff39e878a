import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { prefersMarkdown } from '../requests/prefers-markdown.ts';
import { presentsCredential } from '../requests/session-cookie.ts';
import { cacheKey } from './cache-key.ts';
import { isRead } from './describe-caching.ts';
import type { CachedBody, Keep, PublicCache, Ticket } from './public-cache.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What was current before anything was looked at for this request; null where its answer may not be kept. */
    cacheTicket: Ticket | null;
  }
  interface FastifyReply {
    keep: Keep | null;
    /** What memory got of this answer. */
    kept: CachedBody | null;
  }
}

/** Whether a request is answered in the same way for every client: not with Markdown, and for no page of another origin. */
export const isForAnybody = (request: IncomingMessage): boolean =>
  isRead(request) &&
  request.headers.origin === undefined &&
  !presentsCredential(request.headers) &&
  !prefersMarkdown(request.headers.accept);

/** Notes for each request what is current before anything is looked at for it. */
export function giveTickets(app: FastifyInstance, cache: PublicCache): void {
  app.decorateRequest('cacheTicket', null);
  app.decorateReply('keep', null);
  app.decorateReply('kept', null);
  if (!cache.keepsAnything) return;
  app.addHook('onRequest', (request, _reply, done) => {
    if (isForAnybody(request.raw)) request.cacheTicket = cache.begin();
    done();
  });
}

/** What belongs to one request alone, or to one encoding. */
const ownHeaders = /^(?:x-request-id|ratelimit-|connection|content-(?:length|encoding))/;

/** Keeps an answer with its headers, before it is encoded, if it may be kept. */
export function keepAnswer(
  cache: PublicCache,
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
): void {
  const { keep } = reply;
  const { cacheTicket: ticket } = request;
  if (!keep || ticket === null || reply.statusCode !== 200 || !Buffer.isBuffer(body)) return;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (!ownHeaders.test(name)) headers[name] = String(value);
  reply.kept = { body, headers, encoded: new Map(), heads: new Map() };
  cache.put(cacheKey(request.raw), reply.kept, { about: keep.about, expiresAt: keep.until, ticket });
}
