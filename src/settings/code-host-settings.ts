import { setting } from './setting.ts';
import {
  apiKey,
  existingFolder,
  githubUrl,
  issuer,
  jsonPointer,
  keysUrl,
  listOf,
  oneOf,
  optional,
  privateRepository,
  scopes,
  Unusable,
  webhookSecret,
  webUrl,
} from './setting-parsers.ts';

/** Which code hosts are read, and how people prove who they are there. */
export const codeHostSettings = {
  codeHosts: setting({
    name: 'CODE_HOST',
    default: 'git',
    sentence: 'Code hosts to read from, separated by commas; the first is the default. Known: git, github.',
    parse: (text) => {
      const hosts = listOf(oneOf('git', 'github'))(text);
      if (hosts.length === 0) throw new Unusable('must name at least one code host: git or github');
      return [...new Set(hosts)];
    },
  }),
  gitRepos: setting({
    name: 'GIT_REPOS',
    sentence:
      'Folder of clones or mirrors laid out owner/repo or owner/repo.git. Unset, a sample repository is shown.',
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
  githubUrl: setting({
    name: 'GITHUB_URL',
    default: 'https://github.com',
    sentence:
      'Where GitHub is: https://github.com, https://NAME.ghe.com, or an Enterprise Server. A database stays with one.',
    parse: githubUrl,
  }),
  githubToken: setting({
    name: 'GITHUB_TOKEN',
    sentence:
      'Token with which the service asks GitHub for what is public, on behalf of those who present none; without it GitHub answers 60 questions an hour.',
    parse: optional(apiKey),
  }),
  githubClientId: setting({
    name: 'GITHUB_CLIENT_ID',
    sentence:
      'Client id of your GitHub App or OAuth app, for signing in by browser and by `pullquote login`. Needs PUBLIC_URL.',
    parse: optional(apiKey),
  }),
  githubClientSecret: setting({
    name: 'GITHUB_CLIENT_SECRET',
    sentence: 'Its client secret.',
    parse: optional(apiKey),
  }),
  githubScopes: setting({
    name: 'GITHUB_SCOPES',
    sentence:
      'Scopes that an OAuth app asks for, separated by blanks: repo for private repositories. A GitHub App needs none.',
    parse: scopes,
  }),
  githubWebhookSecrets: setting({
    name: 'GITHUB_WEBHOOK_SECRETS',
    sentence:
      'Secrets of the webhooks that GitHub sends to /webhooks/github, separated by commas: several while one is replaced. Unset, none are taken.',
    parse: listOf(webhookSecret),
  }),
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
  hostAvatars: setting({
    name: 'HOST_AVATARS',
    default: 'false',
    sentence:
      "Whether pages show people's pictures from where their code host keeps them; without it nothing leaves the service.",
    parse: (text) => oneOf('true', 'false')(text) === 'true',
  }),
};
