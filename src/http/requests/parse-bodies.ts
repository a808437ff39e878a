import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '../../domain/errors.ts';

/** Largest body, unless an operation says otherwise: most take a few short fields each. */
export const bodyLimitKib = 64;

type Done = (error: Error | null, body?: unknown) => void;

/** Bodies are JSON, but for operations that take bytes. An empty one is none, whatever type its sender gave it. */
export function parseBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  const parse = (type: string, read: (request: FastifyRequest, body: Buffer, done: Done) => void) =>
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (request, body: Buffer, done) => {
      if (body.length === 0) done(null, undefined);
      else if (request.routeOptions.config.takesBytes) done(null, body);
      else read(request, body, done);
    });
  parse('application/json', (request, body, done) => parseJson(request, body.toString(), done));
  parse('*', (_request, _body, done) => done(notJson()));
}

export function notJson(): Failure {
  return new Failure('UNSUPPORTED_MEDIA_TYPE', 'Send the body as JSON, with Content-Type: application/json.');
}
