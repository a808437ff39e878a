import type { Static, TSchema } from 'typebox';
import { Type } from '../../contract/type.ts';
import { Failure } from '../../domain/errors.ts';
import type { HostNews } from '../host-webhooks.ts';

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** What is read of deliveries, and nothing more. */
const PullRequestEvent = Type.Object({
  number: Id,
  repository: Type.Object({ id: Id }),
  pull_request: Type.Object({ merged: Type.Boolean() }),
});
const RepositoryEvent = Type.Object({ repository: Type.Object({ id: Id }) });

type Read = (payload: unknown) => Promise<HostNews>;

function told<Schema extends TSchema>(schema: Schema, newsOf: (payload: Static<Schema>) => HostNews): Read {
  return async (payload) => {
    const { Check } = await import('typebox/value');
    if (Check(schema, payload)) return newsOf(payload);
    throw new Failure(
      'INVALID_REQUEST',
      'This delivery lacks what its event is about. Send what Gitea sends.',
      {
        details: [{ field: 'body', problem: 'is not what Gitea sends for this event' }],
      },
    );
  };
}

const pullRequest = (change: NonNullable<HostNews['pullRequest']>['change']): Read =>
  told(PullRequestEvent, ({ number, repository: { id: hostRepoId }, pull_request: { merged } }) => ({
    pullRequest: { hostRepoId, number, change: change === 'closed' && merged ? 'merged' : change },
  }));

const repository = told(RepositoryEvent, ({ repository: { id } }) => ({ revoked: { hostRepoIds: [id] } }));

/** What is heard of which event, by the action that it names; `*` stands for any other. Of changed rights Gitea tells nothing. */
export const webhookEvents: Record<string, Record<string, Read>> = {
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
  repository: { deleted: repository, renamed: repository },
};
