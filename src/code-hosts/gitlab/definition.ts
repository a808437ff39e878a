import type { HostDefinition } from '../host-definition.ts';
import type { GitLabSettings } from './open-gitlab-host.ts';
import { isGitLabToken } from './token-shapes.ts';

export const gitlab: HostDefinition<GitLabSettings> = {
  id: 'gitlab',
  name: 'GitLab',
  tokens: {
    kind: 'gitlabToken',
    isOne: isGitLabToken,
    origin: 'GitLab',
    taken: 'an access token of GitLab (glpat-…)',
  },
  publicUrl: 'https://gitlab.com',
  byGit: { what: 'merge requests of GitLab', isAll: true, isFetched: true },
  webhooks: {
    setting: 'GITLAB_WEBHOOK_SECRETS',
    secretsOf: ({ gitlabWebhookSecrets }) => gitlabWebhookSecrets,
  },
  open: async (settings, surroundings) =>
    (await import('./open-gitlab-host.ts')).openGitLabHost(settings, surroundings),
  examine: async (settings, { connect }) =>
    (await import('./examine-gitlab.ts')).examineGitLab(settings, connect),
};
