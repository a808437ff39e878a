import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

const viewerHeaders = 'Authorization, Cookie, Accept, Accept-Language';

/**
 * Says of every answer who may keep it. What is the same for everybody carries a tag and need not be sent twice; what
 * depends on who asks is kept by nobody but them.
 */
export function describeCaching(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, made) => {
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
    const tag = isRead && reply.statusCode === 200 ? (reply.getHeader('etag') ?? tagOf(payload)) : null;
    if (tag === null) return payload;
    reply.header('etag', tag);
    if (!matches(request.headers['if-none-match'], String(tag))) return payload;
    if (payload instanceof Readable) payload.destroy();
    reply.code(304).removeHeader('content-length');
    return Buffer.alloc(0);
  });
}

function tagOf(payload: unknown): string | null {
  if (!Buffer.isBuffer(payload)) return null;
  return `"${hash('sha256', payload, 'base64url').slice(0, 27)}"`;
}

function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((entry) => ['*', tag, `W/${tag}`].includes(entry.trim()));
}
