import type { FastifyInstance, FastifyReply } from 'fastify';
import { presentSummary } from '../../actions/articles/read-article.ts';
import { Type } from '../../contract/type.ts';
import { listArticles } from '../../db/article-lists.ts';
import { listArticlesInPart } from '../../db/following.ts';
import { Failure } from '../../domain/errors.ts';
import type { Html } from '../../pages/html.ts';
import {
  partsFor,
  robotsText,
  sitemapIndex,
  sitemapPart,
  textForAgents,
  wholePart,
} from '../../pages/robots.ts';
import { listCachePolicy } from '../cache/cache-policy.ts';
import type { Deps } from '../deps.ts';
import { refuseJson } from '../responses/errors.ts';
import * as account from './accounts.ts';
import * as article from './articles.ts';
import * as code from './code-lines.ts';
import * as digest from './digests.ts';
import * as favorites from './following.ts';
import * as lists from './lists.ts';
import * as models from './models.ts';
import { type PageRoute, parseForms, sendFailurePages } from './page.ts';
import * as questions from './questions.ts';
import * as repository from './repositories.ts';
import * as adding from './repositories-add.ts';
import * as review from './reviews.ts';
import * as saved from './saved.ts';
import * as find from './search.ts';

export async function servePages(app: FastifyInstance, deps: Deps): Promise<void> {
  const { contexts } = deps;
  await app.register(async (pages) => {
    pages.setErrorHandler(sendFailurePages(contexts));
    pages.addHook('onRequest', refuseJson);
    const add = (url: string, route: PageRoute) => pages.route(route(url, deps));
    add('/', lists.getHomePage(deps));
    add('/go', find.goPage(deps));
    add('/find', find.findPage(deps));
    add('/sign-in', account.getSignInPage(deps));
    add('/sign-up', account.getSignUpPage(deps));
    add('/settings', account.getSettingsPage(deps));
    add('/settings/model', models.getModelsPage(deps));
    add('/favorites', favorites.getFavoritesPage(deps));
    add('/liked', lists.getLikedPage(deps));
    add('/new', lists.getNewForMePage(deps));
    add('/my/digest', digest.getDigestPage(deps));
    add('/repositories', lists.getRepositoriesPage(deps));
    add('/add', adding.addPage(deps));
    add('/a/:author', lists.authorPage(deps));
    add('/r/:owner/:repo', repository.getRepositoryPage(deps));
    add('/r/:owner/:repo/release', repository.getReleasePage(deps));
    add('/r/:owner/:repo/:number', article.getArticlePage(deps));
    add('/r/:owner/:repo/:number.html', saved.getSavedArticle(deps));
    add('/r/:owner/:repo/:number/lines', code.getLinesPage(deps));
    add('/r/:owner/:repo/:number/diff', code.getDiffPage(deps));
    add('/r/:owner/:repo/:number/review', review.getReviewPage(deps));
    add('/r/:owner/:repo/:number/checked', article.getCheckedPage(deps));

    parseForms(pages);
    add('/sign-up', account.signUpForm(deps));
    add('/settings/language', account.languageForm(deps));
    add('/interface', account.interfaceForm(deps));
    add('/settings/feed', account.feedAddressForm(deps));
    add('/settings/feed/end', account.endFeedAddressForm(deps));
    add('/settings/log-out', account.logOutForm(deps));
    add('/settings/model/connect', models.connectModelForm(deps));
    add('/settings/model/drop', models.dropModelForm(deps));
    add('/settings/model/test', models.testModelsForm(deps));
    add('/settings/model/preview', models.previewForm(deps));
    add('/settings/model/cancel', models.cancelTrialForm(deps));
    add('/settings/model/use', models.useModelsForm(deps));
    add('/settings/model/limits', models.modelLimitsForm(deps));
    add('/settings/model/off', models.modelOffForm(deps));
    add('/add', adding.postAddedRepositoryForm(deps));
    add('/add/cancel', adding.cancelAddForm(deps));
    add('/add/refresh', adding.refreshAddedForm(deps));
    add('/add/remove', adding.removeAddedForm(deps));
    add('/bots', lists.botsForm(deps));
    add('/new/read', lists.markAllReadForm(deps));
    add('/my/digest', digest.digestForm(deps));
    add('/favorites', favorites.addFavoriteForm(deps));
    add('/favorites/remove', favorites.removeFavoriteForm(deps));
    add('/favorites/watch', favorites.watchForm(deps));
    add('/r/:owner/:repo/follow', favorites.followForm(deps));
    add('/r/:owner/:repo/import', favorites.importForm(deps));
    add('/r/:owner/:repo/:number/like', article.likeForm(deps));
    add('/r/:owner/:repo/:number/unread', article.unreadForm(deps));
    add('/r/:owner/:repo/:number/write', article.writeForm(deps));
    add('/r/:owner/:repo/ask', questions.askRepositoryForm(deps));
    add('/r/:owner/:repo/:number/ask', questions.askForm(deps));
    add('/answers/:id/share', questions.shareAnswerForm(deps));
    add('/answers/:id/delete', questions.deleteAnswerForm(deps));
  });
  await digest.serveDigestLinks(app, deps);
  article.serveAvatars(app);
  article.serveCards(app, deps);
  serveRobots(app, deps);
}

const cachedFor = 'public, max-age=600';

const articlesForAgents = 20;

const partParams = Type.Object({ part: Type.String({ pattern: `^(?:${wholePart}|[0-9a-f]{1,6})$` }) });

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
    const text = textForAgents(publicUrl ?? '', codeHosts[0]?.id ?? '', rows.map(presentSummary(codeHosts)));
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

function known(publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl;
  throw new Failure('NOT_FOUND', 'This service does not know its own URL. Set PUBLIC_URL.');
}
