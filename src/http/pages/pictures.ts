import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import {
  contentInLanguage,
  readArticleAbout,
  readArticlesById,
} from '../../actions/articles/read-article.ts';
import { findVisiblePullRequest } from '../../actions/pull-requests/find-pull-request.ts';
import { seenBy } from '../../actions/repositories/find-repository.ts';
import { LanguageCode, Uuid } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import { listFilesOfArticle } from '../../db/pull-requests.ts';
import { drawAvatar } from '../../domain/accounts.ts';
import { cardPicture, cardVersion } from '../../pages/card/card.ts';
import { mapPicture } from '../../pages/change-map/change-map.ts';
import { presentArticle } from '../answers/present.ts';
import { articleCachePolicy } from '../cache/cache-policy.ts';
import type { Deps } from '../deps.ts';
import { pullRequestParams } from '../pull-requests.ts';
import { chooseCodeHost, hostQuery } from '../requests/choose-code-host.ts';
import { page } from './page.ts';

/** Pictures for those whose host has none of them. */
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
      if (!content) throw new Error('An article was presented without its language.');
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

/** The change map of an article, as a picture for lists. */
export const changeMapPicture = (deps: Deps) =>
  page({
    params: pullRequestParams,
    query: Type.Object({
      ...hostQuery(deps.codeHosts),
      shape: Type.Optional(Type.Literal('strip')),
    }),
    async show({ params, query, viewer }) {
      const { owner, repo, number } = params;
      const address = { codeHost: chooseCodeHost(deps.codeHosts, query.host), owner, name: repo, number };
      const article = await readArticleAbout(deps, address, viewer);
      const { files } = await findVisiblePullRequest(deps, address, viewer);
      const picture = mapPicture(files, { isStrip: query.shape === 'strip' });
      return { page: picture, type: 'image/svg+xml', ...articleCachePolicy(article) };
    },
  });
