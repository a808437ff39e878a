import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { getCACertificates } from 'node:tls';
import { EgressProblem } from '../domain/egress-problem.ts';
import { type Network, neverProxied, trustedCertificates } from './egress-client.ts';
import { isAllowedAddress } from './vet-address.ts';

interface NetworkForGit {
  environment: Record<string, string>;
  configuration: Record<string, string>;
  certificates: string | null;
}

/** The way on which connections of ours go to an origin, as git has to be told it. */
export async function networkForGit(
  network: Network,
  { origin, mayBePrivate }: { origin: string; mayBePrivate: boolean },
): Promise<NetworkForGit> {
  const { protocol, hostname, port } = new URL(origin);
  const proxy = protocol === 'https:' ? (network.httpsProxy ?? network.httpProxy) : network.httpProxy;
  const certificates = trustedCertificates(network) ?? getCACertificates('default');
  const common = { certificates: protocol === 'https:' ? certificates.join('\n') : null };
  if (proxy && !isExcepted(hostname, network.noProxy)) {
    return { ...common, environment: { https_proxy: proxy, http_proxy: proxy }, configuration: {} };
  }
  const address = await vettedAddress(hostname, mayBePrivate);
  const usual = protocol === 'https:' ? 443 : 80;
  return {
    ...common,
    environment: {},
    // Git would resolve the name once more, and might be told another address.
    configuration: { 'http.curloptResolve': `${hostname}:${port || usual}:${address}` },
  };
}

async function vettedAddress(hostname: string, mayBePrivate: boolean): Promise<string> {
  const literal = hostname.replace(/^\[(.+)\]$/, '$1');
  const found = isIP(literal)
    ? [literal]
    : (await lookup(literal, { all: true })).map(({ address }) => address);
  const allowed = found.find((address) => isAllowedAddress(address, { mayBePrivate }));
  if (allowed) return isIP(allowed) === 6 ? `[${allowed}]` : allowed;
  throw new EgressProblem('address', `${hostname} leads to an address that may not be called.`);
}

/** Whether a name is one that is called without a proxy. */
function isExcepted(hostname: string, noProxy = ''): boolean {
  const entries = `${noProxy},${neverProxied}`.split(/[\s,]+/).filter(Boolean);
  return entries.some((entry) => {
    const name = entry
      .replace(/^\*?\./, '')
      .replace(/:\d+$/, '')
      .toLowerCase();
    return entry === '*' || hostname === name || hostname.endsWith(`.${name}`);
  });
}
