import type { CodeHost } from '../../code-hosts/code-host.ts';
import { findUser } from '../../db/accounts.ts';
import { findArticleForJob, findNumbersWithArticle } from '../../db/articles.ts';
import { findOutdatedArticles } from '../../db/drafts.ts';
import { asJobError } from '../../db/failures.ts';
import { deferPlannedArticles, endPlannedArticles } from '../../db/imports.ts';
import {
  claimJobWork,
  countLiveWritingJobs,
  type JobEnd,
  noteJobWaiting,
  type PlannedArticle,
  type WritingWork,
} from '../../db/job-queue.ts';
import { cancelJobsWaitedFor, findJobOutcome } from '../../db/jobs.ts';
import { hasAnswer } from '../../db/questions.ts';
import { findLearnedRemoval } from '../../db/removals.ts';
import { forgetDeliveries } from '../../db/webhooks.ts';
import { unlessAborted } from '../../domain/concurrency.ts';
import { accountGone, type ErrorCode, Failure } from '../../domain/errors.ts';
import { isOver, type JobError, type JobState, jobKinds } from '../../domain/jobs.ts';
import { offlineLanguages } from '../../writing/articles.ts';
import { type RequestDeps, type Requested, requestArticle } from '../articles/request-article.ts';
import type { Deps } from '../deps.ts';
import { requestForWatchers } from '../following/follow.ts';
import type { Ingest } from '../pull-requests/ingest-pull-request.ts';
import { anonymousCaller, type RepositoryAddress } from '../repositories/find-repository.ts';

interface PlannedDeps extends RequestDeps, Pick<Deps, 'codeHosts' | 'log'> {}

/** Temporary failures: the host or this service is overloaded or does not respond. */
const passing: ErrorCode[] = [
  'HOST_RATE_LIMITED',
  'HOST_TIMEOUT',
  'HOST_ERROR',
  'RATE_LIMITED',
  'UNAVAILABLE',
  'STORAGE_FULL',
  'INTERNAL',
];

/** Rarely temporary, so they are retried only a few times. */
const seldomPassing: ErrorCode[] = ['HOST_ERROR', 'INTERNAL'];

/** The rest of the import would fail for the same reason. */
const concerningAll: ErrorCode[] = [
  'QUOTA_EXHAUSTED',
  'REPOSITORY_NOT_FOUND',
  'HOST_TOKEN_REQUIRED',
  'HOST_TOKEN_INVALID',
  'LANGUAGE_UNAVAILABLE',
  'USER_NOT_FOUND',
];

const fewTries = 3;

const mostTries = 100;

const firstPauseMs = 15_000;
const longestPauseMs = 15 * 60_000;

/**
 * Requests a planned article with the rights of the user who wants it, and waits until it is written. If repeated, it
 * joins the running job or finds the article, so that nothing is written twice.
 */
export async function writePlannedArticle(
  deps: PlannedDeps & {
    /** Settles when the job has ended; throws if this worker must stop. */
    untilOver: (jobId: string) => Promise<void>;
  },
  planned: PlannedArticle,
  stopping: AbortSignal,
): Promise<void> {
  const { database } = deps;
  let jobId = planned.waitsFor;
  for (let round = 0; round < fewTries; round += 1) {
    if (jobId) {
      await deps.untilOver(jobId);
      const outcome = await findJobOutcome(database, jobId);
      const isTriedAgain = outcome?.state === 'cancelled' && isCancelledByAnother(planned, round);
      if (outcome && !isTriedAgain) return notePlannedEnd(deps, planned, plannedEnd(outcome));
      if (!(await noteJobWaiting(database, planned, null))) return;
    }
    // A planned article that was cancelled meanwhile needs its job id, so that the job can be cancelled.
    const requested = await unlessAborted(request(deps, planned), stopping);
    if (!requested) return stopping.throwIfAborted();
    if (!requested.jobId) return notePlannedEnd(deps, planned, { state: 'done' });
    jobId = requested.jobId;
    if (!(await noteJobWaiting(database, planned, jobId))) return giveUpPlanned(deps, planned, jobId);
  }
  throw new Failure(
    'UNAVAILABLE',
    'This article was deleted several times while it was being written. Try again.',
  );
}

export async function failPlanned(deps: PlannedDeps, planned: PlannedArticle, error: unknown): Promise<void> {
  const { failed, logged } = jobKinds.planned;
  const jobError = asJobError(error, failed, deps.clock());
  if (jobError.code === 'INTERNAL') deps.log.error({ err: error, jobId: planned.id }, logged);
  await notePlannedEnd(deps, planned, { state: 'failed', error: jobError });
}

/** A cancelled job is retried twice; after that the user meant it. */
const isCancelledByAnother = ({ userId }: PlannedArticle, round: number): boolean =>
  userId === null || round < fewTries - 1;

async function request(deps: PlannedDeps, planned: PlannedArticle): Promise<Requested | typeof unwanted> {
  const { host, hostRepoId, owner, name, prNumber: number, languageCode: language } = planned;
  const codeHost = deps.codeHosts.find(({ id }) => id === host);
  if (!codeHost) throw new Failure('REPOSITORY_NOT_FOUND', `The code host ${host} is no longer configured.`);
  const wish = {
    address: { codeHost, owner, name },
    hostRepoId,
    number,
    language,
    regenerate: false,
    needsModel: planned.detail !== null,
    isMergedOnly: !planned.mayBeOpen,
    isPlanned: true,
  };
  if (planned.userId === null) {
    const { repositoryId, isPrivate, deferred } = planned;
    const watched = { repositoryId, isPrivate, deferred };
    return (await requestForWatchers(deps, wish, watched)) ?? unwanted;
  }
  const found = await findUser(deps.database, planned.userId);
  if (!found) throw accountGone();
  const viewer = { ...found, credential: { kind: 'saved' } } as const;
  return requestArticle(deps, wish, { viewer, watched: null });
}

/** The repository is no longer followed in this language. */
const unwanted = { article: null, jobId: null } as const;

async function giveUpPlanned(
  { database, clock }: PlannedDeps,
  { id, userId }: PlannedArticle,
  jobId: string,
): Promise<void> {
  const own = await findJobOutcome(database, id);
  if (userId !== null && (!own || isOver(own.state)))
    await database.transaction((tx) => cancelJobsWaitedFor(tx, { jobId, userId, now: clock() }));
}

function plannedEnd({ state, error }: { state: JobState; error: JobError | null }): JobEnd {
  if (state === 'done') return { state };
  return { state: 'failed', error: error ?? jobKinds.planned.cancelled };
}

async function notePlannedEnd(
  { database, clock }: PlannedDeps,
  planned: PlannedArticle,
  end: JobEnd,
): Promise<void> {
  const now = clock();
  if (end.state === 'failed' && passes(end.error, planned)) {
    // Without a model, articles can still be written in some languages.
    const concernsLanguage = end.error.code === 'QUOTA_EXHAUSTED';
    await deferPlannedArticles(database, planned, {
      until: pauseEnd(end.error, planned, now),
      concernsLanguage,
      now,
    });
    return;
  }
  const concernsAll = end.state === 'failed' && concerningAll.includes(end.error.code);
  await database.transaction(async (tx) => {
    await endPlannedArticles(tx, [planned], { end, concernsAll, now });
    if (end.state === 'failed' && planned.parentId === null) await forgetDeliveries(tx, planned);
  });
}

/**
 * Articles for followers are retried as long as the repository is followed, even if the host or all users with access
 * are unavailable for long.
 */
const passingForWatchers: ErrorCode[] = [
  ...passing.filter((code) => code !== 'INTERNAL'),
  'QUOTA_EXHAUSTED',
  'REPOSITORY_NOT_FOUND',
  'HOST_TOKEN_REQUIRED',
  'HOST_TOKEN_INVALID',
];

function passes({ code }: JobError, { deferred, userId }: PlannedArticle): boolean {
  if (userId === null && passingForWatchers.includes(code)) return true;
  const tries = seldomPassing.includes(code) ? fewTries : mostTries;
  return passing.includes(code) && deferred + 1 < tries;
}

/** The host's own retry time, or growing pauses. */
function pauseEnd({ retryAt }: JobError, { deferred }: PlannedArticle, now: Date): Date {
  const pauseMs = Math.min(firstPauseMs * 2 ** Math.min(deferred, 10), longestPauseMs);
  const said = retryAt ? Date.parse(retryAt) : 0;
  return new Date(Math.max(said, now.getTime() + (said > 0 ? 0 : pauseMs)));
}

type SampleDeps = Pick<Deps, 'database' | 'clock' | 'recordings'> & {
  codeHost: CodeHost;
  ingest: Ingest;
  untilOver: (jobId: string, signal: AbortSignal) => Promise<unknown>;
};

const mostSamples = 100;

/**
 * Writes about the samples that have no article yet, for no user: first with the recorded replies of a model, oldest first
 * because the newest takes longest, then without a model. One at a time, so that the other writers are free for users.
 */
export async function writeAboutSamples(deps: SampleDeps, signal: AbortSignal): Promise<void> {
  const { codeHost, database, clock, recordings } = deps;
  const suggested = await codeHost.suggestPullRequest();
  const shown =
    suggested && (await codeHost.findRepository(suggested.owner, suggested.name, anonymousCaller(signal)));
  const removal = shown && (await findLearnedRemoval(database, { host: codeHost.id, ...shown }, clock()));
  if (!shown || !removal || removal.isWhole) return;
  const page = { state: 'all', limit: mostSamples, offset: 0, without: removal.numbers } as const;
  const { items } = await codeHost.listPullRequests(shown, page, anonymousCaller(signal));
  const recorded = await recordings.numbersIn({ owner: shown.owner, repo: shown.name });
  const written = await findNumbersWithArticle(database, {
    host: codeHost.id,
    hostRepoId: shown.hostRepoId,
    languages: offlineLanguages,
    byModel: recorded,
  });
  const numbers = items.map(({ number }) => number).filter((number) => !written.has(number));
  const [first = [], rest = []] = [true, false].map((isRecorded) =>
    numbers.filter((number) => recorded.includes(number) === isRecorded),
  );
  for (const number of [...first.reverse(), ...rest]) {
    if (signal.aborted) return;
    await writeAboutSample(deps, { codeHost, owner: shown.owner, name: shown.name }, number, signal);
  }
}

async function writeAboutSample(
  { database, clock, ingest, untilOver, recordings }: SampleDeps,
  address: RepositoryAddress,
  number: number,
  signal: AbortSignal,
): Promise<void> {
  const { pullRequest } = await ingest(address, number, null);
  const { id: pullRequestId, baseSha, headSha } = pullRequest;
  const wanted = offlineLanguages.map(async (languageCode) => {
    const place = { owner: address.owner, repo: address.name, number, languageCode };
    const questions = await recordings.questionsAbout(place);
    const article = {
      pullRequestId,
      baseSha,
      headSha,
      languageCode,
      writer: questions ? 'recorded' : 'offline',
    };
    const answers = (questions ?? []).map((text) => {
      const key = [...Object.values(article), text].join(' ');
      const asked = { text, isAboutRepository: false, pullRequestIds: [pullRequestId] };
      return { ...article, question: { ...asked, key, standInKey: `${key} without a model` } };
    });
    return { article, answers };
  });
  const [first, ...others] = await Promise.all(wanted);
  // The last article comes after the answers, because a sample with all of its articles is not looked at again.
  const answers = [first, ...others].flatMap((one) => one?.answers.reverse() ?? []);
  const works: WritingWork[] = [...answers, ...others.map(({ article }) => article)];
  for (const work of first ? [first.article, ...works] : works) {
    if (signal.aborted) return;
    if (await isWritten(database, work)) continue;
    const jobId = await claimJobWork(database, work, clock());
    if (jobId) await untilOver(jobId, signal);
  }
}

async function isWritten(database: SampleDeps['database'], work: WritingWork): Promise<boolean> {
  if (work.question) return hasAnswer(database, work.question.key);
  const existing = await findArticleForJob(database, work);
  return existing !== null && (work.writer === 'offline' || existing.offlineWriter === null);
}

/** Outdated articles wait while this many jobs of users are running, because users come first. */
const mostAtATime = 2;

/** Rewrites some articles by older offline writers, for no user. Returns how many are still to be rewritten. */
export async function renewOfflineArticles({
  database,
  clock,
  offlineWriter,
}: Pick<Deps, 'database' | 'clock' | 'offlineWriter'>): Promise<number> {
  const outdated = await findOutdatedArticles(database, { offlineWriter, atMost: mostAtATime });
  if (outdated.length === 0) return 0;
  const room = mostAtATime - (await countLiveWritingJobs(database));
  for (const article of outdated.slice(0, Math.max(0, room))) {
    await claimJobWork(database, { ...article, writer: 'offline' }, clock());
  }
  return outdated.length;
}
