import type { Database } from '../../db/database.ts';
import { markRead } from '../../db/following.ts';
import type { SignedUpViewer } from '../accounts/identify-bearer.ts';
import { type Look, seenBy } from '../repositories/find-visible-repository.ts';
import type { RepositoryRenewals } from '../repositories/renew-repositories.ts';
import { noSuchArticle, requireVisibleArticle } from './require-visible-article.ts';

interface Parts {
  database: Database;
  renewals: RepositoryRenewals;
  clock: () => Date;
}

/** Notes that a user has read an article as it stands in a language. */
export async function markArticleRead(
  parts: Parts,
  wanted: { articleId: string; languageCode: string },
  viewer: SignedUpViewer,
): Promise<Date> {
  const look: Look = { viewer, now: parts.clock() };
  await requireVisibleArticle(parts, wanted, look);
  const readAt = await markRead(parts.database, {
    ...wanted,
    viewer: { ...seenBy(look), userId: viewer.user.id },
  });
  if (!readAt) throw noSuchArticle();
  return readAt;
}
