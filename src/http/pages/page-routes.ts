import type { FastifyInstance } from 'fastify';
import { refuseJson } from '../answers/errors.ts';
import type { Deps } from '../deps.ts';
import { articlePage } from './article.ts';
import { serveAvatars } from './avatars.ts';
import { serveCards } from './cards.ts';
import { changeMapPicture } from './change-map.ts';
import { digestForm, digestPage } from './digest.ts';
import { serveDigestLinks } from './digest-links.ts';
import { sendFailurePages } from './failure-pages.ts';
import { favoritesPage } from './favorites.ts';
import { findPage } from './find.ts';
import { serveRobots } from './for-robots.ts';
import { type Form, parseForms } from './form.ts';
import {
  endFeedAddressForm,
  feedAddressForm,
  languageForm,
  logOutForm,
  signUpForm,
} from './forms/account-forms.ts';
import { likeForm, writeForm } from './forms/article-forms.ts';
import {
  addFavoriteForm,
  followForm,
  importForm,
  removeFavoriteForm,
  watchForm,
} from './forms/repository-forms.ts';
import { goPage } from './go.ts';
import { homePage } from './home.ts';
import { likedPage } from './liked.ts';
import { linesPage } from './lines.ts';
import { authorPage } from './narrowed.ts';
import { markAllReadForm, newForMePage } from './new-for-me.ts';
import type { page } from './page.ts';
import { releasePage } from './release.ts';
import { repositoriesPage } from './repositories.ts';
import { repositoryPage } from './repository.ts';
import { settingsPage } from './settings.ts';
import { signInPage } from './sign-in.ts';
import { signUpPage } from './sign-up.ts';

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
