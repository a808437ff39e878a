import { likeArticle, unlikeArticle } from '../actions/likes/likes.ts';
import { ArticleLike, LikeCount, LikedArticleInfo } from '../contract/article-lists.ts';
import { LanguageCode, OneOf, record, ref, Uuid } from '../contract/formats.ts';
import { Type } from '../contract/type.ts';
import { listLikedArticles } from '../db/likes.ts';
import { created, ok } from './answers/answer.ts';
import { presentLiked } from './answers/present.ts';
import type { PublicCache } from './cache/public-cache.ts';
import type { Deps } from './deps.ts';
import { endpoint, listEndpoint } from './endpoint.ts';

const tag = 'Likes & Ranking';

/** The database notifies every process, this one too; but a user who likes something shall see it in the very next answer. */
export function dropFrom(cache: PublicCache, articleId: string): void {
  cache.invalidate(`article:${articleId.toLowerCase()}`);
  cache.invalidate('ranking');
}

/** Any text is taken for a language here: one that there is no article in is not found, whatever it looks like. */
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

export const deleteLike = (deps: Deps) =>
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

export const getLikedArticles = ({ database, listViewer }: Deps) =>
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
      return { items: rows.map(presentLiked), total };
    },
  });
