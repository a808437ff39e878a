import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { getCACertificates } from 'node:tls';
import { EgressProblem } from '../domain/errors.ts';
import { type Network, neverProxied, trustedCertificates } from './egress-client.ts';
import { isAllowedAddress } from './vet-address.ts';

interface NetworkForGit {
  environment: Record<string, string>;
  configuration: Record<string, string>;
  certificates: string | null;
}

/** The addresses that a name leads to. */
type Resolve = (name: string) => Promise<string[]>;

const resolveHere: Resolve = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address);

/** The way on which connections of ours go to an origin, as git has to be told it. */
export async function networkForGit(
  network: Network,
  { origin, mayBePrivate }: { origin: string; mayBePrivate: boolean },
  resolve: Resolve = resolveHere,
): Promise<NetworkForGit> {
  const { protocol, hostname, port } = new URL(origin);
  const proxy = protocol === 'https:' ? (network.httpsProxy ?? network.httpProxy) : network.httpProxy;
  const certificates = trustedCertificates(network) ?? getCACertificates('default');
  const common = { certificates: protocol === 'https:' ? certificates.join('\n') : null };
  const usedPort = Number(port) || (protocol === 'https:' ? 443 : 80);
  if (proxy && !isExcepted(hostname, usedPort, network.noProxy)) {
    return { ...common, environment: { https_proxy: proxy, http_proxy: proxy }, configuration: {} };
  }
  const addresses = await vettedAddresses(hostname, { mayBePrivate, resolve });
  return {
    ...common,
    environment: {},
    // Git would resolve the name once more, and might be told other addresses. It takes the first of these that answers.
    configuration: { 'http.curloptResolve': `${hostname}:${usedPort}:${addresses.join(',')}` },
  };
}

async function vettedAddresses(
  hostname: string,
  { mayBePrivate, resolve }: { mayBePrivate: boolean; resolve: Resolve },
): Promise<string[]> {
  const literal = hostname.replace(/^\[(.+)\]$/, '$1');
  const found = isIP(literal) ? [literal] : await resolve(literal);
  const allowed = found.filter((address) => isAllowedAddress(address, { mayBePrivate }));
  if (allowed.length > 0) return allowed.map((address) => (isIP(address) === 6 ? `[${address}]` : address));
  throw new EgressProblem('address', `${hostname} leads to an address that may not be called.`);
}

/** Whether a name is one that is called without a proxy, by the rules of the client that our own calls go through. */
function isExcepted(hostname: string, port: number, noProxy = ''): boolean {
  const entries = `${noProxy},${neverProxied}`.split(/[\s,]+/).filter(Boolean);
  return entries.some((entry) => {
    const [, named = entry, namedPort] = /^([^:]+|\[.+\]):(\d+)$/.exec(entry) ?? [];
    if (namedPort !== undefined && Number(namedPort) !== port) return false;
    const name = named.replace(/^\*?\./, '').toLowerCase();
    const isItself = !named.startsWith('*') && hostname === name;
    return named === '*' || isItself || hostname.endsWith(`.${name}`);
  });
}
