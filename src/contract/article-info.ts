import type { Static } from 'typebox';
import { readStates } from '../domain/read-states.ts';
import { ArticleSummary, listedProperties, titleMaxLength } from './article.ts';
import { component } from './component.ts';
import { LanguageCode, Timestamp, Uuid } from './formats.ts';
import { Type } from './type.ts';

/** What lists say of an article in one language. */
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
