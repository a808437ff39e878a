import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RequestMetrics } from '../../metrics/metrics.ts';
import { beginRequestSpan } from '../../metrics/spans.ts';
import {
  canBeEncoded,
  chooseEncoding,
  type Encoding,
  encodeBytes,
  encodeStream,
  smallestToEncode,
} from '../answers/encode-answer.ts';
import type { Deps } from '../deps.ts';
import type { NameCheck } from '../requests/addresses.ts';
import { presentsCredential } from '../requests/cookies.ts';
import { allowanceHeaders } from '../requests/limit-rate.ts';
import { logRequest, logsRequests, newRequestId } from '../requests/observe-requests.ts';
import { prefersJson, prefersMarkdown } from '../requests/parse-requests.ts';
import { cacheKey, describeCaching, hasAnswer, isRead, tagInEncoding, vary } from './cache-policy.ts';
import type { CachedBody, CacheGeneration, CachePolicy, PublicCache } from './public-cache.ts';

declare module 'fastify' {
  interface FastifyRequest {
    cacheGeneration: CacheGeneration | null;
  }
  interface FastifyReply {
    cachePolicy: CachePolicy | null;
    cachedBody: CachedBody | null;
  }
}

/** Whether a request is answered in the same way for every client: not with Markdown, and for no page of another origin. */
const isCacheable = (request: IncomingMessage): boolean =>
  isRead(request) &&
  request.headers.origin === undefined &&
  !presentsCredential(request.headers) &&
  !prefersMarkdown(request.headers.accept);

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

const ownHeaders = /^(?:x-request-id|ratelimit-|connection|content-(?:length|encoding))/;

function cacheAnswer(
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
  reply.cachedBody = { body, route, headers, encoded: new Map() };
  cache.put(cacheKey(request.raw), reply.cachedBody, { ...cachePolicy, generation });
  return true;
}

export function finishAnswers(
  app: FastifyInstance,
  cache: PublicCache,
  metrics: RequestMetrics | null,
): void {
  app.addHook('onSend', (request, reply, made, done) => {
    const payload = typeof made === 'string' ? Buffer.from(made) : made;
    describeCaching(request, reply, payload);
    const encodable = canBeEncoded(reply, payload);
    if (encodable) vary(reply, 'Accept-Encoding');
    if (cacheAnswer(cache, request, reply, payload)) metrics?.countMiss();
    const isKnown =
      isRead(request) && reply.statusCode === 200 && hasAnswer(request.headers, reply.getHeaders());
    const encoding = encodable ? chooseEncoding(request.headers, payload) : null;
    if (encoding !== null) nameEncoding(reply, encoding);
    const isHead = request.method === 'HEAD';
    if ((isKnown || isHead) && payload instanceof Readable) payload.destroy();
    if (isKnown) {
      reply.code(304).removeHeader('content-length').removeHeader('content-encoding');
      // To HEAD, the framework would tell the length of bytes, and of nothing it cannot make anything.
      return done(null, isHead ? Readable.from([]) : null);
    }
    if (encoding === null) return done(null, payload);
    if (payload instanceof Readable) return done(null, payload.destroyed ? payload : encodeStream(payload));
    if (!Buffer.isBuffer(payload)) return done(null, payload);
    encodeBytes[encoding](payload).then((encoded) => {
      if (reply.cachedBody) cache.addEncoding(cacheKey(request.raw), reply.cachedBody, encoding, encoded);
      done(null, encoded);
    }, done);
  });
}

function nameEncoding(reply: FastifyReply, encoding: Encoding): void {
  reply.header('content-encoding', encoding).removeHeader('content-length');
  const tag = reply.getHeader('etag');
  if (typeof tag === 'string') reply.header('etag', tagInEncoding(tag, encoding));
}

interface MemoryDeps extends Pick<Deps, 'cache' | 'clock' | 'rateLimit' | 'metrics'> {
  isNamed: NameCheck;
  log: FastifyBaseLogger;
}

/** Sends cached answers before the framework runs, whose hooks cost more than the answer. Call it before other listeners are added. */
export function answerFromMemory(app: FastifyInstance, deps: MemoryDeps): void {
  const { server } = app;
  const [framework] = server.listeners('request');
  if (!framework) throw new Error('There is no server yet to answer what is not in memory.');
  const answer = createAnswer(deps);
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (app.isStopping || !answer(request, response)) framework.call(server, request, response);
  });
}

function createAnswer({ cache, clock, rateLimit, isNamed, log, metrics }: MemoryDeps) {
  const isLogged = logsRequests(log);
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const key = cacheKey(request);
    const cached = cache.get(key, clock().getTime());
    if (!cached || !isCacheable(request) || !isNamed(request)) return false;
    if (cached.headers['content-type']?.startsWith('text/html') && prefersJson(request)) return false;
    const allowance = rateLimit.takeAddress(request);
    if (allowance && !allowance.allowed) return false;
    const id = newRequestId();
    const own = ['x-request-id', id];
    if (allowance) own.push(...allowanceHeaders(allowance).flat());
    if (isLogged) logWhenSent(log.child({ reqId: id }), request, response);
    const span = beginRequestSpan?.(request.headers);
    const encoding =
      cached.body.length < smallestToEncode ? null : chooseEncoding(request.headers, cached.body);
    const isReady = encoding === null || cached.encoded.has(encoding);
    const start = metrics ? performance.now() : 0;
    const sendIn = (chosen: Encoding | null): void => {
      const status = send(request, response, { cached, encoding: chosen, own });
      const answered = { method: request.method ?? '', route: cached.route, status };
      metrics?.observeHit(answered, (performance.now() - start) / 1000);
      span?.end(answered);
    };
    if (encoding === null || isReady) sendIn(encoding);
    else {
      encodeBytes[encoding](cached.body)
        .then((encoded) => cache.addEncoding(key, cached, encoding, encoded))
        .then(
          () => sendIn(encoding),
          () => sendIn(null),
        );
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

interface Sending {
  cached: CachedBody;
  encoding: Encoding | null;
  own: string[];
}

function send(
  { headers, method }: IncomingMessage,
  response: ServerResponse,
  { cached, encoding, own }: Sending,
): 200 | 304 {
  const body = (encoding !== null && cached.encoded.get(encoding)) || cached.body;
  const head = headersOf(cached, encoding).concat(own);
  if (hasAnswer(headers, cached.headers)) {
    response.writeHead(304, head).end();
    return 304;
  }
  if (encoding !== null) head.push('content-encoding', encoding);
  response.writeHead(200, head.concat('content-length', String(body.length)));
  if (method === 'HEAD') response.end();
  else response.end(body);
  return 200;
}

function headersOf({ headers }: CachedBody, encoding: Encoding | null): string[] {
  return Object.entries({ ...headers, etag: tagInEncoding(headers.etag ?? '', encoding) }).flat();
}
