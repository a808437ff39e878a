import assert from 'node:assert/strict';
import { createHmac, createPublicKey } from 'node:crypto';
import { after, test } from 'node:test';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { buildGitHubApp } from '../../test/github/build-github-app.ts';
import { placesOfTokens } from '../../test/github/find-tokens.ts';
import { account } from '../../test/github/state.ts';
import { startIssuer } from '../../test/start-issuer.ts';

const second = 1_000;
const minute = 60 * second;
const issuer = await startIssuer([1_001, 1_002]);
const { app, github, answers } = await buildGitHubApp({
  logLevel: 'trace',
  environment: {
    OIDC_ISSUER: issuer.url,
    OIDC_AUDIENCE: issuer.audience,
    OIDC_HOST_USER_CLAIM: '/sub',
  },
});
github.state.accounts.push(account(1_001, 'alice'), account(1_002, 'newcomer'));

const now = () => Math.floor(app.now().getTime() / 1000);
const claims = (rest: JWTPayload = {}): JWTPayload => ({
  iss: issuer.url,
  aud: issuer.audience,
  sub: '1001',
  exp: now() + 300,
  ...rest,
});
const without = (name: string): JWTPayload =>
  Object.fromEntries(Object.entries(claims()).filter(([key]) => key !== name));
const ask = async (token: string) => (await app.call('GET', '/auth/sessions', { token })).status;
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

let refused = 0;
let tried = 0;
after(() => console.log(`signed tokens that prove nothing: ${refused} of ${tried} refused`));

test('a token of the identity provider signs in a GitHub account, with its profile from GitHub', async () => {
  const token = await issuer.giveToken(1_001);
  const user = await app.call('POST', '/auth/signup', { token, body: { language: 'en' } });
  assert.equal(user.status, 201, user.text);
  assert.deepEqual([user.body.hostUserId, user.body.hostUsername], [1_001, 'alice']);
  assert.equal((await app.call('GET', '/users/me', { token })).status, 200);
  const session = await app.call('POST', '/auth/session', { token });
  assert.equal(session.status, 201, session.text);
  const newcomer = await issuer.giveToken(1_002);
  assert.equal((await app.call('GET', '/users/me', { token: newcomer })).body.error.code, 'USER_NOT_FOUND');
  const { signIn } = (await app.call('GET', '/meta')).body.data;
  assert.deepEqual(signIn, ['githubToken', 'oidc']);
});

test('RS256, PS256, ES256 and EdDSA tokens are accepted, with a clock tolerance of a minute', async () => {
  for (const algorithm of ['RS256', 'PS256', 'ES256', 'EdDSA'] as const)
    assert.equal(await ask(await issuer.sign(claims(), {}, algorithm)), 200, algorithm);
  assert.equal(await ask(await issuer.sign(claims({ aud: ['other', issuer.audience] }))), 200);
  assert.equal(await ask(await issuer.sign(claims({ exp: now() - 59 }))), 200);
  assert.equal(await ask(await issuer.sign(claims({ nbf: now() + 59 }))), 200);
  assert.equal(await ask(await issuer.sign(claims({ pad: 'x'.repeat(5_000) }))), 200);
});

test('a token with a wrong signature, key, audience, issuer, time or claim is 401', async () => {
  const foreign = await generateKeyPair('RS256', { extractable: true });
  const foreignJwk = { ...(await exportJWK(foreign.publicKey)), alg: 'RS256', use: 'sig', kid: 'RS256-0' };
  const byForeign = (header: object) =>
    new SignJWT(claims())
      .setProtectedHeader({ alg: 'RS256', kid: 'RS256-0', ...header })
      .sign(foreign.privateKey);
  const [ownKey] = issuer.publicKeys();
  const publicPem = createPublicKey({
    key: ownKey as import('node:crypto').JsonWebKey,
    format: 'jwk',
  }).export({
    type: 'spki',
    format: 'pem',
  });
  const hmacInput = `${encoded({ alg: 'HS256', kid: 'RS256-0' })}.${encoded(claims())}`;
  const good = await issuer.sign(claims());
  const [header = '', , signature = ''] = good.split('.');
  const bad: Record<string, string> = {
    'alg none': `${encoded({ alg: 'none' })}.${encoded(claims())}.`,
    'alg none with a signature': `${encoded({ alg: 'none' })}.${encoded(claims())}.${signature}`,
    'HS256 with the public key': `${hmacInput}.${createHmac('sha256', publicPem).update(hmacInput).digest('base64url')}`,
    'a foreign jku': await byForeign({ jku: `${issuer.url.replace('127.0.0.1', 'localhost')}/jwks` }),
    'a foreign x5u': await byForeign({ x5u: 'https://evil.example/x' }),
    'a jwk in the header': await byForeign({ jwk: foreignJwk }),
    'another key': await byForeign({}),
    'a key that is unknown': await byForeign({ kid: 'made-up' }),
    'another audience': await issuer.sign(claims({ aud: 'https://other.example' })),
    'no audience': await issuer.sign(without('aud')),
    'another issuer': await issuer.sign(claims({ iss: `${issuer.url}/` })),
    'no issuer': await issuer.sign(without('iss')),
    'no expiry': await issuer.sign(without('exp')),
    'an expiry in words': await issuer.sign(claims({ exp: 'never' as never })),
    'expired 61 s ago': await issuer.sign(claims({ exp: now() - 61 })),
    'good in 61 s': await issuer.sign(claims({ nbf: now() + 61 })),
    'other claims': `${header}.${encoded(claims({ sub: '1002' }))}.${signature}`,
    'no claim': await issuer.sign(without('sub')),
    'a negative number': await issuer.sign(claims({ sub: -1 as never })),
    'too large a number': await issuer.sign(claims({ sub: '9007199254740992' })),
    'a list': await issuer.sign(claims({ sub: ['1001'] as never })),
    'nobody on GitHub': await issuer.sign(claims({ sub: '4242' })),
    'more than 8 KiB': await issuer.sign(claims({ pad: 'x'.repeat(8_000) })),
    'no JSON': 'eyJhbGciOiJSUzI1NiJ9.e30.x',
  };
  for (const [what, token] of Object.entries(bad)) {
    const status = await ask(token);
    tried += 1;
    if (status === 401) refused += 1;
    assert.equal(status, 401, what);
  }
  assert.equal(await ask(good), 200);
});

test('a logged-out token stays refused, also with another encoding of its signature', async () => {
  const token = await issuer.sign(claims({ jti: 'logged out' }));
  assert.equal((await app.call('POST', '/auth/logout', { token })).status, 200);
  assert.equal(await ask(token), 401);
  assert.equal((await app.call('POST', '/auth/session', { token })).status, 401);
  const last = token.at(-1) ?? '';
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const other = alphabet[alphabet.indexOf(last) ^ 1];
  assert.equal(await ask(`${token.slice(0, -1)}${other}`), 401);
  assert.equal(await ask(await issuer.sign(claims({ jti: 'another' }))), 200);
});

test('keys that rotate every 31 s are found, and 300 unknown key ids cause at most two requests', async () => {
  app.advance(31 * second);
  let failed = 0;
  for (let round = 0; round < 3; round += 1) {
    await issuer.rotate();
    const tokens = await Promise.all(Array.from({ length: 10 }, () => issuer.giveToken(1_001)));
    const statuses = await Promise.all(tokens.map(ask));
    failed += statuses.filter((status) => status !== 200).length;
    app.advance(31 * second);
  }
  assert.equal(failed, 0);
  issuer.takeCalls();
  for (let number = 0; number < 300; number += 1)
    assert.equal(await ask(await issuer.sign(claims(), { kid: `made-up-${number}` }, 'ES256')), 401);
  assert.ok(issuer.takeCalls().length <= 2, 'a description and the keys');
});

test('while the provider is silent, known keys are used for an hour, and then requests get 503', async () => {
  const long = claims({ exp: now() + 86_400 });
  const token = await issuer.sign(long, {}, 'EdDSA');
  assert.equal(await ask(token), 200);
  issuer.isSilent = true;
  app.advance(59 * minute);
  assert.equal(await ask(token), 200);
  app.advance(2 * minute);
  const late = await app.call('GET', '/auth/sessions', { token });
  assert.deepEqual([late.status, late.body.error.code], [503, 'UNAVAILABLE']);
  issuer.isSilent = false;
  app.advance(31 * second);
  assert.equal(await ask(token), 200);
});

test('no signed token is in the log, the database or a response', async () => {
  assert.deepEqual(await placesOfTokens(app, answers), []);
});
