import type { Database, Queries } from '../db/database.ts';
import { findQuietJobs, requeueJob } from '../db/writing-jobs.ts';

const minute = 60 * 1000;

/** Whoever has just asked has just sent a message, too. */
const queuedForMs = minute;

/** Longer than a worker that lives is ever silent about how far it is. */
const silentForMs = 10 * minute;

interface Parts {
  database: Database;
  clock: () => Date;
  /** The jobs that some message in the queue is about. */
  findCarried: () => Promise<Set<string>>;
  /** Has a job worked on, if the transaction commits. */
  enqueue: (tx: Queries, jobId: string) => Promise<void>;
}

/**
 * Puts jobs back into the queue that it has lost, so that nobody joins work that is never done. The job and its message
 * come and go together; but messages expire, and an operator may empty the queue.
 */
export async function requeueOrphans({ database, clock, findCarried, enqueue }: Parts): Promise<void> {
  const ago = (ms: number) => new Date(clock().getTime() - ms);
  const quiet = await findQuietJobs(database, {
    queuedBefore: ago(queuedForMs),
    runningBefore: ago(silentForMs),
  });
  if (quiet.length === 0) return;
  const carried = await findCarried();
  for (const job of quiet.filter(({ id }) => !carried.has(id))) {
    await database.transaction(async (tx) => {
      if (await requeueJob(tx, job, clock())) await enqueue(tx, job.id);
    });
  }
}
