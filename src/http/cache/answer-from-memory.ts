import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Hits } from '../../metrics/hits.ts';
import type { AnsweredRequest, RequestMetrics } from '../../metrics/request-metrics.ts';
import { beginRequestSpan } from '../../metrics/spans.ts';
import { chooseEncoding, type Encoding, encodeBytes, smallestToEncode } from '../answers/encode-answer.ts';
import type { Deps } from '../deps.ts';
import { prefersJson } from '../requests/accept.ts';
import { allowanceHeaders } from '../requests/limit-rate.ts';
import { logRequest, logsRequests } from '../requests/log-requests.ts';
import type { NameCheck } from '../requests/refuse-other-names.ts';
import { newRequestId } from '../requests/request-id.ts';
import { isCacheable } from './cache-answers.ts';
import { cacheKey } from './cache-key.ts';
import { hasAnswer, tagInEncoding } from './describe-caching.ts';
import type { CachedBody } from './public-cache.ts';

interface MemoryDeps extends Pick<Deps, 'cache' | 'clock' | 'rateLimit' | 'metrics'> {
  isNamed: NameCheck;
  log: FastifyBaseLogger;
}

/**
 * Answers from memory what is the same for every viewer, before the framework does anything for a request: its hooks cost
 * more than the answer. To be called while only the framework listens to the server.
 */
export function answerFromMemory(app: FastifyInstance, deps: MemoryDeps): void {
  const { server } = app;
  const [framework] = server.listeners('request');
  if (!framework) throw new Error('There is no server yet to answer what is not in memory.');
  const answer = createAnswer(deps);
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // While the service stops, the framework answers every request, and closes the connections.
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
    // Clients that are over their limit are refused by the framework, in one place.
    if (allowance && !allowance.allowed) return false;
    const id = newRequestId();
    const own = ['x-request-id', id];
    if (allowance) own.push(...allowanceHeaders(allowance).flat());
    if (isLogged) logWhenSent(log.child({ reqId: id }), request, response);
    const span = beginRequestSpan?.(request.headers);
    const encoding =
      cached.body.length < smallestToEncode ? null : chooseEncoding(request.headers, cached.body);
    const isReady = encoding === null || cached.encoded.has(encoding);
    const isTimed = metrics !== null && (!isReady || cached.hits === null || cached.hits.isDue);
    const start = isTimed ? performance.now() : 0;
    const sendIn = (chosen: Encoding | null): void => {
      const status = send(request, response, { cached, encoding: chosen, own });
      const answered = { method: request.method ?? '', route: cached.route, status };
      if (metrics) {
        const seconds = isTimed ? (performance.now() - start) / 1000 : null;
        findHits(metrics, cached, answered).count(seconds, isReady);
      }
      span?.end(answered);
    };
    if (encoding === null || isReady) sendIn(encoding);
    else {
      encodeBytes[encoding](cached.body)
        .then((encoded) => cache.addEncoding(key, cached, encoding, encoded))
        .then(
          () => sendIn(encoding),
          // What cannot be encoded is sent as it is.
          () => sendIn(null),
        );
    }
    return true;
  };
}

/** What is sent most, the whole of it to those who GET it, is looked up once. */
function findHits(metrics: RequestMetrics, cached: CachedBody, answered: AnsweredRequest): Hits {
  if (answered.status !== 200 || answered.method !== 'GET') return metrics.hitsOf(answered);
  cached.hits ??= metrics.hitsOf(answered);
  return cached.hits;
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
  if (hasAnswer(headers, cached.headers)) {
    response.writeHead(304, headersOf(cached, encoding).concat(own)).end();
    return 304;
  }
  response.writeHead(200, headOf(cached, encoding, body).concat(own));
  if (method === 'HEAD') response.end();
  else response.end(body);
  return 200;
}

/** Everything that is the same each time, made once. */
function headOf(cached: CachedBody, encoding: Encoding | null, body: Buffer): string[] {
  const name = encoding ?? 'identity';
  const known = cached.heads.get(name);
  if (known) return known;
  const encoded = encoding === null ? [] : ['content-encoding', encoding];
  const head = [...headersOf(cached, encoding), ...encoded, 'content-length', String(body.length)];
  cached.heads.set(name, head);
  return head;
}

function headersOf({ headers }: CachedBody, encoding: Encoding | null): string[] {
  return Object.entries({ ...headers, etag: tagInEncoding(headers.etag ?? '', encoding) }).flat();
}
