import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { contentInLanguage, readArticlesById } from '../../actions/articles/read-article.ts';
import { seenBy } from '../../actions/repositories/find-visible-repository.ts';
import { LanguageCode, Uuid } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import { listFilesOfArticle } from '../../db/pull-requests.ts';
import { cardPicture, cardVersion } from '../../pages/card/card.ts';
import { articleCachePolicy } from '../answers/article-cache-policy.ts';
import { presentArticle } from '../answers/present-article.ts';
import type { Deps } from '../deps.ts';

const params = Type.Object({
  articleId: Uuid(),
  languageCode: LanguageCode(),
  version: Type.String({ maxLength: 40 }),
});

/**
 * What shows at an address never changes, so only how long caches in between go on showing what is no longer public limits
 * how long they may keep it.
 */
const cachedFor = 'public, max-age=3600';

/** Pictures beside links to articles, for those who see no more than an anonymous viewer does. */
export function serveCards(app: FastifyInstance, deps: Deps): void {
  const read = readArticlesById(deps);
  app.get<{ Params: Static<typeof params> }>(
    '/cards/:articleId/:languageCode/:version.png',
    { schema: { hide: true, params } },
    async (request, reply) => {
      const { articleId, languageCode, version } = request.params;
      const article = await read(articleId, null);
      const stored = contentInLanguage(article, {
        asked: languageCode,
        own: undefined,
        acceptLanguage: undefined,
      });
      const { contents, ...presented } = presentArticle(article, [stored]);
      const content = contents[languageCode];
      if (!content) throw new Error('An article was presented without the language it was asked for in.');
      const of = { article: presented, content };
      const current = cardVersion(of);
      const png = await deps.cards.get(
        { articleId: article.id, languageCode, version: current },
        async () => {
          const viewer = seenBy({ viewer: null, now: deps.clock() });
          const files = await listFilesOfArticle(deps.database, { articleId: article.id, viewer });
          return cardPicture(of, files).toString();
        },
      );
      // Under an address of before, the picture of now may be sent, but not kept.
      if (version === current) {
        reply.header('cache-control', cachedFor);
        reply.cachePolicy = articleCachePolicy(article).cachePolicy ?? null;
      }
      return reply.type('image/png').send(Buffer.from(png));
    },
  );
}
