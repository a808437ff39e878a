import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Reply } from './reply.ts';
import type { GiteaState, StandInApp } from './state.ts';

type Fields = Record<string, string | undefined>;

/** Gitea's error for an invalid request of an application. */
const refused = (error: string, description: string): Reply => ({
  status: 400,
  body: { error, error_description: description },
});

/** Gitea's responses to applications and on consent; null for other paths. */
export async function sendOAuth(
  { state, now }: { state: GiteaState; now: () => number },
  path: string,
  request: IncomingMessage,
): Promise<Reply | null> {
  const { pathname, searchParams } = new URL(path, 'https://any');
  forgetExpired(state, now());
  if (pathname === '/login/oauth/authorize') return authorize(state, Object.fromEntries(searchParams));
  if (pathname === '/login/oauth/access_token') return grant(state, now(), await fieldsOf(request));
  if (pathname === '/login/oauth/introspect') return introspect(state, request, await fieldsOf(request));
  return null;
}

const fieldsOf = async (request: IncomingMessage): Promise<Fields> =>
  Object.fromEntries(new URLSearchParams(Buffer.concat(await Array.fromAsync(request)).toString()));

function forgetExpired({ apps, accounts }: GiteaState, now: number): void {
  for (const { tokens } of apps)
    for (const [token, { login, expiresAt }] of tokens) {
      if (expiresAt > now) continue;
      tokens.delete(token);
      accounts.find((one) => one.login === login)?.tokens.delete(token);
    }
}

/** Consents at once, as if the user had confirmed. */
function authorize({ apps }: GiteaState, asked: Fields): Reply {
  const app = apps.find(({ clientId }) => clientId === asked.client_id);
  const isRight =
    app &&
    asked.redirect_uri === app.callback &&
    asked.response_type === 'code' &&
    asked.code_challenge_method === 'S256';
  if (!isRight)
    return {
      status: 400,
      headers: { 'content-type': 'text/html' },
      body: '<title>Authorization failed</title>',
    };
  app.scopes.push(asked.scope ?? '');
  const back = new URL(app.callback);
  back.searchParams.set('state', asked.state ?? '');
  if (app.consents === null) back.searchParams.set('error', 'access_denied');
  else {
    const code = `gta_${randomBytes(24).toString('hex')}`;
    app.codes.set(code, {
      login: app.consents,
      challenge: asked.code_challenge ?? '',
      redirectUri: app.callback,
    });
    back.searchParams.set('code', code);
  }
  return { status: 303, headers: { location: back.href }, body: '' };
}

function grant(state: GiteaState, now: number, asked: Fields): Reply {
  const app = state.apps.find(({ clientId }) => clientId === asked.client_id);
  if (!app) return refused('invalid_client', `cannot load client with client id: '${asked.client_id}'`);
  if (asked.client_secret !== app.clientSecret)
    return refused('unauthorized_client', 'invalid client secret');
  if (asked.grant_type === 'refresh_token') {
    const known = app.refreshTokens.get(asked.refresh_token ?? '');
    if (!known) return refused('unauthorized_client', 'token was already used');
    app.refreshTokens.delete(asked.refresh_token ?? '');
    return { status: 200, body: giveToken(state, app, known.login, now) };
  }
  if (asked.grant_type !== 'authorization_code')
    return refused(
      'unsupported_grant_type',
      'Only refresh_token or authorization_code grant type is supported',
    );
  app.verifiers.push(asked.code_verifier ?? '');
  const code = app.codes.get(asked.code ?? '');
  if (!code) return refused('unauthorized_client', 'client is not authorized');
  app.codes.delete(asked.code ?? '');
  const verified = createHash('sha256')
    .update(asked.code_verifier ?? '')
    .digest('base64url');
  if (code.challenge !== verified) return refused('unauthorized_client', 'failed PKCE code challenge');
  if (asked.redirect_uri !== code.redirectUri)
    return refused('unauthorized_client', 'unexpected redirect URI');
  return { status: 200, body: giveToken(state, app, code.login, now) };
}

const lifetime = 3600;

/** A signed token like Gitea's, which only Gitea can verify. */
function jwtOf(kind: 0 | 1, expiresAt: number): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = {
    gnt: 1,
    tt: kind,
    ...(kind === 1 && { cnt: 1 }),
    exp: Math.floor(expiresAt / 1000),
    iat: 1,
  };
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}.${randomBytes(24).toString('base64url')}`;
}

/** Gives an application a token of an account, as an exchange does; returns Gitea's response. */
export function giveToken({ accounts }: GiteaState, app: StandInApp, login: string, now: number) {
  const account = accounts.find((one) => one.login === login);
  if (!account) throw new Error(`There is no ${login} on Gitea.`);
  const expiresAt = now + lifetime * 1000;
  const [accessToken, refreshToken] = [jwtOf(0, expiresAt), jwtOf(1, expiresAt)];
  account.tokens.add(accessToken);
  app.tokens.set(accessToken, { login, expiresAt });
  app.refreshTokens.set(refreshToken, { login });
  return {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: lifetime,
    refresh_token: refreshToken,
  };
}

/**
 * Whether the application or, up to Gitea 1.22, the token may introspect tokens. Credentials are checked first, and an expired
 * one is refused: a token in the body counts as one, unless tokens count in headers only. Every application may introspect
 * every token.
 */
function introspect(
  { apps, accounts, isUpTo122, takesTokensInForms }: GiteaState,
  { headers }: IncomingMessage,
  { token = '' }: Fields,
): Reply {
  const [, scheme = '', credential = ''] = /^(\w+) (.+)$/.exec(headers.authorization ?? '') ?? [];
  const bearer = scheme.toLowerCase() === 'bearer' ? credential : '';
  const presented = (takesTokensInForms && token) || bearer;
  const isAlive = accounts.some(({ tokens }) => tokens.has(presented));
  if (presented !== '' && !isAlive) return unauthorized('Verify');
  const given = scheme === 'Basic' ? Buffer.from(credential, 'base64').toString() : '';
  const isApp = apps.some(({ clientId, clientSecret }) => given === `${clientId}:${clientSecret}`);
  if (!(isUpTo122 ? isAlive : isApp)) return unauthorized('no valid authorization');
  const app = apps.find(({ tokens }) => tokens.has(token));
  const account = accounts.find(({ login }) => login === app?.tokens.get(token)?.login);
  if (!app || !account) return { status: 200, body: { active: false } };
  const { id, login } = account;
  const named = isUpTo122 ? {} : { username: login };
  return { status: 200, body: { active: true, ...named, sub: String(id), aud: [app.clientId] } };
}

const unauthorized = (body: string): Reply => ({
  status: 401,
  headers: { 'content-type': 'text/plain;charset=utf-8' },
  body,
});
