import { noFavorite, registerFavorite, watchFavorite } from '../actions/watching/follow.ts';
import {
  LanguageCode,
  listOf,
  Nothing,
  Owner,
  pageQuery,
  RepositoryName,
  ref,
  Uuid,
} from '../contract/formats.ts';
import { FavoriteRepository, Labels, Watch } from '../contract/repositories.ts';
import { Type } from '../contract/type.ts';
import { deleteFavorite, type Favorite, listFavorites } from '../db/following.ts';
import { deleteWatch, listWatches } from '../db/watches.ts';
import { Failure } from '../domain/errors.ts';
import { created, listAnswer, ok, pageOf } from './answers/answer.ts';
import { presentWatch } from './answers/present.ts';
import type { Deps } from './deps.ts';
import { endpoint } from './endpoint.ts';
import {
  chooseCodeHost,
  chooseRepositories,
  hostQuery,
  repositoryQuery,
} from './requests/choose-code-host.ts';
import { abortOnDisconnect } from './requests/parse-requests.ts';

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

export const getFavorites = ({ database, codeHosts, listViewer }: Deps) =>
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
        viewer: listViewer(viewer),
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

const tag = 'Favorites';
const params = Type.Object({ id: Uuid('The favorite.') });

export const putWatch = (deps: Deps) =>
  endpoint({
    operationId: 'watchFavorite',
    summary: 'Watch a favorite repository',
    description:
      'From then on, what is merged in it is written about by itself, and the last five that were merged before. Drafts never are. ' +
      'A public repository is polled with the token of the service or none, a private one with the saved token of somebody ' +
      'who watches it and may see it. Clones have no labels, so that none can be named for them. None of it counts against the quota of the caller.',
    tag,
    access: 'user',
    params,
    body: Type.Object(
      {
        language: Type.Optional(LanguageCode()),
        labels: Type.Optional(Labels),
        includeBots: Type.Optional(
          Type.Boolean({ default: false, description: 'Whether what bots have made is written about too' }),
        ),
      },
      { additionalProperties: false, examples: [{ language: 'en' }] },
    ),
    data: ref(Watch),
    success: { 200: 'Watched already: the watch as it is now.', 201: 'Watched from now on.' },
    failures: ['NOT_FOUND', 'FORBIDDEN', 'LANGUAGE_UNAVAILABLE'],
    async handle({ params: { id }, body, viewer }) {
      const { language, labels = [], includeBots = false } = body;
      const { watch, isNew } = await watchFavorite(
        deps,
        id.toLowerCase(),
        { language, labels, includeBots },
        viewer,
      );
      const name = `${watch.owner}/${watch.name}`;
      return isNew
        ? created(presentWatch(watch), `${name} is watched from now on.`)
        : ok(presentWatch(watch), `${name} is watched.`);
    },
  });

export const removeWatch = ({ database }: Deps) =>
  endpoint({
    operationId: 'endWatch',
    summary: 'Watch a favorite repository no longer',
    description: 'The favorite and the articles stay.',
    tag,
    access: 'user',
    params,
    data: Nothing,
    success: { 200: 'No longer watched.' },
    failures: ['NOT_FOUND'],
    async handle({ params: { id }, viewer }) {
      if (!(await deleteWatch(database, { favoriteId: id, userId: viewer.user.id })))
        throw new Failure(
          'NOT_FOUND',
          'You watch no such favorite. GET /users/me/watches lists those that you watch.',
        );
      return ok({}, 'It is no longer watched.');
    },
  });

export const getWatches = ({ database, listViewer }: Deps) =>
  endpoint({
    operationId: 'listWatches',
    summary: 'List the watched repositories',
    description:
      'What the caller watches, the newest first, with when its host last answered. What is paused says why and what to do; ' +
      'nothing that was merged meanwhile is lost.',
    tag,
    access: 'user',
    query: Type.Object(pageQuery, { additionalProperties: false }),
    data: listOf(ref(Watch)),
    success: { 200: 'Watches.' },
    async handle({ query, viewer, request, reply }) {
      const page = pageOf(query);
      const { rows, total } = await listWatches(database, { viewer: listViewer(viewer), ...page });
      return ok(
        listAnswer(request, reply, page, { items: rows.map(presentWatch), total }),
        'What you watch.',
      );
    },
  });
