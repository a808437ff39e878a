import type { HostApp } from '../code-host.ts';
import { TokenRefused } from '../http/host-api.ts';
import { HostClient } from '../http/host-client.ts';
import { askAsApp, createOAuthApp, type OAuthOptions } from '../http/oauth-app.ts';
import type { GitLabAddresses } from './gitlab-api.ts';
import { createGitLabApi } from './gitlab-api.ts';
import { TokenInfoPayload } from './payloads.ts';
import { isAppToken } from './token-shapes.ts';

type Options = Pick<OAuthOptions, 'clientId' | 'clientSecret' | 'scopes' | 'fetch' | 'clock'>;

/** The application that this service is on GitLab. */
export function createGitLabApp({ web }: GitLabAddresses, given: Options): HostApp {
  const options: OAuthOptions = {
    ...given,
    name: 'GitLab',
    settings: { clientId: 'GITLAB_CLIENT_ID', clientSecret: 'GITLAB_CLIENT_SECRET' },
    authorizeUrl: `${web}/oauth/authorize`,
    tokenUrl: `${web}/oauth/token`,
  };
  const { clientId, clientSecret, fetch, clock } = options;
  const client = new HostClient({ api: createGitLabApi(web), fetch, clock });
  return {
    ...createOAuthApp(options),
    // GitLab gives both the same form; it says itself which one it is.
    isRefreshToken: isAppToken,
    async confirm(token, signal) {
      try {
        const told = await client.get('/oauth/token/info', TokenInfoPayload, {
          isService: false,
          token,
          signal,
        });
        if (told?.application?.uid !== clientId) return null;
        const { resource_owner_id: hostUserId, expires_in: seconds } = told;
        const expiresAt = seconds ? new Date(clock().getTime() + seconds * 1000) : null;
        return { hostUserId: hostUserId ?? null, expiresAt };
      } catch (error) {
        if (error instanceof TokenRefused) return null;
        throw error;
      }
    },
    async revoke(token, signal) {
      if (!isAppToken(token)) return;
      const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret, token });
      await askAsApp(options, `${web}/oauth/revoke`, { method: 'POST', body, signal });
    },
  };
}
