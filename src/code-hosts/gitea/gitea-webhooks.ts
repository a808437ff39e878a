import { Type } from '../../contract/type.ts';
import type { HostNews, HostWebhooks } from '../code-host.ts';
import {
  createSignedWebhooks,
  eventOf,
  type ReadEvent,
  type WebhookEvents,
} from '../http/signed-webhooks.ts';
import { Id } from '../payload-types.ts';

/** Forgejo says what Gitea says under both names, and both say what GitHub would: what they say themselves comes first. */
export const createGiteaWebhooks = (secrets: string[]): HostWebhooks =>
  createSignedWebhooks({
    name: 'Gitea',
    secrets,
    // More than any delivery that is read here: those about pushes, which list commits, are not.
    mostKib: 8 * 1024,
    headers: {
      signature: [
        { name: 'X-Gitea-Signature', prefix: '' },
        { name: 'X-Forgejo-Signature', prefix: '' },
        { name: 'X-Hub-Signature-256', prefix: 'sha256=' },
      ],
      delivery: ['X-Gitea-Delivery', 'X-Forgejo-Delivery', 'X-GitHub-Delivery'],
      event: ['X-Gitea-Event', 'X-Forgejo-Event', 'X-GitHub-Event'],
    },
    events: webhookEvents,
  });

/** What is read of deliveries, and nothing more. */
const PullRequestEvent = Type.Object({
  number: Id,
  repository: Type.Object({ id: Id }),
  pull_request: Type.Object({ merged: Type.Boolean() }),
});
const RepositoryEvent = Type.Object({ repository: Type.Object({ id: Id }) });

const told = eventOf('Gitea');

const pullRequest = (change: NonNullable<HostNews['pullRequest']>['change']): ReadEvent =>
  told(PullRequestEvent, ({ number, repository: { id: hostRepoId }, pull_request: { merged } }) => ({
    pullRequest: { hostRepoId, number, change: change === 'closed' && merged ? 'merged' : change },
  }));

const repository = told(RepositoryEvent, ({ repository: { id } }) => ({ revoked: { hostRepoIds: [id] } }));

/** Of changed rights and names Gitea tells nothing. */
export const webhookEvents: WebhookEvents = {
  pull_request: {
    closed: pullRequest('closed'),
    synchronized: pullRequest('moved'),
    edited: pullRequest('moved'),
    reopened: pullRequest('moved'),
    '*': pullRequest('other'),
  },
  pull_request_approved: { '*': pullRequest('other') },
  pull_request_rejected: { '*': pullRequest('other') },
  pull_request_comment: { '*': pullRequest('other') },
  repository: { deleted: repository },
};
