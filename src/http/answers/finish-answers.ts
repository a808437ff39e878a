import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { RequestMetrics } from '../../metrics/request-metrics.ts';
import { cacheAnswer } from '../cache/cache-answers.ts';
import { cacheKey } from '../cache/cache-key.ts';
import { describeCaching, hasAnswer, isRead, tagInEncoding, vary } from '../cache/describe-caching.ts';
import type { PublicCache } from '../cache/public-cache.ts';
import { canBeEncoded, chooseEncoding, type Encoding, encodeBytes, encodeStream } from './encode-answer.ts';

/**
 * What happens to every answer on its way out, whether it comes from memory or not: it says who may cache it, is cached here
 * if it may be, is not sent to clients that have it, and goes to all others in an encoding that they accept.
 */
export function finishAnswers(
  app: FastifyInstance,
  cache: PublicCache,
  metrics: RequestMetrics | null,
): void {
  app.addHook('onSend', (request, reply, made, done) => {
    // Bytes are made once: for the tag, for the cache, and for the connection.
    const payload = typeof made === 'string' ? Buffer.from(made) : made;
    describeCaching(request, reply, payload);
    const encodable = canBeEncoded(reply, payload);
    if (encodable) vary(reply, 'Accept-Encoding');
    if (cacheAnswer(cache, request, reply, payload)) metrics?.countMiss();
    const isKnown =
      isRead(request) && reply.statusCode === 200 && hasAnswer(request.headers, reply.getHeaders());
    const encoding = encodable ? chooseEncoding(request.headers, payload) : null;
    if (encoding !== null) nameEncoding(reply, encoding);
    const isHead = request.method === 'HEAD';
    if ((isKnown || isHead) && payload instanceof Readable) payload.destroy();
    if (isKnown) {
      reply.code(304).removeHeader('content-length').removeHeader('content-encoding');
      // To HEAD, the framework would tell the length of bytes, and of nothing it cannot make anything.
      return done(null, isHead ? Readable.from([]) : null);
    }
    if (encoding === null) return done(null, payload);
    if (payload instanceof Readable) return done(null, payload.destroyed ? payload : encodeStream(payload));
    if (!Buffer.isBuffer(payload)) return done(null, payload);
    encodeBytes[encoding](payload).then((encoded) => {
      if (reply.cachedBody) cache.addEncoding(cacheKey(request.raw), reply.cachedBody, encoding, encoded);
      done(null, encoded);
    }, done);
  });
}

function nameEncoding(reply: FastifyReply, encoding: Encoding): void {
  reply.header('content-encoding', encoding).removeHeader('content-length');
  const tag = reply.getHeader('etag');
  if (typeof tag === 'string') reply.header('etag', tagInEncoding(tag, encoding));
}
