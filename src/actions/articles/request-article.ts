import type { HostRepository } from '../../code-hosts/code-host.ts';
import { findArticleOfPullRequest, findWrittenFor, type StoredArticle } from '../../db/articles.ts';
import type { Database, Queries } from '../../db/database.ts';
import { findStoredDiff, findUnreadable } from '../../db/diffs.ts';
import { countTokens, takeFromBudget, takeFromQuota } from '../../db/quotas.ts';
import { findVisibleRepository, saveSeenRepository } from '../../db/repositories.ts';
import { freshForMs } from '../../db/visibility.ts';
import {
  addRequester,
  claimWork,
  findLiveJob,
  prioritizeJob,
  unclaimWork,
  type Work,
  type WorkKey,
} from '../../db/writing-jobs.ts';
import { isOperator } from '../../domain/accounts.ts';
import { Failure } from '../../domain/errors.ts';
import { quotaExhausted } from '../../domain/limits.ts';
import { type DiffRange, isSameDiff } from '../../domain/pull-requests.ts';
import { isOfflineLanguage } from '../../writing/languages.ts';
import type { ActingUser } from '../accounts/identify-bearer.ts';
import type { Ingest } from '../pull-requests/share-ingests.ts';
import {
  type CallerOn,
  findOnHost,
  noRepository,
  type RepositoryAddress,
} from '../repositories/find-on-host.ts';
import { isFresh } from '../repositories/renew-repositories.ts';
import type { ModelWriting } from './compose-with-model.ts';
import { withPresentLinks } from './follow-web-url.ts';
import { ceilingReached } from './paid-questions.ts';
import { requireLanguage } from './writing-language.ts';

/** Each round can be spoilt only by a job that ends in that very moment. */
const mostRounds = 5;

export interface RequestParts {
  database: Database;
  callerOn: CallerOn;
  clock: () => Date;
  ingest: Ingest;
  /** What decides whether a diff can be read. */
  terms: () => Promise<string>;
  /** The number of the offline writer. */
  offlineWriter: () => Promise<number>;
  /** Null where articles are written without a model. */
  models: Pick<
    ModelWriting,
    'articlesPerDay' | 'watchedArticlesPerDay' | 'tokensPerDay' | 'mayReadPrivate'
  > | null;
}

export interface Wish {
  address: RepositoryAddress;
  /** Which repository is meant, where that is known: another one may have come to have its name. */
  hostRepoId?: number;
  number: number;
  language: string;
  regenerate: boolean;
  /** Whether only what is merged is written about. */
  isMergedOnly?: boolean;
  /** Whether it was planned: what people ask for goes before it. */
  isPlanned?: boolean;
}

/** On whose behalf, and with whose rights. */
type Requester =
  | { viewer: ActingUser; watched: null }
  /** Of all who watch the repository; null shows what is public. It counts on no user's quota. */
  | { viewer: ActingUser | null; watched: WatchedRequest };

export interface WatchedRequest {
  repositoryId: string;
  /** Whether it is known already that no model can be paid for it today. */
  isOverBudget: boolean;
}

/** Either the article that stands already, or the job that will make it. */
export type Requested = { article: StoredArticle; jobId: null } | { article: null; jobId: string };

/**
 * Has an article written, unless an up-to-date one stands. Of all requests for the same at the same time, on whichever
 * process, one starts the job and the rest join it.
 */
export async function requestArticle(
  parts: RequestParts,
  { address, number, language, regenerate, isPlanned = false, ...wanted }: Wish,
  requester: Requester,
): Promise<Requested> {
  const { database, clock } = parts;
  const askedAt = clock();
  const look = { ...requester, ...wanted, askedAt };
  const { isPrivate, ...diff } = await confirmDiff(parts, address, number, look);
  const writer = requireLanguage(parts, language, isPrivate);
  const { id: pullRequestId, baseSha, headSha } = diff;
  const byWhom: Pick<Work, 'writer' | 'because'> = { writer, because: null };
  const offlineWriter = await parts.offlineWriter();
  const asking: Asking = { requester, regenerate, isPlanned, offlineWriter, now: clock() };
  for (let round = 0; round < mostRounds; round += 1) {
    const work = { pullRequestId, baseSha, headSha, languageCode: language, ...byWhom };
    if (await stands(database, work, asking)) {
      const seenBy = { userId: requester.viewer?.user.id ?? null, now: askedAt, purpose: 'detail' } as const;
      const article = await findArticleOfPullRequest(database, pullRequestId, seenBy);
      // It turned private since the host was asked.
      if (!article) throw noRepository(address);
      return { article: withPresentLinks(address.codeHost, article), jobId: null };
    }
    await refuseUnreadable(parts, work);
    const jobId = await database.transaction((tx) => claimOrJoin(parts, tx, work, asking));
    if (jobId === 'overBudget') {
      if (!isOfflineLanguage(language)) throw budgetSpent(language, asking.now);
      Object.assign(byWhom, { writer: 'offline', because: 'budget' });
    } else if (jobId) return { article: null, jobId };
  }
  throw new Failure('UNAVAILABLE', 'This article is being written and cancelled all the time. Try again.');
}

type Look = Requester & Pick<Wish, 'hostRepoId' | 'isMergedOnly'> & { askedAt: Date };

const isMeant = ({ hostRepoId }: Look, found: Pick<HostRepository, 'hostRepoId'>): boolean =>
  hostRepoId === undefined || hostRepoId === found.hostRepoId;

/**
 * The diff that the host has confirmed in the last few minutes. The host itself must show the repository to the viewer,
 * because asking is what makes a grant; where it has just done so, it is not asked again.
 */
async function confirmDiff(
  parts: RequestParts,
  address: RepositoryAddress,
  number: number,
  look: Look,
): Promise<DiffRange & { id: string; isPrivate: boolean }> {
  const { database } = parts;
  const { codeHost } = address;
  const seen = await (codeHost.isLocal ? findNow(parts, address, look) : findFresh(database, address, look));
  if (seen && !isMeant(look, seen)) throw noRepository(address);
  const stored = seen && (await findStoredDiff(database, { ...seen, number }));
  if (codeHost.isLocal && seen && (seen.isPrivate || stored?.isPrivate)) {
    const userId = look.viewer?.user.id ?? null;
    await database.transaction((tx) => saveSeenRepository(tx, { seen, userId, askedAt: look.askedAt }));
  }
  const age = stored && look.askedAt.getTime() - stored.fetchedAt.getTime();
  const isEnough = stored && !stored.isOutdated && (stored.isMerged || !look.isMergedOnly);
  if (stored && age !== null && age < freshForMs && stored.baseSha !== '' && isEnough)
    return { ...stored, isPrivate: seen.isPrivate };
  const ingested = await parts.ingest(address, number, look.viewer, { isOnQuota: !look.watched });
  if (!isMeant(look, ingested)) throw noRepository(address);
  const { pullRequest, isPrivate } = ingested;
  if (look.isMergedOnly && pullRequest.state !== 'merged') throw notMerged(address, number);
  return { ...pullRequest, isPrivate };
}

type Seen = HostRepository & { host: string };

/** Asks a host that is asked for nothing. */
async function findNow(parts: RequestParts, address: RepositoryAddress, { viewer }: Look): Promise<Seen> {
  const found = await findOnHost(parts, address, { viewer, signal: new AbortController().signal });
  return { host: address.codeHost.id, ...found };
}

/** What the host has shown to the viewer, or to the public, within the last minutes. */
async function findFresh(
  database: Database,
  { codeHost, owner, name }: RepositoryAddress,
  { viewer, askedAt }: Look,
): Promise<Seen | null> {
  const seenBy = { userId: viewer?.user.id ?? null, now: askedAt, purpose: 'detail' } as const;
  const known = await findVisibleRepository(database, { host: codeHost.id, owner, name, viewer: seenBy });
  return known && isFresh(known, askedAt) ? known : null;
}

/**
 * Whether there is nothing to write: it is written about this diff, not by an older offline writer, and no model is due that
 * has failed. What a model wrote is written anew by a model alone.
 */
async function stands(
  db: Queries,
  work: WorkKey,
  { regenerate, offlineWriter, now }: Pick<Asking, 'regenerate' | 'offlineWriter' | 'now'>,
): Promise<boolean> {
  const written = await findWrittenFor(db, work);
  if (!written || !isSameDiff(written, work)) return false;
  if (written.offlineWriter === null) return !regenerate || work.writer !== 'ai';
  const isDue = work.writer === 'ai' && written.nextTryAt !== null && written.nextTryAt <= now;
  return !regenerate && !isDue && written.offlineWriter >= offlineWriter;
}

/** What was too much to read is not tried again before something has changed. */
async function refuseUnreadable({ database, terms }: RequestParts, work: WorkKey): Promise<void> {
  const known = await findUnreadable(database, { ...work, terms: await terms() });
  if (known !== null) throw new Failure('UNREADABLE', known);
}

interface Asking {
  requester: Requester;
  regenerate: boolean;
  isPlanned: boolean;
  offlineWriter: number;
  now: Date;
}

/**
 * The id of the job that does the work; null when it has ended in this moment, well or not; `overBudget` where a model would do
 * it that watching cannot pay for any more today.
 */
async function claimOrJoin(
  parts: RequestParts,
  tx: Queries,
  work: Work,
  asking: Asking,
): Promise<string | 'overBudget' | null> {
  const { requester, isPlanned, now } = asking;
  const { viewer, watched } = requester;
  const claimed = await claimWork(tx, work, now, { isPlanned });
  const joinAs = async (jobId: string): Promise<void> => {
    if (!watched) await addRequester(tx, { jobId, userId: viewer.user.id });
  };
  if (!claimed) {
    const joined = await findLiveJob(tx, work);
    if (joined) await joinAs(joined);
    if (joined && !isPlanned) await prioritizeJob(tx, joined);
    return joined;
  }
  // Only with the claim held is it certain that no worker has just published: looking before was too early.
  if (await stands(tx, work, asking)) {
    await unclaimWork(tx, claimed);
    return null;
  }
  if (work.writer === 'ai' && !(await takeAllowance(parts, tx, claimed, asking))) {
    await unclaimWork(tx, claimed);
    return 'overBudget';
  }
  await joinAs(claimed);
  return claimed;
}

/**
 * What a model writes is taken from the quota of the user who asks first, if they have one, and from that of the whole service; what it writes
 * because a repository is watched, from what watching may spend. False where that is spent.
 */
async function takeAllowance(
  { models }: RequestParts,
  tx: Queries,
  jobId: string,
  { requester: { viewer, watched }, now }: Asking,
): Promise<boolean> {
  if (!models) return true;
  const { articlesPerDay, watchedArticlesPerDay, tokensPerDay } = models;
  const isCeilingReached = (await countTokens(tx, now)) >= tokensPerDay;
  if (watched) {
    if (watched.isOverBudget || isCeilingReached) return false;
    const scope = watched.repositoryId;
    return takeFromBudget(tx, { jobId, scope, articlesPerDay: watchedArticlesPerDay, now });
  }
  if (isCeilingReached) throw ceilingReached(now);
  if (isOperator(viewer.identity)) return true;
  if (await takeFromQuota(tx, viewer.identity, { jobId, articlesPerDay, now })) return true;
  throw quotaExhausted(`You have had ${articlesPerDay} articles written by the model today.`, now);
}

const budgetSpent = (language: string, now: Date): Failure =>
  quotaExhausted(`What models write about watched repositories is spent, and ${language} takes one.`, now);

const notMerged = ({ owner, name }: RepositoryAddress, number: number): Failure =>
  new Failure(
    'INVALID_REQUEST',
    `${owner}/${name}#${number} is not merged. Ask for its article by itself, or again once it is merged.`,
  );
