import type { TokenIssuer } from '../actions/accounts/identify-bearer.ts';
import type { Revocations } from '../actions/accounts/log-out.ts';
import type { CardPictures } from '../actions/articles/card-pictures.ts';
import type { ModelWriting } from '../actions/articles/compose-with-model.ts';
import type { Ingest } from '../actions/pull-requests/share-ingests.ts';
import type { CallerOn } from '../actions/repositories/call-host.ts';
import type { LookAtLists } from '../actions/repositories/look-at-lists.ts';
import type { RepositoryRenewals } from '../actions/repositories/renew-repositories.ts';
import type { CodeHost } from '../code-hosts/code-host.ts';
import type { Database } from '../db/database.ts';
import type { MailClient } from '../domain/mail.ts';
import type { SecretKeys } from '../domain/secret-keys.ts';
import { feedFormats } from '../feeds/feed.ts';
import type { Workers } from '../jobs/claim-jobs.ts';
import type { Housekeeping } from '../jobs/housekeeping.ts';
import type { JobWatch } from '../jobs/watch-jobs.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import type { LocalModel } from '../pages/settings.ts';
import { getAgentMetadata, postAgentMessage } from './agents.ts';
import { postArticle } from './article-requests.ts';
import { getArticle, getArticleById, getArticleMarkdown, getArticles } from './articles.ts';
import { deleteSession, getIdentity, getSessions, postLogout, postSession, postSignup } from './auth.ts';
import { getCallback, getCallbackOfHost, getLogin } from './browser-sign-in.ts';
import type { PublicCache } from './cache/public-cache.ts';
import { getDigest, getDigestSettings, putDigest } from './digest.ts';
import { getFavorites, postFavorite, removeFavorite } from './favorites.ts';
import { getFeed, postFeedRead, postRead } from './feed.ts';
import { getOwnDigestFeed, getRepositoryDigestFeed } from './feeds/digest-feeds.ts';
import { ModifiedTimes } from './feeds/modified-times.ts';
import { deleteFeedAddressOf, getFavoritesOpml, getOwnFeed, postFeedAddress } from './feeds/own-feeds.ts';
import { getNewestFeed, getRankingFeed, getRepositoryFeed, getSearchFeed } from './feeds/public-feeds.ts';
import { deleteHostToken, postHostToken } from './host-tokens.ts';
import { postImport } from './imports.ts';
import { deleteJob, getJob, getJobEvents } from './jobs.ts';
import { deleteLike, getLikedArticles, postLike } from './likes.ts';
import type { Highlighter } from './pages/highlight.ts';
import type { PageContexts } from './pages/page-contexts.ts';
import { getDiff, getFiles, getPullRequest, getPullRequests, postIngest } from './pull-requests.ts';
import { getRanking } from './ranking.ts';
import { getRelease } from './releases.ts';
import type { RateLimit } from './requests/limit-rate.ts';
import type { Patience } from './requests/patience.ts';
import { getSearch } from './search.ts';
import { getHealth, getMeta } from './service.ts';
import { deleteCurrentUser, getCurrentUser, patchCurrentUser } from './users.ts';
import { getWatches, putWatch, removeWatch } from './watches.ts';
import { postWebhook } from './webhooks.ts';

export interface ApiParts {
  database: Database;
  revocations: Revocations;
  clock: () => Date;
  codeHosts: CodeHost[];
  issuer: TokenIssuer | null;
  callerOn: CallerOn;
  renewals: RepositoryRenewals;
  lookAtLists: LookAtLists;
  watchesPerUser: number;
  /** Null where the service sends no mail. */
  mail: MailClient | null;
  housekeeping: Housekeeping;
  writing: Pick<Workers, 'isHealthy'>;
  jobs: JobWatch;
  patience?: Patience | undefined;
  cache: PublicCache;
  offlineWriter: () => Promise<number>;
  publicUrl: string | undefined;
  /** Whose pages may call the API from a browser. */
  corsOrigins: string[];
  secretKeys: SecretKeys;
  /** What writes articles; null where they are written without a model. */
  models: ModelWriting | null;
  /** Looks for a model server on this machine; null where a model is set already. */
  findLocalModel: (() => Promise<LocalModel | null>) | null;
  /** In which articles can be written. */
  languages: string[];
  ingest: Ingest;
  contexts: PageContexts;
  cards: CardPictures;
  highlighter: Highlighter;
  rateLimit: RateLimit;
  /** Null where nothing is measured. */
  metrics: RequestMetrics | null;
  /** What decides whether a diff can be read: the program and its limits. */
  terms: () => Promise<string>;
}

/** For those who look after a process, whatever it does. */
export const monitoringRoutes = (parts: Parameters<typeof getHealth>[0]) => [
  getHealth(parts)('GET', '/healthz'),
];

/** The whole API, top to bottom. */
export function apiRoutes(parts: ApiParts) {
  const feedParts = { ...parts, modified: new ModifiedTimes() };
  return [
    getMeta(parts)('GET', '/meta'),

    postSignup(parts)('POST', '/auth/signup'),
    postSession(parts)('POST', '/auth/session'),
    getIdentity()('GET', '/auth/identity'),
    getSessions(parts)('GET', '/auth/sessions'),
    deleteSession(parts)('DELETE', '/auth/sessions/:id'),
    postLogout(parts)('POST', '/auth/logout'),
    getLogin(parts)('GET', '/auth/login'),
    getCallback(parts)('GET', '/auth/callback'),
    getCallbackOfHost(parts)('GET', '/auth/callback/:host'),
    postHostToken(parts)('POST', '/auth/host-token'),
    deleteHostToken(parts)('DELETE', '/auth/host-token'),

    getCurrentUser(parts)('GET', '/users/me'),
    patchCurrentUser(parts)('PATCH', '/users/me'),
    deleteCurrentUser(parts)('DELETE', '/users/me'),

    postFavorite('registerFavorite', 'Register a favorite repository')(parts)('POST', '/users/me'),
    postFavorite('addFavorite', 'Register a favorite repository (the same, under a readable path)')(parts)(
      'POST',
      '/users/me/favorite-repositories',
    ),
    getFavorites(parts)('GET', '/users/me/favorite-repositories'),
    removeFavorite(parts)('DELETE', '/users/me/favorite-repositories/:id'),
    putWatch(parts)('PUT', '/users/me/favorite-repositories/:id/watch'),
    removeWatch(parts)('DELETE', '/users/me/favorite-repositories/:id/watch'),
    getWatches(parts)('GET', '/users/me/watches'),

    getFeed(parts)('GET', '/users/me/feed'),
    postFeedRead(parts)('POST', '/users/me/feed/read'),
    postRead(parts)('POST', '/articles/:articleId/language/:languageCode/read'),

    ...feedFormats.flatMap((format) => [
      getNewestFeed(feedParts, format)('GET', `/feeds/articles.${format}`),
      getRankingFeed(feedParts, format)('GET', `/feeds/ranking/:period.${format}`),
      getRepositoryFeed(feedParts, format)('GET', `/feeds/r/:owner/:repo.${format}`),
      getSearchFeed(feedParts, format)('GET', `/feeds/search.${format}`),
      getRepositoryDigestFeed(feedParts, format)('GET', `/feeds/r/:owner/:repo/digest.${format}`),
      getOwnFeed(feedParts, format)('GET', `/feeds/mine/:secret.${format}`),
      getOwnDigestFeed(feedParts, format)('GET', `/feeds/mine/:secret/digest.${format}`),
    ]),
    postFeedAddress(parts)('POST', '/users/me/feed-address'),
    deleteFeedAddressOf(parts)('DELETE', '/users/me/feed-address'),
    getFavoritesOpml(parts)('GET', '/users/me/favorites.opml'),

    getDigest(parts)('GET', '/digest'),
    getDigestSettings(parts)('GET', '/users/me/digest'),
    putDigest(parts)('PUT', '/users/me/digest'),

    postIngest(parts)('POST', '/repos/:owner/:repo/pulls/:number/ingest'),
    getPullRequest(parts)('GET', '/repos/:owner/:repo/pulls/:number'),
    getDiff(parts)('GET', '/repos/:owner/:repo/pulls/:number/diff'),
    getFiles(parts)('GET', '/repos/:owner/:repo/pulls/:number/files'),
    getPullRequests(parts)('GET', '/repos/:owner/:repo/pulls'),
    postImport(parts)('POST', '/repos/:owner/:repo/import'),
    getRelease(parts)('GET', '/repos/:owner/:repo/release'),

    postArticle(parts)('POST', '/repos/:owner/:repo/pulls/:number/article'),
    getArticle(parts)('GET', '/repos/:owner/:repo/pulls/:number/article'),
    getArticleById(parts)('GET', '/articles/:articleId'),
    getArticles(parts)('GET', '/articles'),
    getSearch(parts)('GET', '/search'),

    postLike(parts)('POST', '/articles/:articleId/language/:languageCode/like'),
    deleteLike(parts)('DELETE', '/articles/:articleId/language/:languageCode/like'),
    getLikedArticles(parts)('GET', '/users/me/liked-articles'),
    getRanking(parts)('GET', '/ranking/articles/likes'),

    getJob(parts)('GET', '/jobs/:id'),
    getJobEvents(parts)('GET', '/jobs/:id/events'),
    deleteJob(parts)('DELETE', '/jobs/:id'),

    postAgentMessage(parts)('POST', '/mcp'),
    getAgentMetadata(parts)('GET', '/.well-known/oauth-protected-resource/mcp'),
    getArticleMarkdown(parts)('GET', '/r/:owner/:repo/:number.md'),

    // Where no host sends anything, there is no such path.
    ...(parts.codeHosts.some(({ webhooks }) => webhooks)
      ? [postWebhook(parts)('POST', '/webhooks/:host')]
      : []),
  ];
}
