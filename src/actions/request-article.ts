import { findArticleOfPullRequest, findWrittenFor, type StoredArticle } from '../db/articles.ts';
import type { Database, Queries } from '../db/database.ts';
import { saveSeenRepository } from '../db/repositories.ts';
import { findStoredDiff } from '../db/stored-diffs.ts';
import { freshForMs } from '../db/visibility.ts';
import { addAsker, claimWork, findLiveJob, unclaimWork, type WorkKey } from '../db/writing-jobs.ts';
import { type DiffRange, isSameDiff } from '../domain/diff-range.ts';
import { Failure } from '../domain/errors.ts';
import { isOfflineLanguage, offlineLanguages } from '../writing/languages.ts';
import { findOnHost, noRepository, type RepositoryAddress } from './find-on-host.ts';
import type { SignedUpViewer } from './identify-bearer.ts';
import type { ingestPullRequest } from './ingest-pull-request.ts';

/** Each round can be spoilt only by a job that ends in that very moment. */
const mostRounds = 5;

interface Parts {
  database: Database;
  clock: () => Date;
  ingest: (
    address: RepositoryAddress,
    number: number,
    viewer: SignedUpViewer,
  ) => ReturnType<typeof ingestPullRequest>;
  /** The number of the offline writer. */
  offlineWriter: () => Promise<number>;
  /** Has a job worked on, if the transaction commits. */
  enqueue: (tx: Queries, jobId: string) => Promise<void>;
}

interface Wish {
  address: RepositoryAddress;
  number: number;
  language: string;
  regenerate: boolean;
}

/** Either the article that stands already, or the job that will make it. */
export type Requested = { article: StoredArticle; jobId: null } | { article: null; jobId: string };

/**
 * Has an article written, unless an up-to-date one stands. Of all who ask for the same at the same time, on whichever
 * process, one starts the work and the others join it.
 */
export async function requestArticle(
  parts: Parts,
  { address, number, language, regenerate }: Wish,
  viewer: SignedUpViewer,
): Promise<Requested> {
  const { database, clock } = parts;
  const askedAt = clock();
  const diff = await confirmDiff(parts, address, number, { viewer, askedAt });
  const { id: pullRequestId, baseSha, headSha } = diff;
  if (!isOfflineLanguage(language)) throw languageUnavailable(language);
  const work = { pullRequestId, baseSha, headSha, languageCode: language, writer: 'offline' };
  const asking = {
    userId: viewer.user.id,
    regenerate,
    offlineWriter: await parts.offlineWriter(),
    now: clock(),
  };
  for (let round = 0; round < mostRounds; round += 1) {
    if (!regenerate && (await isUpToDate(database, work, asking.offlineWriter))) {
      const seenBy = { userId: viewer.user.id, now: askedAt, purpose: 'detail' } as const;
      const article = await findArticleOfPullRequest(database, pullRequestId, seenBy);
      // It turned private since the host was asked.
      if (!article) throw noRepository(address);
      return { article, jobId: null };
    }
    const jobId = await database.transaction((tx) => claimOrJoin(parts, tx, work, asking));
    if (jobId) return { article: null, jobId };
  }
  throw new Failure('UNAVAILABLE', 'This article is being written and cancelled all the time. Try again.');
}

/**
 * The diff that the host has confirmed in the last few minutes. Whoever asks must be shown the repository by the host
 * itself, because asking is what makes a grant.
 */
async function confirmDiff(
  { database, ingest }: Parts,
  address: RepositoryAddress,
  number: number,
  { viewer, askedAt }: { viewer: SignedUpViewer; askedAt: Date },
): Promise<DiffRange & { id: string }> {
  const found = await findOnHost(address, viewer.identity);
  const seen = { host: address.codeHost.id, ...found };
  const stored = await findStoredDiff(database, { ...seen, number });
  if (found.isPrivate || stored?.isPrivate) {
    await database.transaction((tx) => saveSeenRepository(tx, { seen, userId: viewer.user.id, askedAt }));
  }
  const isFresh = stored && askedAt.getTime() - stored.fetchedAt.getTime() < freshForMs;
  if (isFresh && stored.baseSha !== '') return stored;
  return (await ingest(address, number, viewer)).pullRequest;
}

/** Whether it is written about this diff, and not by an older offline writer. */
async function isUpToDate(db: Queries, work: WorkKey, offlineWriter: number): Promise<boolean> {
  const written = await findWrittenFor(db, work);
  return (
    written !== null && isSameDiff(written, work) && (written.offlineWriter ?? offlineWriter) >= offlineWriter
  );
}

interface Asking {
  userId: string;
  regenerate: boolean;
  offlineWriter: number;
  now: Date;
}

/** The id of the job that does the work; null when it has ended in this moment, well or not. */
async function claimOrJoin(
  { enqueue }: Parts,
  tx: Queries,
  work: WorkKey,
  { userId, regenerate, offlineWriter, now }: Asking,
): Promise<string | null> {
  const claimed = await claimWork(tx, work, now);
  if (!claimed) {
    const joined = await findLiveJob(tx, work);
    if (joined) await addAsker(tx, { jobId: joined, userId });
    return joined;
  }
  // Only who holds the claim can tell that nobody has just published: looking before was too early.
  if (!regenerate && (await isUpToDate(tx, work, offlineWriter))) {
    await unclaimWork(tx, claimed);
    return null;
  }
  await addAsker(tx, { jobId: claimed, userId });
  await enqueue(tx, claimed);
  return claimed;
}

function languageUnavailable(language: string): Failure {
  return new Failure(
    'LANGUAGE_UNAVAILABLE',
    `Articles in ${language} need a model, and this service has no model configured; ask for ${offlineLanguages.join(' or ')}.`,
  );
}
