import type { Database } from '../../db/database.ts';
import type { PullRequestToWriteAbout } from '../../db/pull-requests.ts';
import type { JobProgress } from '../../domain/pull-requests.ts';
import { readStoredParts } from '../pull-requests/read-stored-diff.ts';
import type { DiffFeed } from './read-for-writing.ts';

/** Hands a stored diff over part by part, as it is asked for. */
export function diffFeedOf(
  database: Database,
  pullRequest: PullRequestToWriteAbout,
  onProgress: (progress: JobProgress) => void,
): DiffFeed {
  const parts = readStoredParts(database, pullRequest);
  return {
    nextPart: async () => (await parts.next()).value ?? null,
    onProgress: async (progress) => onProgress(progress),
  };
}
