import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/**
 * Says of every answer who may keep it. What is the same for everybody carries a tag and need not be sent twice; what
 * depends on who asks is kept by nobody but them.
 */
export function describeCaching(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const { access } = request.routeOptions.config;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (reply.hasHeader('cache-control')) return payload;
    if (access !== 'anybody' || !isRead || reply.statusCode !== 200) {
      reply.headers({
        'cache-control': 'private, no-cache',
        vary: 'Authorization, Cookie, Accept, Accept-Language',
      });
      return payload;
    }
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
    const tag = `"${createHash('sha256').update(payload).digest('base64url').slice(0, 27)}"`;
    reply.headers({ etag: tag, 'cache-control': 'public, no-cache' });
    if (!matches(request.headers['if-none-match'], tag)) return payload;
    reply.code(304).removeHeader('content-length');
    return '';
  });
}

function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((entry) => ['*', tag, `W/${tag}`].includes(entry.trim()));
}
