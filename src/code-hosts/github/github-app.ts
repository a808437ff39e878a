import { Type } from '../../contract/type.ts';
import type { HostApp, HostWebhooks } from '../code-host.ts';
import { brokenResponse } from '../http/host-api.ts';
import {
  CommentEvent,
  callAsApp,
  createOAuthApp,
  createSignedWebhooks,
  DiscussionEvent,
  eventOf,
  type OAuthOptions,
  PullRequestEvent,
  parseResponse,
  RepositoryEvent,
  sharedEvents,
  type WebhookEvents,
} from '../http/host-app.ts';
import { Id, Time, timeOf } from '../payload-types.ts';
import { type GitHubAddresses, isGitHubAppToken } from './github-settings.ts';

type Options = Pick<OAuthOptions, 'clientId' | 'clientSecret' | 'scopes' | 'fetch' | 'clock'>;

const Confirmed = Type.Object({
  expires_at: Type.Optional(Type.Union([Time, Type.Null()])),
  user: Type.Optional(Type.Union([Type.Object({ id: Type.Integer() }), Type.Null()])),
});

export function createGitHubApp(addresses: GitHubAddresses, given: Options): HostApp {
  const options: OAuthOptions = {
    ...given,
    name: 'GitHub',
    settings: { clientId: 'GITHUB_CLIENT_ID', clientSecret: 'GITHUB_CLIENT_SECRET' },
    authorizeUrl: `${addresses.web}/login/oauth/authorize`,
    tokenUrl: `${addresses.web}/login/oauth/access_token`,
  };
  const { clientId, clientSecret } = options;
  const address = `${addresses.api}/applications/${encodeURIComponent(clientId)}/token`;
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;

  const askAboutToken = (method: string, accessToken: string, signal: AbortSignal) =>
    callAsApp(options, address, {
      method,
      headers: { authorization: basic, 'content-type': 'application/json' },
      body: JSON.stringify({ access_token: accessToken }),
      signal,
    });

  return {
    ...createOAuthApp(options),
    callbackPath: '/auth/callback',
    isRefreshToken: (token) => /^ghr_[\w.-]+$/.test(token),
    async confirm(accessToken, signal) {
      const { status, data } = await askAboutToken('POST', accessToken, signal);
      if (status === 404 || status === 422) return null;
      const confirmed = await parseResponse(Confirmed, data);
      if (!confirmed) throw brokenResponse(options.name);
      const { expires_at: expires, user } = confirmed;
      return { hostUserId: user?.id ?? null, expiresAt: expires ? timeOf(expires) : null };
    },
    async revoke(accessToken, signal) {
      if (isGitHubAppToken(accessToken)) await askAboutToken('DELETE', accessToken, signal);
    },
  };
}

export const createGitHubWebhooks = (secrets: string[]): HostWebhooks =>
  createSignedWebhooks({
    name: 'GitHub',
    secrets,
    mostKib: 25 * 1024,
    headers: {
      signature: [{ name: 'X-Hub-Signature-256', prefix: 'sha256=' }],
      delivery: ['X-GitHub-Delivery'],
      event: ['X-GitHub-Event'],
    },
    events: webhookEvents,
  });

const Numbered = Type.Object({ id: Id });
const Named = Type.Object({ login: Type.String() });
/** An enterprise has no login and owns no repositories. */
const MaybeNamed = Type.Object({ id: Id, login: Type.Optional(Type.String()) });
const Owned = Type.Object({ organization: Named });
/** Repositories may be stored under the former name of an account. */
const Renamed = Type.Object({
  changes: Type.Optional(
    Type.Object({ login: Type.Optional(Type.Object({ from: Type.Optional(Type.String()) })) }),
  ),
});

export const webhookPayloads = {
  pullRequest: PullRequestEvent,
  discussion: DiscussionEvent,
  comment: CommentEvent,
  repository: RepositoryEvent,
  organization: Type.Object({ ...Owned.properties, ...Renamed.properties }),
  team: Type.Object({ ...Owned.properties, repository: Type.Optional(Numbered) }),
  installation: Type.Object({
    installation: Type.Object({
      account: Type.Union([MaybeNamed, Type.Null()]),
    }),
    repositories: Type.Optional(Type.Array(Numbered)),
  }),
  installationRepositories: Type.Object({ repositories_removed: Type.Array(Type.Object({ id: Id })) }),
  installationTarget: Type.Object({ account: MaybeNamed, ...Renamed.properties }),
  authorization: Type.Object({ sender: Numbered }),
};

const readAs = eventOf('GitHub');

const givenNames = (name: string | undefined): string[] => (name === undefined ? [] : [name]);

const { pullRequest, discussion, comment, repository } = sharedEvents('GitHub');
const organization = readAs(webhookPayloads.organization, ({ organization: { login }, changes }) => ({
  revoked: { owners: [login, ...givenNames(changes?.login?.from)] },
}));
const team = readAs(webhookPayloads.team, ({ organization: { login }, repository: of }) => ({
  revoked: of ? { hostRepoIds: [of.id] } : { owners: [login] },
}));
const installation = readAs(
  webhookPayloads.installation,
  ({ installation: { account }, repositories = [] }) => ({
    revoked: { hostRepoIds: repositories.map(({ id }) => id), owners: givenNames(account?.login) },
  }),
);

export const webhookEvents: WebhookEvents = {
  pull_request: {
    closed: pullRequest('closed'),
    synchronize: pullRequest('moved'),
    edited: pullRequest('moved'),
    reopened: pullRequest('moved'),
    ready_for_review: pullRequest('moved'),
    '*': pullRequest('other'),
  },
  pull_request_review: { '*': discussion },
  pull_request_review_comment: { '*': discussion },
  issue_comment: { '*': comment },
  repository: {
    privatized: repository,
    publicized: repository,
    renamed: repository,
    transferred: repository,
    deleted: repository,
  },
  public: { '*': repository },
  member: { removed: repository, edited: repository },
  membership: { removed: organization },
  organization: { member_removed: organization, renamed: organization, deleted: organization },
  team: { removed_from_repository: team, edited: team, deleted: team },
  installation: { deleted: installation, suspend: installation },
  installation_repositories: {
    removed: readAs(webhookPayloads.installationRepositories, ({ repositories_removed: gone }) => ({
      revoked: { hostRepoIds: gone.map(({ id }) => id) },
    })),
  },
  installation_target: {
    renamed: readAs(webhookPayloads.installationTarget, ({ account: { login }, changes }) => ({
      revoked: { owners: [...givenNames(login), ...givenNames(changes?.login?.from)] },
    })),
  },
  github_app_authorization: {
    revoked: readAs(webhookPayloads.authorization, ({ sender }) => ({ revoked: { hostUserId: sender.id } })),
  },
};
