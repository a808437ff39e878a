import type { Database } from '../../db/database.ts';
import { deleteLike, findLike, insertLike, type Like, type Likeable } from '../../db/likes.ts';
import { accountGone, Failure } from '../../domain/errors.ts';
import type { SignedUpViewer } from '../accounts/identify-bearer.ts';
import { noSuchArticle, requireVisibleArticle } from '../articles/require-visible-article.ts';
import type { RepositoryRenewals } from '../repositories/renew-repositories.ts';

interface Parts {
  database: Database;
  renewals: RepositoryRenewals;
  clock: () => Date;
}

/** Between finding a like and reading it, the user may take it back: that many times in a row is no coincidence. */
const attempts = 20;

/** Likes an article in one language for a user, once however often it is asked for. */
export async function likeArticle(
  parts: Parts,
  likeable: Likeable,
  viewer: SignedUpViewer,
): Promise<{ like: Like; likeCount: number; isNew: boolean }> {
  const { database, clock } = parts;
  const now = clock();
  await requireVisibleArticle(parts, likeable, { viewer, now });
  const liking = { ...likeable, userId: viewer.user.id, now };
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const given = await insertLike(database, liking);
    if (given) return { ...given, isNew: true };
    const standing = await findLike(database, liking);
    if (!standing) throw noSuchArticle();
    const { like, likeCount, isSignedUp } = standing;
    if (like) return { like, likeCount, isNew: false };
    if (!isSignedUp) throw accountGone();
  }
  throw new Failure('UNAVAILABLE', 'This like is being given and taken back at the same time. Try again.', {
    headers: { 'retry-after': '1' },
  });
}

/** Takes a user's like back, whether or not there is one, and returns how many are left. */
export async function unlikeArticle(
  parts: Parts,
  likeable: Likeable,
  viewer: SignedUpViewer,
): Promise<number> {
  const { database, clock } = parts;
  const now = clock();
  await requireVisibleArticle(parts, likeable, { viewer, now });
  const liking = { ...likeable, userId: viewer.user.id, now };
  const likeCount = await database.transaction((tx) => deleteLike(tx, liking));
  if (likeCount === null) throw noSuchArticle();
  return likeCount;
}
