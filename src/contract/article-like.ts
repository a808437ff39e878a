import type { Static } from 'typebox';
import { component } from './component.ts';
import { LanguageCode, Timestamp, Uuid } from './formats.ts';
import { Type } from './type.ts';

export const ArticleLike = component(
  'ArticleLike',
  Type.Object(
    {
      id: Uuid('The like.'),
      userId: Uuid('Who likes it.'),
      articleId: Uuid('The article.'),
      languageCode: LanguageCode(),
      likedAt: Timestamp('When it was given.'),
    },
    {
      additionalProperties: false,
      examples: [
        {
          id: '7d5a4f0e-6a0f-4c53-9a0e-0f6c1f0a9b11',
          userId: '2db6e65f-2021-4fb8-bebe-72498d0d50ae',
          articleId: '0b9c4a52-7a55-4b92-9e0b-5f5a4d4a2f11',
          languageCode: 'en',
          likedAt: '2026-03-01T09:30:00.000Z',
        },
      ],
    },
  ),
);

export type ArticleLike = Static<typeof ArticleLike>;

export const LikeCount = Type.Integer({
  minimum: 0,
  description: 'How many people like it in this language now.',
});
