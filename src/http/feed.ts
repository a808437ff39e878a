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
    summary: 'List what is new in the favorite repositories of the caller',
    description:
      'Articles about the favorites that the caller may see, newest first as in `GET /articles`, each once: in the language of ' +
      'the caller where it is written in that. Only the caller sees what they have read.',
    tag,
    access: 'user',
    query: {
      unread: Type.Optional(
        OneOf(['true', 'false'], 'Only what the caller has not read, or what says something new since', {
          default: 'false',
        }),
      ),
      language: Type.Optional(LanguageCode()),
    },
    item: ref(FeedEntry),
    more: {
      unread: Count('How many articles of the favorites the caller has not read.'),
      changed: Count('How many say something that the caller has not read.'),
    },
    success: { 200: 'What is new in your favorite repositories.' },
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
    summary: 'Mark everything in the favorite repositories as read',
    description: 'All that was written up to the given moment, in every language.',
    tag,
    access: 'user',
    body: record(
      { until: Timestamp('What was written later stays unread.') },
      { example: { until: '2026-03-01T09:30:00.000Z' } },
    ),
    data: record({ marked: Count('How many articles were unread, or said something new.') }),
    success: { 200: 'You have read everything that was written up to then.' },
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
      'Once it is written anew, the feed says whether it tells something that the caller has not read.',
    tag,
    access: 'user',
    params: articleParams,
    data: record({ readAt: Timestamp('When it was read.') }),
    success: { 200: 'You have read this article.' },
    failures: ['ARTICLE_NOT_FOUND'],
    async handle({ params, viewer }) {
      const readAt = await markArticleRead(deps, params, viewer);
      return ok({ readAt: readAt.toISOString() });
    },
  });
