import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../domain/errors.ts';
import { type Allowance, RateLimiter, refillSeconds } from '../../domain/rate-limiter.ts';

/** Counts requests: by credential once it has proven good, by address until then. */
export interface RateLimit {
  /** Counts a request of an address and says how that stands; null where nothing is limited. */
  takeAddress: (address: string) => Allowance | null;
  countAddress: (request: FastifyRequest, reply: FastifyReply) => void;
  countCredential: (reply: FastifyReply, credentialKey: string) => void;
  /** Whoever has used up the limit of their address may not go on trying tokens. */
  refuseGuessing: (request: FastifyRequest, reply: FastifyReply, credentialKey: string) => void;
}

export function createRateLimit(burst: number, clock: () => Date): RateLimit {
  if (burst === 0) {
    return {
      takeAddress: () => null,
      countAddress: () => {},
      countCredential: () => {},
      refuseGuessing: () => {},
    };
  }
  const limiter = new RateLimiter(burst);

  const count = (reply: FastifyReply, key: string): void => {
    const allowance = limiter.take(key, clock().getTime());
    reply.headers(Object.fromEntries(allowanceHeaders(allowance)));
    if (!allowance.allowed) throw tooMany(allowance);
  };

  return {
    takeAddress: (address) => limiter.take(`address ${address}`, clock().getTime()),
    countAddress: (request, reply) => count(reply, `address ${request.ip}`),
    countCredential: (reply, credentialKey) => count(reply, `credential ${credentialKey}`),
    refuseGuessing: (request, reply, credentialKey) => {
      const address = `address ${request.ip}`;
      const isNew = !limiter.knows(`credential ${credentialKey}`);
      if (isNew && limiter.isExhausted(address, clock().getTime())) count(reply, address);
    },
  };
}

/** What those who ask are told about their limit. */
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
