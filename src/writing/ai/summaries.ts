import { standfirstMaxLength, titleMaxLength } from '../../contract/articles.ts';
import { otherLanguageOf, type ScopeKind } from '../../domain/articles.ts';
import {
  type Draft,
  isSummary,
  longestHeading,
  longestTitle,
  mapSentences,
  numberSentences,
  type Part,
  type PlacedSentence,
  placeSentences,
  type Sentence,
  withoutRepeats,
} from '../draft.ts';
import { type Material, oneLine } from './material.ts';
import { isFromReview } from './review/review-rules.ts';

export interface DraftWithRests {
  draft: Draft;
  /** The ids of the summarized sentences, for the title and then for the lead if there is one. */
  rests: number[][];
}

/** The longest summaries; other sentences may have any length. */
export const mostCharacters: Partial<Record<Part, number>> = {
  title: titleMaxLength,
  standfirst: standfirstMaxLength,
  heading: longestHeading,
};

/**
 * Gives a summary the evidence of its sentences, and a heading that of its section. Texts of people and judgments are
 * not evidence for a summary.
 */
export function restSummaries({ draft, rests }: DraftWithRests): DraftWithRests {
  const sentences = numberSentences(draft);
  const told = placeSentences(draft).flatMap((placed) =>
    isSummary(placed) || placed.sentence.basis === 'words' ? [] : [placed.sentence],
  );
  const rested = mapSentences(draft, (placed) => {
    const { id, part, item, sentence } = placed;
    if (!isSummary(placed)) return sentence;
    const restsOn =
      part === 'heading'
        ? (draft.mainChanges[item]?.sentences ?? [])
        : (rests[id] ?? []).flatMap((at) => sentences[at] ?? []);
    const onLines = restsOn.filter(({ basis, text }) => basis === 'diff' && text !== '');
    return {
      ...sentence,
      evidence: withoutRepeats(onLines.flatMap(({ evidence }) => evidence)),
      // A summary may state the facts of its sentences, which are checked with it, and use the names of all sentences, which are checked there.
      facts: [
        ...restsOn.flatMap(({ facts }) => facts),
        // Comments may be edited, and a title must not repeat what they said.
        ...[...restsOn, ...told]
          .filter((one) => !isFromReview(one))
          .map(({ text }) => ({ relation: 'found' as const, text })),
      ],
    };
  });
  return { draft: rested, rests };
}

/**
 * If no title passed the checks and the pull request's title is in another language, a short lead becomes the headline.
 */
export function headedByLead(draft: Draft, languageCode: string): Draft {
  const { title, standfirst, ownTitle } = draft;
  if (title.text !== '' || !standfirst || otherLanguageOf(ownTitle, languageCode) === null) return draft;
  const text = standfirst.text.replace(/[.。]$/u, '');
  return [...text].length > longestTitle
    ? draft
    : { ...draft, title: { ...standfirst, text }, standfirst: null };
}

const scopeWords: Record<ScopeKind, RegExp> = {
  tests: /\btests?\b|テスト/i,
  documentation: /\bdoc(?:s|ument\w*)\b|ドキュメント|文書/i,
  build: /\b(?:build|CI)\b|ビルド/i,
  dependencies: /\bdependenc(?:y|ies)\b|依存/i,
  formatting: /\bformat\w*|整形/i,
  comments: /\bcomments?\b|コメント/i,
  renames: /\brenam\w*|名前|改名/i,
  moves: /\bmov\w*|移動/i,
  noPublicChange: /\b(?:public|export\w*)\b|公開/i,
};

export const saysScope = ({ title, standfirst }: Draft, kind: ScopeKind): boolean =>
  scopeWords[kind].test(`${title.text} ${standfirst?.text ?? ''}`);

const onlyClaims = (sentences: Sentence[]): Sentence[] =>
  sentences.flatMap(({ beforeAfter: _, ...one }) => (one.basis === 'judgement' ? [] : [one]));

/**
 * The part of a draft that needs no second model: claims, under the pull request's own title. Titles, headings and
 * judgments are dropped, because pages do not say who checked them.
 */
export const withoutReader = (draft: Draft): Draft => ({
  ...draft,
  title: { ...draft.title, text: '' },
  standfirst: null,
  mainChanges: draft.mainChanges.map((change) => ({
    ...change,
    heading: null,
    sentences: onlyClaims(change.sentences),
  })),
  notablePoints: draft.notablePoints.map((point) => ({
    ...point,
    sentences: onlyClaims(point.sentences),
  })),
});

export interface Item {
  name: string;
  numbers: number[];
}

const namesOfItems: Partial<Record<Part, string>> = { standfirst: 'lead', point: 'risk', also: 'the rest' };

/** The item that each sentence belongs to, by sentence id; a heading belongs to its section. */
export function itemsOf(draft: Draft, { labels }: Material): Item[] {
  const placed = placeSentences(draft);
  const fileOf = (item: number): string => draft.mainChanges[item]?.fileName ?? '';
  const nameOf = ({ part, item }: PlacedSentence): string => {
    if (part === 'heading') return `heading of section ${item + 1}`;
    if (part === 'change') return `section ${item + 1}, ${labels.get(fileOf(item)) ?? oneLine(fileOf(item))}`;
    return namesOfItems[part] ?? part;
  };
  return placed.map((own) => {
    const isBeside = ({ part, item }: PlacedSentence): boolean =>
      item === own.item && (part === own.part || (own.part === 'heading' && part === 'change'));
    return { name: nameOf(own), numbers: placed.filter(isBeside).map(({ id }) => id) };
  });
}

/**
 * The evidence shown with a sentence: its own citations, and for a judgment those of the sentences that it follows
 * from.
 */
export function groundOf(
  draft: Draft,
  number: number,
  items: Item[],
): Pick<Sentence, 'evidence' | 'words' | 'facts'> {
  const sentences = numberSentences(draft);
  const own = sentences[number];
  const before = own?.basis === 'judgement' ? (items[number]?.numbers ?? []).filter((at) => at < number) : [];
  const grounds = [...before, number].flatMap((at) => sentences[at] ?? []);
  return {
    evidence: grounds.flatMap(({ evidence }) => evidence),
    words: grounds.flatMap(({ words }) => words),
    facts: grounds.flatMap(({ facts }) => facts),
  };
}
