import type { FastifyReply } from 'fastify';

/** Aborted when the caller has gone, answered or not. */
export function abortOnDisconnect(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
}
