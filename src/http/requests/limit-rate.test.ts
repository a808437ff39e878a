import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../../test/build-app.ts';

const app = await buildTestApp({ environment: { RATE_LIMIT: '30', TRUST_PROXY: 'loopback' }, frozen: true });
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

test('an identity has its own burst, which comes back evenly', async () => {
  const one = tokenFor('one');
  const other = tokenFor('other');
  assert.equal(await exhaust(() => call('GET', '/auth/sessions', { token: one })), 30);
  assert.equal((await call('GET', '/auth/sessions', { token: other })).status, 200);
  app.advance(10_000);
  assert.equal(await exhaust(() => call('GET', '/auth/sessions', { token: one })), 10);
});

test('an identity has one burst, whatever sessions and tokens it has', async () => {
  const own = [tokenFor('many'), tokenFor('many', { expiresInMs: 120_000 })];
  const openSession = async () => (await call('POST', '/auth/session', { token: own[0] })).body.data;
  for (let count = 0; count < 8; count += 1) own.push((await openSession()).accessToken);
  let asked = 0;
  const askWithEach = () => {
    asked += 1;
    return call('GET', '/auth/sessions', { token: own[asked % own.length] });
  };
  assert.equal(await exhaust(askWithEach), 30 - 8);
  for (const token of own) assert.equal((await call('GET', '/auth/sessions', { token })).status, 429);
});

test('what is no token, and what is one no more, counts for the address that sends it', async () => {
  const headers = { 'x-forwarded-for': '198.51.100.20' };
  const opened = await call('POST', '/auth/session', { token: tokenFor('leaver') });
  const ended = opened.body.data.accessToken;
  assert.equal((await call('POST', '/auth/logout', { token: ended })).status, 200);
  const ways: Record<string, string>[] = [
    { authorization: `Bearer ${ended}` },
    { authorization: `Bearer ${tokenFor('late', { expiresInMs: -1 })}` },
    { authorization: 'Bearer pq_unknown' },
    { authorization: 'Bearer ghp_of_a_host_that_is_not_asked' },
    { authorization: `Bearer ${'x'.repeat(9_000)}` },
    { authorization: 'Basic YTpi' },
    { cookie: 'pullquote_session=pq_unknown' },
    {},
  ];
  let asked = 0;
  const askInEachWay = () => {
    asked += 1;
    return call('GET', '/users/me', { headers: { ...headers, ...ways[asked % ways.length] } });
  };
  assert.equal(await exhaust(askInEachWay), 30);
});

test('addresses that cannot be looked up count like all others', async () => {
  const headers = { 'x-forwarded-for': '198.51.100.30' };
  const long = `/articles/${'a'.repeat(300)}`;
  let asked = 0;
  const ask = () => {
    asked += 1;
    return call('GET', ['/%zz', long, '/nope'][asked % 3] ?? '', { headers });
  };
  assert.equal(await exhaust(ask), 30);
  assert.equal((await call('GET', '/%zz', { headers })).status, 429);
});

test('addresses of one /64 share a burst, and an IPv4 address is one however it is written', async () => {
  const askFrom = (address: string) => call('GET', '/nope', { headers: { 'x-forwarded-for': address } });
  for (const [addresses, other] of [
    [['2001:db8:1:2::1', '2001:db8:1:2:3:4:5:6', '2001:0DB8:0001:0002::'], '2001:db8:1:3::1'],
    [['198.51.100.7', '::ffff:198.51.100.7', '198.51.100.7:4711'], '198.51.100.8'],
  ] as const) {
    let asked = 0;
    const askFromEach = () => {
      asked += 1;
      return askFrom(addresses[asked % addresses.length] ?? '');
    };
    assert.equal(await exhaust(askFromEach), 30, addresses[0]);
    assert.equal((await askFrom(other)).status, 404);
  }
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
