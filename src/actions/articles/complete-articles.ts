import type { PublishedContent } from '../../db/articles.ts';
import type { Database } from '../../db/database.ts';
import { findLackingExcerpts, type LackingExcerpts, saveCompleted } from '../../db/offline-articles.ts';
import { findPullRequestToWriteAbout } from '../../db/pull-requests.ts';
import { Failure } from '../../domain/errors.ts';
import { minutesToRead } from './content-of-article.ts';
import { diffFeedOf } from './stored-diff-feed.ts';
import type { RunInThread } from './thread-tasks.ts';

interface Parts {
  database: Database;
  runInThread: RunInThread;
}

/**
 * Gives one of the articles its excerpts that a model wrote before there were any: what it says stays, and nothing is asked of a
 * model. Where its diff is gone, or cannot be read, it stays without. Returns whether there was one.
 */
export async function completeArticle(parts: Parts): Promise<boolean> {
  const lacking = await findLackingExcerpts(parts.database);
  if (!lacking) return false;
  await saveCompleted(parts.database, lacking, lacking.hasDiff ? await completed(parts, lacking) : null);
  return true;
}

async function completed(
  { database, runInThread }: Parts,
  { pullRequestId, content }: LackingExcerpts,
): Promise<PublishedContent | null> {
  const pullRequest = await findPullRequestToWriteAbout(database, pullRequestId);
  if (!pullRequest) return null;
  const changes = content.mainChanges.map(({ statements }) => ({ statements }));
  const feed = diffFeedOf(database, pullRequest, () => {});
  const excerpts = await runInThread('cutExcerpts', changes, feed).catch((error: unknown) => {
    if (error instanceof Failure) return null;
    throw error;
  });
  if (!excerpts) return null;
  const mainChanges = content.mainChanges.map((change, index) => ({
    ...change,
    excerpts: excerpts[index] ?? [],
  }));
  const told = { ...content, mainChanges };
  return { ...told, readingMinutes: minutesToRead(told) };
}
