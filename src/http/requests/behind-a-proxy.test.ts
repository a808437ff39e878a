import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../../test/build-app.ts';

test('PUBLIC_URL is where avatars are, whose pages may write, and what makes the cookie secure', async () => {
  const { call, tokenFor, url } = await buildTestApp({
    environment: { PUBLIC_URL: 'https://pq.example.org' },
  });
  const opened = await call('POST', '/auth/session', { token: tokenFor('ann'), body: { cookie: true } });
  const setCookie = opened.headers.get('set-cookie') ?? '';
  assert.match(setCookie, /; Secure/);
  const cookie = setCookie.split(';')[0] ?? '';
  const signUp = (origin: string) => call('POST', '/auth/signup', { headers: { cookie, origin } });
  assert.equal((await signUp(url)).status, 403);
  assert.equal((await signUp('http://pq.example.org')).status, 403);
  const { status, body } = await signUp('https://pq.example.org');
  assert.equal(status, 201);
  assert.match(body.avatarUrl, /^https:\/\/pq\.example\.org\/avatars\//);
});

test('forwarded headers are believed from listed proxies only', async () => {
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'pq.example.org' };
  for (const [trust, expected] of [
    ['loopback', /^https:\/\/pq\.example\.org\//],
    ['10.0.0.0/8', /^http:\/\/127\.0\.0\.1:/],
    ['', /^http:\/\/127\.0\.0\.1:/],
  ] as const) {
    const { call, tokenFor } = await buildTestApp({ environment: { TRUST_PROXY: trust } });
    const { body } = await call('POST', '/auth/signup', { token: tokenFor('bo'), headers: forwarded });
    assert.match(body.avatarUrl, expected, trust);
  }
});

test('pages of other sites may call the API only from listed origins, and never with the cookie', async () => {
  const origin = 'https://reader.example.org';
  const { call, signUp } = await buildTestApp({ environment: { CORS_ORIGINS: origin } });
  const preflight = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  };
  const allowed = await call('OPTIONS', '/users/me', { headers: preflight });
  assert.equal(allowed.status, 204);
  assert.equal(allowed.headers.get('access-control-allow-origin'), origin);
  const foreign = await call('OPTIONS', '/users/me', {
    headers: { ...preflight, origin: 'https://evil.example' },
  });
  assert.equal(foreign.headers.get('access-control-allow-origin'), null);
  const token = await signUp('cleo');
  const read = await call('GET', '/users/me', { token, headers: { origin } });
  assert.equal(read.headers.get('access-control-allow-origin'), origin);
  assert.equal(read.headers.get('access-control-allow-credentials'), null);
  assert.match(read.headers.get('vary') ?? '', /Origin/);
  const without = await buildTestApp();
  assert.equal(
    (await without.call('GET', '/meta', { headers: { origin } })).headers.get('access-control-allow-origin'),
    null,
  );
});
