import type { FastifyRequest } from 'fastify';
import { findFeedHolder, makeFeedAddress } from '../../actions/accounts/account.ts';
import { usualLanguage } from '../../actions/articles/request-article.ts';
import { LanguageCode, Nothing, record, Text, Url } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import { deleteFeedAddress, findFeedAddress, listFavorites, listFeedEntries } from '../../db/following.ts';
import { Failure, ReadOnlyFailure } from '../../domain/errors.ts';
import { type FeedFormat, writeOpml } from '../../feeds/feed.ts';
import type { OwnFeedUrls } from '../../pages/accounts.ts';
import { ownDigestFeed, ownFeed, withQuery } from '../../pages/links.ts';
import type { Deps } from '../deps.ts';
import { digestWish } from '../digests.ts';
import { type Call, endpoint } from '../endpoint.ts';
import { originOf } from '../requests/addresses.ts';
import { content, created, ok } from '../responses/response.ts';
import { describedAs, digestFeedEntries, mostEntries, sendDigestFeed, sendFeed } from './feed-response.ts';

const tag = 'Feed';

export function feedUrls(
  request: FastifyRequest,
  publicUrl: string | undefined,
  secret: string,
): OwnFeedUrls {
  const origin = originOf(request, publicUrl);
  const [feed, digests] = [ownFeed(secret), ownDigestFeed(secret)];
  return {
    atomUrl: origin + feed('atom'),
    jsonUrl: origin + feed('json'),
    digestAtomUrl: origin + digests('atom'),
    digestJsonUrl: origin + digests('json'),
  };
}

export const postFeedAddress = (deps: Deps) =>
  endpoint({
    operationId: 'makeFeedAddress',
    summary: 'Create a secret feed URL',
    description:
      "Feed readers can get the caller's new articles or digests at this URL, including private repositories, without any other credential. The URL is returned only once and replaces the previous one.",
    tag,
    access: 'user',
    data: record({
      atomUrl: Url('The feed as Atom.'),
      jsonUrl: Url('The same as JSON Feed.'),
      digestAtomUrl: Url("The caller's digests as Atom."),
      digestJsonUrl: Url('The same as JSON Feed.'),
    }),
    success: {
      201: 'This is your feed URL. It will not be shown again. Keep it secret: anyone who has it can read what you have access to.',
    },
    async handle({ viewer, request, reply }) {
      const secret = await makeFeedAddress(deps, viewer.user.id);
      reply.header('cache-control', 'no-store');
      return created(feedUrls(request, deps.publicUrl, secret));
    },
  });

export const deleteFeedAddressOf = ({ database }: Deps) =>
  endpoint({
    operationId: 'endFeedAddress',
    summary: 'Delete the secret feed URL',
    description: 'The URL stops working immediately. If there is none, nothing changes.',
    tag,
    access: 'user',
    data: Nothing,
    success: { 200: 'Your feed URL no longer works.' },
    async handle({ viewer }) {
      await deleteFeedAddress(database, viewer.user.id);
      return ok({});
    },
  });

const secretParam = { secret: Text('The secret from POST /users/me/feed-address.') };

async function openOwnFeed(
  deps: Deps,
  secret: string,
  { request, reply }: Pick<Call, 'request' | 'reply'>,
  language: string | undefined,
) {
  if (request.isReadOnly) throw new ReadOnlyFailure();
  const holder = await findFeedHolder(deps, secret);
  if (!holder) throw noFeed();
  const { user } = holder;
  reply.headers({ 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' });
  return {
    holder,
    context: deps.contexts.contextFor(request, language ?? user.language),
    since: async () => (await findFeedAddress(deps.database, user.id))?.createdAt ?? deps.clock(),
  };
}

export const getOwnFeed = (deps: Deps, format: FeedFormat) =>
  endpoint({
    ...describedAs(format, 'OwnFeed', "New articles in a user's favorites"),
    description: `The newest ${mostEntries} articles of \`GET /users/me/feed\` for the owner of this secret URL, with the rights of their saved tokens, in full and in their language if available.`,
    params: secretParam,
    query: { language: Type.Optional(LanguageCode()) },
    failures: ['NOT_FOUND'],
    async handle({ params, query, ...call }) {
      const { holder, ...feed } = await openOwnFeed(deps, params.secret, call, query.language);
      const { identity, user } = holder;
      const viewer = { ...deps.listViewer(holder), userId: user.id };
      const languages = [query.language, user.language].filter((one) => one !== undefined);
      const page = { limit: mostEntries, offset: 0 };
      const { rows } = await listFeedEntries(deps.database, {
        viewer,
        languages,
        isUnreadOnly: false,
        ...page,
      });
      return sendFeed(deps, call, format, {
        ...feed,
        viewer,
        found: rows,
        title: `Pullquote · ${feed.context.words.feeds.mine(identity.hostUsername)}`,
        page: '/new',
        self: { ofUser: user.id },
      });
    },
  });

export const getOwnDigestFeed = (deps: Deps, format: FeedFormat) =>
  endpoint({
    ...describedAs(format, 'OwnDigestFeed', "Digests of a user's favorites"),
    description: `Digests for the owner of this secret URL, with the rights of their saved tokens. ${digestFeedEntries}`,
    params: secretParam,
    query: digestWish(),
    failures: ['NOT_FOUND'],
    async handle({ params, query, ...call }) {
      const { holder, ...feed } = await openOwnFeed(deps, params.secret, call, query.language);
      const { identity, user } = holder;
      const { period = 'weekly', language = usualLanguage(deps, user, false) } = query;
      const scope = { kind: 'favorites', userId: user.id } as const;
      return sendDigestFeed(deps, call, format, {
        ...feed,
        query,
        wanted: { language, scope, viewer: deps.listViewer(holder) },
        of: { ofUser: user.id },
        title: `Pullquote · ${feed.context.words.digest.kinds[period]} · ${identity.hostUsername}`,
        page: withQuery('/my/digest', { period }),
        self: { ofUser: `${user.id} ${period}` },
      });
    },
  });

const noFeed = (): Failure =>
  new Failure(
    'NOT_FOUND',
    'There is no feed at this URL. Create a new one in Settings or with POST /users/me/feed-address.',
  );

const opml = 'text/x-opml; charset=utf-8';

const mostFavorites = 10_000;

export const getFavoritesOpml = (deps: Deps) =>
  endpoint({
    operationId: 'getFavoritesOpml',
    summary: 'Get the feeds of favorite repositories as OPML',
    description:
      "For subscribing to all of them at once. Contains only public repositories: private ones appear only in the feed at the caller's secret URL, which cannot be shown again.",
    tag,
    access: 'user',
    data: Type.String(),
    contentType: opml,
    success: { 200: 'The feeds.' },
    async handle({ viewer, request }) {
      const page = { limit: mostFavorites, offset: 0 };
      const { rows } = await listFavorites(deps.database, { viewer: deps.listViewer(viewer), ...page });
      const { words, firstHost } = deps.contexts.contextFor(request, undefined);
      const written = await writeOpml({
        title: words.feeds.favorites(viewer.identity.hostUsername),
        origin: originOf(request, deps.publicUrl),
        firstHost,
        repositories: rows
          .filter(({ isPrivate }) => !isPrivate)
          .map(({ host, owner, name }) => ({ host, owner, repo: name })),
      });
      return content(opml, written);
    },
  });
