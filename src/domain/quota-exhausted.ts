import { Failure } from './errors.ts';
import { nextUtcDay } from './utc-day.ts';

/** A quota of a day is used up: there is more when the next day begins. */
export function quotaExhausted(sentence: string, now: Date): Failure {
  const midnight = nextUtcDay(now);
  const seconds = Math.ceil((midnight.getTime() - now.getTime()) / 1000);
  return new Failure('QUOTA_EXHAUSTED', `${sentence} Ask again after ${midnight.toISOString()}.`, {
    headers: { 'retry-after': String(seconds) },
  });
}
