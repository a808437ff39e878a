import type { FastifyInstance } from 'fastify';
import { Failure } from '../../domain/errors.ts';

/** Largest body: the operations take a few short fields each. */
export const bodyLimitKib = 64;

/** Bodies are JSON. An empty one is none, whatever type its sender gave it. */
export function parseBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else parseJson(request, body.toString(), done);
  });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else done(notJson());
  });
}

export function notJson(): Failure {
  return new Failure('UNSUPPORTED_MEDIA_TYPE', 'Send the body as JSON, with Content-Type: application/json.');
}
