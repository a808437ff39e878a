import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { followToGitHub } from '../github/follow-to-github.ts';
import type { ScriptedAnswer } from '../github/stand-in.ts';
import { bomb } from './bad-answers.ts';
import type { FailingHosts, HostInService } from './build-failing-hosts.ts';
import { json, raw, say, spoilt } from './failing-host.ts';

const minute = 60_000;
const signal = new AbortController().signal;

/** Responses of a host's token endpoint, with the expected error code, or null if the host refuses this user. */
const grants: [string, (host: HostInService) => ScriptedAnswer, string | null][] = [
  ['500', () => say(500), 'HOST_ERROR'],
  ['404', () => say(404), 'HOST_ERROR'],
  ['429', () => say(429, {}, { 'retry-after': 7 }), 'HOST_RATE_LIMITED'],
  ['a page for people', () => raw('<html>', { 'content-type': 'text/html' }), 'HOST_ERROR'],
  ['half of some JSON', () => raw('{"access_token":'), 'HOST_ERROR'],
  ['and breaks off', () => spoilt(() => null), 'HOST_ERROR'],
  ['nothing', () => say(200), 'HOST_ERROR'],
  ['a token that is none', () => say(200, { access_token: 7 }), 'HOST_ERROR'],
  ['a token without end', () => say(200, { access_token: 'x'.repeat(5_000) }), 'HOST_ERROR'],
  ['one that was over before', () => say(200, { access_token: 'x', expires_in: -1 }), 'HOST_ERROR'],
  ['one that lives for ever', () => say(200, { access_token: 'x', expires_in: 1e300 }), 'HOST_ERROR'],
  ['more than is read', () => raw(bomb, { ...json, 'content-encoding': 'gzip' }), 'HOST_ERROR'],
  ['an error of its own', () => say(200, { error: 'server_error' }), 'HOST_ERROR'],
  ['an error that is none', () => say(400, { error: 7 }), 'HOST_ERROR'],
  ['elsewhere', () => say(307, {}, { location: 'https://127.0.0.1:1/' }), 'HOST_ERROR'],
  ['itself', ({ url }) => say(307, {}, { location: url }), 'HOST_ERROR'],
  ['that the app is none', ({ app }) => app.refusals.app, 'HOST_ERROR'],
  ['that there is none', ({ app }) => app.refusals.grant, null],
];

/** Browser sign-in, and the service as an application on a host. */
export function testSignIn({ app, each, publicUrl }: FailingHosts): void {
  /** Begins to sign in; returns the address that the host redirects to. */
  const begin = async ({ on, app: { consents } }: HostInService, login: string | null) => {
    const login302 = await app.call('GET', `/auth/login${on}&returnTo=/r/acme/rocket/1`);
    const location = login302.headers.get('location') ?? '';
    const cookie = login302.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    consents(login);
    const back = (await followToGitHub(location)) ?? assert.fail('nobody is sent back');
    return { location, cookie, back, address: back.pathname + back.search };
  };
  const visit = (address: string, cookie: string) => app.call('GET', address, { headers: { cookie } });

  test('a callback with a missing or foreign cookie or state, with the code of another sign-in, or at another address signs nobody in', () =>
    each(async (host) => {
      const { location, cookie, back, address } = await begin(host, 'ann');
      assert.ok(location.startsWith(`${host.url}/`) && location.includes('code_challenge_method=S256'));
      const other = await begin(host, 'bea');
      const swapped = new URL(back);
      swapped.searchParams.set('code', other.back.searchParams.get('code') ?? '');
      const addressed = (path: string) => path + back.search;
      for (const [what, target, given] of [
        ['no cookie', address, ''],
        ['the cookie of another sign-in', address, other.cookie],
        ['a state that is none', `${address}x`.replace(/state=[^&]+/, 'state=x'), cookie],
        ['no state', back.pathname, cookie],
        ['the address of GitHub', addressed('/auth/callback'), host.id === 'github' ? '' : cookie],
        ['the address of one that is not there', addressed('/auth/callback/nowhere'), cookie],
        ['another issuer', `${address}&iss=https://another.example`, cookie],
      ] as const) {
        const { status, headers } = await visit(target, given);
        assert.ok(status >= 400 && status < 500, `${host.name}, ${what}: ${status}`);
        const isSignedIn = headers
          .getSetCookie()
          .some((one) => /^(?:__Host-)?pullquote_session=[^;]/.test(one));
        assert.equal(isSignedIn, false, `${host.name}, ${what}`);
      }
      const again = await begin(host, 'ann');
      const injected = new URL(again.back);
      injected.searchParams.set('code', other.back.searchParams.get('code') ?? '');
      const { status } = await visit(injected.pathname + injected.search, again.cookie);
      assert.equal(
        status,
        400,
        `${host.name}: the code of another, for which the verifier is not the right one`,
      );
      const declined = await begin(host, null);
      assert.equal((await visit(declined.address, declined.cookie)).status, 403, host.name);
    }));

  test('a browser session has the rights of its token, which is refreshed and survives failed refreshes; a callback works once', async () => {
    const sessions = new Map<string, string>();
    await each(async (host) => {
      host.addRepository(90, 'vault', ['ann']);
      const { address, cookie } = await begin(host, 'ann');
      const done = await visit(address, cookie);
      assert.deepEqual([done.status, done.headers.get('location')], [302, '/r/acme/rocket/1'], done.text);
      assert.equal((await visit(address, cookie)).status, 400);
      const session = done.headers.getSetCookie().find((one) => one.startsWith('__Host-pullquote_session='));
      sessions.set(host.id, session?.split(';')[0] ?? '');
    });
    const read = ({ id, pathOf, on }: HostInService) =>
      visit(pathOf('vault').replace(/\/1$/, on), sessions.get(id) ?? '');
    await each(async (host) => assert.equal((await read(host)).status, 200, host.name));
    for (const [what, answerOf] of [
      ['fails', () => say(503)],
      ['takes the app for none', ({ app: { refusals } }: HostInService) => refusals.app],
    ] as const) {
      app.advance(8 * 60 * minute + minute);
      await each(async (host) => {
        const stop = host.script(host.paths.grant, answerOf(host));
        const failed = await read(host);
        stop();
        assert.deepEqual(
          [failed.status, failed.body.error.code],
          [502, 'HOST_ERROR'],
          `${host.name} ${what}`,
        );
        const { status, text } = await read(host);
        assert.equal(status, 200, `${host.name} ${what}, and nobody lost their token: ${text}`);
      });
    }
    app.advance(8 * 60 * minute + minute);
    await each(async (host) => {
      const stop = host.script(host.paths.grant, host.app.refusals.grant);
      const refused = await read(host);
      stop();
      assert.deepEqual([refused.status, refused.body.error.code], [409, 'HOST_TOKEN_INVALID'], host.name);
    });
  });

  test('each bad response to a token refresh gives HOST_ERROR, and only a refused grant gives null', () =>
    each(async (host) => {
      const { codeHost, name, script, paths } = host;
      const hostApp = codeHost.app ?? assert.fail();
      const { refreshToken } = host.app.give('ann', true);
      for (const [what, answerOf, expected] of grants) {
        const stop = script(paths.grant, answerOf(host));
        const outcome = await hostApp.refresh(refreshToken, signal).catch(({ code }) => code);
        stop();
        assert.deepEqual(outcome, expected, `${name} answers ${what}`);
      }
    }));

  test('codes and refresh tokens work once, only for the own application, and only with its secret and code verifier', () =>
    each(async (host) => {
      const { codeHost, name, owner, id } = host;
      const hostApp = codeHost.app ?? assert.fail();
      const redirectUri = publicUrl + (hostApp.callbackPath ?? `/auth/callback/${id}`);
      const challenge = createHash('sha256').update('verifier').digest('base64url');
      const codeFor = async () => {
        host.app.consents('ann');
        const authorize = hostApp.authorizeUrl({ redirectUri, state: 'x', challenge });
        return (await followToGitHub(authorize))?.searchParams.get('code') ?? assert.fail(owner);
      };
      const exchange = (code: string, verifier: string) =>
        hostApp.exchangeCode({ code, verifier, redirectUri }, signal);
      assert.equal(await exchange(await codeFor(), 'another'), null, name);
      const code = await codeFor();
      const granted = (await exchange(code, 'verifier')) ?? assert.fail(name);
      assert.equal(await exchange(code, 'verifier'), null, 'a code works once');
      const lifeMs = host.app.minutes * minute;
      assert.deepEqual(granted.expiresAt, new Date(app.now().getTime() + lifeMs));
      const refreshToken = granted.refreshToken ?? assert.fail(name);
      assert.ok(hostApp.isRefreshToken(refreshToken) && codeHost.recognizes(granted.accessToken));
      const renewed = (await hostApp.refresh(refreshToken, signal)) ?? assert.fail(name);
      assert.ok((await hostApp.confirm(renewed.accessToken, signal))?.hostUserId);
      assert.equal(await hostApp.refresh(refreshToken, signal), null, 'a refresh token works once');
      assert.equal(await hostApp.refresh(host.app.give('ann', false).refreshToken, signal), null);
      host.app.changeSecret('another');
      await assert.rejects(hostApp.refresh(renewed.refreshToken ?? '', signal), {
        code: 'HOST_ERROR',
        message: new RegExp(`${name.toUpperCase()}_CLIENT_SECRET`),
      });
      host.app.changeSecret(host.environment[`${name.toUpperCase()}_CLIENT_SECRET`] ?? '');
    }));
}
