import { Failure } from '../../domain/errors.ts';
import type { FailureReason, ModelFailure } from '../../writing/ai/model-failure.ts';

/** Where the provider does not say how long: when a model that was left alone is first tried again. */
const usualPauseMs = 30_000;

type Lasting = Exclude<
  FailureReason,
  'rateLimited' | 'overloaded' | 'unreachable' | 'breakerOpen' | 'timeout'
>;

const problems: Record<Lasting, string> = {
  badKey: 'it refuses the key of this service',
  unknownModel: 'it is not known where this service asks for it',
  spendLimit: 'the account of this service has no credit left, or has reached its limit',
  tooLong: 'it finds the pull request too long',
  rejected: 'it refuses the request',
  refused: 'it refuses to write about this pull request',
  badOutput: 'its answers cannot be used',
  cutOff: 'its answers are cut off before their end',
  cutPrompt: 'it reads only a part of the pull request',
  unread: 'no second reader that can tell true from false has read what it wrote',
};

/** Why a model has not written an article, as callers are told. */
export function explainModelFailure({ reason, retryAfterMs = usualPauseMs }: ModelFailure): Failure {
  switch (reason) {
    case 'rateLimited':
    case 'overloaded':
    case 'unreachable':
    case 'breakerOpen':
      return new Failure(
        'UNAVAILABLE',
        'The model cannot be had at the moment. Ask again in a little while.',
        {
          headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) },
        },
      );
    case 'timeout':
      return new Failure('AI_TIMEOUT', 'The model did not answer in time. Ask again later.');
    default:
      return new Failure(
        'AI_ERROR',
        'The model has not written the article: details says why. Tell whoever runs this service, or ask again later.',
        { details: [{ field: 'model', problem: `${reason}: ${problems[reason]}` }] },
      );
  }
}
