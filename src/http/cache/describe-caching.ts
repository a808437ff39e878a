import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

const viewerHeaders = 'Authorization, Cookie, Accept, Accept-Language';

/**
 * Says of every answer who may keep it. What is the same for everybody carries a tag and need not be sent twice; what
 * depends on who asks is kept by nobody but them.
 */
export function describeCaching(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, made, done) => {
    // Bytes are made once: for the tag, for whoever keeps them, and for the connection.
    const payload = typeof made === 'string' ? Buffer.from(made) : made;
    const { access = 'anybody' } = request.routeOptions.config;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const sameForAll = access === 'anybody' || (access === 'viewer' && request.viewer === null);
    if (access !== 'anybody')
      reply.header('vary', [reply.getHeader('vary'), viewerHeaders].flat().filter(Boolean).join(', '));
    const isPublic = sameForAll && isRead && reply.statusCode === 200;
    if (!reply.hasHeader('cache-control'))
      reply.header('cache-control', isPublic ? 'public, no-cache' : 'private, no-cache');
    if (!isRead || reply.statusCode !== 200) return done(null, payload);
    if (!reply.hasHeader('etag') && Buffer.isBuffer(payload)) reply.header('etag', tagOf(payload));
    if (!namesTag(request.headers['if-none-match'], reply.getHeader('etag'))) return done(null, payload);
    if (payload instanceof Readable) payload.destroy();
    reply.code(304).removeHeader('content-length');
    // The framework takes the length of an answer to HEAD from what GET would send.
    done(null, request.method === 'HEAD' ? payload : null);
  });
}

export function tagOf(version: string | Buffer): string {
  return `"${hash('sha256', version, 'base64url').slice(0, 27)}"`;
}

/** Whether If-None-Match names a tag. A tag names the same content in whichever encoding it was sent. */
export function namesTag(header: string | undefined, tag: unknown): boolean {
  if (header === undefined || typeof tag !== 'string') return false;
  return header.split(',').some((entry) => {
    const known = entry.trim().replace(/^W\//, '');
    return ['*', tag].includes(known) || known.replace(/-(?:br|gzip)"$/, '"') === tag;
  });
}
