import { feedFormats } from '../feeds/feed.ts';
import { getAgentMetadata, postAgentMessage } from './agents.ts';
import { postArticle, postImport } from './article-requests.ts';
import { getArticle, getArticleById, getArticleMarkdown, getArticles } from './articles.ts';
import { deleteSession, getIdentity, getSessions, postLogout, postSession, postSignup } from './auth.ts';
import { getCallback, getCallbackOfHost, getLogin } from './browser-sign-in.ts';
import type { Deps } from './deps.ts';
import { getDigest, getDigestSettings, putDigest } from './digest.ts';
import {
  getFavorites,
  getWatches,
  postFavorite,
  putWatch,
  removeFavorite,
  removeWatch,
} from './favorites.ts';
import { getFeed, postFeedRead, postRead } from './feed.ts';
import {
  deleteFeedAddressOf,
  getFavoritesOpml,
  getOwnDigestFeed,
  getOwnFeed,
  postFeedAddress,
} from './feeds/own-feeds.ts';
import {
  getNewestFeed,
  getRankingFeed,
  getRepositoryDigestFeed,
  getRepositoryFeed,
  getSearchFeed,
} from './feeds/public-feeds.ts';
import { deleteJob, getJob, getJobEvents } from './jobs.ts';
import { deleteLike, getLikedArticles, postLike } from './likes.ts';
import { getDiff, getFiles, getPullRequest, getPullRequests, postIngest } from './pull-requests.ts';
import { getRanking } from './ranking.ts';
import { getRelease } from './releases.ts';
import { getSearch } from './search.ts';
import { getHealth, getMeta } from './service.ts';
import {
  deleteCurrentUser,
  deleteHostToken,
  getCurrentUser,
  patchCurrentUser,
  postHostToken,
} from './users.ts';
import { postWebhook } from './webhooks.ts';

export const monitoringRoutes = (deps: Parameters<typeof getHealth>[0]) => [
  getHealth(deps)('GET', '/healthz'),
];

export function apiRoutes(deps: Deps) {
  return [
    getMeta(deps)('GET', '/meta'),

    postSignup(deps)('POST', '/auth/signup'),
    postSession(deps)('POST', '/auth/session'),
    getIdentity()('GET', '/auth/identity'),
    getSessions(deps)('GET', '/auth/sessions'),
    deleteSession(deps)('DELETE', '/auth/sessions/:id'),
    postLogout(deps)('POST', '/auth/logout'),
    getLogin(deps)('GET', '/auth/login'),
    getCallback(deps)('GET', '/auth/callback'),
    getCallbackOfHost(deps)('GET', '/auth/callback/:host'),
    postHostToken(deps)('POST', '/auth/host-token'),
    deleteHostToken(deps)('DELETE', '/auth/host-token'),

    getCurrentUser(deps)('GET', '/users/me'),
    patchCurrentUser(deps)('PATCH', '/users/me'),
    deleteCurrentUser(deps)('DELETE', '/users/me'),

    postFavorite('registerFavorite', 'Register a favorite repository')(deps)('POST', '/users/me'),
    postFavorite('addFavorite', 'Register a favorite repository (the same, under a readable path)')(deps)(
      'POST',
      '/users/me/favorite-repositories',
    ),
    getFavorites(deps)('GET', '/users/me/favorite-repositories'),
    removeFavorite(deps)('DELETE', '/users/me/favorite-repositories/:id'),
    putWatch(deps)('PUT', '/users/me/favorite-repositories/:id/watch'),
    removeWatch(deps)('DELETE', '/users/me/favorite-repositories/:id/watch'),
    getWatches(deps)('GET', '/users/me/watches'),

    getFeed(deps)('GET', '/users/me/feed'),
    postFeedRead(deps)('POST', '/users/me/feed/read'),
    postRead(deps)('POST', '/articles/:articleId/language/:languageCode/read'),

    ...feedFormats.flatMap((format) => [
      getNewestFeed(deps, format)('GET', `/feeds/articles.${format}`),
      getRankingFeed(deps, format)('GET', `/feeds/ranking/:period.${format}`),
      getRepositoryFeed(deps, format)('GET', `/feeds/r/:owner/:repo.${format}`),
      getSearchFeed(deps, format)('GET', `/feeds/search.${format}`),
      getRepositoryDigestFeed(deps, format)('GET', `/feeds/r/:owner/:repo/digest.${format}`),
      getOwnFeed(deps, format)('GET', `/feeds/mine/:secret.${format}`),
      getOwnDigestFeed(deps, format)('GET', `/feeds/mine/:secret/digest.${format}`),
    ]),
    postFeedAddress(deps)('POST', '/users/me/feed-address'),
    deleteFeedAddressOf(deps)('DELETE', '/users/me/feed-address'),
    getFavoritesOpml(deps)('GET', '/users/me/favorites.opml'),

    getDigest(deps)('GET', '/digest'),
    getDigestSettings(deps)('GET', '/users/me/digest'),
    putDigest(deps)('PUT', '/users/me/digest'),

    postIngest(deps)('POST', '/repos/:owner/:repo/pulls/:number/ingest'),
    getPullRequest(deps)('GET', '/repos/:owner/:repo/pulls/:number'),
    getDiff(deps)('GET', '/repos/:owner/:repo/pulls/:number/diff'),
    getFiles(deps)('GET', '/repos/:owner/:repo/pulls/:number/files'),
    getPullRequests(deps)('GET', '/repos/:owner/:repo/pulls'),
    postImport(deps)('POST', '/repos/:owner/:repo/import'),
    getRelease(deps)('GET', '/repos/:owner/:repo/release'),

    postArticle(deps)('POST', '/repos/:owner/:repo/pulls/:number/article'),
    getArticle(deps)('GET', '/repos/:owner/:repo/pulls/:number/article'),
    getArticleById(deps)('GET', '/articles/:articleId'),
    getArticles(deps)('GET', '/articles'),
    getSearch(deps)('GET', '/search'),

    postLike(deps)('POST', '/articles/:articleId/language/:languageCode/like'),
    deleteLike(deps)('DELETE', '/articles/:articleId/language/:languageCode/like'),
    getLikedArticles(deps)('GET', '/users/me/liked-articles'),
    getRanking(deps)('GET', '/ranking/articles/likes'),

    getJob(deps)('GET', '/jobs/:id'),
    getJobEvents(deps)('GET', '/jobs/:id/events'),
    deleteJob(deps)('DELETE', '/jobs/:id'),

    postAgentMessage(deps)('POST', '/mcp'),
    getAgentMetadata(deps)('GET', '/.well-known/oauth-protected-resource/mcp'),
    getArticleMarkdown(deps)('GET', '/r/:owner/:repo/:number.md'),

    // Where no host sends anything, there is no such path.
    ...(deps.codeHosts.some(({ webhooks }) => webhooks)
      ? [postWebhook(deps)('POST', '/webhooks/:host')]
      : []),
  ];
}
