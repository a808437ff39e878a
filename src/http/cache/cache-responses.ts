import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { afterArrivals } from '../../domain/concurrency.ts';
import type { RequestMetrics } from '../../metrics/metrics.ts';
import { beginRequestSpan } from '../../metrics/spans.ts';
import type { Deps } from '../deps.ts';
import type { NameCheck } from '../requests/addresses.ts';
import { presentsCredential } from '../requests/cookies.ts';
import { allowanceHeaders } from '../requests/limit-rate.ts';
import { logRequest, logsRequests, newRequestId } from '../requests/observe-requests.ts';
import { prefersJson, prefersMarkdown } from '../requests/parse-requests.ts';
import {
  canBeEncoded,
  chooseEncoding,
  type Encoding,
  encodeBytes,
  encodeStream,
  smallestToEncode,
} from '../responses/encode-response.ts';
import {
  type CachePolicy,
  cacheKey,
  describeCaching,
  hasResponse,
  isRead,
  isSharedAddress,
  tagInEncoding,
  vary,
} from './cache-policy.ts';
import { type CacheGeneration, type Form, type PublicCache, PublicResponse } from './public-cache.ts';

declare module 'fastify' {
  interface FastifyRequest {
    cacheGeneration: CacheGeneration | null;
  }
  interface FastifyReply {
    cachePolicy: CachePolicy | null;
  }
}

/** Whether every client gets the same response: Markdown depends on the Accept header, and CORS on the origin. */
const isCacheable = (request: IncomingMessage): boolean =>
  isRead(request) &&
  request.headers.origin === undefined &&
  !presentsCredential(request.headers) &&
  !prefersMarkdown(request.headers.accept);

export function noteCacheGeneration(app: FastifyInstance, cache: PublicCache): void {
  app.decorateRequest('cacheGeneration', null);
  app.decorateReply('cachePolicy', null);
  app.addHook('onRequest', (request, _reply, done) => {
    if (isCacheable(request.raw)) request.cacheGeneration = cache.generation();
    done();
  });
}

const ownHeaders = /^(?:x-request-id|ratelimit-|connection|content-(?:length|encoding))/;

/** The response for every client with a cacheable request; null if it depends on more than `cacheKey`. */
function publicResponseOf(
  cache: PublicCache,
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
): PublicResponse | null {
  const { cachePolicy } = reply;
  const { cacheGeneration: generation } = request;
  if (!cachePolicy || generation === null || reply.statusCode !== 200 || !Buffer.isBuffer(body)) return null;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (!ownHeaders.test(name)) headers[name] = String(value);
  const made = new PublicResponse(body, headers, request.routeOptions.url);
  cache.put(cacheKey(request.raw), made, { ...cachePolicy, generation });
  return made;
}

interface Finishing {
  cache: PublicCache;
  metrics: RequestMetrics | null;
  share: SharedResponses['settle'];
}

export function finishResponses(app: FastifyInstance, { cache, metrics, share }: Finishing): void {
  app.addHook('onSend', (request, reply, made, done) => {
    const payload = typeof made === 'string' ? Buffer.from(made) : made;
    describeCaching(request, reply, payload);
    const encodable = canBeEncoded(reply, payload);
    if (encodable) vary(reply, 'Accept-Encoding');
    const shared = publicResponseOf(cache, request, reply, payload);
    if (shared) metrics?.countMiss();
    share(request.raw, shared);
    const isKnown =
      isRead(request) && reply.statusCode === 200 && hasResponse(request.headers, reply.getHeaders());
    const encoding = encodable ? chooseEncoding(request.headers, payload) : null;
    if (encoding !== null) nameEncoding(reply, encoding);
    const isHead = request.method === 'HEAD';
    if ((isKnown || isHead) && payload instanceof Readable) payload.destroy();
    if (isKnown) {
      reply.code(304).removeHeader('content-length').removeHeader('content-encoding');
      // An empty stream, because for HEAD the framework would send the length of the encoded bytes, which it does not
      // know.
      return done(null, isHead ? Readable.from([]) : null);
    }
    if (encoding === null) return done(null, payload);
    if (payload instanceof Readable) return done(null, payload.destroyed ? payload : encodeStream(payload));
    if (!Buffer.isBuffer(payload)) return done(null, payload);
    const encoded = shared
      ? shared.formIn(encoding).then(({ body }) => body)
      : encodeBytes[encoding](payload);
    encoded.then((body) => done(null, body), done);
  });
}

function nameEncoding(reply: FastifyReply, encoding: Encoding): void {
  reply.header('content-encoding', encoding).removeHeader('content-length');
  const tag = reply.getHeader('etag');
  if (typeof tag === 'string') reply.header('etag', tagInEncoding(tag, encoding));
}

interface Caller {
  request: IncomingMessage;
  response: ServerResponse;
}

type Handle = (caller: Caller, publicResponse: PublicResponse | null) => void;

/**
 * Makes one response for all callers that want the same. Callers that arrive while it is made wait for the next one, so
 * that no response was begun before its call.
 */
class SharedResponses {
  readonly #handle: Handle;
  /** The callers waiting for the next response, by key, while one is being made. */
  readonly #waiting = new Map<string, Caller[]>();
  readonly #settlers = new Map<IncomingMessage, (publicResponse: PublicResponse | null) => void>();

  constructor(handle: Handle) {
    // Bound to no client, because the next caller would otherwise run on behalf of the client whose response just
    // ended.
    this.#handle = AsyncLocalStorage.bind(handle);
  }

  join(key: string, caller: Caller): void {
    const waiting = this.#waiting.get(key);
    if (waiting) return void waiting.push(caller);
    this.#waiting.set(key, [caller]);
    afterArrivals(() => this.#begin(key));
  }

  /** Called when a response is ready; null if it is for its caller only. */
  readonly settle = (request: IncomingMessage, publicResponse: PublicResponse | null): void =>
    this.#settlers.get(request)?.(publicResponse);

  #begin(key: string): void {
    const waiting = this.#waiting.get(key) ?? [];
    const [first, ...others] = waiting.filter(({ response }) => !response.destroyed);
    if (!first) return void this.#waiting.delete(key);
    this.#waiting.set(key, []);
    const settle = (publicResponse: PublicResponse | null): void => {
      if (!this.#settlers.delete(first.request)) return;
      for (const other of others) this.#handle(other, publicResponse);
      afterArrivals(() => this.#begin(key));
    };
    this.#settlers.set(first.request, settle);
    first.response.once('close', () => settle(null));
    this.#handle(first, null);
  }
}

interface PublicDeps extends Pick<Deps, 'cache' | 'clock' | 'rateLimit' | 'metrics'> {
  isNamed: NameCheck;
  log: FastifyBaseLogger;
}

/**
 * Sends cached responses, and those that another caller is getting now, before the framework runs, because its hooks
 * cost more than the response. Call it before other listeners are added.
 */
export function respondPublicly(app: FastifyInstance, deps: PublicDeps): SharedResponses['settle'] {
  const { cache, clock, isNamed } = deps;
  const { server } = app;
  const [framework] = server.listeners('request');
  if (!framework) throw new Error('There is no server yet to answer what is not in memory.');
  const send = createSender(deps);
  const handle: Handle = ({ request, response }, publicResponse) => {
    if (!publicResponse || !send(request, response, publicResponse))
      framework.call(server, request, response);
  };
  const shared = new SharedResponses(handle);
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const caller = { request, response };
    if (app.isStopping || !isCacheable(request) || !isNamed(request)) return handle(caller, null);
    const key = cacheKey(request);
    const cached = cache.get(key, clock().getTime());
    if (cached || !isSharedAddress(request.url ?? '')) handle(caller, cached);
    else shared.join(key, caller);
  });
  return shared.settle;
}

/** Sends a response, unless the client wants another form or has used up its limit. */
function createSender({ rateLimit, log, metrics }: PublicDeps) {
  const isLogged = logsRequests(log);
  return (request: IncomingMessage, response: ServerResponse, publicResponse: PublicResponse): boolean => {
    if (publicResponse.headers['content-type']?.startsWith('text/html') && prefersJson(request)) return false;
    const allowance = rateLimit.takeAddress(request);
    if (allowance && !allowance.allowed) return false;
    const id = newRequestId();
    const own = ['x-request-id', id];
    if (allowance) own.push(...allowanceHeaders(allowance).flat());
    if (isLogged) logWhenSent(log.child({ reqId: id }), request, response);
    const span = beginRequestSpan?.(request.headers);
    const start = metrics ? performance.now() : 0;
    const sendIn = (form: Form): void => {
      const status = sendForm(request, response, { publicResponse, form, own });
      const answered = { method: request.method ?? '', route: publicResponse.route, status };
      metrics?.observeHit(answered, (performance.now() - start) / 1000);
      span?.end(answered);
    };
    const encoding =
      publicResponse.plain.body.length < smallestToEncode
        ? null
        : chooseEncoding(request.headers, publicResponse.plain.body);
    if (encoding === null) sendIn(publicResponse.plain);
    else publicResponse.formIn(encoding).then(sendIn, () => sendIn(publicResponse.plain));
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

function sendForm(
  { headers, method }: IncomingMessage,
  response: ServerResponse,
  { publicResponse, form, own }: { publicResponse: PublicResponse; form: Form; own: string[] },
): 200 | 304 {
  if (hasResponse(headers, publicResponse.headers)) {
    response.writeHead(304, form.head.concat(own)).end();
    return 304;
  }
  response.writeHead(200, form.head.concat(form.bodyHead, own));
  if (method === 'HEAD') response.end();
  else response.end(form.body);
  return 200;
}
