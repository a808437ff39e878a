import { StartupProblem } from '../../domain/errors.ts';
import type { CodeHost } from '../code-host.ts';
import type { NetworkSurroundings } from '../host-definition.ts';
import { openWays } from '../http/open-ways.ts';
import { addressesOf } from './gitea-api.ts';
import { createGiteaApp } from './gitea-app.ts';
import { createGiteaHost } from './gitea-host.ts';

/** The settings that are about Gitea. */
export interface GiteaSettings {
  giteaUrl: URL | undefined;
  giteaToken: string | undefined;
  giteaClientId: string | undefined;
  giteaClientSecret: string | undefined;
  giteaWebhookSecrets: string[];
  dataFolder: string;
  maxDiffBytes: number;
}

/** What git presents beside a token: Gitea looks at the token alone. */
const gitUser = 'x-access-token';

/** Gitea as the settings want it, with a way out to it alone. */
export async function openGiteaHost(
  settings: GiteaSettings,
  surroundings: NetworkSurroundings,
): Promise<CodeHost> {
  const { giteaUrl, giteaToken, giteaClientId: clientId, giteaClientSecret: clientSecret } = settings;
  const { dataFolder, maxDiffBytes } = settings;
  const { clock } = surroundings;
  if (!giteaUrl) throw new StartupProblem('GITEA_URL says where Gitea is: set it.');
  const addresses = addressesOf(giteaUrl);
  const { web, api } = addresses;
  const ways = await openWays(
    { id: 'gitea', name: 'Gitea', web, api, mayBePrivate: true, gitUser, dataFolder, maxDiffBytes },
    surroundings,
  );
  const { fetchAsApp: fetch } = ways;
  return createGiteaHost({
    addresses,
    webhookSecrets: settings.giteaWebhookSecrets,
    token: giteaToken ?? null,
    app:
      clientId && clientSecret ? createGiteaApp({ addresses, clientId, clientSecret, fetch, clock }) : null,
    ways,
    clock,
  });
}
