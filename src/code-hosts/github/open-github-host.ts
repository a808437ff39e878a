import type { CodeHost } from '../code-host.ts';
import type { NetworkSurroundings } from '../host-definition.ts';
import { openWays } from '../http/open-ways.ts';
import { addressesOf } from './github-api.ts';
import { createGitHubApp } from './github-app.ts';
import { createGitHubHost } from './github-host.ts';

/** The settings that are about GitHub. */
export interface GitHubSettings {
  githubUrl: URL;
  githubToken: string | undefined;
  githubClientId: string | undefined;
  githubClientSecret: string | undefined;
  githubScopes: string;
  githubWebhookSecrets: string[];
  dataFolder: string;
  maxDiffBytes: number;
}

/** GitHub as the settings want it, with a way out to it alone. */
export async function openGitHubHost(
  settings: GitHubSettings,
  surroundings: NetworkSurroundings,
): Promise<CodeHost> {
  const { githubClientId: clientId, githubClientSecret: clientSecret, githubScopes: scopes } = settings;
  const { dataFolder, maxDiffBytes } = settings;
  const { clock } = surroundings;
  const addresses = addressesOf(settings.githubUrl);
  const { web, api, isOwn: mayBePrivate } = addresses;
  const to = {
    id: 'github',
    name: 'GitHub',
    web,
    api,
    mayBePrivate,
    gitUser: 'x-access-token',
    dataFolder,
    maxDiffBytes,
  };
  const ways = await openWays(to, surroundings);
  const { fetchAsApp: fetch } = ways;
  return createGitHubHost({
    addresses,
    webhookSecrets: settings.githubWebhookSecrets,
    token: settings.githubToken ?? null,
    app:
      clientId && clientSecret
        ? createGitHubApp(addresses, { clientId, clientSecret, scopes, fetch, clock })
        : null,
    ways,
    clock,
  });
}
