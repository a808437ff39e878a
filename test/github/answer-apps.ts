import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Describe } from './answers.ts';
import type { GitHubState, StandInApp } from './state.ts';

interface Reply {
  status: number;
  body?: unknown;
  location?: string;
}

type Fields = Record<string, string | undefined>;

const refusal = (error: string): Reply => ({ status: 200, body: { error, error_description: error } });
const notFound: Reply = { status: 404, body: { message: 'Not Found' } };
const secretOf = (kind: string): string => `${kind}_${randomBytes(18).toString('hex')}`;

/** GitHub's responses to apps and on consent; false for other paths. */
export async function sendApps(
  parts: { state: GitHubState; describe: Describe; now: () => number },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const { state, describe, now } = parts;
  forgetExpired(state, now());
  const { pathname, searchParams } = new URL(request.url ?? '', 'https://any');
  const path = pathname.replace(/^\/api\/v3(?=\/)/, '');
  const answer = async (): Promise<Reply | null> => {
    if (path === '/login/oauth/authorize') return authorize(state, Object.fromEntries(searchParams));
    if (path === '/login/oauth/access_token') return grant(state, now(), await fieldsOf(request));
    if (path === '/login/device/code') return beginDevice(state, await fieldsOf(request));
    const [, clientId] = /^\/applications\/([^/]+)\/token$/.exec(path) ?? [];
    if (!clientId) return null;
    const reply = sendTokenInfo(state, clientId, request, await fieldsOf(request));
    if (reply.status !== 200) return reply;
    return { ...reply, body: describe('post /applications/{client_id}/token', reply.body) };
  };
  const reply = await answer();
  if (!reply) return false;
  const { status, body, location } = reply;
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    ...(location !== undefined && { location }),
  });
  response.end(body === undefined ? undefined : JSON.stringify(body));
  return true;
}

async function fieldsOf(request: IncomingMessage): Promise<Fields> {
  const text = Buffer.concat(await Array.fromAsync(request)).toString();
  const isJson = request.headers['content-type']?.includes('json');
  return isJson ? JSON.parse(text || '{}') : Object.fromEntries(new URLSearchParams(text));
}

/** Removes expired tokens from their accounts. */
function forgetExpired({ apps, accounts }: GitHubState, now: number): void {
  for (const { tokens } of apps)
    for (const [token, { login, expiresAt }] of tokens) {
      if (expiresAt === null || expiresAt > now) continue;
      tokens.delete(token);
      accounts.find((one) => one.login === login)?.tokens.delete(token);
    }
}

/** Consents at once, as if the user had confirmed. */
function authorize({ apps }: GitHubState, asked: Fields): Reply {
  const app = apps.find(({ clientId }) => clientId === asked.client_id);
  if (!app) return notFound;
  const { redirect_uri: redirectUri = app.callback, code_challenge: challenge = null } = asked;
  if (redirectUri !== app.callback || (challenge !== null && asked.code_challenge_method !== 'S256'))
    return { status: 400, body: { message: 'redirect_uri_mismatch' } };
  const back = new URL(redirectUri);
  back.searchParams.set('state', asked.state ?? '');
  if (app.consents === null) back.searchParams.set('error', 'access_denied');
  else {
    const code = secretOf('code');
    app.codes.set(code, { login: app.consents, challenge, redirectUri });
    back.searchParams.set('code', code);
  }
  return { status: 302, location: back.href };
}

function grant(state: GitHubState, now: number, asked: Fields): Reply {
  const app = state.apps.find(({ clientId }) => clientId === asked.client_id);
  if (!app) return notFound;
  if (asked.device_code !== undefined) return grantDevice(state, app, now, asked.device_code);
  if (asked.client_secret !== app.clientSecret) return refusal('incorrect_client_credentials');
  if (asked.grant_type === 'refresh_token') {
    const known = app.refreshTokens.get(asked.refresh_token ?? '');
    if (!known) return refusal('bad_refresh_token');
    app.refreshTokens.delete(asked.refresh_token ?? '');
    revoke(state, app, known.accessToken);
    return { status: 200, body: giveToken(state, app, known.login, now) };
  }
  app.verifiers.push(asked.code_verifier ?? '');
  const code = app.codes.get(asked.code ?? '');
  if (!code) return refusal('bad_verification_code');
  // A code can be tried once.
  app.codes.delete(asked.code ?? '');
  const verified = createHash('sha256')
    .update(asked.code_verifier ?? '')
    .digest('base64url');
  if (code.challenge !== null && code.challenge !== verified) return refusal('bad_verification_code');
  if (asked.redirect_uri !== code.redirectUri) return refusal('redirect_uri_mismatch');
  return { status: 200, body: giveToken(state, app, code.login, now) };
}

/** Gives an app a token of an account, as an exchange does; returns GitHub's response. */
export function giveToken(state: GitHubState, app: StandInApp, login: string, now: number) {
  const account = state.accounts.find((one) => one.login === login);
  if (!account) throw new Error(`There is no ${login} on GitHub.`);
  const accessToken = secretOf(app.expiresIn === null ? 'gho' : 'ghu');
  account.tokens.add(accessToken);
  const expiresAt = app.expiresIn === null ? null : now + app.expiresIn * 1000;
  app.tokens.set(accessToken, { login, expiresAt });
  const answer = { access_token: accessToken, token_type: 'bearer', scope: '' };
  if (app.expiresIn === null) return answer;
  const refreshToken = secretOf('ghr');
  app.refreshTokens.set(refreshToken, { login, accessToken });
  return {
    ...answer,
    expires_in: app.expiresIn,
    refresh_token: refreshToken,
    refresh_token_expires_in: 15_897_600,
  };
}

function revoke(state: GitHubState, app: StandInApp, accessToken: string): void {
  app.tokens.delete(accessToken);
  for (const { tokens } of state.accounts) tokens.delete(accessToken);
}

function beginDevice({ apps }: GitHubState, { client_id: clientId }: Fields): Reply {
  const app = apps.find((one) => one.clientId === clientId);
  if (!app) return notFound;
  if (app.deviceAnswers[0] === 'device_flow_disabled') return refusal('device_flow_disabled');
  const deviceCode = secretOf('device');
  app.devices.set(deviceCode, { login: app.consents ?? '' });
  const verificationUri = 'https://github.example/login/device';
  return {
    status: 200,
    body: {
      device_code: deviceCode,
      user_code: 'WDJB-MJHT',
      verification_uri: verificationUri,
      expires_in: 900,
      interval: 1,
    },
  };
}

function grantDevice(state: GitHubState, app: StandInApp, now: number, deviceCode: string): Reply {
  const device = app.devices.get(deviceCode);
  if (!device) return refusal('incorrect_device_code');
  const answer = app.deviceAnswers.shift();
  if (answer === 'slow_down') return { status: 200, body: { error: answer, interval: 6 } };
  if (answer !== undefined) return refusal(answer);
  app.devices.delete(deviceCode);
  return { status: 200, body: giveToken(state, app, device.login, now) };
}

function sendTokenInfo(
  state: GitHubState,
  clientId: string,
  { method, headers }: IncomingMessage,
  { access_token: accessToken = '' }: Fields,
): Reply {
  const app = state.apps.find((one) => one.clientId === clientId);
  const given = Buffer.from(/^Basic (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '', 'base64').toString();
  if (!app || given !== `${app.clientId}:${app.clientSecret}`)
    return { status: 401, body: { message: 'Bad credentials' } };
  const known = app.tokens.get(accessToken);
  if (!known) return notFound;
  if (method === 'DELETE') {
    revoke(state, app, accessToken);
    return { status: 204 };
  }
  const { login, expiresAt } = known;
  const account = state.accounts.find((one) => one.login === login);
  const expires = expiresAt === null ? null : new Date(expiresAt).toISOString();
  return {
    status: 200,
    body: {
      id: 1,
      token: '',
      app: { client_id: clientId },
      expires_at: expires,
      user: { id: account?.id, login },
    },
  };
}
