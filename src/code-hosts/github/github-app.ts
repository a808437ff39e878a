import { Type } from '../../contract/type.ts';
import type { HostApp } from '../code-host.ts';
import { brokenAnswer } from '../http/host-api.ts';
import { askAsApp, createOAuthApp, type OAuthOptions, readAnswer } from '../http/oauth-app.ts';
import { Time, timeOf } from '../payload-types.ts';
import type { GitHubAddresses } from './github-api.ts';
import { isAppToken } from './token-shapes.ts';

type Options = Pick<OAuthOptions, 'clientId' | 'clientSecret' | 'scopes' | 'fetch' | 'clock'>;

const Confirmed = Type.Object({
  expires_at: Type.Optional(Type.Union([Time, Type.Null()])),
  user: Type.Optional(Type.Union([Type.Object({ id: Type.Integer() }), Type.Null()])),
});

/** What this service is on GitHub: an OAuth app or a GitHub App, which are asked in the same way. */
export function createGitHubApp(addresses: GitHubAddresses, given: Options): HostApp {
  const options: OAuthOptions = {
    ...given,
    name: 'GitHub',
    settings: { clientId: 'GITHUB_CLIENT_ID', clientSecret: 'GITHUB_CLIENT_SECRET' },
    authorizeUrl: `${addresses.web}/login/oauth/authorize`,
    tokenUrl: `${addresses.web}/login/oauth/access_token`,
  };
  const { clientId, clientSecret } = options;
  const address = `${addresses.api}/applications/${encodeURIComponent(clientId)}/token`;
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;

  const askAboutToken = (method: string, accessToken: string, signal: AbortSignal) =>
    askAsApp(options, address, {
      method,
      headers: { authorization: basic, 'content-type': 'application/json' },
      body: JSON.stringify({ access_token: accessToken }),
      signal,
    });

  return {
    ...createOAuthApp(options),
    callbackPath: '/auth/callback',
    isRefreshToken: (token) => /^ghr_[\w.-]+$/.test(token),
    async confirm(accessToken, signal) {
      const { status, data } = await askAboutToken('POST', accessToken, signal);
      // GitHub finds no such token of this app, or none of such a form.
      if (status === 404 || status === 422) return null;
      const confirmed = await readAnswer(Confirmed, data);
      if (!confirmed) throw brokenAnswer(options.name);
      const { expires_at: expires, user } = confirmed;
      return { hostUserId: user?.id ?? null, expiresAt: expires ? timeOf(expires) : null };
    },
    async revoke(accessToken, signal) {
      if (isAppToken(accessToken)) await askAboutToken('DELETE', accessToken, signal);
    },
  };
}
