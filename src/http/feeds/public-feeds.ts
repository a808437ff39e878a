import type { FastifyReply, FastifyRequest } from 'fastify';
import { findVisibleRepository, noRepository } from '../../actions/repositories/find-repository.ts';
import { LanguageCode } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import { listArticles } from '../../db/article-lists.ts';
import { findKnownSince } from '../../db/list-renewals.ts';
import { listRankedArticles, type RankedArticle } from '../../db/rankings.ts';
import { searchArticles } from '../../db/search.ts';
import { rankingPeriodNames } from '../../domain/time.ts';
import type { FeedFormat } from '../../feeds/feed.ts';
import { newestFeed, rankingFeed, repositoryFeed, searchFeed } from '../../pages/feed-links.ts';
import { findLink, repositoryLink, withQuery } from '../../pages/links.ts';
import type { PageContext } from '../../pages/page-context.ts';
import type { ContentAnswer } from '../answers/answer.ts';
import { isPageAddress, listCachePolicy, vary } from '../cache/cache-policy.ts';
import type { Deps } from '../deps.ts';
import { endpoint } from '../endpoint.ts';
import { wishedLanguages } from '../pages/page.ts';
import { repositoryParams } from '../pull-requests.ts';
import { chooseCodeHost, hostQuery } from '../requests/choose-code-host.ts';
import { requireQuestion, searchOf, searchQuery, typedOf } from '../search.ts';
import { answerFeed, describedAs, type FoundFeed, mostEntries } from './answer-feed.ts';

const languageQuery = { language: Type.Optional(LanguageCode()) };

const howMany =
  `The ${mostEntries} that come first, each with its whole text. With a language, only what is written in it; without, each ` +
  'article once, in a language of `Accept-Language`, or else in English, or in whichever there is.';

interface Call {
  query: { language?: string };
  request: FastifyRequest;
  reply: FastifyReply;
}

function voiceOf(
  { contexts }: Deps,
  { query, request, reply }: Call,
): { context: PageContext; wished: string[] } {
  vary(reply, 'Accept-Language');
  const context = contexts.contextFor(request, query.language);
  return { context, wished: wishedLanguages(undefined, contexts.acceptLanguage(request), context) };
}

/** Cached like lists, unless PUBLIC_URL is unset: then the feed contains the address that its reader used. */
async function answerKept(
  deps: Deps,
  call: Call,
  format: FeedFormat,
  feed: FoundFeed,
): Promise<ContentAnswer> {
  const answer = await answerFeed(deps, call, format, feed);
  if (deps.publicUrl === undefined || !isPageAddress(call.request.url)) return answer;
  return { ...answer, ...(await listCachePolicy(deps.database, feed.viewer, 0)) };
}

const page = { limit: mostEntries, offset: 0 };

export const getNewestFeed = (deps: Deps, format: FeedFormat) =>
  endpoint({
    ...describedAs(format, 'NewestFeed', 'The newest articles'),
    description: `Articles about public repositories, newest first. ${howMany}`,
    query: Type.Object(languageQuery, { additionalProperties: false }),
    async handle(call) {
      const { language } = call.query;
      const { context, wished } = voiceOf(deps, call);
      const viewer = deps.listViewer(null);
      const inLanguages = language === undefined ? { onceIn: wished } : { language };
      const { rows } = await listArticles(deps.database, { viewer, ...inLanguages, ...page });
      return answerKept(deps, call, format, {
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
    description: `What was liked most inside a period, in that order. ${howMany}`,
    params: Type.Object({
      period: Type.Enum([...rankingPeriodNames], {
        type: 'string',
        description: 'Which likes count: those of the last 24 hours, 7, 30 or 365 days, or all',
      }),
    }),
    query: Type.Object(languageQuery, { additionalProperties: false }),
    async handle(call) {
      const { period } = call.params;
      const { language } = call.query;
      const { context, wished } = voiceOf(deps, call);
      const viewer = deps.listViewer(null);
      const { rows } = await listRankedArticles(deps.database, { period, viewer, language, ...page });
      return answerKept(deps, call, format, {
        context,
        viewer,
        found: onceEach(rows, wished),
        title: `Pullquote · ${context.words.home.periodTitles[period]}`,
        page: withQuery('/', { period, language }),
        self: rankingFeed(period, { language }),
      });
    },
  });

/** Each article at its first place, in the language that is wished for most of those in which it is liked. */
function onceEach(rows: RankedArticle[], wished: string[]): RankedArticle[] {
  const placeOf = ({ languageCode }: RankedArticle): number => {
    const place = wished.indexOf(languageCode);
    return place === -1 ? wished.length : place;
  };
  return [...Map.groupBy(rows, ({ articleId }) => articleId).values()].map((one) =>
    one.reduce((best, other) => (placeOf(other) < placeOf(best) ? other : best)),
  );
}

export const getRepositoryFeed = (deps: Deps, format: FeedFormat) =>
  endpoint({
    ...describedAs(format, 'RepositoryFeed', 'The articles about a repository'),
    description: `Those about a public repository that is known here, newest first; none before one is written. ${howMany}`,
    params: Type.Object(repositoryParams),
    query: Type.Object({ ...hostQuery(deps.codeHosts), ...languageQuery }, { additionalProperties: false }),
    failures: ['REPOSITORY_NOT_FOUND'],
    async handle(call) {
      const { owner, repo } = call.params;
      const { language } = call.query;
      const address = { codeHost: chooseCodeHost(deps.codeHosts, call.query.host), owner, name: repo };
      const { context, wished } = voiceOf(deps, call);
      const repository = await findVisibleRepository(deps, address, { viewer: null, now: deps.clock() });
      if (!repository) throw noRepository(address);
      const viewer = deps.listViewer(null);
      const inLanguages = language === undefined ? { onceIn: wished } : { language };
      const ofThis = { viewer, repositoryId: repository.id };
      const { rows } = await listArticles(deps.database, { ...ofThis, ...inLanguages, ...page });
      const place = { host: address.codeHost.id, owner: repository.owner, repo: repository.name };
      return answerKept(deps, call, format, {
        context,
        viewer,
        found: rows,
        title: `Pullquote · ${place.owner}/${place.repo}`,
        page: repositoryLink(place, context.firstHost, { language }),
        self: repositoryFeed(place, context.firstHost, { language }),
        since: () => findKnownSince(deps.database, ofThis),
      });
    },
  });

export const getSearchFeed = (deps: Deps, format: FeedFormat) =>
  endpoint({
    ...describedAs(format, 'SearchFeed', 'The articles that a search finds'),
    description: `What \`GET /search\` finds for anonymous callers, but newest first. ${howMany}`,
    query: Type.Object(searchQuery(deps.codeHosts), { additionalProperties: false }),
    async handle(call) {
      const { query } = call;
      const question = requireQuestion(query, null);
      const { context, wished } = voiceOf(deps, call);
      const search = searchOf(deps, query, { question, viewer: null, languages: wished });
      const { rows } = await searchArticles(deps.database, { ...search, ...page, isNewestFirst: true });
      // What is indexed later is found later, without a notification: it is not kept, as no search is.
      return answerFeed(deps, call, format, {
        context,
        viewer: search.viewer,
        found: rows,
        title: `Pullquote · ${context.words.find.title}: ${typedOf(query)}`,
        page: findLink(typedOf(query), { host: query.host }),
        self: searchFeed(query),
      });
    },
  });
