import { markArticleRead, markArticleUnread, presentSummary } from '../actions/articles/read-article.ts';
import { noFavorite, registerFavorite, watchFavorite } from '../actions/following/follow.ts';
import type { CodeHost } from '../code-hosts/code-host.ts';
import { FavoriteRepository, FeedEntry, Labels, Watch } from '../contract/following.ts';
import {
  Count,
  LanguageCode,
  Nothing,
  OneOf,
  Owner,
  RepositoryName,
  record,
  ref,
  Timestamp,
  Uuid,
} from '../contract/formats.ts';
import { Type } from '../contract/type.ts';
import {
  deleteFavorite,
  type Favorite,
  type FeedEntry as ListedEntry,
  listFavorites,
  listFeedEntries,
  saveFeedReadMarks,
} from '../db/following.ts';
import { deleteWatch, listWatches } from '../db/following-polls.ts';
import { Failure } from '../domain/errors.ts';
import type { Deps } from './deps.ts';
import { endpoint, listEndpoint } from './endpoint.ts';
import { articleParams } from './likes.ts';
import {
  chooseRepositories,
  hostQuery,
  repositoryQuery,
  requestedAddress,
} from './requests/choose-code-host.ts';
import { abortOnDisconnect } from './requests/parse-requests.ts';
import { presentWatch } from './responses/present.ts';
import { created, ok } from './responses/response.ts';

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

/** One operation under two paths, each with its own id, as OpenAPI requires. */
export const postFavorite = (operationId: string, summary: string) => (deps: Deps) =>
  endpoint({
    operationId,
    summary,
    description:
      'Registers a repository as a favorite of the caller. Registering it again returns the existing record and creates no new one. The original specification defines 200 (already registered), 201 (created), 400, 401, 404 and 500; the other statuses are additions.',
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
      const address = requestedAddress(deps.codeHosts, body, query);
      const by = { viewer, signal: abortOnDisconnect(reply) };
      const { favorite, isNew } = await registerFavorite(deps, address, by);
      const shown = presentFavorite(favorite);
      return isNew
        ? created(shown, `${shown.repositoryFullName} was added to your favorites.`)
        : ok(shown, `${shown.repositoryFullName} is already one of your favorites.`);
    },
  });

export const getFavorites = ({ database, codeHosts, listViewer }: Deps) =>
  listEndpoint({
    operationId: 'listFavorites',
    summary: 'List favorite repositories',
    description:
      'Favorites that the caller still has access to, newest first. With an owner and a repository, only that one.',
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
    description: 'Removes the favorite and its watch. The repository and its articles are kept.',
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
      "Writes an article about every pull request merged from then on, and about the last five merged before. Drafts are never included. A public repository is polled with the service's token or anonymously, a private one with the saved token of a follower who has access to it. Clones have no labels, so none can be given for them. This does not count against the caller's quota.",
    tag,
    access: 'user',
    params,
    body: record(
      {
        language: Type.Optional(LanguageCode()),
        labels: Type.Optional(Labels),
        includeBots: Type.Optional(
          Type.Boolean({ default: false, description: 'Also write about pull requests by bots' }),
        ),
      },
      { example: { language: 'en' } },
    ),
    data: ref(Watch),
    success: { 200: 'Already watched: the updated watch.', 201: 'The watch was created.' },
    failures: ['NOT_FOUND', 'FORBIDDEN', 'LANGUAGE_UNAVAILABLE'],
    async handle({ params: { id }, body, viewer }) {
      const { language, labels = [], includeBots = false } = body;
      const wanted = { language, labels, includeBots };
      const { watch, isNew } = await watchFavorite(deps, id.toLowerCase(), wanted, viewer);
      const name = `${watch.owner}/${watch.name}`;
      return isNew
        ? created(presentWatch(watch), `You now watch ${name}.`)
        : ok(presentWatch(watch), `You watch ${name}.`);
    },
  });

export const removeWatch = ({ database }: Deps) =>
  endpoint({
    operationId: 'endWatch',
    summary: 'Stop watching a favorite repository',
    description: 'The favorite and the articles are kept.',
    tag,
    access: 'user',
    params,
    data: Nothing,
    success: { 200: 'You no longer watch this repository.' },
    failures: ['NOT_FOUND'],
    async handle({ params: { id }, viewer }) {
      if (!(await deleteWatch(database, { favoriteId: id, userId: viewer.user.id })))
        throw new Failure(
          'NOT_FOUND',
          'You do not watch a favorite with this id. GET /users/me/watches lists those you watch.',
        );
      return ok({});
    },
  });

export const getWatches = ({ database, listViewer }: Deps) =>
  listEndpoint({
    operationId: 'listWatches',
    summary: 'List watched repositories',
    description:
      "The caller's watches, newest first, with the time of the host's last response. A paused watch includes the reason and what to do about it; merges in the meantime are picked up later.",
    tag,
    access: 'user',
    item: ref(Watch),
    success: { 200: 'Your watched repositories.' },
    async list({ viewer }, page) {
      const { rows, total } = await listWatches(database, { viewer: listViewer(viewer), ...page });
      return { items: rows.map(presentWatch), total };
    },
  });

export const presentFeedEntry =
  (codeHosts: CodeHost[]) =>
  ({ read, ...listed }: ListedEntry): FeedEntry => ({ ...presentSummary(codeHosts)(listed), read });

export const getFeed = ({ database, codeHosts, listViewer }: Deps) =>
  listEndpoint({
    operationId: 'listFeed',
    summary: 'List new articles in favorite repositories',
    description:
      "Articles about the caller's favorites, newest first as in `GET /articles`, each once, in the caller's language if available. Read marks are visible only to the caller.",
    tag: 'Feed',
    access: 'user',
    query: {
      unread: Type.Optional(
        OneOf(['true', 'false'], 'Only articles that the caller has not read, or that have changed since', {
          default: 'false',
        }),
      ),
      language: Type.Optional(LanguageCode()),
    },
    item: ref(FeedEntry),
    more: {
      unread: Count('Number of articles that the caller has not read.'),
      changed: Count('Number of articles that changed since the caller read them.'),
    },
    success: { 200: 'New articles in your favorite repositories.' },
    async list({ query, viewer }, page) {
      const { rows, ...counts } = await listFeedEntries(database, {
        viewer: { ...listViewer(viewer), userId: viewer.user.id },
        languages: [query.language, viewer.user.language].filter((one) => one !== undefined),
        isUnreadOnly: query.unread === 'true',
        ...page,
      });
      return { items: rows.map(presentFeedEntry(codeHosts)), ...counts };
    },
  });

export const postFeedRead = ({ database, listViewer }: Deps) =>
  endpoint({
    operationId: 'markFeedRead',
    summary: 'Mark all articles in favorite repositories as read',
    description: 'Marks every article written up to the given time as read, in every language.',
    tag: 'Feed',
    access: 'user',
    body: record(
      { until: Timestamp('Articles written later stay unread.') },
      { example: { until: '2026-03-01T09:30:00.000Z' } },
    ),
    data: record({ marked: Count('Number of articles that were unread or changed.') }),
    success: { 200: 'All articles up to that time are marked as read.' },
    async handle({ body, viewer }) {
      const looking = { ...listViewer(viewer), userId: viewer.user.id };
      const marked = await saveFeedReadMarks(database, { viewer: looking, until: new Date(body.until) });
      return ok({ marked });
    },
  });

export const postRead = (deps: Deps) =>
  endpoint({
    operationId: 'markArticleRead',
    summary: 'Mark an article in one language as read',
    description:
      'If the article is rewritten later, the feed shows whether it contains something new for the caller.',
    tag: 'Feed',
    access: 'user',
    params: articleParams,
    data: record({ readAt: Timestamp('When the article was read.') }),
    success: { 200: 'This article is marked as read.' },
    failures: ['ARTICLE_NOT_FOUND'],
    async handle({ params, viewer }) {
      const readAt = await markArticleRead(deps, params, viewer);
      return ok({ readAt: readAt.toISOString() });
    },
  });

export const removeRead = (deps: Deps) =>
  endpoint({
    operationId: 'markArticleUnread',
    summary: 'Mark an article as unread again',
    description: 'Removes the read marks in all its languages. If there are none, nothing changes.',
    tag: 'Feed',
    access: 'user',
    params: articleParams,
    data: Nothing,
    success: { 200: 'This article is marked as unread.' },
    failures: ['ARTICLE_NOT_FOUND'],
    async handle({ params, viewer }) {
      await markArticleUnread(deps, params, viewer);
      return ok({});
    },
  });
