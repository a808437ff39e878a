import type { FastifyInstance, FastifyReply } from 'fastify';
import { presentSummary } from '../../actions/articles/present-summary.ts';
import { Type } from '../../contract/type.ts';
import { listArticles } from '../../db/article-lists.ts';
import { listArticlesInPart } from '../../db/feeds.ts';
import { Failure } from '../../domain/errors.ts';
import { textForAgents } from '../../pages/for-agents.ts';
import type { Html } from '../../pages/html.ts';
import { partsFor, robotsText, sitemapIndex, sitemapPart, wholePart } from '../../pages/sitemap.ts';
import { listCachePolicy } from '../answers/list-cache-policy.ts';
import type { Deps } from '../deps.ts';

/** No list that names repositories outlives by more than this what it is made from. */
const cachedFor = 'public, max-age=600';

const articlesForAgents = 20;

const partParams = Type.Object({ part: Type.String({ pattern: `^(?:${wholePart}|[0-9a-f]{1,6})$` }) });

/** What search engines and agents ask for: where they are welcome, and what there is for them. */
export function serveRobots(app: FastifyInstance, deps: Deps): void {
  const { database, codeHosts, lookAtLists, publicUrl } = deps;
  const options = { schema: { hide: true } };
  const countPublic = async () =>
    (await listArticles(database, { viewer: lookAtLists(null), onceIn: [], limit: 1, offset: 0 })).total;
  const send = async (reply: FastifyReply, type: string, text: string | Html) => {
    const { cachePolicy = null } = await listCachePolicy(database, lookAtLists(null), 0);
    reply.cachePolicy = cachePolicy;
    return reply.type(type).header('cache-control', cachedFor).send(text.toString());
  };
  const xml = 'application/xml; charset=utf-8';

  app.get('/robots.txt', options, async (_request, reply) => {
    const isForAll = publicUrl !== undefined && (await countPublic()) > 0;
    return send(reply, 'text/plain; charset=utf-8', robotsText(isForAll ? publicUrl : null));
  });
  app.get('/llms.txt', options, async (_request, reply) => {
    const newest = { viewer: lookAtLists(null), onceIn: ['en'], limit: articlesForAgents, offset: 0 };
    const { rows } = await listArticles(database, newest);
    const text = textForAgents(publicUrl ?? '', codeHosts[0]?.id ?? '', rows.map(presentSummary));
    return send(reply, 'text/plain; charset=utf-8', text);
  });
  app.get('/sitemap.xml', options, async (_request, reply) =>
    send(reply, xml, sitemapIndex(known(publicUrl), partsFor(await countPublic()))),
  );
  app.get<{ Params: { part: string } }>(
    '/sitemap/:part.xml',
    { schema: { ...options.schema, params: partParams } },
    async ({ params: { part } }, reply) => {
      const address = known(publicUrl);
      const firstDigits = part === wholePart ? '' : part;
      const articles = await listArticlesInPart(database, { firstDigits, viewer: lookAtLists(null) });
      const pages = articles.map(({ number, updatedAt, ...same }) => ({
        ...same,
        prNumber: number,
        updatedAt: updatedAt.toISOString(),
      }));
      return send(reply, xml, sitemapPart(address, codeHosts[0]?.id ?? '', pages));
    },
  );
}

/** A map of the site names whole addresses. */
function known(publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl;
  throw new Failure('NOT_FOUND', 'This service does not know its own address. Set PUBLIC_URL.');
}
