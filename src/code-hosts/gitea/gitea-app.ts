import { Type } from '../../contract/type.ts';
import type { HostApp } from '../host-app.ts';
import { brokenAnswer } from '../http/host-failures.ts';
import { askAsApp, createOAuthApp, type OAuthOptions, readAnswer } from '../http/oauth-app.ts';
import type { GiteaAddresses } from './addresses.ts';
import { neededScopes } from './gitea-api.ts';
import { expiryOf, isRefreshToken } from './token-shapes.ts';

type Options = Pick<OAuthOptions, 'clientId' | 'clientSecret' | 'fetch' | 'clock'> & {
  addresses: GiteaAddresses;
};

const name = 'Gitea';
const settings = { clientId: 'GITEA_CLIENT_ID', clientSecret: 'GITEA_CLIENT_SECRET' };

const Introspected = Type.Object({
  active: Type.Boolean(),
  sub: Type.Optional(Type.String({ pattern: '^\\d{1,15}$' })),
  aud: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
});

/** Of what Gitea calls an unauthorized client, what is wrong with the application, and not with what it asked for. */
const isAppAtFault = (error: string, description: string): boolean =>
  error === 'invalid_client' ||
  (error === 'unauthorized_client' && /client secret|redirect uri/i.test(description));

/** What this service is on Gitea: an OAuth2 application. Up to 1.22 its tokens may do everything, since then what is asked for. */
export function createGiteaApp({ addresses, ...given }: Options): HostApp {
  const { web } = addresses;
  const options = {
    ...given,
    name,
    settings,
    scopes: neededScopes,
    authorizeUrl: `${web}/login/oauth/authorize`,
    tokenUrl: `${web}/login/oauth/access_token`,
    isAppAtFault,
  };
  const basic = `Basic ${Buffer.from(`${given.clientId}:${given.clientSecret}`).toString('base64')}`;
  return {
    ...createOAuthApp(options),
    isRefreshToken,
    async confirm(accessToken, signal) {
      const { data } = await askAsApp(options, `${web}/login/oauth/introspect`, {
        method: 'POST',
        headers: { authorization: basic },
        body: new URLSearchParams({ token: accessToken }),
        signal,
      });
      const told = await readAnswer(Introspected, data);
      if (!told) throw brokenAnswer(name);
      // Older ones tell of the tokens of every application.
      const isOurs = told.active && [told.aud].flat().includes(given.clientId);
      return isOurs ? { hostUserId: Number(told.sub) || null, expiresAt: expiryOf(accessToken) } : null;
    },
    // Gitea takes back no single token. They live for an hour, and people take back what they have allowed in their settings there.
    revoke: async () => {},
  };
}
