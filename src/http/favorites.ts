import { registerFavorite } from '../actions/repositories/register-favorite.ts';
import { noFavorite } from '../actions/watching/watch-favorite.ts';
import { ref } from '../contract/component.ts';
import { Nothing } from '../contract/envelope.ts';
import { FavoriteRepository } from '../contract/favorite-repository.ts';
import { Owner, RepositoryName, Uuid } from '../contract/formats.ts';
import { listOf, pageQuery } from '../contract/pagination.ts';
import { Type } from '../contract/type.ts';
import { deleteFavorite, type Favorite, listFavorites } from '../db/following.ts';
import { created, ok } from './answers/answer.ts';
import { listAnswer, pageOf } from './answers/list-answer.ts';
import type { Deps } from './deps.ts';
import { endpoint } from './endpoint.ts';
import { abortOnDisconnect } from './requests/abort-on-disconnect.ts';
import {
  chooseCodeHost,
  chooseRepositories,
  hostQuery,
  repositoryQuery,
} from './requests/choose-code-host.ts';

export function presentFavorite({
  host: _,
  isPrivate: __,
  owner,
  name,
  registeredAt,
  ...same
}: Favorite): FavoriteRepository {
  return {
    ...same,
    repositoryFullName: `${owner}/${name}`,
    owner,
    repo: name,
    registeredAt: registeredAt.toISOString(),
  };
}

/** One operation under two paths: OpenAPI wants an id of its own for each. */
export const postFavorite = (operationId: string, summary: string) => (deps: Deps) =>
  endpoint({
    operationId,
    summary,
    description:
      'Registers a repository as a favorite of the caller. Registering it again answers the existing record and makes ' +
      'no new one. Statuses of the original specification: 200 already registered, 201 created, 400 bad request, ' +
      '401 unauthorized, 404 record does not exist, 500 server error. The others are additions.',
    tag: 'Favorites',
    access: 'user',
    query: Type.Object(hostQuery(deps.codeHosts), { additionalProperties: false }),
    body: Type.Object(
      { owner: Owner(), repo: RepositoryName() },
      { additionalProperties: false, examples: [{ owner: 'harborline', repo: 'parcel' }] },
    ),
    data: ref(FavoriteRepository),
    success: { 200: 'Already registered: the existing record.', 201: 'Created.' },
    failures: ['REPOSITORY_NOT_FOUND'],
    async handle({ query, body, viewer, reply }) {
      const codeHost = chooseCodeHost(deps.codeHosts, query.host);
      const address = { codeHost, owner: body.owner, name: body.repo };
      const { favorite, isNew } = await registerFavorite(deps, address, {
        viewer,
        signal: abortOnDisconnect(reply),
      });
      const shown = presentFavorite(favorite);
      return isNew
        ? created(shown, `${shown.repositoryFullName} is now one of your favorites.`)
        : ok(shown, `${shown.repositoryFullName} is one of your favorites already.`);
    },
  });

export const getFavorites = ({ database, codeHosts, lookAtLists }: Deps) =>
  endpoint({
    operationId: 'listFavorites',
    summary: 'List favorite repositories',
    description:
      'The favorites of the caller that they may still see, newest first. With an owner and a repository, that one or none.',
    tag: 'Favorites',
    access: 'user',
    query: Type.Object({ ...repositoryQuery(codeHosts), ...pageQuery }, { additionalProperties: false }),
    data: listOf(ref(FavoriteRepository)),
    success: { 200: 'Favorites.' },
    async handle({ query, viewer, request, reply }) {
      const page = pageOf(query);
      const { rows, total } = await listFavorites(database, {
        viewer: lookAtLists(viewer),
        ...chooseRepositories(codeHosts, query),
        ...page,
      });
      return ok(
        listAnswer(request, reply, page, { items: rows.map(presentFavorite), total }),
        'Your favorite repositories.',
      );
    },
  });

export const removeFavorite = ({ database }: Deps) =>
  endpoint({
    operationId: 'removeFavorite',
    summary: 'Remove a favorite repository',
    description: 'The favorite goes, and its watch; the repository and its articles stay.',
    tag: 'Favorites',
    access: 'user',
    params: Type.Object({ id: Uuid('The favorite.') }),
    data: Nothing,
    success: { 200: 'Removed.' },
    failures: ['NOT_FOUND'],
    async handle({ params, viewer }) {
      const removed = await deleteFavorite(database, {
        favoriteId: params.id,
        userId: viewer.user.id,
      });
      if (!removed) throw noFavorite();
      return ok({}, 'The favorite is removed.');
    },
  });
