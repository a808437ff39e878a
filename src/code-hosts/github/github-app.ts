import type { Static, TSchema } from 'typebox';
import { Type } from '../../contract/type.ts';
import { EgressProblem } from '../../domain/egress-problem.ts';
import { Failure } from '../../domain/errors.ts';
import { githubAppToken } from '../../domain/token-shapes.ts';
import { UselessAnswer } from '../code-host.ts';
import type { GrantedToken, HostApp } from '../host-app.ts';
import { isSlow } from '../http/errors-of-calls.ts';
import { brokenAnswer, limited, noAnswer, unreachable } from '../http/host-failures.ts';
import type { GitHubAddresses } from './addresses.ts';
import { Time, timeOf } from './times.ts';

interface Options {
  addresses: GitHubAddresses;
  clientId: string;
  clientSecret: string;
  scopes: string;
  /** An egress client that reaches only GitHub. */
  fetch: typeof globalThis.fetch;
  clock: () => Date;
}

/** GitHub's own word for limits that come without one. */
const limitedSeconds = 60;

const Name = Type.String({ minLength: 1, maxLength: 4096 });
const Granted = Type.Object({
  access_token: Name,
  expires_in: Type.Optional(Type.Integer({ minimum: 1 })),
  refresh_token: Type.Optional(Name),
});
const Refused = Type.Object({ error: Type.String() });
const Confirmed = Type.Object({
  expires_at: Type.Optional(Type.Union([Time, Type.Null()])),
  user: Type.Optional(Type.Union([Type.Object({ id: Type.Integer() }), Type.Null()])),
});

/** What is wrong with the app, not with what it asked for. */
const badApp =
  /^(?:incorrect_client_credentials|redirect_uri_mismatch|unauthorized_client|application_suspended)$/;

/** What is wrong with what it asked for. Any other error may pass, and costs no user the token. */
const badRequest =
  /^(?:bad_verification_code|bad_refresh_token|invalid_grant|expired_token|access_denied|unverified_user_email)$/;

/** What this service is on GitHub: an OAuth app or a GitHub App, which are asked in the same way. */
export function createGitHubApp(options: Options): HostApp {
  const { addresses, clientId, clientSecret, scopes, clock } = options;
  const address = `${addresses.api}/applications/${encodeURIComponent(clientId)}/token`;
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;

  const askAboutToken = (method: string, accessToken: string, signal: AbortSignal) =>
    ask(options.fetch, address, {
      method,
      headers: { authorization: basic, 'content-type': 'application/json' },
      body: JSON.stringify({ access_token: accessToken }),
      signal,
    });

  const grant = async (asked: Record<string, string>, signal: AbortSignal): Promise<GrantedToken | null> => {
    const { status, data } = await ask(options.fetch, `${addresses.web}/login/oauth/access_token`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...asked }),
      signal,
    });
    const refused = await read(Refused, data);
    // GitHub finds no app of this name.
    if (status === 404) throw appRefused(String(status));
    if (refused && badApp.test(refused.error)) throw appRefused(refused.error);
    if (refused && badRequest.test(refused.error)) return null;
    const granted = refused ? null : await read(Granted, data);
    if (!granted) throw brokenAnswer(refused && new Error(`GitHub answered ${refused.error.slice(0, 100)}.`));
    const { access_token, expires_in, refresh_token } = granted;
    return {
      accessToken: access_token,
      expiresAt: expires_in === undefined ? null : new Date(clock().getTime() + expires_in * 1000),
      refreshToken: refresh_token ?? null,
    };
  };

  return {
    clientId,
    scopes,
    authorizeUrl({ redirectUri, state, challenge }) {
      const url = new URL(`${addresses.web}/login/oauth/authorize`);
      url.search = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        state,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        ...(scopes && { scope: scopes }),
      }).toString();
      return url.href;
    },
    exchangeCode: ({ code, verifier, redirectUri }, signal) =>
      grant({ code, code_verifier: verifier, redirect_uri: redirectUri }, signal),
    refresh: (refreshToken, signal) =>
      grant({ grant_type: 'refresh_token', refresh_token: refreshToken }, signal),
    isRefreshToken: (token) => /^ghr_[\w.-]+$/.test(token),
    async confirm(accessToken, signal) {
      const { status, data } = await askAboutToken('POST', accessToken, signal);
      // GitHub finds no such token of this app, or none of such a form.
      if (status === 404 || status === 422) return null;
      const confirmed = await read(Confirmed, data);
      if (!confirmed) throw brokenAnswer();
      const { expires_at: expires, user } = confirmed;
      return { hostUserId: user?.id ?? null, expiresAt: expires ? timeOf(expires) : null };
    },
    async revoke(accessToken, signal) {
      if (!githubAppToken.test(accessToken)) return;
      await askAboutToken('DELETE', accessToken, signal);
    },
  };
}

/** What GitHub answers an app, where it is about what was asked. Nothing of what was sent is in a failure. */
async function ask(
  fetch: typeof globalThis.fetch,
  address: string,
  { headers, signal, ...init }: RequestInit & { signal: AbortSignal },
): Promise<{ status: number; data: unknown }> {
  try {
    const response = await fetch(address, {
      ...init,
      headers: { accept: 'application/json', 'user-agent': 'pullquote', ...headers },
      signal,
    });
    const { status } = response;
    const text = await response.text();
    if (status === 401) throw appRefused(String(status));
    if (status === 429 || status === 403) throw limited(limitedSeconds, true);
    if (status >= 500) throw brokenAnswer(new Error(`GitHub answered ${status}.`));
    return { status, data: parse(text) };
  } catch (error) {
    if (error instanceof Failure) throw error;
    const cause = new Error(error instanceof Error ? error.message : 'something else was thrown');
    if (signal.aborted || isSlow(error)) throw noAnswer(cause);
    throw error instanceof EgressProblem ? brokenAnswer(cause) : unreachable(cause);
  }
}

/** Null where it is no JSON, such as what was to be done being done. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function read<Schema extends TSchema>(schema: Schema, data: unknown): Promise<Static<Schema> | null> {
  const { Check } = await import('typebox/value');
  return Check(schema, data) ? data : null;
}

function appRefused(why: string): Failure {
  return new UselessAnswer(
    'GitHub refuses the app of this service. Its operator has to check GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET and the callback address.',
    { cause: new Error(`GitHub refuses the app: ${why.slice(0, 100)}`) },
  );
}
