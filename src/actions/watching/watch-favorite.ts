import type { CodeHost } from '../../code-hosts/code-host.ts';
import type { Database } from '../../db/database.ts';
import { findRepositoryOfFavorite, findWatches, type StoredWatch, saveWatch } from '../../db/watches.ts';
import { Failure } from '../../domain/errors.ts';
import type { SignedUpViewer } from '../accounts/identify-bearer.ts';
import type { RequestParts } from '../articles/request-article.ts';
import { canWriteIn, requireLanguage } from '../articles/writing-language.ts';
import { findAfterRenewal } from '../repositories/find-visible-repository.ts';
import type { LookAtLists } from '../repositories/look-at-lists.ts';
import type { RepositoryRenewals } from '../repositories/renew-repositories.ts';

interface Parts extends Pick<RequestParts, 'models'> {
  database: Database;
  renewals: RepositoryRenewals;
  lookAtLists: LookAtLists;
  clock: () => Date;
  watchesPerUser: number;
  codeHosts: CodeHost[];
}

interface WatchWish {
  /** Where there is none, the user's, or English where articles cannot be written in that. */
  language: string | undefined;
  labels: string[];
  includeBots: boolean;
}

/** Has a favorite watched that its user may see, from now on or, if it is watched, in another way. */
export async function watchFavorite(
  parts: Parts,
  favoriteId: string,
  wish: WatchWish,
  viewer: SignedUpViewer,
): Promise<{ watch: StoredWatch; isNew: boolean }> {
  const { database, renewals, clock, watchesPerUser } = parts;
  const now = clock();
  const repository = await findAfterRenewal(
    renewals,
    { viewer, now },
    (seenBy) => findRepositoryOfFavorite(database, { favoriteId, viewer: seenBy }),
    (found) => found,
  );
  if (!repository) throw noFavorite();
  const { isPrivate } = repository;
  const isClone = parts.codeHosts.some(({ id, isLocal }) => id === repository.host && isLocal);
  if (isClone && wish.labels.length > 0) throw noLabels();
  const usual = canWriteIn(parts, viewer.user.language, isPrivate) ? viewer.user.language : 'en';
  const { language = usual } = wish;
  requireLanguage(parts, language, isPrivate);
  const labels = [...new Set(wish.labels)];
  const wanted = { ...wish, language, labels, favoriteId, userId: viewer.user.id, repository, now };
  const saved = await database.transaction((tx) => saveWatch(tx, wanted, watchesPerUser));
  if (saved === 'tooMany') throw tooManyWatches(watchesPerUser);
  const [watch] = await findWatches(database, {
    viewer: parts.lookAtLists(viewer),
    favoriteIds: [favoriteId],
  });
  if (!saved || !watch) throw noFavorite();
  return { watch, isNew: saved === 'new' };
}

export function noFavorite(): Failure {
  return new Failure(
    'NOT_FOUND',
    'You have no such favorite. GET /users/me/favorite-repositories lists yours with their ids.',
  );
}

const noLabels = (): Failure =>
  new Failure(
    'INVALID_REQUEST',
    'This repository is read from a clone, and pull requests have no labels there: with any, nothing would be written. Leave labels out.',
    { details: [{ field: 'labels', problem: 'must be empty for a clone' }] },
  );

const tooManyWatches = (most: number): Failure =>
  new Failure(
    'FORBIDDEN',
    `You watch ${most} repositories already, which is as many as one user may here. End the watch of another one first, or ask the operator for a larger WATCHES_PER_USER.`,
  );
