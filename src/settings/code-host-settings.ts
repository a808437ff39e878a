import {
  commaSeparated,
  existingFolder,
  githubUrl,
  httpsHost,
  issuer,
  jsonPointer,
  keySetting,
  keysUrl,
  oneOfValues,
  operatorName,
  optional,
  ownHostUrl,
  type Parsed,
  privateRepository,
  scopes,
  setting,
  Unusable,
  webhookSecret,
  webUrl,
  wholeNumber,
  yesOrNo,
} from './setting-parsers.ts';

export const oidcHost = 'github';

const oidcSettings = {
  oidcIssuer: setting({
    name: 'OIDC_ISSUER',
    sentence:
      'Identity provider whose signed tokens (JWT) are accepted, exactly as in their iss claim. Needs OIDC_AUDIENCE, OIDC_HOST_USER_CLAIM and the code host github.',
    parse: optional(issuer),
  }),
  oidcAudience: setting({
    name: 'OIDC_AUDIENCE',
    sentence: 'Audience of its tokens: the name of this service at the provider.',
    parse: optional((text) => text),
  }),
  oidcHostUserClaim: setting({
    name: 'OIDC_HOST_USER_CLAIM',
    sentence:
      'Claim with the number of the GitHub account, as a JSON pointer such as /sub. Users must not be able to edit it.',
    parse: optional(jsonPointer),
  }),
  oidcJwksUrl: setting({
    name: 'OIDC_JWKS_URL',
    sentence: 'URL of its keys, for providers without OpenID discovery.',
    parse: optional(keysUrl),
  }),
};

const gitSettings = {
  gitRepos: setting({
    name: 'GIT_REPOS',
    sentence:
      'Folder of clones or mirrors, laid out as owner/repo or owner/repo.git. Unset, the sample repository harborline/parcel is shown.',
    parse: optional(existingFolder),
  }),
  gitPrivate: setting({
    name: 'GIT_PRIVATE',
    sentence:
      'Private repositories and the local names that have access to them: owner/repo=alice+bob, separated by commas.',
    parse: commaSeparated(privateRepository),
  }),
  gitWebUrl: setting({
    name: 'GIT_WEB_URL',
    sentence:
      'URL of the host that the clones come from, for links to pull requests. If unset, clones whose remote origin is on GitHub link there.',
    parse: optional(webUrl),
  }),
  operators: setting({
    name: 'OPERATORS',
    sentence:
      'Users who may add repositories in the browser, separated by commas: local names, or names on a code host such as github:octocat. The user who signs in with the one-time link in the terminal can also add repositories.',
    parse: commaSeparated(operatorName),
  }),
  gitRoots: setting({
    name: 'GIT_ROOTS',
    sentence:
      'Folders in which operators may add clones by path, separated by commas. Unset, no paths are accepted; clones that were already added stay readable until they are removed at /add.',
    parse: commaSeparated(existingFolder),
  }),
  gitClone: setting({
    name: 'GIT_CLONE',
    default: 'false',
    sentence: 'Whether operators may add repositories by https URL, which the service then mirrors.',
    parse: yesOrNo,
  }),
  gitCloneHosts: setting({
    name: 'GIT_CLONE_HOSTS',
    sentence:
      'Hosts that may be mirrored from, in addition to those in CODE_HOST and GIT_WEB_URL: names such as github.com, separated by commas.',
    parse: commaSeparated(httpsHost),
  }),
  gitCloneBytes: setting({
    name: 'GIT_CLONE_MIB',
    default: '2048',
    sentence: 'Size limit of one mirror, in MiB.',
    parse: (text) => wholeNumber(1, 1_048_576)(text) * 1024 * 1024,
  }),
};

const webhookSecrets = (name: string, sender: string, path: string) =>
  setting({
    name,
    sentence: `Secrets of the webhooks that ${sender} sends to ${path}, separated by commas: while you replace one, list both. Unset, webhooks are rejected.`,
    parse: commaSeparated(webhookSecret),
  });

const githubSettings = {
  githubUrl: setting({
    name: 'GITHUB_URL',
    default: 'https://github.com',
    sentence:
      'URL of GitHub: https://github.com, https://NAME.ghe.com, or an Enterprise Server. Do not change it for an existing database.',
    parse: githubUrl,
  }),
  githubToken: keySetting(
    'GITHUB_TOKEN',
    'Token that the service uses to read public repositories for people without their own token. Without it, GitHub allows 60 calls an hour.',
  ),
  githubClientId: keySetting(
    'GITHUB_CLIENT_ID',
    'Client id of your GitHub App or OAuth app, for browser sign-in and `pullquote login`. Needs PUBLIC_URL.',
  ),
  githubClientSecret: keySetting('GITHUB_CLIENT_SECRET', 'Its client secret.'),
  githubScopes: setting({
    name: 'GITHUB_SCOPES',
    sentence:
      'Scopes that an OAuth app requests, separated by spaces: repo for private repositories. A GitHub App needs none.',
    parse: scopes,
  }),
  githubWebhookSecrets: webhookSecrets('GITHUB_WEBHOOK_SECRETS', 'GitHub', '/webhooks/github'),
};

const gitlabSettings = {
  gitlabUrl: setting({
    name: 'GITLAB_URL',
    default: 'https://gitlab.com',
    sentence:
      'URL of GitLab: https://gitlab.com, or your own server (16 or newer), with its path if it has one. Do not change it for an existing database.',
    parse: ownHostUrl,
  }),
  gitlabToken: keySetting(
    'GITLAB_TOKEN',
    'Token that the service uses to read public projects for people without their own token. Without it, GitLab shows no discussions.',
  ),
  gitlabClientId: keySetting(
    'GITLAB_CLIENT_ID',
    'Application id of your application on GitLab, for browser sign-in. Needs PUBLIC_URL.',
  ),
  gitlabClientSecret: keySetting('GITLAB_CLIENT_SECRET', 'Its secret.'),
  gitlabScopes: setting({
    name: 'GITLAB_SCOPES',
    default: 'read_api read_repository',
    sentence: 'Scopes that the application requests, separated by spaces.',
    parse: scopes,
  }),
  gitlabWebhookSecrets: webhookSecrets(
    'GITLAB_WEBHOOK_SECRETS',
    'GitLab, secret tokens or signing tokens,',
    '/webhooks/gitlab',
  ),
};

const giteaSettings = {
  giteaUrl: setting({
    name: 'GITEA_URL',
    sentence:
      'URL of Gitea (1.21 or newer) or Forgejo (7 or newer), with its path if it has one: https://codeberg.org, https://example.org/gitea. Do not change it for an existing database.',
    parse: optional(ownHostUrl),
  }),
  giteaToken: keySetting(
    'GITEA_TOKEN',
    'Token that the service uses to read public repositories for people without their own token, with the scopes read:repository and read:issue.',
  ),
  giteaClientId: keySetting(
    'GITEA_CLIENT_ID',
    'Client id of your OAuth2 application on Gitea, for browser sign-in. Needs PUBLIC_URL.',
  ),
  giteaClientSecret: keySetting('GITEA_CLIENT_SECRET', 'Its client secret.'),
  giteaWebhookSecrets: webhookSecrets('GITEA_WEBHOOK_SECRETS', 'Gitea', '/webhooks/gitea'),
};

const hostIds = ['git', 'github', 'gitlab', 'gitea'] as const;

export const codeHostSettings = {
  codeHosts: setting({
    name: 'CODE_HOST',
    default: 'git',
    sentence: `Code hosts to read from, separated by commas; the first is the default. Known: ${hostIds.join(', ')}.`,
    parse: (text) => {
      const hosts = commaSeparated(oneOfValues(...hostIds))(text);
      if (hosts.length === 0) throw new Unusable(`must list at least one code host: ${hostIds.join(', ')}`);
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
      'Whether pages show avatars, which browsers then load from the code host. Otherwise, browsers load nothing from other servers.',
    parse: yesOrNo,
  }),
};

export const hostAccess = [
  'githubUrl',
  'githubToken',
  'gitlabUrl',
  'gitlabToken',
  'giteaUrl',
  'giteaToken',
] as const satisfies (keyof typeof codeHostSettings)[];

type HostSettings = Parsed<typeof codeHostSettings> & { publicUrl: string | undefined };

export const missingForSignIn = (settings: HostSettings): string[] => {
  const { codeHosts, publicUrl, giteaUrl } = settings;
  const { githubClientId, githubClientSecret, gitlabClientId, gitlabClientSecret } = settings;
  const { giteaClientId, giteaClientSecret } = settings;
  return [
    ...missingForApp('GitHub', publicUrl, githubClientId, githubClientSecret),
    ...missingForApp('GitLab', publicUrl, gitlabClientId, gitlabClientSecret),
    ...(codeHosts.includes('gitea') && !giteaUrl
      ? ['CODE_HOST lists gitea, which needs GITEA_URL: set it, for example to https://codeberg.org.']
      : []),
    ...missingForApp('Gitea', publicUrl, giteaClientId, giteaClientSecret),
    ...missingForIssuer(settings),
    ...missingForClones(settings),
  ];
};

function missingForClones({
  codeHosts,
  gitClone,
  gitCloneHosts,
  gitWebUrl,
}: Pick<HostSettings, 'codeHosts' | 'gitClone' | 'gitCloneHosts' | 'gitWebUrl'>): string[] {
  if (!gitClone) return [];
  if (!codeHosts.includes('git'))
    return ['GIT_CLONE needs git in CODE_HOST: set CODE_HOST=git, or add git to the list.'];
  if (codeHosts.length === 1 && gitCloneHosts.length === 0 && !gitWebUrl)
    return ['GIT_CLONE needs at least one allowed host: set GIT_CLONE_HOSTS, for example to github.com.'];
  return [];
}

function missingForApp(
  hostName: string,
  publicUrl: string | undefined,
  id: string | undefined,
  secret: string | undefined,
): string[] {
  const prefix = hostName.toUpperCase();
  const problems: string[] = [];
  if (Boolean(id) !== Boolean(secret))
    problems.push(
      `${prefix}_CLIENT_ID and ${prefix}_CLIENT_SECRET must be set together: set both, or neither.`,
    );
  if (id && !publicUrl)
    problems.push(
      `${prefix}_CLIENT_ID needs PUBLIC_URL, the URL to which ${hostName} redirects people after sign-in: set it, for example to https://pullquote.example.org.`,
    );
  return problems;
}

function missingForIssuer(settings: HostSettings): string[] {
  const { codeHosts, oidcIssuer, oidcAudience, oidcHostUserClaim, oidcJwksUrl } = settings;
  const needed = {
    OIDC_ISSUER: oidcIssuer,
    OIDC_AUDIENCE: oidcAudience,
    OIDC_HOST_USER_CLAIM: oidcHostUserClaim,
  };
  const missing = Object.entries(needed).flatMap(([name, value]) => (value === undefined ? [name] : []));
  if (missing.length === 3 && !oidcJwksUrl) return [];
  if (missing.length > 0)
    return [
      `Signing in with an identity provider also needs ${missing.join(' and ')}: set all of them, or none.`,
    ];
  if (!codeHosts.includes(oidcHost))
    return ['OIDC_ISSUER signs in GitHub accounts: set CODE_HOST=github, or CODE_HOST=git,github.'];
  const isOfIssuer = oidcJwksUrl?.origin === URL.parse(oidcIssuer ?? '')?.origin;
  if (oidcJwksUrl && oidcJwksUrl.protocol !== 'https:' && !isOfIssuer)
    return ['OIDC_JWKS_URL must be an https URL, unless it has the host name and port of OIDC_ISSUER.'];
  return [];
}
