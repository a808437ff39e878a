import type { Database } from '../db/database.ts';
import { findRepositoryOfJob } from '../db/repositories.ts';
import type { VisibilityViewer } from '../db/visibility.ts';
import { type AskedJob, findJobOfAsker } from '../db/writing-jobs.ts';
import { findAfterRenewal, type Look, seenBy } from './find-visible-repository.ts';
import type { SignedUpViewer } from './identify-bearer.ts';
import type { RepositoryRenewals } from './renew-repositories.ts';

interface Parts {
  database: Database;
  renewals: RepositoryRenewals;
}

/** Who looks after a job, and when: only those who have signed up can have asked for one. */
export interface JobLook extends Look {
  viewer: SignedUpViewer;
}

/** A job that the viewer asked for, if the repository that it is about still shows to them. */
export async function findJobAfterRenewal(
  { database, renewals }: Parts,
  jobId: string,
  look: JobLook,
): Promise<AskedJob | null> {
  const find = (viewer: VisibilityViewer) => findRepositoryOfJob(database, { jobId, viewer });
  const repository = await findAfterRenewal(renewals, look, find, (found) => found);
  const viewer = { ...seenBy(look), userId: look.viewer.user.id };
  return repository && findJobOfAsker(database, { jobId, viewer });
}
