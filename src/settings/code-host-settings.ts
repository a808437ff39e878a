import { gitSettings } from './hosts/git-settings.ts';
import { giteaSettings, missingForGitea } from './hosts/gitea-settings.ts';
import { githubSettings, missingForGitHub } from './hosts/github-settings.ts';
import { gitlabSettings, missingForGitLab } from './hosts/gitlab-settings.ts';
import { oidcSettings } from './oidc-settings.ts';
import { setting } from './setting.ts';
import { listOf, oneOf, Unusable } from './setting-parsers.ts';

/** The code hosts that can be read from. */
export const hostIds = ['git', 'github', 'gitlab', 'gitea'] as const;

/** Which code hosts are read, and how people prove who they are there. */
export const codeHostSettings = {
  codeHosts: setting({
    name: 'CODE_HOST',
    default: 'git',
    sentence: `Code hosts to read from, separated by commas; the first is the default. Known: ${hostIds.join(', ')}.`,
    parse: (text) => {
      const hosts = listOf(oneOf(...hostIds))(text);
      if (hosts.length === 0) throw new Unusable(`must name at least one code host: ${hostIds.join(' or ')}`);
      return [...new Set(hosts)];
    },
  }),
  ...gitSettings,
  ...githubSettings,
  ...gitlabSettings,
  ...giteaSettings,
  ...oidcSettings,
  hostAvatars: setting({
    name: 'HOST_AVATARS',
    default: 'false',
    sentence:
      "Whether pages show people's pictures from where their code host keeps them; without it nothing leaves the service.",
    parse: (text) => oneOf('true', 'false')(text) === 'true',
  }),
};

/** Where code hosts are, and the tokens that they are asked with. */
export const hostAccess = [
  'githubUrl',
  'githubToken',
  'gitlabUrl',
  'gitlabToken',
  'giteaUrl',
  'giteaToken',
] as const satisfies (keyof typeof codeHostSettings)[];

/** What else the settings of single hosts need, a sentence each. */
export const missingForHosts = (
  given: Parameters<typeof missingForGitHub>[0] &
    Parameters<typeof missingForGitLab>[0] &
    Parameters<typeof missingForGitea>[0],
): string[] => [...missingForGitHub(given), ...missingForGitLab(given), ...missingForGitea(given)];
