import type { Asker } from '../../actions/repositories/find-on-host.ts';
import type { Job } from '../../contract/job.ts';
import { findImportOfAsker, findLiveImportOf, listWaiting } from '../../db/imports.ts';
import { presentJob } from '../answers/present-job.ts';
import type { Deps } from '../deps.ts';

/** The import of the reader that is under way in a repository, and what waits in it. */
export async function findImport(
  { database, clock }: Deps,
  repositoryId: string,
  { viewer, requestId }: Asker & { requestId: string },
): Promise<{ job: Job; waiting: number[] } | null> {
  const userId = viewer.user.id;
  const jobId = await findLiveImportOf(database, { userId, repositoryId });
  const seen = { now: clock(), purpose: 'detail' } as const;
  const found = jobId && (await findImportOfAsker(database, { jobId, userId }, seen));
  if (!found) return null;
  // An import has no article of its own.
  const finders = { findArticle: async () => null };
  const job = await presentJob(finders, found.job, { viewer: { userId, ...seen }, requestId });
  return { job, waiting: await listWaiting(database, jobId) };
}
