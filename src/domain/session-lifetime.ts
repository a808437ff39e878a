const day = 24 * 60 * 60 * 1000;

/** A session ends when it was not used for two weeks, and after 90 days in any case. */
const idleLifetime = 14 * day;
export const absoluteLifetime = 90 * day;

/** How stale `lastUsedAt` may be: a write on every request would cost more than the figure is worth. */
export const lastUsedPrecision = 60 * 1000;

export function sessionExpiry(createdAt: Date, lastUsedAt: Date): Date {
  return new Date(Math.min(createdAt.getTime() + absoluteLifetime, lastUsedAt.getTime() + idleLifetime));
}
