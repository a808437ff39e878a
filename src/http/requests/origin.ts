import type { FastifyRequest } from 'fastify';

/** The address under which the caller reaches the service: as set, or as the request itself names it. */
export function originOf(request: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl) return publicUrl;
  return `${request.protocol}://${request.host || `127.0.0.1:${request.socket.localPort}`}`;
}

/** Whether a browser says that one of our own pages made the request. */
export function isSameOrigin(request: FastifyRequest, publicUrl: string | undefined): boolean {
  return request.headers.origin === originOf(request, publicUrl);
}
