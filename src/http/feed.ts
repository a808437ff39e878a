import { markArticleRead, presentSummary } from '../actions/articles/read-article.ts';
import { FeedEntry } from '../contract/article-lists.ts';
import { Count, LanguageCode, OneOf, record, ref, Timestamp } from '../contract/formats.ts';
import { Type } from '../contract/type.ts';
import { type FeedEntry as ListedEntry, listFeed, markAllRead } from '../db/following.ts';
import { ok } from './answers/answer.ts';
import type { Deps } from './deps.ts';
import { endpoint, listEndpoint } from './endpoint.ts';
import { articleParams } from './likes.ts';

const tag = 'Feed';

export const presentFeedEntry = ({ read, ...listed }: ListedEntry): FeedEntry => ({
  ...presentSummary(listed),
  read,
});

export const getFeed = ({ database, listViewer }: Deps) =>
  listEndpoint({
    operationId: 'listFeed',
    summary: 'List new articles in favorite repositories',
    description:
      "Articles about the caller's favorites, newest first as in `GET /articles`, each once, in the caller's language if available. Read marks are visible only to the caller.",
    tag,
    access: 'user',
    query: {
      unread: Type.Optional(
        OneOf(['true', 'false'], 'Only articles that the caller has not read, or that have changed since', {
          default: 'false',
        }),
      ),
      language: Type.Optional(LanguageCode()),
    },
    item: ref(FeedEntry),
    more: {
      unread: Count('Number of articles that the caller has not read.'),
      changed: Count('Number of articles that changed since the caller read them.'),
    },
    success: { 200: 'New articles in your favorite repositories.' },
    async list({ query, viewer }, page) {
      const { rows, ...counts } = await listFeed(database, {
        viewer: { ...listViewer(viewer), userId: viewer.user.id },
        languages: [query.language, viewer.user.language].filter((one) => one !== undefined),
        isUnreadOnly: query.unread === 'true',
        ...page,
      });
      return { items: rows.map(presentFeedEntry), ...counts };
    },
  });

export const postFeedRead = ({ database, listViewer }: Deps) =>
  endpoint({
    operationId: 'markFeedRead',
    summary: 'Mark all articles in favorite repositories as read',
    description: 'Marks every article written up to the given time as read, in every language.',
    tag,
    access: 'user',
    body: record(
      { until: Timestamp('Articles written later stay unread.') },
      { example: { until: '2026-03-01T09:30:00.000Z' } },
    ),
    data: record({ marked: Count('Number of articles that were unread or changed.') }),
    success: { 200: 'All articles up to that time are marked as read.' },
    async handle({ body, viewer }) {
      const looking = { ...listViewer(viewer), userId: viewer.user.id };
      const marked = await markAllRead(database, { viewer: looking, until: new Date(body.until) });
      return ok({ marked });
    },
  });

export const postRead = (deps: Deps) =>
  endpoint({
    operationId: 'markArticleRead',
    summary: 'Mark an article in one language as read',
    description:
      'If the article is rewritten later, the feed shows whether it contains something new for the caller.',
    tag,
    access: 'user',
    params: articleParams,
    data: record({ readAt: Timestamp('When the article was read.') }),
    success: { 200: 'This article is marked as read.' },
    failures: ['ARTICLE_NOT_FOUND'],
    async handle({ params, viewer }) {
      const readAt = await markArticleRead(deps, params, viewer);
      return ok({ readAt: readAt.toISOString() });
    },
  });
