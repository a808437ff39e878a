import { clonesHost } from '../domain/repositories.ts';
import { isLocalToken } from './git/local-token.ts';
import type { MirrorHost } from './git/mirror-repository.ts';
import type { AddingSettings, GitSettings } from './git/open-git-host.ts';
import { type GiteaSettings, isGiteaToken } from './gitea/gitea-settings.ts';
import { type GitHubSettings, isGitHubToken } from './github/github-settings.ts';
import { type GitLabSettings, isGitLabToken, ownersNest } from './gitlab/gitlab-settings.ts';
import type { HostDefinition, NetworkHostDefinition } from './host-definition.ts';

type NetworkSettings = GitHubSettings & GitLabSettings & GiteaSettings;

const git: HostDefinition<GitSettings & AddingSettings & NetworkSettings & { codeHosts: string[] }> = {
  id: clonesHost,
  name: 'local clones',
  tokens: {
    kind: 'localToken',
    isOne: isLocalToken,
    taken: 'a local token (pql_…) from pullquote token NAME',
  },
  gitUse: { description: 'clones', isForAll: true, fetches: false },
  open: async (settings, deps) =>
    (await import('./git/open-git-host.ts')).openGitHost(
      // GitHub is the only host that numbers pull requests like the merges in a clone.
      { ...settings, originUrl: settings.githubUrl.href.replace(/\/$/, '') },
      deps,
      { ...deps, settings, hosts: settings.gitClone ? mirrorHosts(settings) : [] },
    ),
  examine: async (settings, { listAddedClones }) => {
    const { examineAdded, examineClones } = await import('./git/open-git-host.ts');
    const added = await examineAdded(settings, await listAddedClones());
    return { findings: [...(await examineClones(settings.gitRepos)), ...added], aheadMs: null };
  },
};

const github: NetworkHostDefinition<GitHubSettings> = {
  id: 'github',
  name: 'GitHub',
  tokens: {
    kind: 'githubToken',
    isOne: isGitHubToken,
    taken: 'a GitHub personal access token (github_pat_… or ghp_…)',
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
  gitUse: { description: 'large pull requests from GitHub', isForAll: false, fetches: true },
  webhooks: {
    setting: 'GITHUB_WEBHOOK_SECRETS',
    secretsOf: ({ githubWebhookSecrets }) => githubWebhookSecrets,
    headers: 'GitHub: `X-Hub-Signature-256`, `X-GitHub-Delivery` and `X-GitHub-Event`',
  },
  open: async (settings, deps) => (await import('./github/github-host.ts')).openGitHubHost(settings, deps),
  examine: async (settings, { connect }) =>
    (await import('./github/github-host.ts')).examineGitHub(settings, connect),
};

const gitlab: NetworkHostDefinition<GitLabSettings> = {
  id: 'gitlab',
  name: 'GitLab',
  tokens: { kind: 'gitlabToken', isOne: isGitLabToken, taken: 'a GitLab access token (glpat-…)' },
  publicUrl: 'https://gitlab.com',
  web: {
    urlOf: ({ gitlabUrl }) => gitlabUrl,
    urlSetting: 'GITLAB_URL',
    tokenOf: ({ gitlabToken }) => gitlabToken,
    tokenSetting: 'GITLAB_TOKEN',
    ownersNest,
    examplePath: '/GROUP/PROJECT/-/merge_requests/7',
  },
  gitUse: { description: 'merge requests from GitLab', isForAll: true, fetches: true },
  webhooks: {
    setting: 'GITLAB_WEBHOOK_SECRETS',
    secretsOf: ({ gitlabWebhookSecrets }) => gitlabWebhookSecrets,
    headers:
      'GitLab: `webhook-signature`, or the secret itself in `X-Gitlab-Token`, with `Idempotency-Key` or `X-Gitlab-Event-UUID`, and `X-Gitlab-Event`',
  },
  open: async (settings, deps) => (await import('./gitlab/gitlab-host.ts')).openGitLabHost(settings, deps),
  examine: async (settings, { connect }) =>
    (await import('./gitlab/gitlab-host.ts')).examineGitLab(settings, connect),
};

/** Gitea, and Forgejo, which has the same API. */
const gitea: NetworkHostDefinition<GiteaSettings> = {
  id: 'gitea',
  name: 'Gitea',
  tokens: {
    kind: 'giteaToken',
    isOne: isGiteaToken,
    taken: 'a Gitea or Forgejo access token (40 hexadecimal digits)',
  },
  web: {
    urlOf: ({ giteaUrl }) => giteaUrl,
    urlSetting: 'GITEA_URL',
    tokenOf: ({ giteaToken }) => giteaToken,
    tokenSetting: 'GITEA_TOKEN',
    ownersNest: false,
    examplePath: '/OWNER/REPO/pulls/7',
  },
  gitUse: { description: 'pull requests from Gitea', isForAll: true, fetches: true },
  webhooks: {
    setting: 'GITEA_WEBHOOK_SECRETS',
    secretsOf: ({ giteaWebhookSecrets }) => giteaWebhookSecrets,
    headers:
      'Gitea and Forgejo: `X-Gitea-Signature`, `X-Gitea-Delivery` and `X-Gitea-Event`, or Forgejo’s own',
  },
  open: async (settings, deps) => (await import('./gitea/gitea-host.ts')).openGiteaHost(settings, deps),
  examine: async (settings, { connect }) =>
    (await import('./gitea/gitea-host.ts')).examineGitea(settings, connect),
};

/** Short names without a host refer to the first of these. */
export const networkHosts = { github, gitlab, gitea };

/** The configured hosts, and those listed for mirrors. Only hosts of the company may be in a private network. */
function mirrorHosts(
  settings: AddingSettings & NetworkSettings & Pick<GitSettings, 'gitWebUrl'> & { codeHosts: string[] },
): MirrorHost[] {
  const isPublic = (host: string) =>
    Object.values(networkHosts).some(({ publicUrl }) => publicUrl && new URL(publicUrl).host === host);
  const configured = Object.values(networkHosts)
    .filter(({ id }) => settings.codeHosts.includes(id))
    .map(({ web }) => web.urlOf(settings));
  const urls = [...configured, settings.gitWebUrl].filter((url) => url?.protocol === 'https:');
  const hosts = new Set([...urls.flatMap((url) => url?.host ?? []), ...settings.gitCloneHosts]);
  return [...hosts].map((host) => ({ host, mayBePrivate: !isPublic(host) }));
}

export const knownHosts = { git, ...networkHosts };
