import { markArticleRead, presentSummary } from '../actions/articles/read-article.ts';
import { FeedEntry } from '../contract/article-lists.ts';
import { Count, LanguageCode, listOf, pageQuery, ref, Timestamp, Uuid } from '../contract/formats.ts';
import { Type } from '../contract/type.ts';
import { type FeedEntry as ListedEntry, listFeed, markAllRead } from '../db/following.ts';
import { listAnswer, ok, pageOf } from './answers/answer.ts';
import type { Deps } from './deps.ts';
import { endpoint } from './endpoint.ts';

const tag = 'Feed';

export const presentFeedEntry = ({ read, ...listed }: ListedEntry): FeedEntry => ({
  ...presentSummary(listed),
  read,
});

export const getFeed = ({ database, listViewer }: Deps) =>
  endpoint({
    operationId: 'listFeed',
    summary: 'List what is new in the favorite repositories of the caller',
    description:
      'Articles about the favorites that the caller may see, newest first as in `GET /articles`, each once: in the language of ' +
      'the caller where it is written in that. Only the caller sees what they have read.',
    tag,
    access: 'user',
    query: Type.Object(
      {
        unread: Type.Optional(
          Type.Enum(['true', 'false'], {
            type: 'string',
            default: 'false',
            description: 'Only what the caller has not read, or what says something new since',
          }),
        ),
        language: Type.Optional(LanguageCode()),
        ...pageQuery,
      },
      { additionalProperties: false },
    ),
    data: Type.Object(
      {
        ...listOf(ref(FeedEntry)).properties,
        unread: Count('How many articles of the favorites the caller has not read.'),
        changed: Count('How many say something that the caller has not read.'),
      },
      { additionalProperties: false },
    ),
    success: { 200: 'What is new.' },
    async handle({ query, viewer, request, reply }) {
      const page = pageOf(query);
      const { rows, total, unread, changed } = await listFeed(database, {
        viewer: { ...listViewer(viewer), userId: viewer.user.id },
        languages: [query.language, viewer.user.language].filter((one) => one !== undefined),
        isUnreadOnly: query.unread === 'true',
        ...page,
      });
      const items = rows.map(presentFeedEntry);
      return ok(
        { ...listAnswer(request, reply, page, { items, total }), unread, changed },
        'What is new in your favorite repositories.',
      );
    },
  });

export const postFeedRead = ({ database, listViewer }: Deps) =>
  endpoint({
    operationId: 'markFeedRead',
    summary: 'Mark everything in the favorite repositories as read',
    description: 'All that was written up to the given moment, in every language.',
    tag,
    access: 'user',
    body: Type.Object(
      { until: Timestamp('What was written later stays unread.') },
      { additionalProperties: false, examples: [{ until: '2026-03-01T09:30:00.000Z' }] },
    ),
    data: Type.Object(
      { marked: Count('How many articles were unread, or said something new.') },
      { additionalProperties: false },
    ),
    success: { 200: 'All of it is read.' },
    async handle({ body, viewer }) {
      const looking = { ...listViewer(viewer), userId: viewer.user.id };
      const marked = await markAllRead(database, { viewer: looking, until: new Date(body.until) });
      return ok({ marked }, 'You have read everything that was written up to then.');
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
    params: Type.Object({
      articleId: Uuid('The article.'),
      languageCode: Type.String({ description: 'The language in which it was read.', examples: ['en'] }),
    }),
    data: Type.Object({ readAt: Timestamp('When it was read.') }, { additionalProperties: false }),
    success: { 200: 'It is read.' },
    failures: ['ARTICLE_NOT_FOUND'],
    async handle({ params, viewer }) {
      const readAt = await markArticleRead(deps, params, viewer);
      return ok({ readAt: readAt.toISOString() }, 'You have read this article.');
    },
  });
