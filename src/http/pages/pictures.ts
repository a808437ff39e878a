import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import {
  contentInLanguage,
  readArticleAbout,
  readArticlesById,
} from '../../actions/articles/read-article.ts';
import { findVisibleFiles } from '../../actions/pull-requests/find-pull-request.ts';
import { LanguageCode, Uuid } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import { listFilesOfArticle } from '../../db/pull-requests.ts';
import { drawAvatar } from '../../domain/accounts.ts';
import { cardPicture, cardVersion } from '../../pages/card.ts';
import { mapPicture } from '../../pages/change-map.ts';
import { articleCachePolicy } from '../cache/cache-policy.ts';
import type { Deps } from '../deps.ts';
import { pullRequestAddress, pullRequestPath } from '../pull-requests.ts';
import { hostQuery } from '../requests/choose-code-host.ts';
import { page, presentIn } from './page.ts';

export function serveAvatars(app: FastifyInstance): void {
  const params = Type.Object({ id: Uuid() });
  app.get<{ Params: { id: string } }>(
    '/avatars/:id.svg',
    { schema: { hide: true, params } },
    (request, reply) =>
      reply
        .type('image/svg+xml')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .send(drawAvatar(request.params.id.toLowerCase())),
  );
}

const params = Type.Object({
  articleId: Uuid(),
  languageCode: LanguageCode(),
  version: Type.String({ maxLength: 40 }),
});

/** The picture at an address never changes, but the repository may turn private. */
const cachedFor = 'public, max-age=3600';

export function serveCards(app: FastifyInstance, deps: Deps): void {
  const read = readArticlesById(deps);
  app.get<{ Params: Static<typeof params> }>(
    '/cards/:articleId/:languageCode/:version.png',
    { schema: { hide: true, params } },
    async (request, reply) => {
      const { articleId, languageCode, version } = request.params;
      const { found: article, seen: viewer } = await read(articleId, null);
      const stored = contentInLanguage(article, {
        requested: languageCode,
        own: undefined,
        acceptLanguage: undefined,
      });
      const of = presentIn(article, stored);
      const current = cardVersion(of);
      const png = await deps.cards.get(
        { articleId: article.id, languageCode, version: current },
        async () => {
          const files = await listFilesOfArticle(deps.database, { articleId: article.id, viewer });
          return cardPicture(of, files).toString();
        },
      );
      // An older address gets the current picture, which is not to be cached there.
      if (version === current) {
        reply.header('cache-control', cachedFor);
        reply.cachePolicy = articleCachePolicy(article).cachePolicy ?? null;
      }
      return reply.type('image/png').send(Buffer.from(png));
    },
  );
}

export const changeMapPicture = (deps: Deps) =>
  page({
    params: pullRequestPath,
    query: {
      ...hostQuery(deps.codeHosts),
      shape: Type.Optional(Type.Literal('strip')),
    },
    async show({ params, query, viewer }) {
      const address = pullRequestAddress(deps, { params, query });
      const { found: article } = await readArticleAbout(deps, address, viewer);
      const { files } = await findVisibleFiles(deps, address, viewer);
      const picture = mapPicture(files, { isStrip: query.shape === 'strip' });
      return { page: picture, type: 'image/svg+xml', ...articleCachePolicy(article) };
    },
  });
