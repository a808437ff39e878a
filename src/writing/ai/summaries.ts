import { standfirstMaxLength, titleMaxLength } from '../../contract/article.ts';
import { otherLanguageOf, type ScopeKind } from '../../domain/article.ts';
import {
  type Draft,
  longestHeading,
  longestTitle,
  numberSentences,
  replaceSentences,
  type Sentence,
  withoutRepeats,
} from '../draft.ts';
import { type Material, oneLine } from './material.ts';

export interface AnsweredDraft {
  draft: Draft;
  /** For the title, and then for the standfirst if there is one: the numbers of sentences, as `numberSentences` has them. */
  rests: number[][];
}

/** The title comes first, then the standfirst, then the headings. */
export const isSummary = (draft: Draft, number: number): boolean =>
  number < firstHeading(draft) + headedSections(draft).length;

const isHeading = (draft: Draft, number: number): boolean =>
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
export function restSummaries({ draft, rests }: AnsweredDraft): AnsweredDraft {
  const sentences = numberSentences(draft);
  const sections = headedSections(draft);
  const rested = sentences.map((sentence, number): Sentence => {
    if (!isSummary(draft, number)) return sentence;
    const restsOn =
      sections[number - firstHeading(draft)]?.sentences ??
      (rests[number] ?? []).flatMap((at) => sentences[at] ?? []);
    const onLines = restsOn.filter(({ basis, text }) => basis === 'diff' && text !== '');
    return {
      ...sentence,
      evidence: withoutRepeats(onLines.flatMap(({ evidence }) => evidence)),
      // What its sentences state as facts it may name; whether they hold is checked with it.
      facts: restsOn.flatMap(({ facts }) => facts),
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

export interface Item {
  name: string;
  numbers: number[];
}

export function itemsOf(draft: Draft, { labels }: Material): Item[] {
  let next = 0;
  const numbered = (name: string, sentences: Sentence[]): Item => ({
    name,
    numbers: sentences.map(() => next++),
  });
  const each = (items: Item[]): Item[] => items.flatMap((item) => item.numbers.map(() => item));
  const summaries = [
    numbered('title', [draft.title]),
    numbered('lead', draft.standfirst ? [draft.standfirst] : []),
  ];
  const headings = draft.mainChanges.map(({ heading }, index) =>
    numbered(`heading of section ${index + 1}`, heading ? [heading] : []),
  );
  const background = numbered('background', draft.background);
  const sections = draft.mainChanges.map(({ fileName, sentences }, index) =>
    numbered(`section ${index + 1}, ${labels.get(fileName) ?? oneLine(fileName)}`, sentences),
  );
  const others = [
    ...draft.notablePoints.map(({ sentences }) => numbered('risk', sentences)),
    ...draft.also.map(({ sentence }) => numbered('the rest', [sentence])),
  ];
  const beside = headings.flatMap(({ name, numbers }, index) =>
    numbers.map((own): Item => ({ name, numbers: [own, ...(sections[index]?.numbers ?? [])] })),
  );
  return [...each(summaries), ...beside, ...each([background, ...sections, ...others])];
}

/** What a reader is shown for a sentence: all that it cites, with what the sentences cite that a judgement follows from. */
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
