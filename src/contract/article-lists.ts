import type { Static } from 'typebox';
import { readStates } from '../domain/article.ts';
import { sectionKinds } from '../domain/search/indexed-words.ts';
import { ArticleSummary, listedProperties, titleMaxLength } from './article.ts';
import { component, LanguageCode, listOf, ref, Timestamp, Uuid } from './formats.ts';
import { Type } from './type.ts';

const info = {
  articleId: Uuid('The article.'),
  host: Type.String({ description: 'The code host.' }),
  languageCode: LanguageCode(),
  aiGeneratedTitle: Type.String({ minLength: 1, maxLength: titleMaxLength, description: 'Title.' }),
  repositoryFullName: Type.String({ description: 'Owner and repository, such as harborline/parcel.' }),
  owner: Type.String({ description: 'Repository owner.' }),
  repo: Type.String({ description: 'Repository name.' }),
  prNumber: Type.Integer({ minimum: 1, description: 'Number of the pull request.' }),
  authorLogin: Type.String({ description: 'Login name of the author of the pull request.' }),
  ...listedProperties,
};

const example = {
  articleId: '0b9c4a52-7a55-4b92-9e0b-5f5a4d4a2f11',
  host: 'git',
  languageCode: 'en',
  aiGeneratedTitle: 'Estimates promise calendar days of the recipient',
  repositoryFullName: 'harborline/parcel',
  owner: 'harborline',
  repo: 'parcel',
  prNumber: 10,
  authorLogin: 'rin',
  changeTypes: ['FIX', 'TEST'],
  quote: {
    text: 'A recipient in Sapporo was promised a day that had already ended there.',
    from: 'description',
  },
  readingMinutes: 1,
  standfirst: 'Promised days are those of the recipient, not of the depot.',
  state: 'merged',
  mergedAt: '2026-02-27T16:04:00.000Z',
  isBreaking: false,
};

export const LikedArticleInfo = component(
  'LikedArticleInfo',
  Type.Object(
    { ...info, likedAt: Timestamp('When the caller liked it.') },
    { additionalProperties: false, examples: [{ ...example, likedAt: '2026-03-01T09:30:00.000Z' }] },
  ),
);

export type LikedArticleInfo = Static<typeof LikedArticleInfo>;

export const RankedArticleInfo = component(
  'RankedArticleInfo',
  Type.Object(
    {
      rank: Type.Integer({ minimum: 1, description: 'Position in the whole list.' }),
      ...info,
      likeCount: Type.Integer({ minimum: 1, description: 'Likes given inside the period.' }),
    },
    { additionalProperties: false, examples: [{ rank: 1, ...example, likeCount: 3 }] },
  ),
);

export type RankedArticleInfo = Static<typeof RankedArticleInfo>;

export const FeedEntry = component(
  'FeedEntry',
  Type.Object(
    {
      ...ArticleSummary.properties,
      read: Type.Enum([...readStates], {
        type: 'string',
        description:
          'Whether the caller has read it: no, yes, or changed where it was written anew and says something new since.',
      }),
    },
    { additionalProperties: false },
  ),
);

export type FeedEntry = Static<typeof FeedEntry>;

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

const closed = { additionalProperties: false } as const;

export const SearchMatch = component(
  'SearchMatch',
  Type.Object(
    {
      section: Type.Enum([...sectionKinds], {
        type: 'string',
        description: 'The part of the article it is in; `file` is the path of a file that it is about.',
      }),
      text: Type.String({ minLength: 1, description: 'The sentence, or the path.' }),
      ranges: Type.Array(Type.Array(Type.Integer({ minimum: 0 }), { minItems: 2, maxItems: 2 }), {
        description: 'Where the search terms are in the text, in UTF-16 units.',
      }),
    },
    { ...closed, examples: [{ section: 'change', text: 'The router retries once.', ranges: [[4, 10]] }] },
  ),
);

export const FoundArticle = component(
  'FoundArticle',
  Type.Object(
    {
      ...ArticleSummary.properties,
      matches: Type.Array(ref(SearchMatch), {
        description: 'Sentences that show why it was found, in their order; empty where none has the words.',
      }),
    },
    closed,
  ),
);

export type FoundArticle = Static<typeof FoundArticle>;

export const FoundArticles = Type.Object(
  {
    ...listOf(ref(FoundArticle)).properties,
    indexedShare: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Which part of the articles can be found by now; 1 but for a while after an update.',
    }),
  },
  closed,
);
