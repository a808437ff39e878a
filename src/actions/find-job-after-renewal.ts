import type { CodeHost } from '../code-hosts/code-host.ts';
import type { Database } from '../db/database.ts';
import { findRepositoryOfJob } from '../db/repositories.ts';
import { type AskedJob, findJobOfAsker } from '../db/writing-jobs.ts';
import { findAfterRenewal } from './find-visible-repository.ts';
import type { SignedUpViewer } from './identify-bearer.ts';

interface Parts {
  database: Database;
  codeHosts: CodeHost[];
  clock: () => Date;
}

/** A job that the viewer asked for, if the repository that it is about still shows to them. */
export async function findJobAfterRenewal(
  { database, codeHosts, clock }: Parts,
  jobId: string,
  viewer: SignedUpViewer,
): Promise<AskedJob | null> {
  const seenBy = { userId: viewer.user.id, now: clock() };
  const find = () => findRepositoryOfJob(database, { jobId, viewer: seenBy });
  const parts = { database, codeHosts, now: seenBy.now };
  const repository = await findAfterRenewal(parts, find, (found) => found, viewer);
  return repository && findJobOfAsker(database, { jobId, viewer: seenBy });
}
