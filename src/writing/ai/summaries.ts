import { standfirstMaxLength, titleMaxLength } from '../../contract/article.ts';
import { otherLanguageOf, type ScopeKind } from '../../domain/article.ts';
import { type Draft, longestHeading, longestTitle, type Sentence } from '../draft.ts';
import { numberSentences, replaceSentences } from '../number-sentences.ts';
import { withoutRepeats } from '../without-repeats.ts';

/** A draft whose title and standfirst say on which of its sentences they rest. */
export interface ToldDraft {
  draft: Draft;
  /** For the title, and then for the standfirst if there is one: the numbers of sentences, as `numberSentences` has them. */
  rests: number[][];
}

/** The title comes first, then the standfirst, then the headings. */
export const isSummary = (draft: Draft, number: number): boolean =>
  number < firstHeading(draft) + headedSections(draft).length;

export const isHeading = (draft: Draft, number: number): boolean =>
  number >= firstHeading(draft) && isSummary(draft, number);

/** How long a summary may be; null for other sentences, which may be as long as they need. */
export function mostCharactersOf(draft: Draft, number: number): number | null {
  if (isHeading(draft, number)) return longestHeading;
  if (!isSummary(draft, number)) return null;
  return number === 0 ? titleMaxLength : standfirstMaxLength;
}

const firstHeading = ({ standfirst }: Draft): number => (standfirst ? 2 : 1);

const headedSections = ({ mainChanges }: Draft) => mainChanges.filter(({ heading }) => heading);

/**
 * A summary rests on the lines of its sentences, a heading on those of its section. What people say, or what it may mean,
 * bears out no summary.
 */
export function restSummaries({ draft, rests }: ToldDraft): ToldDraft {
  const sentences = numberSentences(draft);
  const sections = headedSections(draft);
  const rested = sentences.map((sentence, number): Sentence => {
    if (!isSummary(draft, number)) return sentence;
    const borneBy =
      sections[number - firstHeading(draft)]?.sentences ??
      (rests[number] ?? []).flatMap((at) => sentences[at] ?? []);
    const onLines = borneBy.filter(({ basis, text }) => basis === 'diff' && text !== '');
    return {
      ...sentence,
      evidence: withoutRepeats(onLines.flatMap(({ evidence }) => evidence)),
      // What its sentences state as facts it may name; whether they hold is checked with it.
      facts: borneBy.flatMap(({ facts }) => facts),
    };
  });
  return { draft: replaceSentences(draft, rested), rests };
}

/** Where no title holds and the pull request's own is in another language, the lead is the headline, if it is short enough. */
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

/** Whether the title or the lead says how far a change reaches. */
export const saysScope = ({ title, standfirst }: Draft, kind: ScopeKind): boolean =>
  scopeWords[kind].test(`${title.text} ${standfirst?.text ?? ''}`);

const withoutJudgements = (sentences: Sentence[]): Sentence[] =>
  sentences.filter(({ basis }) => basis !== 'judgement');

/**
 * What is left of a draft that no second reader will read: claims, which are counted as such, under the pull request's own
 * title. Titles and headings, and what a change may mean, stand without a word on who has read them.
 */
export const withoutReader = (draft: Draft): Draft => ({
  ...draft,
  title: { ...draft.title, text: '' },
  standfirst: null,
  mainChanges: draft.mainChanges.map((change) => ({
    ...change,
    heading: null,
    sentences: withoutJudgements(change.sentences),
  })),
  notablePoints: draft.notablePoints.map((point) => ({
    ...point,
    sentences: withoutJudgements(point.sentences),
  })),
});
