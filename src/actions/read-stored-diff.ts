import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type { Database } from '../db/database.ts';
import { findFilePosition, type StoredPullRequest } from '../db/pull-requests.ts';
import { findDiffPart } from '../db/stored-diffs.ts';
import { Failure } from '../domain/errors.ts';
import type { FileDiff } from '../reading/file-diff.ts';
import { parseDiff } from '../reading/parse-diff.ts';

const decompress = promisify(zstdDecompress);

/**
 * The compressed parts of a stored diff. All are of the diff that the pull request had when it was found; whoever reads so
 * slowly that it is gone by then gets a failure, never a part of another.
 */
export async function* readStoredParts(
  database: Database,
  { id, diffRevision, filesInDiff }: Pick<StoredPullRequest, 'id' | 'diffRevision' | 'filesInDiff'>,
): AsyncGenerator<Uint8Array, void> {
  for (let file = 0; file < filesInDiff; ) {
    const part = await findDiffPart(database, { pullRequestId: id, revision: diffRevision, file });
    if (part?.firstFile !== file) throw replaced();
    yield part.compressed;
    file = part.lastFile + 1;
  }
}

/** A stored diff, part by part, so that never more than one part is in memory. */
export async function* readStoredDiff(
  database: Database,
  pullRequest: StoredPullRequest,
): AsyncGenerator<Buffer, void> {
  for await (const part of readStoredParts(database, pullRequest)) yield await decompress(part);
}

function replaced(): Failure {
  return new Failure('UNAVAILABLE', 'The diff was replaced by a newer one while it was read. Ask again.');
}

/** One file of a stored diff; null when the pull request does not change it, or when it was too large to keep. */
export async function readStoredFile(
  database: Database,
  { id, diffRevision, files, changedFiles }: StoredPullRequest,
  fileName: string,
): Promise<FileDiff | null> {
  const known = files.findIndex((file) => file.fileName === fileName);
  const isTold = known >= 0 || files.length === changedFiles;
  const file = isTold ? known : await findFilePosition(database, { pullRequestId: id, fileName });
  if (file === null || file < 0) return null;
  const part = await findDiffPart(database, { pullRequestId: id, revision: diffRevision, file });
  return part && (parseDiff(await decompress(part.compressed)).find(({ path }) => path === fileName) ?? null);
}
