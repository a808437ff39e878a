import type { FastifyInstance, FastifyReply } from 'fastify';
import { presentSummary } from '../../actions/articles/read-article.ts';
import { Type } from '../../contract/type.ts';
import { listArticles } from '../../db/article-lists.ts';
import { listArticlesInPart } from '../../db/feeds.ts';
import { Failure } from '../../domain/errors.ts';
import { textForAgents } from '../../pages/for-agents.ts';
import type { Html } from '../../pages/html.ts';
import { partsFor, robotsText, sitemapIndex, sitemapPart, wholePart } from '../../pages/sitemap.ts';
import { refuseJson } from '../answers/errors.ts';
import { listCachePolicy } from '../cache/cache-policy.ts';
import type { Deps } from '../deps.ts';
import {
  endFeedAddressForm,
  feedAddressForm,
  languageForm,
  logOutForm,
  settingsPage,
  signInPage,
  signUpForm,
  signUpPage,
} from './account.ts';
import { articlePage, likeForm, writeForm } from './article.ts';
import { digestForm, digestPage, serveDigestLinks } from './digest.ts';
import { sendFailurePages } from './failure-pages.ts';
import {
  addFavoriteForm,
  favoritesPage,
  followForm,
  importForm,
  removeFavoriteForm,
  watchForm,
} from './favorites.ts';
import { findPage, goPage } from './find.ts';
import { type Form, parseForms } from './form.ts';
import { linesPage } from './lines.ts';
import { authorPage, homePage, likedPage, markAllReadForm, newForMePage, repositoriesPage } from './lists.ts';
import type { page } from './page.ts';
import { changeMapPicture, serveAvatars, serveCards } from './pictures.ts';
import { releasePage } from './release.ts';
import { repositoryPage } from './repository.ts';

/** All pages, top to bottom, and below them the forms that do something without scripts. What goes wrong with them is a page too. */
export async function servePages(app: FastifyInstance, deps: Deps): Promise<void> {
  const { contexts } = deps;
  await app.register(async (pages) => {
    pages.setErrorHandler(sendFailurePages(contexts));
    pages.addHook('onRequest', refuseJson);
    const add = (url: string, describe: ReturnType<typeof page>) => pages.route(describe(contexts)(url));
    add('/', homePage(deps));
    add('/go', goPage(deps));
    add('/find', findPage(deps));
    add('/sign-in', signInPage(deps));
    add('/sign-up', signUpPage(deps));
    add('/settings', settingsPage(deps));
    add('/favorites', favoritesPage(deps));
    add('/liked', likedPage(deps));
    add('/new', newForMePage(deps));
    add('/my/digest', digestPage(deps));
    add('/repositories', repositoriesPage(deps));
    add('/a/:author', authorPage(deps));
    add('/r/:owner/:repo', repositoryPage(deps));
    add('/r/:owner/:repo/release', releasePage(deps));
    add('/r/:owner/:repo/:number', articlePage(deps));
    add('/r/:owner/:repo/:number/lines', linesPage(deps));
    add('/r/:owner/:repo/:number/map.svg', changeMapPicture(deps));

    parseForms(pages);
    const take = (url: string, describe: Form) => pages.route(describe(deps.publicUrl)(url));
    take('/sign-up', signUpForm(deps));
    take('/settings/language', languageForm(deps));
    take('/settings/feed', feedAddressForm(deps));
    take('/settings/feed/end', endFeedAddressForm(deps));
    take('/settings/log-out', logOutForm(deps));
    take('/new/read', markAllReadForm(deps));
    take('/my/digest', digestForm(deps));
    take('/favorites', addFavoriteForm(deps));
    take('/favorites/remove', removeFavoriteForm(deps));
    take('/favorites/watch', watchForm(deps));
    take('/r/:owner/:repo/follow', followForm(deps));
    take('/r/:owner/:repo/import', importForm(deps));
    take('/r/:owner/:repo/:number/like', likeForm(deps));
    take('/r/:owner/:repo/:number/write', writeForm(deps));
  });
  await serveDigestLinks(app, deps);
  serveAvatars(app);
  serveCards(app, deps);
  serveRobots(app, deps);
}

/** No list that names repositories outlives by more than this what it is made from. */
const cachedFor = 'public, max-age=600';

const articlesForAgents = 20;

const partParams = Type.Object({ part: Type.String({ pattern: `^(?:${wholePart}|[0-9a-f]{1,6})$` }) });

/** What search engines and agents ask for: where they are welcome, and what there is for them. */
function serveRobots(app: FastifyInstance, deps: Deps): void {
  const { database, codeHosts, listViewer, publicUrl } = deps;
  const options = { schema: { hide: true } };
  const countPublic = async () =>
    (await listArticles(database, { viewer: listViewer(null), onceIn: [], limit: 1, offset: 0 })).total;
  const send = async (reply: FastifyReply, type: string, text: string | Html) => {
    const { cachePolicy = null } = await listCachePolicy(database, listViewer(null), 0);
    reply.cachePolicy = cachePolicy;
    return reply.type(type).header('cache-control', cachedFor).send(text.toString());
  };
  const xml = 'application/xml; charset=utf-8';

  app.get('/robots.txt', options, async (_request, reply) => {
    const isForAll = publicUrl !== undefined && (await countPublic()) > 0;
    return send(reply, 'text/plain; charset=utf-8', robotsText(isForAll ? publicUrl : null));
  });
  app.get('/llms.txt', options, async (_request, reply) => {
    const newest = { viewer: listViewer(null), onceIn: ['en'], limit: articlesForAgents, offset: 0 };
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
      const articles = await listArticlesInPart(database, { firstDigits, viewer: listViewer(null) });
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
