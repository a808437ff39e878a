import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Identity } from '../../domain/accounts.ts';
import { currentClient, runFor, Semaphore } from '../../domain/concurrency.ts';
import { Failure } from '../../domain/errors.ts';
import {
  type Allowance,
  addressBlock,
  ConcurrencyLimit,
  RateLimiter,
  refillSeconds,
} from '../../domain/limits.ts';
import { acceptsAnyName } from './addresses.ts';
import { abortOnDisconnect } from './parse-requests.ts';

/** Counts requests by identity, whichever of its credentials is used, or by address before a credential is proven. */
export interface RateLimit {
  takeAddress: (request: IncomingMessage) => Allowance | null;
  countAddress: (request: FastifyRequest, reply: FastifyReply) => void;
  countIdentity: (reply: FastifyReply, identity: IdentityKey, credentialKey: string) => void;
  countGuess: (request: FastifyRequest, reply: FastifyReply, credentialKey: string) => void;
  /** A client that has used up the limit of its address may not try further tokens. */
  refuseGuessing: (request: FastifyRequest, reply: FastifyReply, credentialKey: string) => void;
}

type IdentityKey = Pick<Identity, 'host' | 'hostUserId'>;

interface Settings {
  burst: number;
  trustProxy: string[];
  clock: () => Date;
}

const mostProven = 50_000;

const mostSlowRequests = 32;

function addressKey(trustProxy: string[]): (request: IncomingMessage) => string {
  const trust = trustProxy.length > 0 ? proxyAddress.compile(trustProxy) : null;
  return (request) =>
    `address ${addressBlock(trust ? proxyAddress(request, trust) : (request.socket.remoteAddress ?? ''))}`;
}

const identityKey = ({ host, hostUserId }: IdentityKey): string => `identity ${host} ${hostUserId}`;

/** At most this many requests of a client run at a time, so that those of other clients run in between. */
const mostAtOnce = 2;

/**
 * After its response, a client waits as long as the request took, or longer after a large response, so that others get
 * most of the time.
 */
const bytesPerSecond = 4 * 1024 * 1024;

const msToSend = (payload: unknown): number =>
  typeof payload === 'string' || Buffer.isBuffer(payload) ? (payload.length / bytesPerSecond) * 1000 : 0;

/** A longer request is waiting for something, such as another request for the same article. */
const longestTurnMs = 1_000;

interface Attributing extends Pick<Settings, 'burst' | 'trustProxy'> {
  /** Called with a request that waits for its client's turn, so that no other client waits for its response. */
  onWait: (request: IncomingMessage) => void;
}

/**
 * Lets clients take turns, and refuses a client with too many slow requests. Runs after the body is read, which happens
 * outside of any request.
 */
export function attributeRequests(app: FastifyInstance, { burst, trustProxy, onWait }: Attributing): void {
  const keyOf = addressKey(trustProxy);
  const isLimited = burst > 0;
  const slow = new ConcurrencyLimit({
    most: isLimited ? mostSlowRequests : Number.POSITIVE_INFINITY,
    refusal: `You already have ${mostSlowRequests} long requests running. Wait until one of them ends.`,
    retrySeconds: 2,
  });
  const turns = new Semaphore();
  let order = 0;
  app.addHook('preHandler', (request, reply, done) => {
    order += 1;
    const { viewer } = request;
    const key = viewer ? identityKey(viewer.identity) : keyOf(request.raw);
    let isCounted = false;
    let letNextBegin = (): void => {};
    let endTurn = (_payload: unknown): void => {};
    const beginSlowWork = (): void => {
      letNextBegin();
      if (isCounted || reply.raw.destroyed) return;
      reply.raw.once('close', slow.enter(key));
      isCounted = true;
    };
    const client = {
      key,
      order,
      isAnonymous: !viewer,
      beginSlowWork,
      letNextBegin: () => letNextBegin(),
      endTurn: (payload: unknown) => endTurn(payload),
    };
    if (!isLimited || acceptsAnyName(request.routeOptions.url)) return runFor(client, done);
    const share = [{ of: key, most: mostAtOnce }];
    if (!turns.isFree(share)) onWait(request.raw);
    const begin = (leave: () => void): void => {
      const began = performance.now();
      let isOver = false;
      letNextBegin = () => {
        isOver = true;
        leave();
      };
      const turn = setTimeout(letNextBegin, longestTurnMs).unref();
      endTurn = (payload) => {
        clearTimeout(turn);
        if (isOver) return;
        isOver = true;
        setTimeout(leave, Math.max(performance.now() - began, msToSend(payload))).unref();
      };
      reply.raw.once('close', endTurn);
      runFor(client, done);
    };
    turns.acquire(share, abortOnDisconnect(reply), client).then(begin, () => {});
  });
  app.addHook('onSend', (_request, _reply, payload, done) => {
    currentClient().endTurn(payload);
    done();
  });
}

export function createRateLimit({ burst, trustProxy, clock }: Settings): RateLimit {
  if (burst === 0) {
    return {
      takeAddress: () => null,
      countAddress: () => {},
      countIdentity: () => {},
      countGuess: () => {},
      refuseGuessing: () => {},
    };
  }
  const limiter = new RateLimiter(burst);
  const proven = new Set<string>();
  const keyOf = addressKey(trustProxy);

  const count = (reply: FastifyReply, key: string): void => {
    const allowance = limiter.take(key, clock().getTime());
    reply.headers(Object.fromEntries(allowanceHeaders(allowance)));
    if (!allowance.allowed) throw rateLimited(allowance);
  };

  return {
    takeAddress: (request) => limiter.take(keyOf(request), clock().getTime()),
    countAddress: (request, reply) => count(reply, keyOf(request.raw)),
    countIdentity: (reply, identity, credentialKey) => {
      proven.delete(credentialKey);
      proven.add(credentialKey);
      const [oldest] = proven;
      if (oldest !== undefined && proven.size > mostProven) proven.delete(oldest);
      count(reply, identityKey(identity));
    },
    countGuess: (request, reply, credentialKey) => {
      proven.delete(credentialKey);
      count(reply, keyOf(request.raw));
    },
    refuseGuessing: (request, reply, credentialKey) => {
      const address = keyOf(request.raw);
      if (!proven.has(credentialKey) && limiter.isExhausted(address, clock().getTime()))
        count(reply, address);
    },
  };
}

export function allowanceHeaders({ limit, remaining, resetSeconds }: Allowance): [string, string][] {
  return [
    ['ratelimit-limit', String(limit)],
    ['ratelimit-remaining', String(remaining)],
    ['ratelimit-reset', String(resetSeconds)],
    ['ratelimit-policy', `${limit};w=${refillSeconds}`],
  ];
}

function rateLimited({ limit, resetSeconds }: Allowance): Failure {
  return new Failure(
    'RATE_LIMITED',
    `Too many requests: the limit is a burst of ${limit}, then ${Math.max(1, Math.round(limit / refillSeconds))} a second. Wait ${resetSeconds} s.`,
    { headers: { 'retry-after': String(resetSeconds) } },
  );
}
