import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { Failure } from '../domain/errors.ts';
import { ownerMaxLength } from '../domain/repositories.ts';
import { ModifiedTimes } from './cache/cache-policy.ts';
import { finishResponses, noteCacheGeneration, respondPublicly } from './cache/cache-responses.ts';
import { closeIdleReaders, drainConnections } from './connections.ts';
import { type Deps, headersMs, idleReaderMs, lookForSlowMs, requestMs } from './deps.ts';
import { describeContract, serveContract } from './openapi.ts';
import { countNewFor } from './pages/lists.ts';
import { sendFailurePages } from './pages/page.ts';
import { Assets, PageContexts } from './pages/page-contexts.ts';
import { servePages } from './pages/page-routes.ts';
import { createNameCheck, refuseOtherNames } from './requests/addresses.ts';
import { authenticateRequests } from './requests/authenticate.ts';
import { attributeRequests, createRateLimit } from './requests/limit-rate.ts';
import { logRequest, logsRequests, measureRequests, newRequestId } from './requests/observe-requests.ts';
import {
  bodyLimitKib,
  isUnroutedPageRequest,
  parseBodies,
  routeAsNotFound,
  useStrictValidation,
} from './requests/parse-requests.ts';
import { buildSerializer } from './responses/encode-response.ts';
import { respondToMalformedHttp, respondUnrouted, sendFailure, sendNotFound } from './responses/errors.ts';
import { securityHeadersAt } from './responses/response.ts';
import { apiRoutes, monitoringRoutes } from './routes.ts';
import { type Measuring, serveMetrics } from './service.ts';

interface ServerOptions extends Omit<Deps, 'contexts' | 'feedTimes' | 'metrics' | 'rateLimit'> {
  log: FastifyBaseLogger;
  burst: number;
  trustProxy: string[];
  contactUrl: string | undefined;
  hostAvatars: boolean;
  isWorker?: boolean;
  measuring: Measuring | null;
}

/** Hooks run in the order in which they are added. Those that await nothing use callbacks, which are faster. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const app = createBareServer(options);
  const rateLimit = createRateLimit(options);
  const isNamed = createNameCheck(options);
  const metrics = options.measuring?.metrics.requests ?? null;
  const share = respondPublicly(app, { ...options, metrics, rateLimit, isNamed });
  measureRequests(app, metrics);
  nameAndLogRequests(app, options);
  refuseOtherNames(app, { ...options, rateLimit, isNamed });
  refuseExpectations(app);
  drainConnections(app);
  closeIdleReaders(app.server, options.patience?.idleReaderMs ?? idleReaderMs);
  if (options.corsOrigins.length > 0) await allowOrigins(app, options.corsOrigins);
  await app.register(cookie);
  authenticateRequests(app, { ...options, rateLimit });
  noteCacheGeneration(app, options.cache);
  finishResponses(app, { cache: options.cache, metrics, share });
  attributeRequests(app, { ...options, onWait: (request) => share(request, null) });
  parseBodies(app);
  useStrictValidation(app);
  await describeContract(app);
  for (const route of monitoringRoutes(options)) app.route(route);
  if (options.measuring) serveMetrics(app, { ...options, rateLimit, measuring: options.measuring });
  if (options.isWorker) return refuseAllElse(app);
  const assets = new Assets();
  const contexts = new PageContexts({ ...options, assets, countNew: countNewFor(options) });
  const sendFailurePage = sendFailurePages(contexts);
  app.setErrorHandler((error, request, reply) =>
    (isUnroutedPageRequest(request) ? sendFailurePage : sendFailure)(error, request, reply),
  );
  respondUnrouted(app, (request, reply) => sendNotFound(app, request, reply, sendFailurePage));

  const deps = { ...options, metrics, contexts, rateLimit, feedTimes: new ModifiedTimes() };
  for (const route of apiRoutes(deps)) app.route(route);
  await serveContract(app);
  await servePages(app, deps);
  assets.serve(app);
  return app;
}

function refuseAllElse(app: FastifyInstance): FastifyInstance {
  const message =
    'This process writes articles and only answers /healthz and /metrics. Send requests to a pullquote serve process.';
  app.setErrorHandler(sendFailure);
  respondUnrouted(app, (request, reply) => sendFailure(new Failure('NOT_FOUND', message), request, reply));
  return app;
}

function createBareServer({ log, trustProxy, publicUrl }: ServerOptions): FastifyInstance {
  const app: FastifyInstance = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: newRequestId,
    trustProxy: trustProxy.length > 0 ? trustProxy : false,
    bodyLimit: bodyLimitKib * 1024,
    routerOptions: { maxParamLength: ownerMaxLength },
    schemaController: { compilersFactory: { buildSerializer } },
    // While the server closes, requests on open connections get normal responses instead of the framework's 503.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => routeAsNotFound(app, error, request.raw, reply.raw),
    clientErrorHandler: respondToMalformedHttp(securityHeadersAt(publicUrl)),
    requestTimeout: requestMs,
    http: {
      requireHostHeader: false,
      headersTimeout: headersMs,
      connectionsCheckingInterval: lookForSlowMs,
    },
  });
  return app;
}

/** Node rejects unknown expectations without a body; here they get an error response like other requests. */
function refuseExpectations(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onRequest', ({ headers: { expect } }, _reply, done) => {
    if (expect === undefined || /^100-continue$/i.test(expect)) return done();
    done(
      new Failure('INVALID_REQUEST', 'Only 100-continue is supported. Remove the Expect header.', {
        details: [{ field: 'expect', problem: 'is not 100-continue' }],
      }),
    );
  });
}

function nameAndLogRequests(
  app: FastifyInstance,
  { log, publicUrl, database }: Pick<ServerOptions, 'log' | 'publicUrl' | 'database'>,
): void {
  const headers = securityHeadersAt(publicUrl);
  app.decorateRequest('isReadOnly', false);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ 'x-request-id': request.id, ...headers });
    request.isReadOnly = database.isReadOnly();
    if (request.isReadOnly) reply.header('x-pullquote-mode', 'read-only');
    done();
  });
  if (!logsRequests(log)) return;
  app.addHook('onResponse', (request, reply, done) => {
    const { method, originalUrl: url } = request;
    logRequest(request.log, { method, url, status: reply.statusCode, elapsedMs: reply.elapsedTime });
    done();
  });
}

async function allowOrigins(app: FastifyInstance, origin: string[]): Promise<void> {
  await app.register(cors, {
    origin,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'Accept',
      'Accept-Language',
      'If-None-Match',
      'Last-Event-ID',
      'Mcp-Method',
      'Mcp-Name',
      'Mcp-Protocol-Version',
      'Prefer',
    ],
    exposedHeaders: [
      'X-Request-Id',
      'Link',
      'ETag',
      'Location',
      'Preference-Applied',
      'Retry-After',
      'X-Pullquote-Mode',
      'RateLimit-Remaining',
    ],
    maxAge: 600,
    strictPreflight: false,
  });
}
