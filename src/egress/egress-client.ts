import { lookup } from 'node:dns';
import { lookup as lookupHere } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';
import { createSecureContext, getCACertificates } from 'node:tls';
import type { buildConnector, EnvHttpProxyAgent } from 'undici';
import { currentClient, LazyPromise } from '../domain/concurrency.ts';
import { EgressProblem } from '../domain/errors.ts';

export interface Network {
  httpsProxy?: string | undefined;
  httpProxy?: string | undefined;
  noProxy?: string | undefined;
  extraCaFile?: string | undefined;
}

export interface EgressRules {
  origins: string[];
  /** The only folder that may be called, such as /gitea; by default the whole server. */
  folder?: string;
  /** Whether the origins may be on this machine or in private networks. */
  mayBePrivate: boolean;
  patienceMs: number;
  mostBytes: number;
  /** Only GET follows redirects, within its origin and folder; none by default. */
  mostRedirects?: number;
}

export interface EgressClient {
  fetch: typeof globalThis.fetch;
  close: () => Promise<void>;
}

const connectTimeoutMs = 10_000;

/** A proxy cannot reach servers on this machine. */
const neverProxied = 'localhost,127.0.0.1,[::1]';

/**
 * Opens connections only to some origins and their folder, at vetted addresses, with responses of limited size. A proxy
 * resolves names itself.
 */
export function createEgressClient(network: Network, rules: EgressRules): EgressClient {
  const opened = new LazyPromise(() => openOrigin(network, rules));
  return {
    async fetch(input, init) {
      if (input instanceof Request) throw new TypeError('Give an address, not a request.');
      let address = new URL(input);
      if (!rules.origins.includes(address.origin) || !isBelow(address, rules.folder)) {
        throw new EgressProblem('origin', `Calls to ${address.origin} are not allowed.`);
      }
      currentClient().letNextBegin();
      const { send, agent } = await opened.get();
      const options = { ...init, redirect: 'manual', dispatcher: agent } as Parameters<typeof send>[1];
      for (let followed = 0; ; followed += 1) {
        const { status, statusText, headers, body } = await send(address.href, options);
        if (status < 300 || status >= 400 || status === 304) {
          const capped = body?.pipeThrough(capBytes(rules.mostBytes));
          return new Response(capped, { status, statusText, headers: [...headers] });
        }
        await body?.cancel();
        const isQuestion = (init?.method ?? 'GET') === 'GET' && followed < (rules.mostRedirects ?? 0);
        address = redirectWithin(address, isQuestion ? headers.get('location') : null, rules.folder);
      }
    },
    async close() {
      await (await opened.ifStarted())?.agent.destroy();
    },
  };
}

function redirectWithin({ origin, href }: URL, location: string | null, folder: string | undefined): URL {
  const target = location !== null && URL.canParse(location, href) ? new URL(location, href) : null;
  if (target?.origin === origin && isBelow(target, folder)) return target;
  throw new EgressProblem('redirect', `${origin} answered with a redirect, which is not followed.`);
}

/**
 * Whether a path stays below the folder, also on servers that decode slashes and dots, even repeatedly encoded ones.
 */
function isBelow({ pathname }: URL, folder = '/'): boolean {
  const plain = pathname.replace(/%(?:25)*2e/gi, '.').replace(/%(?:25)*(?:2f|5c)/gi, '/');
  const isStraight = !plain.split('/').some((segment) => segment === '.' || segment === '..');
  return folder === '/' || (isStraight && `${pathname}/`.startsWith(folder.replace(/\/?$/, '/')));
}

/** undici is loaded with the first call, because services without outgoing calls do not need it. */
async function openOrigin(network: Network, rules: EgressRules) {
  const { EnvHttpProxyAgent, buildConnector, fetch: send } = await import('undici');
  const ca = trustedCertificates(network);
  // A shared context, because each connection would otherwise read all certificates again, which is slow.
  const trusting = ca && { secureContext: createSecureContext({ ca }) };
  const tls = { timeout: connectTimeoutMs, allowH2: false, ...trusting };
  const agent: EnvHttpProxyAgent = new EnvHttpProxyAgent({
    // Without a value, undici would read the environment itself.
    httpProxy: network.httpProxy ?? '',
    httpsProxy: network.httpsProxy ?? '',
    noProxy: [network.noProxy, neverProxied].filter(Boolean).join(','),
    headersTimeout: rules.patienceMs,
    bodyTimeout: rules.patienceMs,
    allowH2: false,
    connect: vettingConnector(buildConnector, tls, rules),
    proxyTls: tls,
    requestTls: tls,
  });
  return { agent, send };
}

export function trustedCertificates({ extraCaFile }: Network): string[] | null {
  return extraCaFile ? [...getCACertificates('default'), readFileSync(extraCaFile, 'utf8')] : null;
}

function vettingConnector(
  build: typeof buildConnector,
  tls: buildConnector.BuildOptions,
  rules: EgressRules,
): buildConnector.connector {
  const connect = build({ ...tls, lookup: vettedLookup(rules) });
  return (options, callback) => {
    const literal = options.hostname.replace(/^\[(.+)\]$/, '$1');
    if (isIP(literal) !== 0 && !isAllowedAddress(literal, rules))
      return callback(addressRefused(literal), null);
    return connect(options, callback);
  };
}

export const vettedLookup =
  (rules: Pick<EgressRules, 'mayBePrivate'>): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '');
      const allowed = found.filter(({ address }) => isAllowedAddress(address, rules));
      const [first] = allowed;
      if (!first) return callback(addressRefused(hostname), '');
      if (options.all) return callback(null, allowed);
      return callback(null, first.address, first.family);
    });
  };

export function addressRefused(name: string): EgressProblem {
  return new EgressProblem('address', `${name} resolves to an IP address that is not allowed.`);
}

/** Counts uncompressed bytes, because a small response may decompress to a large one. */
function capBytes(mostBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > mostBytes) throw new EgressProblem('size', `The answer is larger than ${mostBytes} bytes.`);
      controller.enqueue(chunk);
    },
  });
}

interface NetworkForGit {
  environment: Record<string, string>;
  configuration: Record<string, string>;
  certificates: string | null;
}

type Resolve = (name: string) => Promise<string[]>;

const resolveHere: Resolve = async (name) =>
  (await lookupHere(name, { all: true })).map(({ address }) => address);

/** The proxy, certificates and vetted addresses that git uses for an origin. */
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
    // Pins the addresses, because git would resolve the name again, perhaps to other ones.
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
  throw addressRefused(hostname);
}

/** Whether a host is called without a proxy, by the rules of undici. */
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

type Range = [network: string, bits: number];

/** Link-local, multicast and reserved addresses, and the metadata services of clouds. */
const forbidden: Range[] = [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
  ['::', 128],
  ['fe80::', 10],
  ['ff00::', 8],
  ['fd00:ec2::', 32],
  ['fd20:ce::254', 128],
  ['fd00:42::42', 128],
];

/** Loopback and private networks of IPv4. */
const inside: Range[] = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001:db8::', 32],
  ['fc00::', 7],
  ['fec0::', 10],
];

const blockListOf = (ranges: Range[]): BlockList => {
  const list = new BlockList();
  for (const [network, bits] of ranges) list.addSubnet(network, bits, isIPv6(network) ? 'ipv6' : 'ipv4');
  return list;
};

const forbiddenList = blockListOf(forbidden);
const insideList = blockListOf(inside);
const loopback = blockListOf([['::1', 128]]);

/** Prefixes, in groups of 16 bits, that are followed by the IPv4 address that packets reach. */
const carriers: number[][] = [
  [0, 0, 0, 0, 0, 0xffff],
  [0, 0, 0, 0, 0xffff, 0],
  [0, 0, 0, 0, 0, 0],
  [0x64, 0xff9b, 0, 0, 0, 0],
  [0x2002],
];

/** Local NAT64, usually with the IPv4 address at the end. */
const ownTranslation = [0x64, 0xff9b, 1];

/** Teredo, whose last 32 bits are an inverted IPv4 address. */
const turned = [0x2001, 0];

export function isAllowedAddress(address: string, { mayBePrivate }: { mayBePrivate: boolean }): boolean {
  const [plain = ''] = address.split('%');
  const family = isIP(plain);
  if (family === 0) return false;
  const type = family === 6 ? 'ipv6' : 'ipv4';
  if (forbiddenList.check(plain, type)) return false;
  if (loopback.check(plain, type)) return mayBePrivate;
  if (insideList.check(plain, type) && !mayBePrivate) return false;
  const carried = family === 6 ? carriedAddress(plain) : null;
  return carried === null || isAllowedAddress(carried, { mayBePrivate });
}

function carriedAddress(address: string): string | null {
  const groups = addressGroups(address);
  const begins = (prefix: number[]): boolean => prefix.every((group, index) => groups[index] === group);
  if (begins(ownTranslation)) return dottedAddress(groups.slice(6));
  if (begins(turned)) return dottedAddress(groups.slice(6).map((group) => group ^ 0xffff));
  const prefix = carriers.find(begins);
  return prefix ? dottedAddress(groups.slice(prefix.length)) : null;
}

const dottedAddress = ([high = 0, low = 0]: number[]): string =>
  [high >> 8, high & 255, low >> 8, low & 255].join('.');

function addressGroups(address: string): number[] {
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const hexadecimal = (upper = 0, lower = 0): string => (upper * 256 + lower).toString(16);
  const [, a, b, c, d] = dotted?.map(Number) ?? [];
  const text = dotted
    ? `${address.slice(0, dotted.index)}${hexadecimal(a, b)}:${hexadecimal(c, d)}`
    : address;
  const [before = [], after = []] = text
    .split('::')
    .map((part) => part.split(':').flatMap((group) => (group === '' ? [] : [Number.parseInt(group, 16)])));
  const zeros = Array<number>(8 - before.length - after.length).fill(0);
  return [...before, ...zeros, ...after];
}
