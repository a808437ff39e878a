import type { FastifyRequest } from 'fastify';

/** The address under which the caller reaches the service: as set, or as the request itself names it. */
export function originOf(request: FastifyRequest, publicUrl: string | undefined): string {
  return (
    publicUrl ?? `${request.protocol}://${request.host || `${request.socket.localAddress}:${request.port}`}`
  );
}

/** Whether a browser says that one of our own pages made the request. The scheme may differ behind a proxy. */
export function isSameOrigin(request: FastifyRequest, publicUrl: string | undefined): boolean {
  const { origin } = request.headers;
  if (!origin || !URL.canParse(origin)) return false;
  return new URL(origin).host === request.host || origin === publicUrl;
}
