import { findAnswer, type StoredAnswer } from '../../db/answers.ts';
import type { DetailViewer } from '../../db/visibility.ts';
import { Failure } from '../../domain/errors.ts';
import type { Deps, SignedUpViewer } from '../deps.ts';
import { findAfterRenewal, type Look } from '../repositories/find-repository.ts';

/** An answer that its viewer may see, after its repository was confirmed. */
export const findAnswerById = (
  { database, renewals }: Pick<Deps, 'database' | 'renewals'>,
  answerId: string,
  look: Look,
): Promise<StoredAnswer | null> => {
  const find = (viewer: DetailViewer) => findAnswer(database, answerId, viewer);
  return findAfterRenewal(renewals, look, find, ({ repository }) => repository);
};

/** Throws where the viewer may not see it, and where it is somebody else's. */
export async function requireOwnAnswer(
  deps: Pick<Deps, 'database' | 'renewals'>,
  answerId: string,
  look: Look & { viewer: SignedUpViewer },
): Promise<StoredAnswer> {
  const answer = await findAnswerById(deps, answerId, look);
  if (!answer) throw new Failure('NOT_FOUND', 'This answer does not exist, or you do not have access to it.');
  if (answer.userId !== look.viewer.user.id)
    throw new Failure(
      'FORBIDDEN',
      'Another user asked this question. Only they can share or delete the answer.',
    );
  return answer;
}
