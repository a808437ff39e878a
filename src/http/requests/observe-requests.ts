import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { feedSecretPrefix } from '../../domain/secrets.ts';
import type { RequestMetrics } from '../../metrics/metrics.ts';
import { beginRequestSpan, type RequestSpan } from '../../metrics/spans.ts';

export const newRequestId = (): string => randomUUID();

const beforeSecret = new RegExp(
  `(/feeds/+mine/+|/digest/+(?:confirm|unsubscribe)/+|${feedSecretPrefix}).*`,
  'is',
);

/** Removes secrets from an address, even if percent-encoded, because routes are matched after decoding. */
export function hideSecrets(address: string): string {
  const meant = address.replace(/%([\da-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return beforeSecret.test(meant) ? meant.replace(beforeSecret, '$1…') : address;
}

interface Answered {
  method: string | undefined;
  url: string | undefined;
  status: number;
  elapsedMs: number;
}

export function logsRequests({ level }: FastifyBaseLogger): boolean {
  return ['info', 'debug', 'trace'].includes(level);
}

export function logRequest(log: FastifyBaseLogger, { method, url = '', status, elapsedMs }: Answered): void {
  log.info({ method, path: pathToLog(url), status, ms: Math.round(elapsedMs * 10) / 10 }, 'request');
}

const mostCharacters = 500;

/** Logs only the path, and only its short parts: the rest may contain secrets. */
function pathToLog(url: string): string {
  const [path = ''] = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/, 1);
  return hideSecrets(path)
    .replace(/[^/]{101,}/g, '…')
    .slice(0, mostCharacters);
}

declare module 'fastify' {
  interface FastifyRequest {
    span: RequestSpan | null;
  }
}

export function measureRequests(app: FastifyInstance, metrics: RequestMetrics | null): void {
  if (beginRequestSpan) traceRequests(app, beginRequestSpan);
  if (!metrics) return;
  app.addHook('onResponse', ({ method, routeOptions }, { statusCode, elapsedTime }, done) => {
    metrics.observeRequest({ method, route: routeOptions.url, status: statusCode }, elapsedTime / 1000);
    done();
  });
}

function traceRequests(app: FastifyInstance, begin: (headers: object) => RequestSpan): void {
  app.decorateRequest('span', null);
  app.addHook('onRequest', (request, _reply, done) => {
    request.span = begin(request.headers);
    request.span.enter(done);
  });
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.span) request.span.enter(done);
    else done();
  });
  app.addHook('onResponse', ({ span, method, routeOptions }, { statusCode }, done) => {
    span?.end({ method, route: routeOptions.url, status: statusCode });
    done();
  });
}
