import type { FastifyInstance } from 'fastify';
import type { RequestMetrics } from '../../metrics/request-metrics.ts';
import { beginRequestSpan, type RequestSpan } from '../../metrics/spans.ts';

declare module 'fastify' {
  interface FastifyRequest {
    span: RequestSpan | null;
  }
}

/** Measures every request that reaches the framework, under the template of its route: paths hold names. */
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
