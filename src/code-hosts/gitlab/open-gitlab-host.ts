import type { CodeHost } from '../code-host.ts';
import type { NetworkSurroundings } from '../host-definition.ts';
import { openWays } from '../http/open-ways.ts';
import { addressesOf } from './gitlab-api.ts';
import { createGitLabApp } from './gitlab-app.ts';
import { createGitLabHost } from './gitlab-host.ts';

/** The settings that are about GitLab. */
export interface GitLabSettings {
  gitlabUrl: URL;
  gitlabToken: string | undefined;
  gitlabClientId: string | undefined;
  gitlabClientSecret: string | undefined;
  gitlabScopes: string;
  gitlabWebhookSecrets: string[];
  dataFolder: string;
  maxDiffBytes: number;
}

/** GitLab as the settings want it, with a way out to it alone. */
export async function openGitLabHost(
  settings: GitLabSettings,
  surroundings: NetworkSurroundings,
): Promise<CodeHost> {
  const { gitlabClientId: clientId, gitlabClientSecret: clientSecret, gitlabScopes: scopes } = settings;
  const { dataFolder, maxDiffBytes } = settings;
  const { clock } = surroundings;
  const addresses = addressesOf(settings.gitlabUrl);
  const { web, api, isOwn: mayBePrivate } = addresses;
  const to = {
    id: 'gitlab',
    name: 'GitLab',
    web,
    api,
    mayBePrivate,
    gitUser: 'oauth2',
    dataFolder,
    maxDiffBytes,
  };
  const ways = await openWays(to, surroundings);
  const { fetchAsApp: fetch } = ways;
  return createGitLabHost({
    addresses,
    webhookSecrets: settings.gitlabWebhookSecrets,
    token: settings.gitlabToken ?? null,
    app:
      clientId && clientSecret
        ? createGitLabApp(addresses, { clientId, clientSecret, scopes, fetch, clock })
        : null,
    ways,
    clock,
  });
}
