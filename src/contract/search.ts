import type { Static } from 'typebox';
import { sectionKinds } from '../domain/search/indexed-words.ts';
import { ArticleSummary } from './articles.ts';
import { List, NonEmpty, OneOf, ref, resource } from './formats.ts';
import { Type } from './type.ts';

const SearchMatch = resource(
  'SearchMatch',
  {
    section: OneOf(
      sectionKinds,
      'The part of the article that matches; `file` is the path of a file the article is about.',
    ),
    text: NonEmpty('The sentence, or the path.'),
    ranges: List(
      Type.Array(Type.Integer({ minimum: 0 }), { minItems: 2, maxItems: 2 }),
      'Positions of the search terms in the text, in UTF-16 units.',
    ),
  },
  { example: { section: 'change', text: 'The router retries once.', ranges: [[4, 10]] } },
);

export const FoundArticle = resource('FoundArticle', {
  ...ArticleSummary.properties,
  matches: List(
    ref(SearchMatch),
    'Sentences that contain the search terms, in their order in the article; empty if there are none.',
  ),
});

export type FoundArticle = Static<typeof FoundArticle>;

export const indexedShare = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'Share of articles that are indexed; below 1 only for a while after an update.',
});
