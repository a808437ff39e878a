import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressBlock } from '../../domain/address-block.ts';
import { Failure } from '../../domain/errors.ts';
import type { Identity } from '../../domain/identity.ts';
import { type Allowance, RateLimiter, refillSeconds } from '../../domain/rate-limiter.ts';
import { clientAddress } from './client-address.ts';

/** Counts requests: by identity once a credential has proven one, whatever other credentials it has, by address until then. */
export interface RateLimit {
  /** Counts a request of an address and says how that stands; null where nothing is limited. */
  takeAddress: (request: IncomingMessage) => Allowance | null;
  countAddress: (request: FastifyRequest, reply: FastifyReply) => void;
  countIdentity: (reply: FastifyReply, identity: IdentityKey, credentialKey: string) => void;
  /** Counts a credential that proves nothing, or nothing any more. */
  countGuess: (request: FastifyRequest, reply: FastifyReply, credentialKey: string) => void;
  /** A client that has used up the limit of its IP address may not go on trying tokens. */
  refuseGuessing: (request: FastifyRequest, reply: FastifyReply, credentialKey: string) => void;
}

type IdentityKey = Pick<Identity, 'host' | 'hostUserId'>;

interface Settings {
  /** How many requests at once; 0 limits nothing. */
  burst: number;
  trustProxy: string[];
  clock: () => Date;
}

/** As many credentials as there are buckets; of those that have proven good, the one used longest ago is forgotten first. */
const mostProven = 50_000;

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
  const addressOf = clientAddress(trustProxy);
  const keyOf = (request: IncomingMessage): string => `address ${addressBlock(addressOf(request))}`;

  const count = (reply: FastifyReply, key: string): void => {
    const allowance = limiter.take(key, clock().getTime());
    reply.headers(Object.fromEntries(allowanceHeaders(allowance)));
    if (!allowance.allowed) throw tooMany(allowance);
  };

  return {
    takeAddress: (request) => limiter.take(keyOf(request), clock().getTime()),
    countAddress: (request, reply) => count(reply, keyOf(request.raw)),
    countIdentity: (reply, { host, hostUserId }, credentialKey) => {
      proven.delete(credentialKey);
      proven.add(credentialKey);
      const [oldest] = proven;
      if (oldest !== undefined && proven.size > mostProven) proven.delete(oldest);
      count(reply, `identity ${host} ${hostUserId}`);
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

function tooMany({ limit, resetSeconds }: Allowance): Failure {
  return new Failure(
    'RATE_LIMITED',
    `Too many requests: ${limit} at once, then ${Math.max(1, Math.round(limit / refillSeconds))} a second. Wait ${resetSeconds} s.`,
    { headers: { 'retry-after': String(resetSeconds) } },
  );
}
