import type { FindArticle } from '../../actions/articles/read-article.ts';
import type { Job } from '../../contract/job.ts';
import type { AskedJob, ImportedArticles } from '../../db/job-requests.ts';
import type { DetailViewer } from '../../db/visibility.ts';
import type { JobError } from '../../db/writing-jobs.ts';
import { presentArticle } from './present-article.ts';

/** What a user is told who waits for a job that was given up with the same account. */
const givenUp: JobError = {
  code: 'ARTICLE_NOT_FOUND',
  message: 'This job was cancelled before the article was written. Ask for the article again to have it.',
};

const importGivenUp: JobError = {
  code: 'ARTICLE_NOT_FOUND',
  message: 'This import was cancelled. What was written before stays; ask for the rest again to have it.',
};

/** Why a job has no article and will have none; null while it may still get one. */
export function errorOf({ state, error, articles }: AskedJob): JobError | null {
  if (state !== 'cancelled') return error;
  return articles ? importGivenUp : givenUp;
}

/** When to ask again is a header's business, where there is one. */
const errorObject = ({ retryAt: _, ...told }: JobError, requestId: string) => ({ ...told, requestId });

/** A job as the contract answers it, with the article when it is done. */
export async function presentJob(
  { findArticle }: { findArticle: FindArticle },
  job: AskedJob,
  { viewer, requestId }: { viewer: DetailViewer; requestId: string },
): Promise<Job> {
  const { id, state, step, done, total, articleId, articles } = job;
  const article = state === 'done' && articleId ? await findArticle(articleId, viewer) : null;
  const error = errorOf(job);
  return {
    id,
    kind: 'job',
    state,
    progress: { step, done, total },
    ...(article && { article: presentArticle(article) }),
    ...(error && { error: errorObject(error, requestId) }),
    ...(articles && presentArticles(articles, requestId)),
  };
}

function presentArticles(
  { startedAt, written, current, failures }: ImportedArticles,
  requestId: string,
): Pick<Job, 'startedAt' | 'written' | 'current' | 'failures'> {
  return {
    ...(startedAt && { startedAt: startedAt.toISOString() }),
    written,
    current: current.map(({ prNumber, ...progress }) => ({ prNumber, progress })),
    failures: failures.map(({ prNumber, error }) => ({ prNumber, error: errorObject(error, requestId) })),
  };
}
