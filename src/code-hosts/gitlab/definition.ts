import type { NetworkHostDefinition } from '../host-definition.ts';
import { type GitLabSettings, isGitLabToken, ownersNest } from './gitlab-settings.ts';

export const gitlab: NetworkHostDefinition<GitLabSettings> = {
  id: 'gitlab',
  name: 'GitLab',
  tokens: {
    kind: 'gitlabToken',
    isOne: isGitLabToken,
    origin: 'GitLab',
    taken: 'an access token of GitLab (glpat-…)',
  },
  publicUrl: 'https://gitlab.com',
  web: {
    urlOf: ({ gitlabUrl }) => gitlabUrl,
    urlSetting: 'GITLAB_URL',
    tokenOf: ({ gitlabToken }) => gitlabToken,
    tokenSetting: 'GITLAB_TOKEN',
    ownersNest,
    examplePath: '/GROUP/PROJECT/-/merge_requests/7',
  },
  byGit: { what: 'merge requests of GitLab', isAll: true, isFetched: true },
  webhooks: {
    setting: 'GITLAB_WEBHOOK_SECRETS',
    secretsOf: ({ gitlabWebhookSecrets }) => gitlabWebhookSecrets,
    headers:
      'GitLab: `webhook-signature`, or the secret itself in `X-Gitlab-Token`, with `Idempotency-Key` or `X-Gitlab-Event-UUID`, and `X-Gitlab-Event`',
  },
  open: async (settings, deps) => (await import('./gitlab-host.ts')).openGitLabHost(settings, deps),
  examine: async (settings, { connect }) =>
    (await import('./examine-gitlab.ts')).examineGitLab(settings, connect),
};
