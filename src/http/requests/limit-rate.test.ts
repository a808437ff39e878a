import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../../test/build-app.ts';

const app = await buildTestApp({ environment: { RATE_LIMIT: '30' }, frozen: true });
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
  assert.equal(await exhaust(() => call('GET', '/auth/sessions', { token: one })), 30);
  assert.equal((await call('GET', '/auth/sessions', { token: other })).status, 200);
  app.advance(10_000);
  assert.equal(await exhaust(() => call('GET', '/auth/sessions', { token: one })), 10);
});

test('without a good credential the address counts, and guessing tokens is stopped there', async () => {
  const known = tokenFor('known');
  assert.equal((await call('GET', '/auth/sessions', { token: known })).status, 200);
  let guesses = 0;
  const answered = await exhaust(() => {
    guesses += 1;
    return guesses % 2 ? call('GET', '/nope') : call('GET', '/users/me', { token: `pq_guess${guesses}` });
  });
  assert.equal(answered, 30);
  assert.equal((await call('GET', '/users/me', { token: 'pq_another' })).status, 429);
  assert.equal((await call('GET', '/auth/sessions', { token: known })).status, 200, 'who is known goes on');
});
