import { watchFavorite } from '../actions/watching/watch-favorite.ts';
import { ref } from '../contract/component.ts';
import { Nothing } from '../contract/envelope.ts';
import { LanguageCode, Uuid } from '../contract/formats.ts';
import { listOf, pageQuery } from '../contract/pagination.ts';
import { Type } from '../contract/type.ts';
import { Labels, Watch } from '../contract/watch.ts';
import { deleteWatch, listWatches } from '../db/watches.ts';
import { Failure } from '../domain/errors.ts';
import { created, ok } from './answers/answer.ts';
import { listAnswer, pageOf } from './answers/list-answer.ts';
import { presentWatch } from './answers/present-watch.ts';
import type { Deps } from './deps.ts';
import { endpoint } from './endpoint.ts';

const tag = 'Favorites';
const params = Type.Object({ id: Uuid('The favorite.') });

export const putWatch = (deps: Deps) =>
  endpoint({
    operationId: 'watchFavorite',
    summary: 'Watch a favorite repository',
    description:
      'From then on, what is merged in it is written about by itself, and the last five that were merged before. Drafts never are. ' +
      'A public repository is asked about with the token of the service or none, a private one with the saved token of somebody ' +
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

export const getWatches = ({ database, lookAtLists }: Deps) =>
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
      const { rows, total } = await listWatches(database, { viewer: lookAtLists(viewer), ...page });
      return ok(
        listAnswer(request, reply, page, { items: rows.map(presentWatch), total }),
        'What you watch.',
      );
    },
  });
