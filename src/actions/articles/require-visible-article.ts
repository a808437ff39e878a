import type { Database } from '../../db/database.ts';
import { findRepositoryOfArticle } from '../../db/repositories.ts';
import type { DetailViewer } from '../../db/visibility.ts';
import { Failure } from '../../domain/errors.ts';
import { isLanguageCode } from '../../domain/languages.ts';
import { findAfterRenewal, type Look } from '../repositories/find-visible-repository.ts';
import type { RepositoryRenewals } from '../repositories/renew-repositories.ts';

interface Parts {
  database: Database;
  renewals: RepositoryRenewals;
}

/** Refuses an article that the viewer may not see, once its host was asked where that is due. */
export async function requireVisibleArticle(
  { database, renewals }: Parts,
  { articleId, languageCode }: { articleId: string; languageCode: string },
  look: Look,
): Promise<void> {
  if (!isLanguageCode(languageCode)) throw noSuchArticle();
  const find = (viewer: DetailViewer) => findRepositoryOfArticle(database, { articleId, viewer });
  const repository = await findAfterRenewal(renewals, look, find, (found) => found);
  if (!repository) throw noSuchArticle();
}

export function noSuchArticle(): Failure {
  return new Failure(
    'ARTICLE_NOT_FOUND',
    'There is no such article in this language, or you may not see it. GET /articles lists those that you may.',
  );
}
