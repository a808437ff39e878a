import { noFavorite, registerFavorite, watchFavorite } from '../actions/watching/follow.ts';
import { LanguageCode, Nothing, Owner, RepositoryName, record, ref, Uuid } from '../contract/formats.ts';
import { FavoriteRepository, Labels, Watch } from '../contract/repositories.ts';
import { Type } from '../contract/type.ts';
import { deleteFavorite, type Favorite, listFavorites } from '../db/following.ts';
import { deleteWatch, listWatches } from '../db/watches.ts';
import { Failure } from '../domain/errors.ts';
import { created, ok } from './answers/answer.ts';
import { presentWatch } from './answers/present.ts';
import type { Deps } from './deps.ts';
import { endpoint, listEndpoint } from './endpoint.ts';
import { addressOf, chooseRepositories, hostQuery, repositoryQuery } from './requests/choose-code-host.ts';
import { abortOnDisconnect } from './requests/parse-requests.ts';

const tag = 'Favorites';
const params = { id: Uuid('The favorite.') };

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
    tag,
    access: 'user',
    query: hostQuery(deps.codeHosts),
    body: record(
      { owner: Owner(), repo: RepositoryName() },
      { example: { owner: 'harborline', repo: 'parcel' } },
    ),
    data: ref(FavoriteRepository),
    success: { 200: 'Already registered: the existing record.', 201: 'Created.' },
    failures: ['REPOSITORY_NOT_FOUND'],
    async handle({ query, body, viewer, reply }) {
      const address = addressOf(deps.codeHosts, body, query);
      const by = { viewer, signal: abortOnDisconnect(reply) };
      const { favorite, isNew } = await registerFavorite(deps, address, by);
      const shown = presentFavorite(favorite);
      return isNew
        ? created(shown, `${shown.repositoryFullName} is now one of your favorites.`)
        : ok(shown, `${shown.repositoryFullName} is one of your favorites already.`);
    },
  });

export const getFavorites = ({ database, codeHosts, listViewer }: Deps) =>
  listEndpoint({
    operationId: 'listFavorites',
    summary: 'List favorite repositories',
    description:
      'The favorites of the caller that they may still see, newest first. With an owner and a repository, that one or none.',
    tag,
    access: 'user',
    query: repositoryQuery(codeHosts),
    item: ref(FavoriteRepository),
    success: { 200: 'Your favorite repositories.' },
    async list({ query, viewer }, page) {
      const { rows, total } = await listFavorites(database, {
        viewer: listViewer(viewer),
        ...chooseRepositories(codeHosts, query),
        ...page,
      });
      return { items: rows.map(presentFavorite), total };
    },
  });

export const removeFavorite = ({ database }: Deps) =>
  endpoint({
    operationId: 'removeFavorite',
    summary: 'Remove a favorite repository',
    description: 'The favorite goes, and its watch; the repository and its articles stay.',
    tag,
    access: 'user',
    params,
    data: Nothing,
    success: { 200: 'The favorite is removed.' },
    failures: ['NOT_FOUND'],
    async handle({ params, viewer }) {
      const favorite = { favoriteId: params.id, userId: viewer.user.id };
      if (!(await deleteFavorite(database, favorite))) throw noFavorite();
      return ok({});
    },
  });

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
    body: record(
      {
        language: Type.Optional(LanguageCode()),
        labels: Type.Optional(Labels),
        includeBots: Type.Optional(
          Type.Boolean({ default: false, description: 'Whether what bots have made is written about too' }),
        ),
      },
      { example: { language: 'en' } },
    ),
    data: ref(Watch),
    success: { 200: 'Watched already: the watch as it is now.', 201: 'Watched from now on.' },
    failures: ['NOT_FOUND', 'FORBIDDEN', 'LANGUAGE_UNAVAILABLE'],
    async handle({ params: { id }, body, viewer }) {
      const { language, labels = [], includeBots = false } = body;
      const wanted = { language, labels, includeBots };
      const { watch, isNew } = await watchFavorite(deps, id.toLowerCase(), wanted, viewer);
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
    success: { 200: 'It is no longer watched.' },
    failures: ['NOT_FOUND'],
    async handle({ params: { id }, viewer }) {
      if (!(await deleteWatch(database, { favoriteId: id, userId: viewer.user.id })))
        throw new Failure(
          'NOT_FOUND',
          'You watch no such favorite. GET /users/me/watches lists those that you watch.',
        );
      return ok({});
    },
  });

export const getWatches = ({ database, listViewer }: Deps) =>
  listEndpoint({
    operationId: 'listWatches',
    summary: 'List the watched repositories',
    description:
      'What the caller watches, the newest first, with when its host last answered. What is paused says why and what to do; ' +
      'nothing that was merged meanwhile is lost.',
    tag,
    access: 'user',
    item: ref(Watch),
    success: { 200: 'The repositories that you watch.' },
    async list({ viewer }, page) {
      const { rows, total } = await listWatches(database, { viewer: listViewer(viewer), ...page });
      return { items: rows.map(presentWatch), total };
    },
  });
