import type { Database } from '../../db/database.ts';
import { findDiffPart } from '../../db/diffs.ts';
import type { StoredPullRequest } from '../../db/pull-requests.ts';
import { Failure } from '../../domain/errors.ts';

/**
 * The compressed parts of a stored diff. All are of the diff that the pull request had when it was found; a reader so slow
 * that it is gone by then gets a failure, never a part of another.
 */
export async function* readStoredParts(
  database: Database,
  { id, diffRevision, filesInDiff }: Pick<StoredPullRequest, 'id' | 'diffRevision' | 'filesInDiff'>,
): AsyncGenerator<Uint8Array, void> {
  for (let file = 0; file < filesInDiff; ) {
    const part = await findDiffPart(database, { pullRequestId: id, revision: diffRevision, file });
    if (part?.firstFile !== file) throw diffReplaced();
    yield part.compressed;
    file = part.lastFile + 1;
  }
}

export function diffReplaced(): Failure {
  return new Failure('UNAVAILABLE', 'The diff was replaced by a newer one while it was read. Ask again.');
}
