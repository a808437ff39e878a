import type { Static } from 'typebox';
import { listedExample, listedFields } from './articles.ts';
import { Count, LanguageCode, Positive, resource, Timestamp, Uuid } from './formats.ts';

const example = {
  ...listedExample,
  quote: {
    text: 'A recipient in Sapporo was promised a day that had already ended there.',
    from: 'description',
  },
};

export const LikedArticleInfo = resource(
  'LikedArticleInfo',
  { ...listedFields, likedAt: Timestamp('When the caller liked it.') },
  { example: { ...example, likedAt: '2026-03-01T09:30:00.000Z' } },
);

export type LikedArticleInfo = Static<typeof LikedArticleInfo>;

export const RankedArticleInfo = resource(
  'RankedArticleInfo',
  {
    rank: Positive('Position in the whole list.'),
    ...listedFields,
    likeCount: Positive('Likes in the period.'),
  },
  { example: { rank: 1, ...example, likeCount: 3 } },
);

export type RankedArticleInfo = Static<typeof RankedArticleInfo>;

export const ArticleLike = resource(
  'ArticleLike',
  {
    id: Uuid('The like.'),
    userId: Uuid('The user who likes the article.'),
    articleId: Uuid('The article.'),
    languageCode: LanguageCode(),
    likedAt: Timestamp('When the user liked the article.'),
  },
  {
    example: {
      id: '7d5a4f0e-6a0f-4c53-9a0e-0f6c1f0a9b11',
      userId: '2db6e65f-2021-4fb8-bebe-72498d0d50ae',
      articleId: '0b9c4a52-7a55-4b92-9e0b-5f5a4d4a2f11',
      languageCode: 'en',
      likedAt: '2026-03-01T09:30:00.000Z',
    },
  },
);

export type ArticleLike = Static<typeof ArticleLike>;

export const LikeCount = Count('Current number of likes in this language.');
