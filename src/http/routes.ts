import { feedFormats } from '../feeds/feed.ts';
import * as users from './accounts/account.ts';
import * as browserSignIn from './accounts/browser-sign-in.ts';
import * as auth from './accounts/sessions.ts';
import { getAgentMetadata, postAgentMessage } from './agents.ts';
import { postArticle } from './article-requests.ts';
import * as articles from './articles.ts';
import type { Deps } from './deps.ts';
import * as digest from './digests.ts';
import * as ownFeeds from './feeds/own-feeds.ts';
import * as publicFeeds from './feeds/public-feeds.ts';
import * as favorites from './following.ts';
import { getImportEstimate, postImport } from './imports.ts';
import * as jobs from './jobs.ts';
import * as likes from './likes.ts';
import * as models from './models.ts';
import * as pullRequests from './pull-requests.ts';
import * as questions from './questions.ts';
import { getRelease } from './releases.ts';
import { deleteAddedRepository, getAddedRepositories, postAddedRepository } from './repositories.ts';
import { getReview } from './reviews.ts';
import { getSearch } from './search.ts';
import { getHealth, getMeta } from './service.ts';
import { postWebhook } from './webhooks.ts';

export const monitoringRoutes = (deps: Parameters<typeof getHealth>[0]) => [
  getHealth(deps)('GET', '/healthz'),
];

export function apiRoutes(deps: Deps) {
  return [
    getMeta(deps)('GET', '/meta'),

    auth.postSignup(deps)('POST', '/auth/signup'),
    auth.postSession(deps)('POST', '/auth/session'),
    auth.getIdentity()('GET', '/auth/identity'),
    auth.getSessions(deps)('GET', '/auth/sessions'),
    auth.deleteSession(deps)('DELETE', '/auth/sessions/:id'),
    auth.postLogout(deps)('POST', '/auth/logout'),
    browserSignIn.getLogin(deps)('GET', '/auth/login'),
    browserSignIn.getCallback(deps)('GET', '/auth/callback'),
    browserSignIn.getCallbackOfHost(deps)('GET', '/auth/callback/:host'),
    users.postHostToken(deps)('POST', '/auth/host-token'),
    users.removeHostToken(deps)('DELETE', '/auth/host-token'),

    users.getCurrentUser(deps)('GET', '/users/me'),
    users.patchCurrentUser(deps)('PATCH', '/users/me'),
    users.deleteCurrentUser(deps)('DELETE', '/users/me'),

    favorites.postFavorite('registerFavorite', 'Register a favorite repository')(deps)('POST', '/users/me'),
    favorites.postFavorite(
      'addFavorite',
      'Register a favorite repository (same operation, readable path)',
    )(deps)('POST', '/users/me/favorite-repositories'),
    favorites.getFavorites(deps)('GET', '/users/me/favorite-repositories'),
    favorites.removeFavorite(deps)('DELETE', '/users/me/favorite-repositories/:id'),
    favorites.putWatch(deps)('PUT', '/users/me/favorite-repositories/:id/watch'),
    favorites.removeWatch(deps)('DELETE', '/users/me/favorite-repositories/:id/watch'),
    favorites.getWatches(deps)('GET', '/users/me/watches'),

    favorites.getFeed(deps)('GET', '/users/me/feed'),
    favorites.postFeedRead(deps)('POST', '/users/me/feed/read'),
    favorites.postRead(deps)('POST', '/articles/:articleId/language/:languageCode/read'),
    favorites.removeRead(deps)('DELETE', '/articles/:articleId/language/:languageCode/read'),

    ...feedFormats.flatMap((format) => [
      publicFeeds.getNewestFeed(deps, format)('GET', `/feeds/articles.${format}`),
      publicFeeds.getRankingFeed(deps, format)('GET', `/feeds/ranking/:period.${format}`),
      publicFeeds.getRepositoryFeed(deps, format)('GET', `/feeds/r/:owner/:repo.${format}`),
      publicFeeds.getSearchFeed(deps, format)('GET', `/feeds/search.${format}`),
      publicFeeds.getRepositoryDigestFeed(deps, format)('GET', `/feeds/r/:owner/:repo/digest.${format}`),
      ownFeeds.getOwnFeed(deps, format)('GET', `/feeds/mine/:secret.${format}`),
      ownFeeds.getOwnDigestFeed(deps, format)('GET', `/feeds/mine/:secret/digest.${format}`),
    ]),
    ownFeeds.postFeedAddress(deps)('POST', '/users/me/feed-address'),
    ownFeeds.deleteFeedAddressOf(deps)('DELETE', '/users/me/feed-address'),
    ownFeeds.getFavoritesOpml(deps)('GET', '/users/me/favorites.opml'),

    digest.getDigest(deps)('GET', '/digest'),
    digest.getDigestSettings(deps)('GET', '/users/me/digest'),
    digest.putDigest(deps)('PUT', '/users/me/digest'),

    pullRequests.postIngest(deps)('POST', '/repos/:owner/:repo/pulls/:number/ingest'),
    pullRequests.getPullRequest(deps)('GET', '/repos/:owner/:repo/pulls/:number'),
    pullRequests.getDiff(deps)('GET', '/repos/:owner/:repo/pulls/:number/diff'),
    getReview(deps)('GET', '/repos/:owner/:repo/pulls/:number/review'),
    pullRequests.getFiles(deps)('GET', '/repos/:owner/:repo/pulls/:number/files'),
    pullRequests.getPullRequests(deps)('GET', '/repos/:owner/:repo/pulls'),
    postImport(deps)('POST', '/repos/:owner/:repo/import'),
    getImportEstimate(deps)('GET', '/repos/:owner/:repo/import/estimate'),
    getRelease(deps)('GET', '/repos/:owner/:repo/release'),

    postArticle(deps)('POST', '/repos/:owner/:repo/pulls/:number/article'),
    articles.getArticle(deps)('GET', '/repos/:owner/:repo/pulls/:number/article'),
    articles.getArticleById(deps)('GET', '/articles/:articleId'),
    articles.getArticles(deps)('GET', '/articles'),
    getSearch(deps)('GET', '/search'),

    questions.postQuestion(deps)('POST', '/repos/:owner/:repo/pulls/:number/questions'),
    questions.getQuestions(deps)('GET', '/repos/:owner/:repo/pulls/:number/questions'),
    questions.postRepositoryQuestion(deps)('POST', '/repos/:owner/:repo/questions'),
    questions.getRepositoryQuestions(deps)('GET', '/repos/:owner/:repo/questions'),
    questions.patchQuestion(deps)('PATCH', '/questions/:id'),
    questions.deleteQuestion(deps)('DELETE', '/questions/:id'),

    likes.postLike(deps)('POST', '/articles/:articleId/language/:languageCode/like'),
    likes.removeLike(deps)('DELETE', '/articles/:articleId/language/:languageCode/like'),
    likes.getLikedArticles(deps)('GET', '/users/me/liked-articles'),
    likes.getRanking(deps)('GET', '/ranking/articles/likes'),

    postAddedRepository(deps)('POST', '/added-repositories'),
    getAddedRepositories(deps)('GET', '/added-repositories'),
    deleteAddedRepository(deps)('DELETE', '/added-repositories/:id'),

    models.getModelSettings(deps)('GET', '/service/model'),
    models.putModelSettings(deps)('PUT', '/service/model'),
    models.deleteModelSettings(deps)('DELETE', '/service/model'),
    models.postModelTest(deps)('POST', '/service/model/test'),
    models.postModelPreview(deps)('POST', '/service/model/preview'),

    jobs.getJob(deps)('GET', '/jobs/:id'),
    jobs.getJobEvents(deps)('GET', '/jobs/:id/events'),
    jobs.cancelJobRoute(deps)('DELETE', '/jobs/:id'),

    postAgentMessage(deps)('POST', '/mcp'),
    getAgentMetadata(deps)('GET', '/.well-known/oauth-protected-resource/mcp'),
    articles.getArticleMarkdown(deps)('GET', '/r/:owner/:repo/:number.md'),

    ...(deps.codeHosts.some(({ webhooks }) => webhooks)
      ? [postWebhook(deps)('POST', '/webhooks/:host')]
      : []),
  ];
}
