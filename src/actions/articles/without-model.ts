import type { ArticleContent } from '../../contract/articles.ts';
import type { StoredArticle } from '../../db/articles.ts';
import { findPullRequestToWriteAbout, type PullRequestToWriteAbout } from '../../db/pull-requests.ts';
import type { DetailScope } from '../../db/visibility.ts';
import { coalesceReads } from '../../domain/concurrency.ts';
import { Failure } from '../../domain/errors.ts';
import { isSameDiff } from '../../domain/pull-requests.ts';
import { isOfflineLanguage, type OfflineLanguage } from '../../writing/articles.ts';
import type { Deps } from '../deps.ts';
import { withReview } from '../reviews/read-review.ts';
import { writeOnce, writtenOfflineOnly } from './compose-article.ts';
import { contentOf } from './write-article.ts';

type TwinDeps = Pick<Deps, 'database' | 'codeHosts' | 'offlineWriter' | 'runWriter'>;

/** Only an article by a model has another one to be compared with, in the languages that are written without. */
export const hasTwin = ({
  languageCode,
  writer,
  baseSha,
  stale,
}: Pick<ArticleContent, 'languageCode' | 'writer' | 'baseSha' | 'stale'>): boolean =>
  writer.kind === 'ai' && isOfflineLanguage(languageCode) && !stale && baseSha !== '';

export type WriteWithoutModel = (article: StoredArticle, viewer: DetailScope) => Promise<StoredArticle>;

/**
 * Writes the article of a change once more without a model, to be compared with the one by the model. It is never
 * stored as an article, so that it is not listed, liked or found.
 */
export function createWriteWithoutModel(deps: TwinDeps): WriteWithoutModel {
  const { database, codeHosts } = deps;
  const { signal } = new AbortController();
  const write = coalesceReads(
    ({
      pullRequest,
      languageCode,
    }: {
      pullRequest: PullRequestToWriteAbout;
      languageCode: OfflineLanguage;
    }) => writeOnce(deps, pullRequest, languageCode, { onProgress: () => {}, signal }),
  );
  return async (article, viewer) => {
    const pullRequest = await findPullRequestToWriteAbout(database, article.pullRequestId);
    const twins: StoredArticle['contents'] = [];
    for (const content of article.contents) {
      const { languageCode } = content;
      if (!isOfflineLanguage(languageCode) || !pullRequest || !isSameDiff(content, pullRequest)) continue;
      const words = await write({ pullRequest, languageCode });
      // The time of the other one, so that equal articles are equal responses.
      const body = contentOf(words, { codeHosts, pullRequest, languageCode, now: article.updatedAt });
      const unstored = { isUnstored: true, body: Buffer.from(JSON.stringify(body)) } as const;
      twins.push({ ...content, ...unstored, likeCount: 0, chosen: null });
    }
    // Its review is computed again, because that of the article by the model has the choice of the model.
    if (twins.length > 0) return withReview(deps, { ...article, contents: twins }, viewer);
    if (article.contents.every(({ languageCode }) => !isOfflineLanguage(languageCode)))
      throw writtenOfflineOnly();
    throw new Failure('ARTICLE_NOT_FOUND', 'The pull request has changed since this article was written.', {
      remedy: 'Request the article again.',
    });
  };
}
