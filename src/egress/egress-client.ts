import { lookup } from 'node:dns';
import { readFileSync } from 'node:fs';
import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext, getCACertificates } from 'node:tls';
import type { buildConnector, EnvHttpProxyAgent } from 'undici';
import { LazyPromise } from '../domain/concurrency.ts';
import { EgressProblem } from '../domain/errors.ts';
import { isAllowedAddress } from './vet-address.ts';

/** How this machine reaches the outside. */
export interface Network {
  httpsProxy?: string | undefined;
  httpProxy?: string | undefined;
  noProxy?: string | undefined;
  /** A file of certificates to trust beside those that Node trusts. */
  extraCaFile?: string | undefined;
}

/** What connections for one purpose may do. */
export interface EgressRules {
  /** Scheme, name and port of the only servers that may be called. */
  origins: string[];
  /** The only folder of theirs that may be called, such as /gitea; all of them unless told. */
  folder?: string;
  /** Whether they may live at loopback and in private networks. */
  mayBePrivate: boolean;
  /** How long an answer may take to begin, and to go on after each piece of it. */
  patienceMs: number;
  /** How large an answer may be once it is unpacked. */
  mostBytes: number;
  /** How many redirects are followed, of questions alone and within one origin and the folder; none unless told. */
  mostRedirects?: number;
}

export interface EgressClient {
  fetch: typeof globalThis.fetch;
  close: () => Promise<void>;
}

/** A machine that answers at all takes a connection in less. */
const connectTimeoutMs = 10_000;

/** A proxy elsewhere cannot reach what runs on this machine. */
export const neverProxied = 'localhost,127.0.0.1,[::1]';

/**
 * A way out for one purpose: to its origins and their folder alone, at vetted addresses, never led elsewhere, with answers of bounded size.
 * Behind a proxy it is the proxy that resolves names, and what it resolves them to is its own affair.
 */
export function createEgressClient(network: Network, rules: EgressRules): EgressClient {
  const opened = new LazyPromise(() => open(network, rules));
  return {
    async fetch(input, init) {
      if (input instanceof Request) throw new TypeError('Give an address, not a request.');
      let address = new URL(input);
      if (!rules.origins.includes(address.origin) || !isBelow(address, rules.folder)) {
        throw new EgressProblem('origin', `${address.origin} is not among the addresses that may be called.`);
      }
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
        address = within(address, isQuestion ? headers.get('location') : null, rules.folder);
      }
    },
    async close() {
      await (await opened.ifStarted())?.agent.destroy();
    },
  };
}

/** Where a redirect leads that stays where it is; others are not followed. */
function within({ origin, href }: URL, location: string | null, folder: string | undefined): URL {
  const target = location !== null && URL.canParse(location, href) ? new URL(location, href) : null;
  if (target?.origin === origin && isBelow(target, folder)) return target;
  throw new EgressProblem('redirect', `${origin} answered with a redirect, which is not followed.`);
}

/** Whether a path lies in a folder, also for servers that take encoded slashes and dots, however often, for what they stand for. */
function isBelow({ pathname }: URL, folder = '/'): boolean {
  const plain = pathname.replace(/%(?:25)*2e/gi, '.').replace(/%(?:25)*(?:2f|5c)/gi, '/');
  const isStraight = !plain.split('/').some((segment) => segment === '.' || segment === '..');
  return folder === '/' || (isStraight && `${pathname}/`.startsWith(folder.replace(/\/?$/, '/')));
}

/** Loaded with the first call: a service without outgoing calls does not pay for it. */
async function open(network: Network, rules: EgressRules) {
  const { EnvHttpProxyAgent, buildConnector, fetch: send } = await import('undici');
  const ca = trustedCertificates(network);
  // Made once: each connection would read all certificates anew, which takes it longer than all else.
  const trusting = ca && { secureContext: createSecureContext({ ca }) };
  const tls = { timeout: connectTimeoutMs, allowH2: false, ...trusting };
  const agent: EnvHttpProxyAgent = new EnvHttpProxyAgent({
    // Given also where there is none: otherwise the environment would be asked, which only the settings may be.
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

/** Null where those that Node trusts will do. */
export function trustedCertificates({ extraCaFile }: Network): string[] | null {
  return extraCaFile ? [...getCACertificates('default'), readFileSync(extraCaFile, 'utf8')] : null;
}

/** Opens connections to vetted addresses only: those that a name resolves to, and those that stand in place of one. */
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
  return new EgressProblem('address', `${name} leads to an address that may not be called.`);
}

/** Counts what was unpacked: a small answer may hold a large one. */
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
