import type { FastifyInstance } from 'fastify';
import { refuseJson } from '../answers/errors.ts';
import type { ApiParts } from '../routes.ts';
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
export async function servePages(app: FastifyInstance, parts: ApiParts): Promise<void> {
  const { contexts } = parts;
  await app.register(async (pages) => {
    pages.setErrorHandler(sendFailurePages(contexts));
    pages.addHook('onRequest', refuseJson);
    const add = (url: string, describe: ReturnType<typeof page>) => pages.route(describe(contexts)(url));
    add('/', homePage(parts));
    add('/go', goPage(parts));
    add('/find', findPage(parts));
    add('/sign-in', signInPage(parts));
    add('/sign-up', signUpPage(parts));
    add('/settings', settingsPage(parts));
    add('/favorites', favoritesPage(parts));
    add('/liked', likedPage(parts));
    add('/new', newForMePage(parts));
    add('/my/digest', digestPage(parts));
    add('/repositories', repositoriesPage(parts));
    add('/a/:author', authorPage(parts));
    add('/r/:owner/:repo', repositoryPage(parts));
    add('/r/:owner/:repo/release', releasePage(parts));
    add('/r/:owner/:repo/:number', articlePage(parts));
    add('/r/:owner/:repo/:number/lines', linesPage(parts));
    add('/r/:owner/:repo/:number/map.svg', changeMapPicture(parts));

    parseForms(pages);
    const take = (url: string, describe: Form) => pages.route(describe(parts.publicUrl)(url));
    take('/sign-up', signUpForm(parts));
    take('/settings/language', languageForm(parts));
    take('/settings/feed', feedAddressForm(parts));
    take('/settings/feed/end', endFeedAddressForm(parts));
    take('/settings/log-out', logOutForm(parts));
    take('/new/read', markAllReadForm(parts));
    take('/my/digest', digestForm(parts));
    take('/favorites', addFavoriteForm(parts));
    take('/favorites/remove', removeFavoriteForm(parts));
    take('/favorites/watch', watchForm(parts));
    take('/r/:owner/:repo/follow', followForm(parts));
    take('/r/:owner/:repo/import', importForm(parts));
    take('/r/:owner/:repo/:number/like', likeForm(parts));
    take('/r/:owner/:repo/:number/write', writeForm(parts));
  });
  await serveDigestLinks(app, parts);
  serveAvatars(app);
  serveCards(app, parts);
  serveRobots(app, parts);
}
