import type { NetworkHostDefinition } from '../host-definition.ts';
import { type GitHubSettings, isGitHubToken } from './github-settings.ts';

export const github: NetworkHostDefinition<GitHubSettings> = {
  id: 'github',
  name: 'GitHub',
  tokens: {
    kind: 'githubToken',
    isOne: isGitHubToken,
    origin: 'GitHub',
    taken: 'a personal access token of GitHub (github_pat_… or ghp_…)',
  },
  publicUrl: 'https://github.com',
  deviceFlow: {
    codePath: '/login/device/code',
    tokenPath: '/login/oauth/access_token',
    clientIdSetting: 'GITHUB_CLIENT_ID',
  },
  web: {
    urlOf: ({ githubUrl }) => githubUrl,
    urlSetting: 'GITHUB_URL',
    tokenOf: ({ githubToken }) => githubToken,
    tokenSetting: 'GITHUB_TOKEN',
    tokenCommand: 'gh auth token',
    ownersNest: false,
    examplePath: '/OWNER/REPO/pull/7',
  },
  byGit: { what: 'large pull requests of GitHub', isAll: false, isFetched: true },
  webhooks: {
    setting: 'GITHUB_WEBHOOK_SECRETS',
    secretsOf: ({ githubWebhookSecrets }) => githubWebhookSecrets,
    headers: 'GitHub: `X-Hub-Signature-256`, `X-GitHub-Delivery` and `X-GitHub-Event`',
  },
  open: async (settings, deps) => (await import('./github-host.ts')).openGitHubHost(settings, deps),
  examine: async (settings, { connect }) =>
    (await import('./examine-github.ts')).examineGitHub(settings, connect),
};
