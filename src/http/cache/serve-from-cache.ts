import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import proxyAddress from '@fastify/proxy-addr';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { securityHeaders } from '../answers/security-headers.ts';
import { allowanceHeaders, type RateLimit } from '../requests/limit-rate.ts';
import { logRequest, logsRequests } from '../requests/log-requests.ts';
import { chooseEncoding, type Encoding, smallestToEncode } from './choose-encoding.ts';
import { namesTag } from './describe-caching.ts';
import type { CachedBody, PublicCache, Ticket } from './public-cache.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What was current before anything was looked at for this request; null where its answer may not be kept. */
    cacheTicket: Ticket | null;
  }
  interface FastifyReply {
    keep: Keep | null;
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
  trustProxy: string[];
  log: FastifyBaseLogger;
}

const compress: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  // Beyond this quality the time doubles for a percent of the size.
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body) => promisify(gzip)(body, { level: 6 }),
};

/**
 * Answers from memory what is the same for everybody, before the framework does anything for a request. To be called while
 * nobody but the framework listens to the server.
 */
export function serveFromCache(server: Server, parts: Parts): void {
  const [framework] = server.listeners('request');
  if (!framework) throw new Error('There is no server yet to answer what is not in memory.');
  const answer = createAnswer(parts);
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // At the end, the framework answers everybody, and closes their connections.
    if (!server.listening || !answer(request, response)) framework.call(server, request, response);
  });
}

function createAnswer({ cache, clock, rateLimit, trustProxy, log }: Parts) {
  const addressOf = clientAddress(trustProxy);
  const isLogged = logsRequests(log);
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { method, url = '' } = request;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const cached = cache.get(url, clock().getTime());
    if (!cached) return false;
    if (!isForAnybody(request.headers)) return false;
    const allowance = rateLimit.takeAddress(addressOf(request));
    // The framework says no to those who are over their limit, like to everybody else.
    if (allowance && !allowance.allowed) return false;
    const id = randomUUID();
    const own = ['x-request-id', id];
    if (allowance) own.push(...allowanceHeaders(allowance).flat());
    if (isLogged) logWhenSent(log.child({ reqId: id }), request, response);
    const wanted =
      cached.body.length < smallestToEncode ? null : chooseEncoding(request.headers['accept-encoding']);
    if (wanted === null || cached.encoded.has(wanted))
      send(request, response, { cached, encoding: wanted, own });
    else {
      // What cannot be encoded is sent as it is.
      encode(cache, url, cached, wanted)
        .then(
          () => wanted,
          () => null,
        )
        .then((encoding) => send(request, response, { cached, encoding, own }));
    }
    return true;
  };
}

function logWhenSent(log: FastifyBaseLogger, request: IncomingMessage, response: ServerResponse): void {
  const start = performance.now();
  response.once('finish', () => {
    const { method, url } = request;
    const elapsedMs = performance.now() - start;
    logRequest(log, { method, url, status: response.statusCode, elapsedMs });
  });
}

/** Who is asking, in the words of the proxies that are believed. */
function clientAddress(trustProxy: string[]): (request: IncomingMessage) => string {
  if (trustProxy.length === 0) return ({ socket }) => socket.remoteAddress ?? '';
  const trust = proxyAddress.compile(trustProxy);
  return (request) => proxyAddress(request, trust);
}

/** No credential, nothing but JSON, and no foreign page whose rights would have to be answered. */
function isForAnybody({ authorization, cookie, origin, accept }: IncomingHttpHeaders): boolean {
  return (
    authorization === undefined &&
    cookie === undefined &&
    origin === undefined &&
    !accept?.includes('markdown')
  );
}

async function encode(
  cache: PublicCache,
  key: string,
  cached: CachedBody,
  encoding: Encoding,
): Promise<void> {
  cache.addEncoding(key, cached, encoding, await compress[encoding](cached.body));
}

interface Sending {
  cached: CachedBody;
  encoding: Encoding | null;
  own: string[];
}

function send(
  { headers, method }: IncomingMessage,
  response: ServerResponse,
  { cached, encoding, own }: Sending,
): void {
  const body = (encoding !== null && cached.encoded.get(encoding)) || cached.body;
  if (namesTag(headers['if-none-match'], cached.tag)) {
    response.writeHead(304, [...headersOf(cached, encoding), ...own]).end();
    return;
  }
  response.writeHead(200, [...headersOf(cached, encoding), 'content-length', String(body.length), ...own]);
  if (method === 'HEAD') response.end();
  else response.end(body);
}

/** Everything that is the same each time, made once. */
function headersOf(cached: CachedBody, encoding: Encoding | null): string[] {
  const name = encoding ?? 'identity';
  const known = cached.heads.get(name);
  if (known) return known;
  const headers = {
    ...securityHeaders,
    ...cached.headers,
    etag: encoding === null ? cached.tag : cached.tag.replace(/"$/, `-${encoding}"`),
    ...(encoding !== null && { 'content-encoding': encoding }),
  };
  const head = Object.entries(headers).flat();
  cached.heads.set(name, head);
  return head;
}

/** Keeps the answers that may be kept. To be added after the hook that gives them their tags. */
export function keepAnswers(app: FastifyInstance, cache: PublicCache): void {
  app.decorateRequest('cacheTicket', null);
  app.decorateReply('keep', null);
  app.addHook('onRequest', (request, _reply, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && isForAnybody(request.headers)) request.cacheTicket = cache.begin();
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const { keep } = reply;
    if (!keep || request.cacheTicket === null) return done(null, payload);
    reply.header('vary', [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', '));
    const tag = reply.getHeader('etag');
    if (reply.statusCode !== 200 || !Buffer.isBuffer(payload) || typeof tag !== 'string')
      return done(null, payload);
    const headers: Record<string, string> = {};
    for (const name of ['content-type', 'cache-control', 'vary', 'link']) {
      const value = reply.getHeader(name);
      if (typeof value === 'string') headers[name] = value;
    }
    const cached = { body: payload, tag, headers, encoded: new Map(), heads: new Map() };
    const { about, until } = keep;
    cache.put(request.url, cached, { about, expiresAt: until, ticket: request.cacheTicket });
    done(null, payload);
  });
}
