import { type Favorite, findFavorite, insertFavorite } from '../../db/following.ts';
import {
  findRepositoryOfFavorite,
  findWatches,
  listWatchers,
  type StoredWatch,
  saveWatch,
} from '../../db/following-polls.ts';
import type { PlannedArticle } from '../../db/job-queue.ts';
import { saveSeenRepository } from '../../db/repositories.ts';
import { type ErrorCode, Failure } from '../../domain/errors.ts';
import {
  type ArticleRequest,
  type RequestDeps,
  type Requested,
  requestArticle,
  requireLanguage,
  usualLanguage,
  type WatchedRequest,
} from '../articles/request-article.ts';
import type { Deps, SignedUpViewer } from '../deps.ts';
import {
  type Asker,
  findAfterRenewal,
  findOnHost,
  noRepository,
  type RepositoryAddress,
} from '../repositories/find-repository.ts';
import type { FindListScope } from '../repositories/list-repositories.ts';

export async function registerFavorite(
  deps: Pick<Deps, 'database' | 'callerOn' | 'clock'>,
  address: RepositoryAddress,
  asker: Asker,
): Promise<{ favorite: Favorite; isNew: boolean }> {
  const { database, clock } = deps;
  const askedAt = clock();
  const { user } = asker.viewer;
  const found = await findOnHost(deps, address, asker);
  const seen = { host: address.codeHost.id, ...found };
  return database.transaction(async (tx) => {
    const { id: repositoryId } = await saveSeenRepository(tx, { seen, userId: user.id, askedAt });
    const isNew = await insertFavorite(tx, { repositoryId, userId: user.id, now: askedAt });
    const viewer = { userId: user.id, now: askedAt, purpose: 'detail' } as const;
    const favorite = await findFavorite(tx, { repositoryId, viewer });
    if (!favorite) throw noRepository(address);
    return { favorite, isNew };
  });
}

interface FollowDeps extends Pick<Deps, 'database' | 'clock' | 'codeHosts' | 'renewals'> {
  currentModels: RequestDeps['currentModels'];
  listViewer: FindListScope;
  watchesPerUser: number;
}

interface WatchWish {
  language: string | undefined;
  labels: string[];
  includeBots: boolean;
}

export async function watchFavorite(
  deps: FollowDeps,
  favoriteId: string,
  wish: WatchWish,
  viewer: SignedUpViewer,
): Promise<{ watch: StoredWatch; isNew: boolean }> {
  const { database, renewals, clock, watchesPerUser } = deps;
  const now = clock();
  const visible = await findAfterRenewal(
    renewals,
    { viewer, now },
    (seenBy) => findRepositoryOfFavorite(database, { favoriteId, viewer: seenBy }),
    (found) => found,
  );
  if (!visible) throw noFavorite();
  const repository = visible.found;
  const { isPrivate } = repository;
  const isClone = deps.codeHosts.some(({ id, isLocal }) => id === repository.host && isLocal);
  if (isClone && wish.labels.length > 0) throw noLabels();
  const { language = usualLanguage(deps, viewer.user, isPrivate) } = wish;
  requireLanguage(deps, language, isPrivate);
  const labels = [...new Set(wish.labels)];
  const wanted = { ...wish, language, labels, favoriteId, userId: viewer.user.id, repository, now };
  const saved = await database.transaction((tx) => saveWatch(tx, wanted, watchesPerUser));
  if (saved === 'tooMany') throw tooManyWatches(watchesPerUser);
  const [watch] = await findWatches(database, {
    viewer: deps.listViewer(viewer),
    favoriteIds: [favoriteId],
  });
  if (!saved || !watch) throw noFavorite();
  return { watch, isNew: saved === 'new' };
}

export function noFavorite(): Failure {
  return new Failure(
    'NOT_FOUND',
    'You have no favorite with this id. GET /users/me/favorite-repositories lists your favorites.',
  );
}

const noLabels = (): Failure =>
  new Failure(
    'INVALID_REQUEST',
    'This repository is read from a clone, where pull requests have no labels. Omit labels.',
    { details: [{ field: 'labels', problem: 'must be empty for a clone' }] },
  );

const tooManyWatches = (most: number): Failure =>
  new Failure(
    'FORBIDDEN',
    `You already watch ${most} repositories, the limit for one user. Stop watching one, or ask your administrator to raise WATCHES_PER_USER.`,
  );

const ofOneWatcher: ErrorCode[] = [
  'REPOSITORY_NOT_FOUND',
  'HOST_TOKEN_REQUIRED',
  'HOST_TOKEN_INVALID',
  'HOST_RATE_LIMITED',
];

/** The number of followers' tokens to try at a time, because each call counts against the rate limit of its owner. */
const mostTried = 5;

/**
 * Requests an article for all followers of a repository: anonymously if it is public, otherwise with the tokens of a
 * few followers. Each retry tries the next few. Null if nobody follows the repository in this language any more.
 */
export async function requestForWatchers(
  deps: RequestDeps,
  wish: ArticleRequest,
  { isPrivate, deferred, ...watched }: WatchedRequest & Pick<PlannedArticle, 'isPrivate' | 'deferred'>,
): Promise<Requested | null> {
  const watchers = await listWatchers(deps.database, watched.repositoryId);
  if (!watchers.some(({ language }) => language === wish.language)) return null;
  const acting = watchers
    .filter(({ hasRights }) => hasRights)
    .map(({ user, identity }) => ({ user, identity, credential: { kind: 'saved' } }) as const);
  let refusal = noRepository(wish.address);
  const first = (deferred * mostTried) % Math.max(acting.length, 1);
  const next = [...acting.slice(first), ...acting.slice(0, first)].slice(0, mostTried);
  for (const viewer of isPrivate ? next : [null]) {
    try {
      return await requestArticle(deps, wish, { viewer, watched });
    } catch (error) {
      if (!(error instanceof Failure) || !ofOneWatcher.includes(error.code)) throw error;
      refusal = error;
    }
  }
  throw refusal;
}
