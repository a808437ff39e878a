import type { Database } from '../../db/database.ts';
import { findImportOfRequester } from '../../db/imports.ts';
import type { DetailViewer } from '../../db/visibility.ts';
import { findJobsOfRequesters, type RequestedJob, type WantedJob } from '../../db/writing-jobs.ts';
import { batchReads } from '../../domain/concurrency.ts';
import type { SignedUpViewer } from '../accounts/identify-bearer.ts';
import { findAfterRenewal, type Look } from '../repositories/find-visible-repository.ts';
import type { RepositoryRenewals } from '../repositories/renew-repositories.ts';

interface Parts {
  database: Database;
  renewals: RepositoryRenewals;
  clock: () => Date;
}

/** Who looks after a job, and when: only a user who has signed up can have asked for one. */
export interface JobLook extends Look {
  viewer: SignedUpViewer;
}

export type FindJob = (jobId: string, look: JobLook) => Promise<RequestedJob | null>;

/**
 * Finds jobs, imports among them, that their viewers asked for, where the repository that one is about still shows to them. Requests at the same
 * time share one query.
 */
export function findJobsAfterRenewal({ database, renewals, clock }: Parts): FindJob {
  const batch = (purpose: DetailViewer['purpose']) =>
    batchReads((wanted: WantedJob[]) => findJobsOfRequesters(database, wanted, { now: clock(), purpose }));
  const find = { detail: batch('detail'), renewal: batch('renewal') };
  return async (jobId, look) => {
    const wanted = { jobId, userId: look.viewer.user.id };
    const findFor = async ({ purpose }: DetailViewer) =>
      (await find[purpose](wanted)) ?? findImportOfRequester(database, wanted, { now: clock(), purpose });
    const found = await findAfterRenewal(renewals, look, findFor, ({ repository }) => repository);
    return found?.job ?? null;
  };
}
