import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { chooseEncoding, type Encoding, smallestToEncode } from './choose-encoding.ts';
import type { RateLimit } from './limit-rate.ts';
import type { CachedBody, PublicCache, Ticket } from './public-cache.ts';
import { securityHeaders } from './security-headers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Under which an answer to this request may be kept; null where it may not. */
    cacheKey: string | null;
    cacheTicket: Ticket;
  }
  interface FastifyReply {
    keep: Keep | null;
  }
  interface FastifyContextConfig {
    /** Whether answers that are the same for everybody are kept. */
    isKept?: boolean;
  }
}

/** What an answer shows, and until when it is right if none of that changes. */
export interface Keep {
  about: string[];
  until: number;
}

interface Parts {
  cache: PublicCache;
  clock: () => Date;
  rateLimit: RateLimit;
}

const compress: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  // Beyond this quality the time doubles for a percent of the size.
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body) => promisify(gzip)(body, { level: 6 }),
};

/**
 * Answers from memory what is the same for everybody, before anything else is done for a request. To be added before
 * all other hooks, with `keepAnswers` after them.
 */
export function serveFromCache(app: FastifyInstance, { cache, clock, rateLimit }: Parts): void {
  app.decorateRequest('cacheKey', null);
  app.decorateRequest('cacheTicket', 0);
  app.decorateReply('keep', null);
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (closing || request.routeOptions.config.isKept !== true || !isForAnybody(request)) return done();
    request.cacheKey = request.url;
    const cached = cache.get(request.url, clock().getTime());
    if (!cached) {
      request.cacheTicket = cache.begin();
      return done();
    }
    try {
      rateLimit.countAddress(request, reply);
    } catch (error) {
      return done(error instanceof Error ? error : new Error(String(error)));
    }
    send(cache, request, reply, cached).catch(done);
  });
}

/** No credential, nothing but JSON, and no foreign page whose rights would have to be answered. */
function isForAnybody({ headers, method }: FastifyRequest): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    headers.authorization === undefined &&
    headers.cookie === undefined &&
    headers.origin === undefined &&
    !headers.accept?.includes('markdown')
  );
}

async function send(
  cache: PublicCache,
  request: FastifyRequest,
  reply: FastifyReply,
  cached: CachedBody,
): Promise<void> {
  const wanted =
    cached.body.length < smallestToEncode ? null : chooseEncoding(request.headers['accept-encoding']);
  let body = cached.body;
  if (wanted !== null) {
    const known = cached.encoded.get(wanted);
    body = known ?? (await compress[wanted](cached.body));
    if (!known) cache.addEncoding(request.url, cached, wanted, body);
  }
  const tag = `"${cached.tag}${wanted === null ? '' : `-${wanted}`}"`;
  const isKnown = hasTag(request.headers['if-none-match'], cached.tag);
  const headers: Record<string, string | number | string[] | undefined> = {
    ...reply.getHeaders(),
    ...securityHeaders,
    'x-request-id': request.id,
    ...cached.headers,
    etag: tag,
  };
  if (wanted !== null) headers['content-encoding'] = wanted;
  if (!isKnown) {
    headers['content-type'] = cached.contentType;
    headers['content-length'] = body.length;
  }
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(isKnown ? 304 : 200, headers);
  raw.end(isKnown || request.method === 'HEAD' ? undefined : body);
}

/** A tag names the same content in whichever encoding it was sent. */
function hasTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((entry) => {
    const known = /^(?:W\/)?"(.+?)(?:-br|-gzip)?"$/.exec(entry.trim())?.[1];
    return entry.trim() === '*' || known === tag;
  });
}

/** Keeps the answers that may be kept. To be added after the hook that gives them their tags. */
export function keepAnswers(app: FastifyInstance, cache: PublicCache): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.cacheKey === null) return payload;
    const { keep } = reply;
    const etag = reply.getHeader('etag');
    reply.header('vary', [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', '));
    if (!keep || reply.statusCode !== 200 || typeof payload !== 'string' || typeof etag !== 'string')
      return payload;
    const headers: Record<string, string> = {};
    for (const name of ['cache-control', 'vary', 'link']) {
      const value = reply.getHeader(name);
      if (typeof value === 'string') headers[name] = value;
    }
    const cached: CachedBody = {
      body: Buffer.from(payload),
      tag: etag.replaceAll('"', ''),
      contentType: String(reply.getHeader('content-type')),
      headers,
      encoded: new Map(),
    };
    const { about, until } = keep;
    cache.put(request.cacheKey, cached, { about, expiresAt: until, ticket: request.cacheTicket });
    return payload;
  });
}
