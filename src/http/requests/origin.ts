import type { FastifyRequest } from 'fastify';

/** The address under which the caller reaches the service: as set, or as the request itself names it, if that is one. */
export function originOf(request: FastifyRequest, publicUrl: string | undefined): string {
  return (
    publicUrl ?? namedOrigin(request) ?? `${schemeOf(request)}://127.0.0.1:${request.socket.localPort ?? 80}`
  );
}

/** Proxies may send anything: what is not https is taken for http. */
const schemeOf = ({ protocol }: FastifyRequest): string => (/^https$/i.test(protocol) ? 'https' : 'http');

/** Null where the name is missing, or is more or less than a name and a port. */
function namedOrigin(request: FastifyRequest): string | null {
  const url = URL.parse(`${schemeOf(request)}://${request.host}`);
  return url && url.href === `${url.origin}/` ? url.origin : null;
}

/** Whether a browser says that one of our own pages made the request. */
export function isSameOrigin(request: FastifyRequest, publicUrl: string | undefined): boolean {
  return request.headers.origin === originOf(request, publicUrl);
}
