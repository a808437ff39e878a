import type { StoredArticle } from '../../db/articles.ts';
import { freshForMs } from '../../db/visibility.ts';
import type { Keep } from '../cache/public-cache.ts';

/** It can be sent again without a look until it is time to ask the host whether the repository is still public. */
export function keepUntilRenewed({
  id,
  pullRequestId,
  repository,
}: Pick<StoredArticle, 'id' | 'pullRequestId' | 'repository'>): { keep?: Keep } {
  if (repository.unreachableSince) return {};
  const about = [`article:${id}`, `pullRequest:${pullRequestId}`, `repository:${repository.id}`];
  return { keep: { about, until: repository.checkedAt.getTime() + freshForMs } };
}
