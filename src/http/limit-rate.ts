import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../domain/errors.ts';
import { type Allowance, RateLimiter, refillSeconds } from '../domain/rate-limiter.ts';

/** Counts requests: by credential once it has proven good, by address until then. */
export interface RateLimit {
  countAddress: (request: FastifyRequest, reply: FastifyReply) => void;
  countCredential: (reply: FastifyReply, credentialKey: string) => void;
  /** Whoever has used up the limit of their address may not go on trying tokens. */
  refuseGuessing: (request: FastifyRequest, reply: FastifyReply, credentialKey: string) => void;
}

export function createRateLimit(burst: number, clock: () => Date): RateLimit {
  if (burst === 0) return { countAddress: () => {}, countCredential: () => {}, refuseGuessing: () => {} };
  const limiter = new RateLimiter(burst);

  const count = (reply: FastifyReply, key: string): void => {
    const allowance = limiter.take(key, clock().getTime());
    reply.headers({
      'ratelimit-limit': String(allowance.limit),
      'ratelimit-remaining': String(allowance.remaining),
      'ratelimit-reset': String(allowance.resetSeconds),
      'ratelimit-policy': `${burst};w=${refillSeconds}`,
    });
    if (!allowance.allowed) throw tooMany(allowance);
  };

  return {
    countAddress: (request, reply) => count(reply, `address ${request.ip}`),
    countCredential: (reply, credentialKey) => count(reply, `credential ${credentialKey}`),
    refuseGuessing: (request, reply, credentialKey) => {
      const address = `address ${request.ip}`;
      const isNew = !limiter.knows(`credential ${credentialKey}`);
      if (isNew && limiter.isExhausted(address, clock().getTime())) count(reply, address);
    },
  };
}

function tooMany({ limit, resetSeconds }: Allowance): Failure {
  return new Failure(
    'RATE_LIMITED',
    `Too many requests: ${limit} at once, then ${Math.max(1, Math.round(limit / refillSeconds))} a second. Wait ${resetSeconds} s.`,
    { headers: { 'retry-after': String(resetSeconds) } },
  );
}
