import { giteaSettings, missingForGitea } from './hosts/gitea-settings.ts';
import { githubSettings, missingForGitHub } from './hosts/github-settings.ts';
import { gitlabSettings, missingForGitLab } from './hosts/gitlab-settings.ts';
import {
  existingFolder,
  issuer,
  jsonPointer,
  keysUrl,
  listOf,
  oneOf,
  optional,
  privateRepository,
  setting,
  Unusable,
  webUrl,
} from './setting-parsers.ts';

/** The host whose accounts an identity provider names. */
export const oidcHost = 'github';

/** Whose signed tokens prove who people are. */
const oidcSettings = {
  oidcIssuer: setting({
    name: 'OIDC_ISSUER',
    sentence:
      'Identity provider whose signed tokens (JWT) are accepted, exactly as they name it. Needs the two settings below, and github.',
    parse: optional(issuer),
  }),
  oidcAudience: setting({
    name: 'OIDC_AUDIENCE',
    sentence: 'Whom its tokens are for: this service, as the provider calls it.',
    parse: optional((text) => text),
  }),
  oidcHostUserClaim: setting({
    name: 'OIDC_HOST_USER_CLAIM',
    sentence:
      'Claim with the number of the account on GitHub, as a JSON pointer such as /sub. Users must not be able to edit it.',
    parse: optional(jsonPointer),
  }),
  oidcJwksUrl: setting({
    name: 'OIDC_JWKS_URL',
    sentence: 'Where its keys are, for providers that do not tell.',
    parse: optional(keysUrl),
  }),
};

const gitSettings = {
  gitRepos: setting({
    name: 'GIT_REPOS',
    sentence:
      'Folder of clones or mirrors laid out owner/repo or owner/repo.git. Unset, the sample repository harborline/parcel is shown, and only then.',
    parse: optional(existingFolder),
  }),
  gitPrivate: setting({
    name: 'GIT_PRIVATE',
    sentence:
      'Private repositories and the local names that may see them: owner/repo=alice+bob, separated by commas.',
    parse: listOf(privateRepository),
  }),
  gitWebUrl: setting({
    name: 'GIT_WEB_URL',
    sentence: 'Web address of the host that the clones come from, for links to pull requests.',
    parse: optional(webUrl),
  }),
};

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

/** Addresses of code hosts and the service's tokens for them. */
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
