import type { PlannedArticle } from '../../db/planned-articles.ts';
import { listWatchers } from '../../db/watches.ts';
import { type ErrorCode, Failure } from '../../domain/errors.ts';
import {
  type Requested,
  type RequestParts,
  requestArticle,
  type WatchedRequest,
  type Wish,
} from '../articles/request-article.ts';
import { noRepository } from '../repositories/find-on-host.ts';

/** What another one who watches may not meet with. */
const ofOneWatcher: ErrorCode[] = [
  'REPOSITORY_NOT_FOUND',
  'HOST_TOKEN_REQUIRED',
  'HOST_TOKEN_INVALID',
  'HOST_RATE_LIMITED',
];

/** With the rights of how many it is asked for at a time: each question is taken from what its host lets them ask. */
const mostAsked = 5;

/**
 * Has an article written on behalf of all who watch a repository: with no user's rights where it is public, and else with those
 * of a few, one after the other, until one is shown it; each time it had to wait, of the next few. Null where it is watched in this language no longer.
 */
export async function requestForWatchers(
  parts: RequestParts,
  wish: Wish,
  { isPrivate, deferred, ...watched }: WatchedRequest & Pick<PlannedArticle, 'isPrivate' | 'deferred'>,
): Promise<Requested | null> {
  const watchers = await listWatchers(parts.database, watched.repositoryId);
  if (!watchers.some(({ language }) => language === wish.language)) return null;
  const acting = watchers
    .filter(({ hasRights }) => hasRights)
    .map(({ user, identity }) => ({ user, identity, credential: { kind: 'saved' } }) as const);
  let refusal = noRepository(wish.address);
  const first = (deferred * mostAsked) % Math.max(acting.length, 1);
  const next = [...acting.slice(first), ...acting.slice(0, first)].slice(0, mostAsked);
  for (const viewer of isPrivate ? next : [null]) {
    try {
      return await requestArticle(parts, wish, { viewer, watched });
    } catch (error) {
      if (!(error instanceof Failure) || !ofOneWatcher.includes(error.code)) throw error;
      refusal = error;
    }
  }
  throw refusal;
}
