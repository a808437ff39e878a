import { Type } from '../../contract/type.ts';
import type { HostNews, HostWebhooks } from '../code-host.ts';
import {
  createSignedWebhooks,
  eventOf,
  type ReadEvent,
  type WebhookEvents,
} from '../http/signed-webhooks.ts';
import { Id } from '../payload-types.ts';

export const createGitHubWebhooks = (secrets: string[]): HostWebhooks =>
  createSignedWebhooks({
    name: 'GitHub',
    secrets,
    // GitHub sends nothing larger.
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
/** An enterprise has no login, and owns no repository. */
const MaybeNamed = Type.Object({ id: Id, login: Type.Optional(Type.String()) });
const Owned = Type.Object({ organization: Named });
const OfRepository = Type.Object({ repository: Numbered });
/** Where an account was called something else before, its repositories are known here under that name. */
const Renamed = Type.Object({
  changes: Type.Optional(
    Type.Object({ login: Type.Optional(Type.Object({ from: Type.Optional(Type.String()) })) }),
  ),
});

/** What is read of deliveries, and nothing more. */
export const webhookPayloads = {
  pullRequest: Type.Object({
    number: Id,
    repository: Numbered,
    pull_request: Type.Object({
      merged: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
    }),
  }),
  repository: OfRepository,
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

const told = eventOf('GitHub');

const present = (name: string | undefined): string[] => (name === undefined ? [] : [name]);

const pullRequest = (change: NonNullable<HostNews['pullRequest']>['change']): ReadEvent =>
  told(
    webhookPayloads.pullRequest,
    ({ number, repository: { id: hostRepoId }, pull_request: { merged } }) => ({
      pullRequest: { hostRepoId, number, change: change === 'closed' && merged ? 'merged' : change },
    }),
  );
const repository = told(webhookPayloads.repository, ({ repository: { id } }) => ({
  revoked: { hostRepoIds: [id] },
}));
const organization = told(webhookPayloads.organization, ({ organization: { login }, changes }) => ({
  revoked: { owners: [login, ...present(changes?.login?.from)] },
}));
const team = told(webhookPayloads.team, ({ organization: { login }, repository: of }) => ({
  revoked: of ? { hostRepoIds: [of.id] } : { owners: [login] },
}));
const installation = told(
  webhookPayloads.installation,
  ({ installation: { account }, repositories = [] }) => ({
    revoked: { hostRepoIds: repositories.map(({ id }) => id), owners: present(account?.login) },
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
    removed: told(webhookPayloads.installationRepositories, ({ repositories_removed: gone }) => ({
      revoked: { hostRepoIds: gone.map(({ id }) => id) },
    })),
  },
  installation_target: {
    renamed: told(webhookPayloads.installationTarget, ({ account: { login }, changes }) => ({
      revoked: { owners: [...present(login), ...present(changes?.login?.from)] },
    })),
  },
  github_app_authorization: {
    revoked: told(webhookPayloads.authorization, ({ sender }) => ({ revoked: { hostUserId: sender.id } })),
  },
};
