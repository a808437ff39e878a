import type { StoredArticle } from '../../db/articles.ts';
import { freshForMs } from '../../db/visibility.ts';
import type { CachePolicy } from '../cache/public-cache.ts';

/** It can be sent again without a look until it is time to ask the host whether the repository is still public. */
export function articleCachePolicy({
  id,
  pullRequestId,
  repository,
}: Pick<StoredArticle, 'id' | 'pullRequestId' | 'repository'>): { cachePolicy?: CachePolicy } {
  if (repository.unreachableSince) return {};
  const dependsOn = [`article:${id}`, `pullRequest:${pullRequestId}`, `repository:${repository.id}`];
  return { cachePolicy: { dependsOn, expiresAt: repository.checkedAt.getTime() + freshForMs } };
}
