import type { TProperties } from 'typebox';
import { requireVisibleRepository } from '../../actions/repositories/find-repository.ts';
import { LanguageCode, OneOf } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import { listArticles } from '../../db/article-lists.ts';
import { listRankedArticles, type RankedArticle } from '../../db/likes.ts';
import { findRepositoryKnownSince } from '../../db/repositories.ts';
import { searchArticles } from '../../db/search.ts';
import { rankingPeriodNames } from '../../domain/time.ts';
import type { FeedFormat } from '../../feeds/feed.ts';
import {
  digestFeed,
  findLink,
  newestFeed,
  rankingFeed,
  repositoryFeed,
  repositoryLink,
  searchFeed,
  withQuery,
} from '../../pages/links.ts';
import { isPageAddress, listCachePolicy, vary } from '../cache/cache-policy.ts';
import type { Deps } from '../deps.ts';
import { digestWish } from '../digests.ts';
import { type Call, endpoint } from '../endpoint.ts';
import { wishedLanguages } from '../pages/page.ts';
import { repositoryParams } from '../pull-requests.ts';
import { hostQuery, requestedAddress } from '../requests/choose-code-host.ts';
import type { ContentResponse } from '../responses/response.ts';
import { requireSearch, searchOf, searchQuery, typedOf } from '../search.ts';
import {
  describedAs,
  digestFeedEntries,
  type FoundFeed,
  mostEntries,
  sendDigestFeed,
  sendFeed,
} from './feed-response.ts';

const languageQuery = { language: Type.Optional(LanguageCode()) };

const howMany = `The first ${mostEntries}, in full. With a language, only articles in it; without one, each article once, in a language of \`Accept-Language\`, else in English, else in any.`;

type FeedCall = Pick<Call<'public', TProperties, typeof languageQuery>, 'query' | 'request' | 'reply'>;

function voiceOf({ contexts }: Deps, { query, request, reply }: FeedCall) {
  vary(reply, 'Accept-Language');
  const context = contexts.contextFor(request, query.language);
  return { context, wished: wishedLanguages(undefined, contexts.acceptLanguage(request), context) };
}

/** Cached like lists, unless PUBLIC_URL is unset: then the feed contains the address that its reader used. */
async function sendCached(
  deps: Deps,
  call: FeedCall,
  format: FeedFormat,
  feed: FoundFeed,
): Promise<ContentResponse> {
  const response = await sendFeed(deps, call, format, feed);
  if (deps.publicUrl === undefined || !isPageAddress(call.request.url)) return response;
  return { ...response, ...(await listCachePolicy(deps.database, feed.viewer, 0)) };
}

const page = { limit: mostEntries, offset: 0 };

export const getNewestFeed = (deps: Deps, format: FeedFormat) =>
  endpoint({
    ...describedAs(format, 'NewestFeed', 'The newest articles'),
    description: `Articles about public repositories, newest first. ${howMany}`,
    query: languageQuery,
    async handle(call) {
      const { language } = call.query;
      const { context, wished } = voiceOf(deps, call);
      const viewer = deps.listViewer(null);
      const inLanguages = language === undefined ? { onceIn: wished } : { language };
      const { rows } = await listArticles(deps.database, { viewer, ...inLanguages, ...page });
      return sendCached(deps, call, format, {
        context,
        viewer,
        found: rows,
        title: `Pullquote · ${context.words.home.newestTitle}`,
        page: withQuery('/', { language }),
        self: newestFeed({ language }),
      });
    },
  });

export const getRankingFeed = (deps: Deps, format: FeedFormat) =>
  endpoint({
    ...describedAs(format, 'RankingFeed', 'The most liked articles'),
    description: `The most liked articles of a period, in that order. ${howMany}`,
    params: {
      period: OneOf(rankingPeriodNames, 'Likes of the last 24 hours, 7, 30 or 365 days, or all'),
    },
    query: languageQuery,
    async handle(call) {
      const { period } = call.params;
      const { language } = call.query;
      const { context, wished } = voiceOf(deps, call);
      const viewer = deps.listViewer(null);
      const { rows } = await listRankedArticles(deps.database, { period, viewer, language, ...page });
      return sendCached(deps, call, format, {
        context,
        viewer,
        found: onceEachRanked(rows, wished),
        title: `Pullquote · ${context.words.home.periodTitles[period]}`,
        page: withQuery('/', { period, language }),
        self: rankingFeed(period, { language }),
      });
    },
  });

function onceEachRanked(rows: RankedArticle[], wished: string[]): RankedArticle[] {
  const placeOf = ({ languageCode }: RankedArticle): number => {
    const place = wished.indexOf(languageCode);
    return place === -1 ? wished.length : place;
  };
  return [...Map.groupBy(rows, ({ articleId }) => articleId).values()].map((one) =>
    one.reduce((best, other) => (placeOf(other) < placeOf(best) ? other : best)),
  );
}

async function requirePublic(
  deps: Deps,
  {
    params,
    query,
  }: Pick<Call<'public', typeof repositoryParams, ReturnType<typeof hostQuery>>, 'params' | 'query'>,
) {
  const address = requestedAddress(deps.codeHosts, params, query);
  const look = { viewer: null, now: deps.clock() };
  const { found: repository, seen } = await requireVisibleRepository(deps, address, look);
  const place = { host: repository.host, owner: repository.owner, repo: repository.name };
  return { repository, place, viewer: seen };
}

export const getRepositoryFeed = (deps: Deps, format: FeedFormat) =>
  endpoint({
    ...describedAs(format, 'RepositoryFeed', 'The articles about a repository'),
    description: `Articles about a public repository that the service knows, newest first; empty until one is written. ${howMany}`,
    params: repositoryParams,
    query: { ...hostQuery(deps.codeHosts), ...languageQuery },
    failures: ['REPOSITORY_NOT_FOUND'],
    async handle(call) {
      const { language } = call.query;
      const { context, wished } = voiceOf(deps, call);
      const { repository, place } = await requirePublic(deps, call);
      const viewer = deps.listViewer(null);
      const inLanguages = language === undefined ? { onceIn: wished } : { language };
      const ofThis = { viewer, repositoryId: repository.id };
      const { rows } = await listArticles(deps.database, { ...ofThis, ...inLanguages, ...page });
      return sendCached(deps, call, format, {
        context,
        viewer,
        found: rows,
        title: `Pullquote · ${place.owner}/${place.repo}`,
        page: repositoryLink(place, context.firstHost, { language }),
        self: repositoryFeed(place, context.firstHost, { language }),
        since: () => findRepositoryKnownSince(deps.database, ofThis),
      });
    },
  });

export const getSearchFeed = (deps: Deps, format: FeedFormat) =>
  endpoint({
    ...describedAs(format, 'SearchFeed', 'The articles that a search finds'),
    description: `The results of \`GET /search\` for anonymous callers, newest first. ${howMany}`,
    query: searchQuery(deps.codeHosts),
    async handle(call) {
      const { query } = call;
      const question = requireSearch(query, null);
      const { context, wished } = voiceOf(deps, call);
      const search = searchOf(deps, query, { question, viewer: null, languages: wished });
      const { rows } = await searchArticles(deps.database, { ...search, ...page, isNewestFirst: true });
      // Not cached, like searches, because articles that are indexed later send no notification.
      return sendFeed(deps, call, format, {
        context,
        viewer: search.viewer,
        found: rows,
        title: `Pullquote · ${context.words.find.title}: ${typedOf(query)}`,
        page: findLink(typedOf(query), { host: query.host }),
        self: searchFeed(query),
      });
    },
  });

export const getRepositoryDigestFeed = (deps: Deps, format: FeedFormat) =>
  endpoint({
    ...describedAs(format, 'RepositoryDigestFeed', 'The digests of a repository'),
    description: `Digests of a public repository that the service knows. ${digestFeedEntries}`,
    params: repositoryParams,
    query: { ...hostQuery(deps.codeHosts), ...digestWish() },
    failures: ['REPOSITORY_NOT_FOUND'],
    async handle(call) {
      const { query } = call;
      const { repository, place, viewer } = await requirePublic(deps, call);
      const { context } = voiceOf(deps, call);
      const { period = 'weekly', until, language } = query;
      const scope = { kind: 'repository', repositoryId: repository.id } as const;
      return sendDigestFeed(deps, call, format, {
        query,
        wanted: { language: language ?? context.language, scope, viewer },
        of: { repository: place },
        context,
        title: `Pullquote · ${context.words.digest.kinds[period]} · ${place.owner}/${place.repo}`,
        page: withQuery('/my/digest', { period, ...place }),
        self: digestFeed(place, context.firstHost, { period, until, language }),
        since: () => findRepositoryKnownSince(deps.database, { repositoryId: repository.id, viewer }),
      });
    },
  });
