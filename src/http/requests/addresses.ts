import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Misdirected } from '../../domain/errors.ts';

export function originOf(request: FastifyRequest, publicUrl: string | undefined): string {
  return (
    publicUrl ?? namedOrigin(request) ?? `${schemeOf(request)}://127.0.0.1:${request.socket.localPort ?? 80}`
  );
}

/** Proxies may send anything; every scheme other than https counts as http. */
const schemeOf = ({ protocol }: FastifyRequest): string => (/^https$/i.test(protocol) ? 'https' : 'http');

function namedOrigin(request: FastifyRequest): string | null {
  const url = URL.parse(`${schemeOf(request)}://${request.host}`);
  return url && url.href === `${url.origin}/` ? url.origin : null;
}

export function isSameOrigin(request: FastifyRequest, publicUrl: string | undefined): boolean {
  return request.headers.origin === originOf(request, publicUrl);
}

/** Monitoring may reach the service under any name. */
const answeredUnderAnyName = new Set(['/healthz', '/metrics']);

export const acceptsAnyName = (url: string | undefined): boolean =>
  url !== undefined && answeredUnderAnyName.has(url);

export type NameCheck = (request: IncomingMessage) => boolean;

interface Settings {
  publicUrl: string | undefined;
  trustProxy: string[];
}

/**
 * Protects from DNS rebinding: without PUBLIC_URL, only IP addresses and localhost cannot be forged by a page whose
 * name resolves to this service.
 */
export function createNameCheck({ publicUrl, trustProxy }: Settings): NameCheck {
  const isTrusted = trustProxy.length > 0 ? proxyAddress.compile(trustProxy) : () => false;
  const isOurs =
    publicUrl === undefined ? (name: string) => addressOrLocalhost.test(name) : isNameOf(publicUrl);
  let lastHost = '';
  return (request) => {
    const { url = '', headers } = request;
    const isPlain = url.startsWith('/') && headers['x-forwarded-host'] === undefined;
    if (isPlain && headers.host === lastHost) return true;
    const isNamed = hostNamesIn(request, isTrusted).every(isOurs);
    if (isPlain && isNamed) lastHost = headers.host ?? '';
    return isNamed;
  };
}

/** Browsers treat a name of digits and dots as an IPv4 address, or as invalid. */
const addressOrLocalhost = /^(?:localhost|[\d.]+|\[[\da-f:.]+\])\.?(?::\d+)?$/i;

function isNameOf(publicUrl: string): (name: string) => boolean {
  const { protocol, host: ownHost } = new URL(publicUrl);
  const own = hostIn(protocol, ownHost);
  return (name) => {
    if (name === ownHost) return true;
    const host = hostIn(protocol, name);
    return host !== null && (host === own || loopback.test(host));
  };
}

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/;

function hostIn(protocol: string, name: string): string | null {
  const url = /\s/.test(name) ? null : URL.parse(`${protocol}//${name.replace(/\.(?=$|:\d+$)/, '')}`);
  return url && url.href === `${url.origin}/` ? url.host : null;
}

function hostNamesIn(
  { url = '', headers, socket }: IncomingMessage,
  isTrusted: (address: string, hop: number) => boolean,
): string[] {
  const inAddress = url.startsWith('/') ? undefined : URL.parse(url)?.host;
  const forwarded = headers['x-forwarded-host'];
  const isForwarded = forwarded !== undefined && isTrusted(socket.remoteAddress ?? '', 0);
  // Each proxy appends the host it was called with, so the nearest one is last.
  const last = isForwarded ? [forwarded].flat().join().split(',').at(-1)?.trim() : '';
  const inHeaders = last || headers.host;
  return [inAddress, inHeaders].filter((name) => name !== undefined && name !== '').map(String);
}

interface Counting {
  countAddress: (request: FastifyRequest, reply: FastifyReply) => void;
}

export function refuseOtherNames(
  app: FastifyInstance,
  {
    publicUrl,
    isNamed,
    rateLimit,
  }: { publicUrl: string | undefined; isNamed: NameCheck; rateLimit: Counting },
): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (acceptsAnyName(request.routeOptions.url) || isNamed(request.raw)) return done();
    rateLimit.countAddress(request, reply);
    done(
      new Misdirected(
        'INVALID_REQUEST',
        publicUrl === undefined
          ? 'Without PUBLIC_URL, this service only answers requests to IP addresses and localhost. Set PUBLIC_URL to the URL people use.'
          : `This service only answers at ${publicUrl}. Use that URL; a proxy must pass on the Host header.`,
        { details: [{ field: 'host', problem: 'is not a host name of this service' }] },
      ),
    );
  });
}
