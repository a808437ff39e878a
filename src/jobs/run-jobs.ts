import type { WriterDeps } from '../actions/articles/compose-article.ts';
import { failWriting, writeForJob } from '../actions/articles/write-article.ts';
import type { Deps } from '../actions/deps.ts';
import { failParagraph, runParagraph } from '../actions/digests/write-paragraph.ts';
import { failPlanned, writePlannedArticle } from '../actions/imports/planned-articles.ts';
import { type TogetherDeps, writeTogether } from '../actions/imports/write-together.ts';
import { endFailedTrial, runPreview, runTest, type TrialDeps } from '../actions/models/run-trial.ts';
import { findAdding } from '../actions/repositories/add-repository.ts';
import type { AddingRepositories } from '../code-hosts/code-host.ts';
import { notifyPublicChange } from '../db/articles.ts';
import { asJobError } from '../db/failures.ts';
import { noteImportMoved } from '../db/imports.ts';
import type { ClaimedMirror, PlannedArticle } from '../db/job-queue.ts';
import {
  endMirrorRefresh,
  failMirror,
  finishMirror,
  listAddedRepositoryIds,
} from '../db/repositories-added.ts';
import { reasonOf } from '../domain/errors.ts';
import { jobKinds } from '../domain/jobs.ts';
import { createFailureLogger } from './periodic-jobs.ts';
import { type Runner, type Runners, startWork, type WorkDeps, type Workers } from './work.ts';

type RunDeps = WorkDeps &
  WriterDeps &
  Pick<Deps, 'confirmedWithinMs'> &
  TogetherDeps &
  TrialDeps &
  Parameters<typeof failPlanned>[0];

interface RunSettings {
  writers: number;
  /** The interval at which mirrors are refreshed. */
  watchEveryMs: number;
}

/** Few enough to lose little with a process, and enough to make the transaction cheap for each. */
const mostTogether = 16;

/** The functions that run each kind of job, and how many run at once. */
export function runJobs(deps: RunDeps, { writers, watchEveryMs }: RunSettings): Workers {
  const { currentModels, codeHosts } = deps;
  const { adding = null } = findAdding(codeHosts) ?? {};
  const logFailure = createFailureLogger(deps.log, jobKinds.planned.logged);
  const notify = createNotifier(deps, logFailure);
  const writing = {
    run: (job, hooks) => writeForJob(deps, job, hooks),
    fail: (job, error) => failWriting(deps, job, error),
  } satisfies Runners['article'] & Runners['answer'];
  const runners: Runners = {
    article: writing,
    answer: writing,
    planned: runPlanned(deps, notify),
    mirror: mirrorRunner(deps, adding, watchEveryMs),
    refresh: refreshMirrorWhenDue(deps, adding, watchEveryMs),
    test: {
      run: (job, hooks) => runTest(deps, job, hooks),
      fail: (job, error) => endFailedTrial(deps, job, error),
    },
    preview: {
      run: (job, hooks) => runPreview(deps, job, hooks),
      fail: (job, error) => endFailedTrial(deps, job, error),
    },
    digest: {
      run: (job, hooks) => runParagraph(deps, job, hooks),
      fail: (job, error) => failParagraph(deps, job, error),
    },
  };
  const one = adding && writers > 0 ? 1 : 0;
  const lanes = {
    writing: writers,
    // Without a model, one group is fetched while the writers write, because users' requests come first and an article
    // takes a moment. A model takes minutes, so half of the writers are kept for users.
    get planned() {
      return currentModels() || writers === 0 ? Math.ceil(writers / 2) : writers + 1;
    },
    mirrors: one,
    // Without hosts, GIT_CLONE is off.
    refreshes: adding?.hosts.length === 0 ? 0 : one,
    models: Math.min(2, writers),
    // Many end at the same time, and half of the writers are kept for users.
    digests: Math.ceil(writers / 2),
  };
  const together = {
    get hosts() {
      return currentModels() ? [] : codeHosts.flatMap(({ id, readTogether }) => (readTogether ? id : []));
    },
    atMost: mostTogether,
    async run(planned: PlannedArticle[], stopping: AbortSignal): Promise<Set<string>> {
      await notify(planned[0]?.parentId);
      return (await writeTogether(deps, planned, stopping).catch(logFailure)) ?? new Set();
    },
  };
  return startWork(deps, runners, { lanes, together });
}

/** Clients that follow an import get its progress at most this often, and whenever an article is done. */
const notifyEveryMs = 1_000;

const mostNotified = 100;

type Notify = (importId: string | null | undefined) => Promise<void>;

function createNotifier({ database, clock }: RunDeps, logFailure: (error: unknown) => void): Notify {
  const notifiedAt = new Map<string, number>();
  return async (importId) => {
    if (!importId || performance.now() - (notifiedAt.get(importId) ?? -notifyEveryMs) < notifyEveryMs) return;
    notifiedAt.delete(importId);
    notifiedAt.set(importId, performance.now());
    const [oldest] = notifiedAt.keys();
    if (oldest && notifiedAt.size > mostNotified) notifiedAt.delete(oldest);
    await noteImportMoved(database, importId, clock()).catch(logFailure);
  };
}

function runPlanned(deps: RunDeps, notify: Notify): Runner<PlannedArticle> {
  const { jobs } = deps;
  return {
    async run(planned, { signal, stopping }) {
      let notifying = Promise.resolve();
      const untilOver = async (jobId: string): Promise<void> => {
        const unwatch = jobs.watch(jobId, () => {
          notifying = notify(planned.parentId);
        });
        try {
          await jobs.untilOver(jobId, signal);
          signal.throwIfAborted();
        } finally {
          unwatch();
          await notifying;
        }
      };
      await writePlannedArticle({ ...deps, untilOver }, planned, stopping);
    },
    fail: (planned, error) => failPlanned(deps, planned, error),
  };
}

const cannotReadClones = () => new Error('This service does not read clones.');

/** A mirror is deleted with its entry, whatever state it is in. */
async function mirrorUnlessRemoved(
  { database }: RunDeps,
  adding: AddingRepositories | null,
  { subject: id, detail: { address } }: ClaimedMirror,
  make: (adding: AddingRepositories, mirror: { id: string; address: string }) => Promise<void>,
): Promise<void> {
  if (!adding) throw cannotReadClones();
  try {
    await make(adding, { id, address });
  } finally {
    if (!(await listAddedRepositoryIds(database)).includes(id)) await adding.removeMirror(id);
  }
}

/** Only operators see errors of mirrors. */
const couldNotCopy = (error: unknown): string =>
  `The repository could not be copied (${reasonOf(error)}). Check the URL, and that this server can reach it.`;

const mirrorRunner = (
  deps: RunDeps,
  adding: AddingRepositories | null,
  watchEveryMs: number,
): Runner<ClaimedMirror<'mirror'>> => ({
  run: (job, { signal, onProgress }) =>
    mirrorUnlessRemoved(deps, adding, job, async ({ mirror }, wanted) => {
      const { database, clock } = deps;
      const report = (done: number) => onProgress({ step: 'mirroring', done, total: 100 });
      await mirror(wanted, { signal, onProgress: report });
      const now = clock();
      const nextAt = new Date(now.getTime() + watchEveryMs);
      const isMade = await database.transaction((tx) => finishMirror(tx, job, { nextAt, now }));
      if (isMade) await notifyPublicChange(database, 'ranking');
    }),
  async fail(job, error) {
    const { database, clock, log } = deps;
    log.warn({ err: error }, jobKinds.mirror.logged);
    const jobError = asJobError(error, couldNotCopy(error), clock());
    await database.transaction((tx) => failMirror(tx, job, jobError, clock()));
  },
});

/** Refreshes a mirror after the given interval, or when a user asks for it. */
function refreshMirrorWhenDue(
  { database, clock, log, ...deps }: RunDeps,
  adding: AddingRepositories | null,
  watchEveryMs: number,
): Runner<ClaimedMirror<'refresh'>> {
  const end = (job: ClaimedMirror, begunAt: Date, error: unknown = null) => {
    const now = clock();
    const nextAt = new Date(begunAt.getTime() + watchEveryMs);
    const jobError = error === null ? null : asJobError(error, couldNotCopy(error), now);
    return database.transaction((tx) => endMirrorRefresh(tx, job, { error: jobError, nextAt, now }));
  };
  return {
    run: (job, { signal }) =>
      mirrorUnlessRemoved({ ...deps, database, clock, log }, adding, job, async (adding, mirror) => {
        const begunAt = clock();
        await adding.refreshMirror(mirror, signal);
        await end(job, begunAt);
      }),
    async fail(job, error) {
      const isKept = await end(job, clock(), error);
      if (isKept && !job.hasError)
        log.warn({ err: error, address: job.detail.address }, jobKinds.refresh.logged);
    },
  };
}
