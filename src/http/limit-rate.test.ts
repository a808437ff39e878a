import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';

const app = await buildTestApp({ environment: { RATE_LIMIT: '30' } });
const { call, tokenFor } = app;

/** Calls until refused and returns how many were answered before. */
async function exhaust(ask: () => ReturnType<typeof call>): Promise<number> {
  for (let count = 0; count < 40; count += 1) {
    const { status, headers, body } = await ask();
    if (status === 429) {
      assert.equal(body.error.code, 'RATE_LIMITED');
      assert.equal(headers.get('retry-after'), '1');
      assert.equal(headers.get('ratelimit-remaining'), '0');
      return count;
    }
    assert.equal(headers.get('ratelimit-limit'), '30');
    assert.equal(headers.get('ratelimit-policy'), '30;w=30');
  }
  return Number.POSITIVE_INFINITY;
}

test('a credential has its own burst, which comes back evenly', async () => {
  const one = tokenFor('one');
  const other = tokenFor('other');
  // The service's clock only ever moves forward with the wall clock; a burst of 30 refills one a second.
  const before = await exhaust(() => call('GET', '/auth/sessions', { token: one }));
  assert.ok(before >= 30 && before <= 32, `${before}`);
  assert.equal((await call('GET', '/auth/sessions', { token: other })).status, 200);
  app.advance(10_000);
  const after = await exhaust(() => call('GET', '/auth/sessions', { token: one }));
  assert.ok(after >= 10 && after <= 12, `${after}`);
});

test('without a good credential the address counts, and guessing tokens is stopped there', async () => {
  const known = tokenFor('known');
  assert.equal((await call('GET', '/auth/sessions', { token: known })).status, 200);
  let guesses = 0;
  const answered = await exhaust(() => {
    guesses += 1;
    return guesses % 2 ? call('GET', '/nope') : call('GET', '/users/me', { token: `pq_guess${guesses}` });
  });
  assert.ok(answered >= 30 && answered <= 32, `${answered}`);
  assert.equal((await call('GET', '/users/me', { token: 'pq_another' })).status, 429);
  assert.equal((await call('GET', '/auth/sessions', { token: known })).status, 200, 'who is known goes on');
});
