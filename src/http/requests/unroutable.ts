import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** An address that no route has, and that the framework finds nothing wrong with. */
const unroutedUrl = '//';

const problems = new WeakMap<IncomingMessage, Error>();

/**
 * Routes a request whose URL the framework cannot parse to the handler for addresses that do not exist, so that it is named,
 * limited, logged and answered like any other.
 */
export function routeAsNotFound(
  app: FastifyInstance,
  problem: Error,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  problems.set(request, problem);
  Object.assign(request, { originalUrl: request.url, url: unroutedUrl });
  app.routing(request, response);
}

/** What is wrong with the URL of a request that was routed so. */
export const problemOfUrl = (request: IncomingMessage): Error | undefined => problems.get(request);
