import {
  apiKey,
  listOf,
  missingForApp,
  optional,
  ownHostUrl,
  setting,
  webhookSecret,
} from '../setting-parsers.ts';

export const giteaSettings = {
  giteaUrl: setting({
    name: 'GITEA_URL',
    sentence:
      'Where Gitea (1.21 or newer) or Forgejo (7 or newer) is, with its folder if it has one: https://codeberg.org, https://example.org/gitea. A database stays with one.',
    parse: optional(ownHostUrl),
  }),
  giteaToken: setting({
    name: 'GITEA_TOKEN',
    sentence:
      'Token with which the service asks Gitea for what is public, on behalf of those who present none; its scope is read:repository and read:issue. Needed where everybody has to sign in.',
    parse: optional(apiKey),
  }),
  giteaClientId: setting({
    name: 'GITEA_CLIENT_ID',
    sentence: 'Client id of your OAuth2 application on Gitea, for signing in by browser. Needs PUBLIC_URL.',
    parse: optional(apiKey),
  }),
  giteaClientSecret: setting({
    name: 'GITEA_CLIENT_SECRET',
    sentence: 'Its client secret.',
    parse: optional(apiKey),
  }),
  giteaWebhookSecrets: setting({
    name: 'GITEA_WEBHOOK_SECRETS',
    sentence:
      'Secrets of the webhooks that Gitea sends to /webhooks/gitea, separated by commas: several while one is replaced. Unset, none are taken.',
    parse: listOf(webhookSecret),
  }),
};

interface HostSettings {
  codeHosts: string[];
  publicUrl: string | undefined;
  giteaUrl: URL | undefined;
  giteaClientId: string | undefined;
  giteaClientSecret: string | undefined;
}

export function missingForGitea(settings: HostSettings): string[] {
  const { codeHosts, publicUrl, giteaUrl, giteaClientId, giteaClientSecret } = settings;
  return [
    ...(codeHosts.includes('gitea') && !giteaUrl
      ? ['CODE_HOST names gitea, which needs GITEA_URL: set it, such as https://codeberg.org.']
      : []),
    ...missingForApp('Gitea', publicUrl, {
      GITEA_CLIENT_ID: giteaClientId,
      GITEA_CLIENT_SECRET: giteaClientSecret,
    }),
  ];
}
