import {
  apiKey,
  listOf,
  missingForApp,
  optional,
  ownHostUrl,
  scopes,
  setting,
  webhookSecret,
} from '../setting-parsers.ts';

export const gitlabSettings = {
  gitlabUrl: setting({
    name: 'GITLAB_URL',
    default: 'https://gitlab.com',
    sentence:
      'Where GitLab is: https://gitlab.com, or a server of your own (16 or newer), which may have it below a folder. A database stays with one.',
    parse: ownHostUrl,
  }),
  gitlabToken: setting({
    name: 'GITLAB_TOKEN',
    sentence:
      'Token with which the service asks GitLab for what is public, on behalf of those who present none; without it GitLab tells of no discussions.',
    parse: optional(apiKey),
  }),
  gitlabClientId: setting({
    name: 'GITLAB_CLIENT_ID',
    sentence: 'Application id of your application on GitLab, for signing in by browser. Needs PUBLIC_URL.',
    parse: optional(apiKey),
  }),
  gitlabClientSecret: setting({
    name: 'GITLAB_CLIENT_SECRET',
    sentence: 'Its secret.',
    parse: optional(apiKey),
  }),
  gitlabScopes: setting({
    name: 'GITLAB_SCOPES',
    default: 'read_api read_repository',
    sentence: 'Scopes that the application asks for, separated by blanks.',
    parse: scopes,
  }),
  gitlabWebhookSecrets: setting({
    name: 'GITLAB_WEBHOOK_SECRETS',
    sentence:
      'Secret tokens and signing tokens of the webhooks that GitLab sends to /webhooks/gitlab, separated by commas: several while one is replaced. Unset, none are taken.',
    parse: listOf(webhookSecret),
  }),
};

interface AppSettings {
  publicUrl: string | undefined;
  gitlabClientId: string | undefined;
  gitlabClientSecret: string | undefined;
}

export const missingForGitLab = ({ publicUrl, gitlabClientId, gitlabClientSecret }: AppSettings): string[] =>
  missingForApp('GitLab', publicUrl, {
    GITLAB_CLIENT_ID: gitlabClientId,
    GITLAB_CLIENT_SECRET: gitlabClientSecret,
  });
