import { Type } from '../../contract/type.ts';
import { Id } from '../host-numbers.ts';
import type { HostNews } from '../host-webhooks.ts';
import { eventOf, type ReadEvent, type WebhookEvents } from '../http/signed-webhooks.ts';

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
