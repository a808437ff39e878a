import { likeArticle, unlikeArticle } from '../actions/likes/likes.ts';
import { LanguageCode, OneOf, record, ref, Timestamp, Uuid } from '../contract/formats.ts';
import { ArticleLike, LikeCount, LikedArticleInfo, RankedArticleInfo } from '../contract/likes.ts';
import { Type } from '../contract/type.ts';
import { listLikedArticles, listRankedArticles, type RankingPage } from '../db/likes.ts';
import { rankingPeriodNames } from '../domain/time.ts';
import { listCachePolicy } from './cache/cache-policy.ts';
import type { PublicCache } from './cache/public-cache.ts';
import type { Deps } from './deps.ts';
import { endpoint, listEndpoint } from './endpoint.ts';
import { chooseRepositories, repositoryQuery } from './requests/choose-code-host.ts';
import { presentLiked, presentRanked } from './responses/present.ts';
import { created, ok } from './responses/response.ts';

const tag = 'Likes & Ranking';

/** The database notifies every process, but the user's next response must already show the like. */
export function dropFrom(cache: PublicCache, articleId: string): void {
  cache.invalidate(`article:${articleId.toLowerCase()}`);
  cache.invalidate('ranking');
}

/** Any text is accepted as a language; if the article does not exist in it, the response is 404. */
export const articleParams = {
  articleId: Uuid('The article.'),
  languageCode: Type.String({ description: 'Language of the article.', examples: ['en'] }),
};

export const postLike = (deps: Deps) =>
  endpoint({
    operationId: 'likeArticle',
    summary: 'Like an article in one language',
    description: 'Liking an article again changes nothing and returns the existing like.',
    tag,
    access: 'user',
    params: articleParams,
    data: record(
      { like: ref(ArticleLike), likeCount: LikeCount },
      { description: 'The like and the number of likes.' },
    ),
    success: { 200: 'You already like this article.', 201: 'You like this article.' },
    failures: ['ARTICLE_NOT_FOUND'],
    async handle({ params, viewer }) {
      const { like, likeCount, isNew } = await likeArticle(deps, params, viewer);
      dropFrom(deps.cache, params.articleId);
      const shown = {
        id: like.id,
        userId: viewer.user.id,
        articleId: params.articleId.toLowerCase(),
        languageCode: params.languageCode,
        likedAt: like.likedAt.toISOString(),
      };
      const data = { like: shown, likeCount };
      return isNew ? created(data) : ok(data);
    },
  });

export const removeLike = (deps: Deps) =>
  endpoint({
    operationId: 'unlikeArticle',
    summary: 'Unlike an article in one language',
    description: 'If the caller does not like the article, nothing changes.',
    tag,
    access: 'user',
    params: articleParams,
    data: record({ likeCount: LikeCount }),
    success: { 200: 'You no longer like this article.' },
    failures: ['ARTICLE_NOT_FOUND'],
    async handle({ params, viewer }) {
      const likeCount = await unlikeArticle(deps, params, viewer);
      dropFrom(deps.cache, params.articleId);
      return ok({ likeCount });
    },
  });

export const getLikedArticles = ({ database, codeHosts, listViewer }: Deps) =>
  listEndpoint({
    operationId: 'listLikedArticles',
    summary: 'List liked articles',
    description: 'Articles that the caller likes and still has access to, by default the latest like first.',
    tag,
    access: 'user',
    query: {
      language: Type.Optional(LanguageCode()),
      articleId: Type.Optional(Uuid('Only this article, in every language in which the caller likes it.')),
      sort: Type.Optional(
        OneOf(['likedAt_desc', 'likedAt_asc'], 'The order: latest or earliest likes first', {
          default: 'likedAt_desc',
        }),
      ),
    },
    item: ref(LikedArticleInfo),
    success: { 200: 'The articles you like.' },
    async list({ query, viewer }, page) {
      const { rows, total } = await listLikedArticles(database, {
        viewer: listViewer(viewer),
        language: query.language,
        articleId: query.articleId,
        oldestFirst: query.sort === 'likedAt_asc',
        ...page,
      });
      return { items: rows.map(presentLiked(codeHosts)), total };
    },
  });

export const getRanking = ({ database, codeHosts, listViewer }: Deps) => {
  const find = async (page: Omit<RankingPage, 'viewer'>) => {
    const viewer = listViewer(null);
    const { rows, total, asOf } = await listRankedArticles(database, { ...page, viewer });
    return {
      items: rows.map((row, index) => presentRanked(codeHosts, row, page.offset + index + 1)),
      total,
      asOf: (asOf ?? viewer.now).toISOString(),
      ...(await listCachePolicy(database, viewer, page.offset)),
    };
  };
  return listEndpoint({
    operationId: 'getRanking',
    summary: 'Rank articles by their likes',
    description:
      'One entry for each article and language with likes in the period. Includes only public repositories, so the response is the same for every caller. Order: likes, then the newer article, then the id.',
    tag,
    access: 'public',
    query: {
      period: Type.Optional(
        OneOf(rankingPeriodNames, 'Likes of the last 24 hours, 7, 30 or 365 days, or all', {
          default: 'all',
        }),
      ),
      language: Type.Optional(LanguageCode()),
      ...repositoryQuery(codeHosts),
    },
    item: ref(RankedArticleInfo),
    more: {
      asOf: Timestamp(
        'When likes older than the period were last removed, at most a minute ago. New likes are counted immediately.',
      ),
    },
    success: { 200: 'The most liked articles.' },
    list: ({ query }, page) => {
      const { period = 'all', language } = query;
      return find({ period, language, ...chooseRepositories(codeHosts, query), ...page });
    },
  });
};
