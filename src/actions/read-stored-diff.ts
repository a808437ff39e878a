import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type { Database } from '../db/database.ts';
import { findDiffPart, type StoredPullRequest } from '../db/pull-requests.ts';
import type { FileDiff } from '../reading/file-diff.ts';
import { parseDiff } from '../reading/parse-diff.ts';

const decompress = promisify(zstdDecompress);

/** A stored diff, part by part, so that never more than one part is in memory. */
export async function* readStoredDiff(
  database: Database,
  { id }: StoredPullRequest,
): AsyncGenerator<Buffer, void> {
  for (let fromFile = 0; ; ) {
    const part = await findDiffPart(database, { pullRequestId: id, fromFile });
    if (!part) return;
    yield await decompress(part.compressed);
    fromFile = part.lastFile + 1;
  }
}

/** One file of a stored diff; null when the pull request does not change it, or when it was too large to keep. */
export async function readStoredFile(
  database: Database,
  { id, files }: StoredPullRequest,
  fileName: string,
): Promise<FileDiff | null> {
  const position = files.findIndex((file) => file.fileName === fileName);
  const part = position < 0 ? null : await findDiffPart(database, { pullRequestId: id, fromFile: position });
  if (!part || part.firstFile > position) return null;
  return parseDiff(await decompress(part.compressed)).find(({ path }) => path === fileName) ?? null;
}
