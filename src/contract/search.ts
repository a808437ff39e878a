import type { Static } from 'typebox';
import { sectionKinds } from '../domain/search/sections.ts';
import { ArticleSummary } from './article.ts';
import { component, ref } from './component.ts';
import { listOf } from './pagination.ts';
import { Type } from './type.ts';

const closed = { additionalProperties: false } as const;

export const SearchMatch = component(
  'SearchMatch',
  Type.Object(
    {
      section: Type.Enum([...sectionKinds], {
        type: 'string',
        description: 'Which part of the article it stands in; `file` is the path of a file that it tells of.',
      }),
      text: Type.String({ minLength: 1, description: 'The sentence, or the path.' }),
      ranges: Type.Array(Type.Array(Type.Integer({ minimum: 0 }), { minItems: 2, maxItems: 2 }), {
        description: 'From where to where in the text what was asked for stands, in UTF-16 units.',
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
