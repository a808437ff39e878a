import type { NetworkHostDefinition } from '../host-definition.ts';
import { type GiteaSettings, isGiteaToken } from './gitea-settings.ts';

/** Gitea, and Forgejo, which has the same API. */
export const gitea: NetworkHostDefinition<GiteaSettings> = {
  id: 'gitea',
  name: 'Gitea',
  tokens: {
    kind: 'giteaToken',
    isOne: isGiteaToken,
    origin: 'Gitea',
    taken: 'an access token of Gitea or Forgejo (40 hexadecimal digits)',
  },
  web: {
    urlOf: ({ giteaUrl }) => giteaUrl,
    urlSetting: 'GITEA_URL',
    tokenOf: ({ giteaToken }) => giteaToken,
    tokenSetting: 'GITEA_TOKEN',
    ownersNest: false,
    examplePath: '/OWNER/REPO/pulls/7',
  },
  byGit: { what: 'pull requests of Gitea', isAll: true, isFetched: true },
  webhooks: {
    setting: 'GITEA_WEBHOOK_SECRETS',
    secretsOf: ({ giteaWebhookSecrets }) => giteaWebhookSecrets,
    headers:
      'Gitea and Forgejo: `X-Gitea-Signature`, `X-Gitea-Delivery` and `X-Gitea-Event`, or Forgejo’s own',
  },
  open: async (settings, deps) => (await import('./gitea-host.ts')).openGiteaHost(settings, deps),
  examine: async (settings, { connect }) =>
    (await import('./examine-gitea.ts')).examineGitea(settings, connect),
};
