import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tokenOf } from './answers.ts';
import type { GitLabState, StandInApplication } from './state.ts';

interface Reply {
  status: number;
  body?: unknown;
  location?: string;
}

type Fields = Record<string, string | undefined>;

const refusal = (error: string, status = 400): Reply => ({
  status,
  body: { error, error_description: error },
});
const secret = (): string => randomBytes(32).toString('hex');

/** Tokens of applications expire after two hours. */
const lifetimeSeconds = 7_200;

/** GitLab's responses to applications and on consent; false for other paths. */
export async function sendApplications(
  parts: { state: GitLabState; path: string; now: () => number },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const { state, now } = parts;
  forgetExpired(state, now());
  const { pathname, searchParams } = new URL(parts.path, 'https://any');
  const answer = async (): Promise<Reply | null> => {
    if (pathname === '/oauth/authorize') return authorize(state, Object.fromEntries(searchParams));
    if (pathname === '/oauth/token') return grant(state, now(), await fieldsOf(request));
    if (pathname === '/oauth/token/info') return tellOf(state, now(), tokenOf(request) ?? '');
    if (pathname === '/oauth/revoke') return revoke(state, await fieldsOf(request));
    return null;
  };
  const reply = await answer();
  if (!reply) return false;
  const { status, body, location } = reply;
  response.writeHead(status, { 'content-type': 'application/json', ...(location && { location }) });
  response.end(body === undefined ? undefined : JSON.stringify(body));
  return true;
}

async function fieldsOf(request: IncomingMessage): Promise<Fields> {
  const text = Buffer.concat(await Array.fromAsync(request)).toString();
  return Object.fromEntries(new URLSearchParams(text));
}

function forgetExpired(state: GitLabState, now: number): void {
  for (const app of state.applications)
    for (const [token, { expiresAt }] of app.tokens) if (expiresAt <= now) forget(state, app, token);
}

function forget({ accounts }: GitLabState, app: StandInApplication, token: string): void {
  app.tokens.delete(token);
  for (const { tokens } of accounts) tokens.delete(token);
}

/** Consents at once, as if the user had confirmed. */
function authorize({ applications }: GitLabState, asked: Fields): Reply {
  const app = applications.find(({ clientId }) => clientId === asked.client_id);
  const { redirect_uri: redirectUri = '', code_challenge: challenge = '' } = asked;
  const isAsAgreed =
    redirectUri === app?.callback &&
    asked.response_type === 'code' &&
    asked.code_challenge_method === 'S256' &&
    asked.scope?.split(' ').every((scope) => app.scopes.split(' ').includes(scope));
  if (!app || !isAsAgreed) return refusal('invalid_request');
  const back = new URL(redirectUri);
  back.searchParams.set('state', asked.state ?? '');
  if (app.consents === null) back.searchParams.set('error', 'access_denied');
  else {
    const code = secret();
    app.codes.set(code, { username: app.consents, challenge, redirectUri });
    back.searchParams.set('code', code);
  }
  return { status: 302, location: back.href };
}

function grant(state: GitLabState, now: number, asked: Fields): Reply {
  const app = state.applications.find(({ clientId }) => clientId === asked.client_id);
  if (!app || asked.client_secret !== app.clientSecret) return refusal('invalid_client', 401);
  if (asked.grant_type === 'refresh_token') {
    const known = app.refreshTokens.get(asked.refresh_token ?? '');
    if (!known) return refusal('invalid_grant');
    app.refreshTokens.delete(asked.refresh_token ?? '');
    forget(state, app, known.accessToken);
    return { status: 200, body: giveToken(state, app, known.username, now) };
  }
  const code = app.codes.get(asked.code ?? '');
  app.codes.delete(asked.code ?? '');
  const verified = createHash('sha256')
    .update(asked.code_verifier ?? '')
    .digest('base64url');
  const isAsked = asked.grant_type === 'authorization_code' && asked.redirect_uri === code?.redirectUri;
  if (!code || !isAsked || code.challenge !== verified) return refusal('invalid_grant');
  return { status: 200, body: giveToken(state, app, code.username, now) };
}

/** Gives an application a token of an account, as an exchange does; returns GitLab's response. */
export function giveToken(state: GitLabState, app: StandInApplication, username: string, now: number) {
  const account = state.accounts.find((one) => one.username === username);
  if (!account) throw new Error(`There is no ${username} on GitLab.`);
  const [accessToken, refreshToken] = [secret(), secret()];
  account.tokens.add(accessToken);
  app.tokens.set(accessToken, { username, expiresAt: now + lifetimeSeconds * 1000 });
  app.refreshTokens.set(refreshToken, { username, accessToken });
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: lifetimeSeconds,
    refresh_token: refreshToken,
    scope: app.scopes,
    created_at: Math.floor(now / 1000),
  };
}

function tellOf({ applications, accounts }: GitLabState, now: number, token: string): Reply {
  const app = applications.find(({ tokens }) => tokens.has(token));
  const known = app?.tokens.get(token);
  if (!app || !known) return refusal('invalid_token', 401);
  return {
    status: 200,
    body: {
      resource_owner_id: accounts.find(({ username }) => username === known.username)?.id,
      scope: app.scopes.split(' '),
      expires_in: Math.floor((known.expiresAt - now) / 1000),
      application: { uid: app.clientId },
    },
  };
}

function revoke(state: GitLabState, asked: Fields): Reply {
  const app = state.applications.find(({ clientId }) => clientId === asked.client_id);
  if (!app || asked.client_secret !== app.clientSecret) return refusal('unauthorized_client', 403);
  forget(state, app, asked.token ?? '');
  return { status: 200, body: {} };
}
