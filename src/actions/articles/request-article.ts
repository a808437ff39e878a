import { findArticleForJob, findArticleOfPullRequest, type StoredArticle } from '../../db/articles.ts';
import type { Queries } from '../../db/database.ts';
import { findStoredDiff, findUnreadableDiff } from '../../db/diffs.ts';
import {
  claimJobWork,
  countQueuedJobs,
  findLiveJob,
  replaceJob,
  type WorkKey,
  type WritingWork,
} from '../../db/job-queue.ts';
import { addJobRequester, deleteJob, findJobs, type WantedJob } from '../../db/jobs.ts';
import { type Ceiling, findReachedCeiling, takeFromQuota, takeFromWatchBudget } from '../../db/quotas.ts';
import { findVisibleRepository } from '../../db/repositories.ts';
import { type DetailScope, freshWithinMs } from '../../db/visibility.ts';
import { isOperator } from '../../domain/accounts.ts';
import { batchReads } from '../../domain/concurrency.ts';
import { Failure } from '../../domain/errors.ts';
import type { Job } from '../../domain/jobs.ts';
import { checkableLanguages } from '../../domain/languages.ts';
import { quotaExhausted } from '../../domain/limits.ts';
import { type DiffRange, isSameDiff } from '../../domain/pull-requests.ts';
import { anyOf } from '../../domain/text.ts';
import { nextUtcMonth } from '../../domain/time.ts';
import { isOfflineLanguage, offlineLanguages } from '../../writing/articles.ts';
import type { ActingUser, Deps, ModelWriting, SignedUpViewer } from '../deps.ts';
import type { Ingest } from '../pull-requests/ingest-pull-request.ts';
import {
  findAfterRenewal,
  isFresh,
  type Look,
  noRepository,
  type RepositoryAddress,
  type Seen,
} from '../repositories/find-repository.ts';
import { withPresentLinks } from './read-article.ts';

export type RequestDeps = Pick<
  Deps,
  'database' | 'callerOn' | 'clock' | 'readerVersion' | 'offlineWriter'
> & {
  ingest: Ingest;
  currentModels: () => Pick<
    ModelWriting,
    'articlesPerDay' | 'watchedArticlesPerDay' | 'tokensPerDay' | 'tokensPerMonth' | 'mayReadPrivate'
  > | null;
};

export interface ArticleRequest {
  address: RepositoryAddress;
  /** The id of the repository, if it is known: another repository may have taken its name. */
  hostRepoId?: number;
  number: number;
  /** Null for the requester's own, or English if that cannot be written. */
  language: string | null;
  regenerate: boolean;
  /** Whether an article without a model is written again with it; one by a model stays. */
  needsModel?: boolean;
  isMergedOnly?: boolean;
  /** Planned articles are written after those that users request. */
  isPlanned?: boolean;
}

type Requester =
  | { viewer: ActingUser; watched: null }
  /**
   * A request for all followers of a repository. Without a viewer it is anonymous. It counts against no user's quota.
   */
  | { viewer: ActingUser | null; watched: WatchedRequest };

export interface WatchedRequest {
  repositoryId: string;
}

export type Requested = { language: string } & (
  | { article: StoredArticle; jobId: null }
  | { article: null; jobId: string }
);

/** A round fails if the job ends between being found and being joined, or the budget is spent. */
export const mostRounds = 5;

/**
 * Returns the article, or the job that writes it. Concurrent requests for the same article share one job, on any
 * process. It confirms the diff with the host, chooses the writer, then finds the article, or claims or joins its job.
 */
export async function requestArticle(
  deps: RequestDeps,
  request: ArticleRequest,
  requester: Requester,
): Promise<Requested> {
  const { database, clock } = deps;
  const { address } = request;
  const requestedAt = clock();
  const { id: pullRequestId, baseSha, headSha, isPrivate } = await confirmDiff(deps, request, requester);
  const language = request.language ?? usualLanguage(deps, requester.viewer?.user, isPrivate);
  const writer = requireLanguage(deps, language, isPrivate);
  let work: WritingWork = { pullRequestId, baseSha, headSha, languageCode: language, writer, because: null };
  const claim = { ...request, ...requester, offlineWriter: deps.offlineWriter, now: clock() };
  for (let round = 0; round < mostRounds; round += 1) {
    if (await isUpToDate(database, work, claim)) {
      const viewer = viewerOf(requester, requestedAt);
      const article = await findArticleOfPullRequest(database, pullRequestId, viewer);
      if (!article) throw noRepository(address);
      return { article: withPresentLinks(address.codeHost, article), jobId: null, language };
    }
    await refuseUnreadable(deps, work);
    const isDone = (tx: Queries) => isUpToDate(tx, work, claim);
    const jobId = await database.transaction((tx) => claimOrJoin(deps, tx, work, { ...claim, isDone }));
    if (jobId === 'overBudget') {
      if (!isOfflineLanguage(language)) throw budgetSpent(language, claim.now);
      work = { ...work, writer: 'offline', because: 'budget' };
    } else if (jobId) return { article: null, jobId, language };
  }
  throw cancelledTooOften();
}

export const cancelledTooOften = (isQuestion = false): Failure =>
  new Failure(
    'UNAVAILABLE',
    isQuestion
      ? 'This question was cancelled several times while it was being answered. Try again.'
      : 'This article was cancelled several times while it was being written. Try again.',
  );

const viewerOf = ({ viewer }: Requester, now: Date): DetailScope => ({
  userId: viewer?.user.id ?? null,
  now,
  purpose: 'detail',
});

/**
 * The stored diff if the host confirmed it, and showed its repository to the viewer, in the last few minutes. Otherwise
 * it is fetched with the viewer's rights.
 */
export async function confirmDiff(
  deps: RequestDeps,
  {
    address,
    hostRepoId: meant,
    number,
    isMergedOnly,
  }: Pick<ArticleRequest, 'address' | 'hostRepoId' | 'number' | 'isMergedOnly'>,
  requester: Requester,
): Promise<DiffRange & { id: string; isPrivate: boolean }> {
  const { database, clock } = deps;
  const { codeHost, owner, name } = address;
  const now = clock();
  const requireMeant = ({ hostRepoId }: { hostRepoId: number }): void => {
    if (meant !== undefined && meant !== hostRepoId) throw noRepository(address);
  };
  const viewer = viewerOf(requester, now);
  const known = await findVisibleRepository(database, { host: codeHost.id, owner, name, viewer });
  if (known && isFresh(known, now)) {
    requireMeant(known);
    const stored = await findStoredDiff(database, { ...known, number });
    const isEnough = stored && !stored.isOutdated && (stored.isMerged || !isMergedOnly);
    if (isEnough && stored.baseSha !== '' && now.getTime() - stored.fetchedAt.getTime() < freshWithinMs)
      return { ...stored, isPrivate: known.isPrivate };
  }
  const ingested = await deps.ingest(address, number, requester.viewer, { isOnQuota: !requester.watched });
  requireMeant(ingested);
  const { pullRequest, isPrivate } = ingested;
  if (isMergedOnly && pullRequest.state !== 'merged')
    throw new Failure(
      'INVALID_REQUEST',
      `${owner}/${name}#${number} is not merged yet. Request an article about it directly, or import it after the merge.`,
    );
  return { ...pullRequest, isPrivate };
}

interface Claim extends Partial<Pick<ArticleRequest, 'isPlanned' | 'regenerate' | 'needsModel'>> {
  viewer: ActingUser | null;
  watched: WatchedRequest | null;
  now: Date;
  isDone: (tx: Queries) => Promise<boolean>;
}

interface Currency extends Pick<ArticleRequest, 'regenerate' | 'needsModel'> {
  offlineWriter: number;
  now: Date;
}

/**
 * Whether a current article exists: about this diff, not by an older offline writer, and with no failed model due for
 * another attempt. Only a model replaces an article by a model.
 */
async function isUpToDate(
  db: Queries,
  work: WorkKey,
  { regenerate, needsModel = false, offlineWriter, now }: Currency,
): Promise<boolean> {
  const written = await findArticleForJob(db, work);
  if (!written || !isSameDiff(written, work)) return false;
  if (written.offlineWriter === null) return !regenerate || work.writer !== 'ai';
  const isDue =
    work.writer === 'ai' && (needsModel || (written.nextTryAt !== null && written.nextTryAt <= now));
  return !regenerate && !isDue && written.offlineWriter >= offlineWriter;
}

export async function refuseUnreadable(
  { database, readerVersion }: Pick<Deps, 'database' | 'readerVersion'>,
  work: WorkKey,
): Promise<void> {
  const known = await findUnreadableDiff(database, { ...work, terms: readerVersion });
  if (known !== null) throw new Failure('UNREADABLE', known);
}

/**
 * The id of the job that does the work; null if the job has just ended; `overBudget` if no model can be paid for it, so
 * that it is done without one.
 */
export async function claimOrJoin(
  deps: Pick<RequestDeps, 'currentModels'>,
  tx: Queries,
  work: WritingWork,
  claim: Claim,
): Promise<string | 'overBudget' | null> {
  const { viewer, watched, isPlanned = false, now, isDone } = claim;
  const userId = viewer && !watched ? viewer.user.id : null;
  const claimed = await claimJobWork(tx, work, now, { userId, isPlanned });
  const jobId = claimed ?? (await findLiveJob(tx, work));
  if (!jobId) return null;
  if (claimed) {
    // Only while it holds the claim is it certain that no worker has just published.
    const isWritten = await isDone(tx);
    if (isWritten || (work.writer === 'ai' && !(await takeAllowance(deps, tx, claimed, work, claim)))) {
      await deleteJob(tx, claimed);
      return isWritten ? null : 'overBudget';
    }
  }
  if (!userId) return jobId;
  const isNew = claimed !== null || (await replaceJob(tx, jobId, { userId, isPlanned }, now));
  if (isNew && !isPlanned) await requireRoom(tx, userId);
  await addJobRequester(tx, { jobId, userId });
  return jobId;
}

/** The queued articles of a user: as many as a person requests at once, but few enough to keep the queue short. */
const mostQueued = 100;

export async function requireRoom(tx: Queries, userId: string): Promise<void> {
  if ((await countQueuedJobs(tx, userId)) <= mostQueued) return;
  throw new Failure(
    'RATE_LIMITED',
    `You already have ${mostQueued} jobs waiting. Wait until one of them begins, or cancel one.`,
    {
      details: [{ field: 'jobs', problem: `at most ${mostQueued} of each user may wait` }],
      headers: { 'retry-after': '5' },
    },
  );
}

/**
 * Takes an article by a model from the quota of its first requester, or from the budget for followed repositories. False
 * if that budget is spent, or a ceiling of the service is reached.
 */
async function takeAllowance(
  { currentModels }: Pick<RequestDeps, 'currentModels'>,
  tx: Queries,
  jobId: string,
  { languageCode }: WorkKey,
  { viewer, watched, regenerate, needsModel, now }: Claim,
): Promise<boolean> {
  const models = currentModels();
  if (!models) return true;
  const { articlesPerDay, watchedArticlesPerDay } = models;
  const ceiling = await findReachedCeiling(tx, models, now);
  // Rewriting is pointless without a model, and some languages need one.
  if (ceiling && (regenerate || needsModel || !isOfflineLanguage(languageCode)))
    throw ceilingReached(ceiling, now);
  if (ceiling) return false;
  if (watched) {
    const { repositoryId } = watched;
    return takeFromWatchBudget(tx, { jobId, repositoryId, articlesPerDay: watchedArticlesPerDay, now });
  }
  if (!viewer || isOperator(viewer.identity)) return true;
  if (await takeFromQuota(tx, viewer.identity, { jobId, articlesPerDay, now })) return true;
  throw quotaExhausted(
    `You have reached today's limit of ${articlesPerDay} articles and answers written by the model.`,
    now,
  );
}

export const ceilingReached = (ceiling: Ceiling, now: Date): Failure =>
  ceiling === 'day'
    ? quotaExhausted("This service has used up today's model tokens.", now)
    : quotaExhausted("This service has used up this month's model tokens.", now, nextUtcMonth(now));

const budgetSpent = (language: string, now: Date): Failure =>
  quotaExhausted(
    `Today's limit for articles about followed repositories has been reached, and articles in ${language} need a model.`,
    now,
  );

type LanguageDeps = { currentModels: () => Pick<ModelWriting, 'mayReadPrivate'> | null };

function writerFor({ currentModels }: LanguageDeps, isPrivate: boolean): 'ai' | 'offline' {
  const models = currentModels();
  return models && (!isPrivate || models.mayReadPrivate) ? 'ai' : 'offline';
}

export const canWriteIn = (deps: LanguageDeps, language: string, isPrivate: boolean): boolean =>
  writerFor(deps, isPrivate) === 'ai' ? checkableLanguages.includes(language) : isOfflineLanguage(language);

/** The language in which a user gets articles: English if their own cannot be written. */
export const usualLanguage = (
  deps: LanguageDeps,
  user: { language: string } | undefined,
  isPrivate: boolean,
): string => (user && canWriteIn(deps, user.language, isPrivate) ? user.language : 'en');

/** Says that English replaces the language of a user. */
export const saidOfLanguage = (
  requested: string | null,
  { language: own }: { language: string },
  used: string,
): string =>
  requested !== null || own === used ? '' : ` In English, because this service cannot write in ${own}.`;

export function requireLanguage(
  deps: LanguageDeps,
  language: string,
  isPrivate: boolean,
  what: 'Articles' | 'Answers' = 'Articles',
): 'ai' | 'offline' {
  if (canWriteIn(deps, language, isPrivate)) return writerFor(deps, isPrivate);
  const offline = anyOf(offlineLanguages);
  throw new Failure(
    'LANGUAGE_UNAVAILABLE',
    deps.currentModels()
      ? `${what} in ${language} cannot be checked here, or the model may not read this repository. Request ${offline} instead.`
      : `${what} in ${language} need a model, and this service has none configured. Request ${offline} instead.`,
  );
}

/** Only signed-up users can have requested a job. */
export interface JobLook extends Look {
  viewer: SignedUpViewer;
}

type FindJob = (jobId: string, look: JobLook) => Promise<Seen<Job> | null>;

/** Finds jobs of their viewers, if the host still shows them the repository. Concurrent calls share one query. */
export function findJobsAfterRenewal({
  database,
  renewals,
  clock,
}: Pick<Deps, 'database' | 'renewals' | 'clock'>): FindJob {
  const batch = (purpose: DetailScope['purpose']) =>
    batchReads((wanted: WantedJob[]) => findJobs(database, wanted, { now: clock(), purpose }));
  const find = { detail: batch('detail'), beforeAskingHost: batch('beforeAskingHost') };
  return async (jobId, look) => {
    const wanted = { jobId, userId: look.viewer.user.id };
    const findFor = ({ purpose }: DetailScope) => find[purpose](wanted);
    const visible = await findAfterRenewal(renewals, look, findFor, ({ repository }) => repository);
    return visible && { found: visible.found.job, seen: visible.seen };
  };
}
