import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitHeaders, RateLimits } from './rate-limits.ts';

test('readers leave a tenth of a rate limit to the service, with calls under way counted and late responses ignored', () => {
  let now = 1_000_000;
  const rules = { read: limitHeaders('x-ratelimit-'), periodsPerHour: 1 };
  const limits = new RateLimits(() => new Date(now), rules);
  const wait = () => limits.secondsUntilQuotaAllows('token', 'core', 60);
  const ends = Array.from({ length: 53 }, () => limits.begin('token', 'core'));
  assert.equal(wait(), 0, 'one more of sixty');
  ends.push(limits.begin('token', 'core'));
  assert.equal(wait(), 60, 'what is under way may use up all but six');
  for (const end of ends) end();
  assert.equal(wait(), 0);

  const hear = (remaining: number, reset: number) =>
    limits.note('token', 'core', {
      status: 200,
      headers: {
        'x-ratelimit-limit': '100',
        'x-ratelimit-remaining': String(remaining),
        'x-ratelimit-reset': String(reset / 1_000),
      },
      message: '',
    });
  const reset = now + 600_000;
  hear(11, reset);
  assert.equal(wait(), 0);
  hear(10, reset);
  hear(12, reset);
  assert.equal(wait(), 600, 'an answer that was late says nothing new');
  assert.deepEqual([limits.secondsLeft('token', 'core'), limits.backgroundQuota('token', 60)], [0, 10]);
  now = reset;
  assert.equal(wait(), 0, 'another hour');
  hear(3, 9_999_999_999_000);
  assert.equal(wait(), 3_600, 'no limit holds for longer');
  now += 3_600_000;
  assert.deepEqual([wait(), limits.left('token')], [0, null]);
});
