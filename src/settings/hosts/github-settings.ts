import {
  apiKey,
  githubUrl,
  listOf,
  missingForApp,
  optional,
  scopes,
  setting,
  webhookSecret,
} from '../setting-parsers.ts';

export const githubSettings = {
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
};

interface AppSettings {
  publicUrl: string | undefined;
  githubClientId: string | undefined;
  githubClientSecret: string | undefined;
}

export const missingForGitHub = ({ publicUrl, githubClientId, githubClientSecret }: AppSettings): string[] =>
  missingForApp('GitHub', publicUrl, {
    GITHUB_CLIENT_ID: githubClientId,
    GITHUB_CLIENT_SECRET: githubClientSecret,
  });
