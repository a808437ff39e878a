import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { buildTestApp } from '../../../test/build-app.ts';

const onHttps = 'https://pq.example.org';

/** The response to a request that is not HTTP. */
async function sendMalformed({ hostname, port }: URL): Promise<string> {
  const socket = connect(Number(port), hostname);
  socket.end('NO HTTP\r\n\r\n');
  return text(socket);
}

const usual = await buildTestApp();
const listed = 'https://reader.example.org';
const behindAnother = await buildTestApp({
  environment: { TRUST_PROXY: '10.0.0.0/8', CORS_ORIGINS: listed },
});
const behindLoopback = await buildTestApp({ environment: { TRUST_PROXY: 'loopback' } });

test('PUBLIC_URL is the base of avatar addresses, the only origin that may write, and makes cookies secure', async () => {
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

test('a session cookie on https has the prefix __Host-, an older one stays valid, and logging out clears both', async () => {
  const { call, tokenFor } = await buildTestApp({ environment: { PUBLIC_URL: onHttps } });
  const token = tokenFor('cy');
  const open = (cookie = '') =>
    call('POST', '/auth/session', { token, body: { cookie: true }, headers: { cookie } });
  const opened = (await open()).headers.get('set-cookie') ?? '';
  assert.match(
    opened,
    /^__Host-pullquote_session=pq_[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  const prefixed = opened.split(';')[0] ?? '';
  const old = prefixed.replace('__Host-', '');
  const statusWith = async (cookie: string) =>
    (await call('GET', '/auth/sessions', { headers: { cookie } })).status;
  assert.equal(await statusWith(prefixed), 200);
  assert.equal(await statusWith(old), 200);
  assert.equal(await statusWith(`pullquote_session=pq_planted; ${prefixed}`), 200);
  const cleared = (name: string, more = '') =>
    `${name}=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT${more}; SameSite=Lax`;
  assert.equal(
    (await open(old)).headers.getSetCookie()[0],
    cleared('pullquote_session'),
    'the old one is replaced',
  );
  const out = await call('POST', '/auth/logout', {
    headers: { cookie: `${old}; ${prefixed}`, origin: onHttps },
  });
  assert.deepEqual(out.headers.getSetCookie(), [
    cleared('__Host-pullquote_session', '; Secure'),
    cleared('pullquote_session'),
  ]);
  assert.deepEqual([await statusWith(prefixed), await statusWith(old)], [401, 401]);
});

test('Strict-Transport-Security without subdomains is on every response if PUBLIC_URL is https, and on none otherwise', async () => {
  const paths = ['/', '/', '/healthz', '/nothing', '/users/me', '/assets/x/style.css', '/%zz'];
  const found = async (environment: Record<string, string>) => {
    const { call, url } = await buildTestApp({ environment });
    const { host } = new URL(environment.PUBLIC_URL ?? url);
    const seen = new Set<string | null>();
    for (const path of paths)
      seen.add((await call('GET', path, { headers: { host } })).headers.get('strict-transport-security'));
    seen.add((await sendMalformed(new URL(url))).match(/^strict-transport-security: (.*)\r$/im)?.[1] ?? null);
    return [...seen];
  };
  assert.deepEqual(await found({ PUBLIC_URL: onHttps }), ['max-age=31536000']);
  assert.deepEqual(await found({ PUBLIC_URL: 'http://pq.example.org' }), [null]);
  assert.deepEqual(await found({}), [null]);
});

test('without PUBLIC_URL, addresses use the Host header if it is valid', async () => {
  const { server, signUp, url } = usual;
  const authorization = `Bearer ${await signUp('bea')}`;
  const avatarFor = async (host: string) => {
    const reply = await server.inject({ url: '/users/me', headers: { authorization, host } });
    assert.equal(reply.statusCode, 200, host);
    return new URL(reply.json().data.avatarUrl);
  };
  for (const host of ['192.0.2.999', '192.0.2.7:99999', '[::1::]']) {
    const { hostname, pathname, search, hash } = await avatarFor(host);
    assert.deepEqual([hostname, search, hash], ['127.0.0.1', '', ''], host);
    assert.match(pathname, /^\/avatars\/[0-9a-f-]{36}\.svg$/);
  }
  for (const host of [new URL(url).host, 'localhost', '192.0.2.7:8443', '[::1]:8080']) {
    assert.equal((await avatarFor(host)).host, host);
  }
});

test('forwarded headers are used only from trusted proxies', async () => {
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': '192.0.2.7' };
  for (const [{ call, tokenFor, config }, expected] of [
    [behindLoopback, /^https:\/\/192\.0\.2\.7\//],
    [behindAnother, /^http:\/\/127\.0\.0\.1:/],
    [usual, /^http:\/\/127\.0\.0\.1:/],
  ] as const) {
    const { body } = await call('POST', '/auth/signup', { token: tokenFor('bo'), headers: forwarded });
    assert.match(body.avatarUrl, expected, String(config.trustProxy));
  }
});

test('invalid forwarded headers of a trusted proxy give addresses of the service or 421, never a failure', async () => {
  const { server, signUp } = behindLoopback;
  const authorization = `Bearer ${await signUp('dee')}`;
  const originFor = async (forwarded: Record<string, string>) => {
    const headers = { authorization, host: '192.0.2.1:8080', ...forwarded };
    const reply = await server.inject({ url: '/users/me', headers });
    if (reply.statusCode === 421) return 'refused';
    assert.equal(reply.statusCode, 200, JSON.stringify(forwarded));
    const { origin, pathname, search } = new URL(reply.json().data.avatarUrl);
    assert.match(pathname + search, /^\/avatars\/[0-9a-f-]{36}\.svg$/);
    return origin.replace(/(?<=127.*):\d+$/, '');
  };
  for (const [proto, host, expected] of [
    ['https', 'evil.example, 192.0.2.7', 'https://192.0.2.7'],
    ['http, https', '192.0.2.7', 'https://192.0.2.7'],
    ['HTTPS', '192.0.2.7', 'https://192.0.2.7'],
    ['javascript', '192.0.2.7', 'http://192.0.2.7'],
    ['https://', '192.0.2.7', 'http://192.0.2.7'],
    ['', '192.0.2.7', 'http://192.0.2.7'],
    ['https', '', 'https://192.0.2.1:8080'],
    ['https', '192.0.2.7,', 'https://127.0.0.1'],
    ['https', 'pq.example.org', 'refused'],
    ['http', '192.0.2.7/path', 'refused'],
    ['http', 'ann@192.0.2.7', 'refused'],
    ['http', '"><script>', 'refused'],
  ] as const)
    assert.equal(
      await originFor({ 'x-forwarded-proto': proto, 'x-forwarded-host': host }),
      expected,
      `${proto} and ${host}`,
    );
  for (const address of ['not an address', '999.1.1.1', ', ,', '::ffff:1.2.3.4, x', `${'1'.repeat(8_000)}`])
    await originFor({ 'x-forwarded-for': address });
});

test('CORS allows the API only for listed origins, and never with cookies', async () => {
  const origin = listed;
  const { call, signUp } = behindAnother;
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
  assert.equal(
    (await usual.call('GET', '/meta', { headers: { origin } })).headers.get('access-control-allow-origin'),
    null,
  );
});
