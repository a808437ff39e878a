import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { test } from 'node:test';
import { Failure } from '../domain/errors.ts';
import { hostUserIn, openTokenIssuer } from './open-token-issuer.ts';

test('`hostUserIn` returns a positive safe integer, as number, digits or after "github|"', () => {
  const firebase = { firebase: { identities: { 'github.com': ['583231'] } } };
  assert.equal(hostUserIn(firebase, ['firebase', 'identities', 'github.com', '0']), 583231);
  assert.equal(hostUserIn({ sub: 'github|583231' }, ['sub']), 583231);
  assert.equal(hostUserIn({ sub: '583231' }, ['sub']), 583231);
  assert.equal(hostUserIn({ id: Number.MAX_SAFE_INTEGER }, ['id']), Number.MAX_SAFE_INTEGER);
  assert.equal(hostUserIn({ id: '9007199254740991' }, ['id']), Number.MAX_SAFE_INTEGER);
});

test('`hostUserIn` returns null unless the claim is a positive safe integer, alone or after "github|"', () => {
  const values = [
    undefined,
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 53,
    Number.NaN,
    '',
    '0',
    '-1',
    '01',
    '1e3',
    '1.0',
    ' 1',
    '1\n',
    '１',
    '9007199254740992',
    '99999999999999999999',
    'github|',
    'github|-1',
    'gitlab|1',
    'github|1|2',
    'github||1',
    'auth0|1',
    [583231],
    ['583231'],
    { id: 583231 },
  ];
  for (const sub of values) assert.equal(hostUserIn({ sub }, ['sub']), null, JSON.stringify(sub));
  for (const path of [['absent'], ['sub', 'x'], ['toString'], ['constructor', 'length'], ['__proto__']])
    assert.equal(hostUserIn({ sub: '1' }, path), null, path.join('/'));
});

const issuer = 'https://issuer.example';
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const pairOf = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength });
const [good, weak] = [pairOf(2048), pairOf(1024)];
const jwkOf = ({ publicKey }: { publicKey: KeyObject }, kid: string) => ({
  ...publicKey.export({ format: 'jwk' }),
  kid,
  alg: 'RS256',
  use: 'sig',
});
const now = Date.UTC(2026, 0) / 1000;

function tokenOf(kid: string, { privateKey }: { privateKey: KeyObject }, exp = now + 300): string {
  const claims = { iss: issuer, aud: 'us', sub: '1001', exp };
  const signed = `${encoded({ alg: 'RS256', kid })}.${encoded(claims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
}

/** Opens an issuer with a fixed response for each path. */
function open(answers: Record<string, object | number>, jwksUrl?: URL) {
  const asked: string[] = [];
  const opened = openTokenIssuer(
    { issuer, audience: 'us', hostUserClaim: ['sub'], jwksUrl },
    {
      clock: () => new Date(now * 1000),
      connect: ({ origins }) => ({
        async fetch(input) {
          const { origin, pathname } = new URL(String(input));
          assert.deepEqual(origins, [origin]);
          asked.push(origin + pathname);
          const answer = answers[pathname] ?? 404;
          return typeof answer === 'number' ? new Response('', { status: answer }) : Response.json(answer);
        },
        close: async () => {},
      }),
    },
  );
  return { ...opened, asked };
}
const described = (jwks_uri: string) => ({ issuer, jwks_uri });

test('a weak or broken key of the issuer verifies no token and does not affect its other keys', async () => {
  const broken = { kty: 'RSA', n: 'AQAB', e: '', alg: 'RS256', use: 'sig', kid: 'broken' };
  const { check } = open({
    '/.well-known/openid-configuration': described(`${issuer}/keys`),
    '/keys': { keys: [broken, jwkOf(weak, 'weak'), jwkOf(good, 'good')] },
  });
  assert.equal(await check(tokenOf('weak', weak)), null);
  assert.equal(await check(tokenOf('broken', good)), null);
  assert.equal((await check(tokenOf('good', good)))?.hostUserId, 1001);
});

test('the cause of missing keys is in the UNAVAILABLE failure: HTTP status, other issuer, no https, no keys', async () => {
  const cases: [Record<string, object | number>, RegExp][] = [
    [{ '/.well-known/openid-configuration': 500 }, /issuer\.example answered 500/],
    [{ '/.well-known/openid-configuration': { issuer: 'https://other.example' } }, /another issuer/],
    [{ '/.well-known/openid-configuration': described('http://keys.example/k') }, /not available over https/],
    [{ '/.well-known/openid-configuration': described(`${issuer}/keys`), '/keys': { keys: 1 } }, /no keys/],
  ];
  for (const [answers, cause] of cases) {
    const failure = await open(answers)
      .check(tokenOf('good', good))
      .catch((error) => error);
    assert.ok(failure instanceof Failure && failure.code === 'UNAVAILABLE');
    assert.match(String(failure.cause), cause);
  }
});

test('`expiresAt` is one minute after `exp`, and a configured key URL is the only address requested', async () => {
  const { check, asked } = open({ '/k': { keys: [jwkOf(good, 'good')] } }, new URL(`${issuer}/k`));
  const proven = await check(tokenOf('good', good, now - 59.5));
  assert.deepEqual(proven?.expiresAt, new Date((now + 1) * 1000));
  assert.deepEqual(asked, [`${issuer}/k`], 'nobody else is asked');
});

test('`recognizes` accepts only tokens whose `iss` is the issuer', () => {
  const { recognizes } = open({});
  const signed = (claims: unknown) => `${encoded({ alg: 'RS256' })}.${encoded(claims as object)}.x`;
  assert.ok(recognizes(tokenOf('made-up', good)));
  const ofOthers = [{ gnt: 1, tt: 0, exp: now }, { iss: `${issuer}/` }, { iss: [issuer] }, null, issuer].map(
    signed,
  );
  for (const token of [...ofOthers, 'eyJhbGciOiJSUzI1NiJ9.e30x.x', 'ghp_x'])
    assert.equal(recognizes(token), false, token);
});
