import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';

/** Who is asking, in the words of the proxies that are believed. */
export function clientAddress(trustProxy: string[]): (request: IncomingMessage) => string {
  if (trustProxy.length === 0) return ({ socket }) => socket.remoteAddress ?? '';
  const trust = proxyAddress.compile(trustProxy);
  return (request) => proxyAddress(request, trust);
}
