import { otherLanguageOf } from '../../domain/article-form.ts';
import { type Draft, longestTitle, type Sentence } from '../draft.ts';
import { numberSentences, replaceSentences } from '../number-sentences.ts';
import { withoutRepeats } from '../without-repeats.ts';

/** A draft whose title and standfirst say on which of its sentences they rest. */
export interface ToldDraft {
  draft: Draft;
  /** For the title, and then for the standfirst if there is one: the numbers of sentences, as `numberSentences` has them. */
  rests: number[][];
}

/** The title comes first, and the standfirst behind it. */
export const isSummary = (draft: Draft, number: number): boolean =>
  number === 0 || (number === 1 && draft.standfirst !== null);

/** What sums up rests on the lines of its sentences. What people say, or what it may mean, bears out no summary. */
export function restSummaries({ draft, rests }: ToldDraft): ToldDraft {
  const sentences = numberSentences(draft);
  const rested = sentences.map((sentence, number): Sentence => {
    if (!isSummary(draft, number)) return sentence;
    const borneBy = (rests[number] ?? []).flatMap((at) => sentences[at] ?? []);
    const evidence = borneBy.flatMap((one) => (one.basis === 'diff' && one.text !== '' ? one.evidence : []));
    // What its sentences state as facts it may name; whether they hold is checked with it.
    return { ...sentence, evidence: withoutRepeats(evidence), facts: borneBy.flatMap(({ facts }) => facts) };
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

const withoutJudgements = <Item extends { sentences: Sentence[] }>(item: Item): Item => ({
  ...item,
  sentences: item.sentences.filter(({ basis }) => basis !== 'judgement'),
});

/**
 * What is left of a draft that no second reader will read: claims, which are counted as such, under the pull request's own
 * title. Titles, and what a change may mean, stand without a word on who has read them.
 */
export const withoutReader = (draft: Draft): Draft => ({
  ...draft,
  title: { ...draft.title, text: '' },
  standfirst: null,
  mainChanges: draft.mainChanges.map(withoutJudgements),
  notablePoints: draft.notablePoints.map(withoutJudgements),
});
