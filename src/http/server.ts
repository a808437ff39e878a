import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { authenticateRequests } from './authenticate.ts';
import { describeCaching } from './caching.ts';
import { answerMalformedHttp, sendFailure, sendNotFound } from './errors.ts';
import { createRateLimit } from './limit-rate.ts';
import { publishContract, serveContract } from './openapi.ts';
import { servePages } from './pages.ts';
import { parseBodies } from './parse-bodies.ts';
import { type ApiParts, apiRoutes } from './routes.ts';
import { securityHeaders } from './security-headers.ts';
import { useStrictValidation } from './validate.ts';

interface ServerParts extends ApiParts {
  log: FastifyBaseLogger;
  rateLimit: number;
  corsOrigins: string[];
  trustProxy: string[];
}

/** Largest body: the operations take a few short fields each. */
const bodyLimit = 64 * 1024;

export async function createServer(parts: ServerParts): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: parts.log,
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    trustProxy: parts.trustProxy.length > 0 ? parts.trustProxy : false,
    bodyLimit,
    // While closing, requests on open connections are answered like any other, not with a body of the framework's.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => {
      sendFailure(error, request, reply);
    },
    clientErrorHandler: answerMalformedHttp,
  });

  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, ...securityHeaders });
  });
  app.addHook('onResponse', async (request, reply) => {
    const [path] = request.url.split('?');
    request.log.info(
      { method: request.method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime * 10) / 10 },
      'request',
    );
  });
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onSend', async (_request, reply) => {
    // A connection that stays open after its last answer would hold the end up.
    if (closing) reply.header('connection', 'close');
  });
  if (parts.corsOrigins.length > 0) {
    await app.register(cors, {
      origin: parts.corsOrigins,
      methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
      allowedHeaders: [
        'Authorization',
        'Content-Type',
        'Accept',
        'Accept-Language',
        'If-None-Match',
        'Prefer',
      ],
      exposedHeaders: ['X-Request-Id', 'Link', 'ETag', 'Location', 'Retry-After', 'RateLimit-Remaining'],
      maxAge: 600,
    });
  }
  await app.register(cookie);
  const rateLimit = createRateLimit(parts.rateLimit, parts.clock);
  authenticateRequests(app, { ...parts, rateLimit });
  describeCaching(app);
  parseBodies(app);
  useStrictValidation(app);
  app.setErrorHandler(sendFailure);
  app.setNotFoundHandler((request, reply) => sendNotFound(app, request, reply));

  await publishContract(app);
  for (const route of apiRoutes(parts)) app.route(route);
  serveContract(app);
  servePages(app);
  return app;
}
