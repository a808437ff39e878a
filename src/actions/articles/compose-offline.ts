import { createHash } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import { findOfflineArticles, saveOfflineArticles } from '../../db/drafts.ts';
import type { PullRequestToWriteAbout } from '../../db/pull-requests.ts';
import type { JobProgress } from '../../domain/pull-requests.ts';
import type { OfflineLanguage } from '../../writing/languages.ts';
import type { OfflineArticles } from '../../writing/rules/write.ts';
import type { WrittenArticle } from '../../writing/written-article.ts';
import { payloadOf } from './pull-request-payload.ts';
import { diffFeedOf } from './stored-diff-feed.ts';
import type { RunInThread } from './thread-tasks.ts';

export interface Watch {
  onProgress: (progress: JobProgress) => void;
  /** Aborted when the work is no longer wanted. */
  signal: AbortSignal;
}

interface Parts {
  database: Database;
  runInThread: RunInThread;
  /** The number of the offline writer. */
  offlineWriter: number;
}

/**
 * Reads a stored pull request into facts and writes the article from them. It is written and checked once for each diff, in
 * all languages, so that two of them cannot disagree.
 */
export async function composeOffline(
  parts: Parts,
  pullRequest: PullRequestToWriteAbout,
  languageCode: OfflineLanguage,
  watch: Watch,
): Promise<WrittenArticle> {
  const { database, offlineWriter: version } = parts;
  const key = { pullRequestId: pullRequest.id, revision: pullRequest.diffRevision, version };
  const words = digestOf(pullRequest);
  const known = await findOfflineArticles<Written>(database, key);
  if (known?.words === words) return known.articles[languageCode];
  const articles = await write(parts, pullRequest, watch);
  watch.signal.throwIfAborted();
  await saveOfflineArticles(database, { ...key, written: { words, articles } satisfies Written });
  return articles[languageCode];
}

/** What was written, and the words about the pull request that it was written from. */
interface Written {
  words: string;
  articles: OfflineArticles;
}

/** A description may change while the diff stays. */
function digestOf({ title, body, labels, commits, comments, linkedIssues }: PullRequestToWriteAbout): string {
  const words = JSON.stringify([title, body, labels, commits, comments, linkedIssues]);
  return createHash('sha256').update(words).digest('base64url');
}

/** Reading, writing and checking take their time, and do so in another thread. */
function write(
  { database, runInThread }: Parts,
  pullRequest: PullRequestToWriteAbout,
  { onProgress, signal }: Watch,
): Promise<OfflineArticles> {
  return runInThread(
    'writeOffline',
    payloadOf(pullRequest),
    diffFeedOf(database, pullRequest, onProgress),
    signal,
  );
}
