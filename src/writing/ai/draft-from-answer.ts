import type { ChangeType } from '../../domain/change-types.ts';
import type { DraftChange, DraftPoint, Sentence } from '../draft.ts';
import { withoutRepeats } from '../without-repeats.ts';
import { type AnsweredSentence, type AnsweredSummary, type ArticleAnswer, noLabel } from './answers.ts';
import type { Material } from './material.ts';
import { resolveReferences } from './resolve-references.ts';
import { restSummaries, type ToldDraft } from './summaries.ts';

/** Readers want no more, and a model that sends more was tricked. */
const most = { background: 6, mainChanges: 8, notablePoints: 6, sentences: 6 };

/** What is known without a model, for where its own words do not hold. */
export interface Ground {
  title: string;
  /** Of the whole change, the main one first. */
  changeTypes: ChangeType[];
}

/** A model's answer as a draft: its labels are looked up, nothing is checked yet. */
export function draftFromAnswer(answer: ArticleAnswer, material: Material, ground: Ground): ToldDraft {
  /** What the answer's own summaries call its sentences, in their order. */
  const labels: string[] = [];
  const read = (item: string, sentences: AnsweredSentence[], mostSentences: number): Sentence[] =>
    sentences.slice(0, mostSentences).map((answered, index) => {
      labels.push(`${item}${index + 1}`);
      return sentenceFromAnswer(answered, material);
    });
  const background = read('b', answer.background, most.background);
  const mainChanges = answer.mainChanges
    .slice(0, most.mainChanges)
    .flatMap(({ file, changeTypes, sentences }, index): DraftChange[] => {
      const first = sentences[0] && sentenceFromAnswer(sentences[0], material);
      const fileName = material.files.get(file.trim())?.path ?? first?.evidence[0]?.fileName;
      if (fileName === undefined) return [];
      const told = read(`c${index + 1}.`, sentences, most.sentences);
      return [
        {
          fileName,
          changeTypes,
          sentences: told.map((one) => ownFileFirst(one, fileName)),
          heading: null,
          hunk: null,
        },
      ];
    });
  const notablePoints = answer.notablePoints.slice(0, most.notablePoints).map(
    ({ categories, label, sentences }, index): DraftPoint => ({
      categories,
      label: label === noLabel ? null : label,
      severity: null,
      sentences: read(`p${index + 1}.`, sentences, most.sentences),
    }),
  );
  const standfirst = answer.standfirst.text.trim() === '' ? null : summaryOf(answer.standfirst);
  const draft = {
    title: summaryOf(answer.title),
    ownTitle: ground.title,
    scope: null,
    authorWords: null,
    tests: null,
    standfirst,
    changeTypes: ground.changeTypes,
    background,
    mainChanges,
    notablePoints,
    also: [],
  };
  const summaries = [answer.title, ...(standfirst ? [answer.standfirst] : [])];
  const rests = summaries.map(({ of }) => numbersOf(of, labels).map((number) => number + summaries.length));
  return restSummaries({ draft, rests });
}

/** What it rests on is known once its sentences are. */
const summaryOf = ({ text }: AnsweredSummary): Sentence => ({
  text: text.trim(),
  basis: 'diff',
  quote: null,
  evidence: [],
  words: [],
  facts: [],
});

/** The places of what is named by `c1.2`, or by `c1` for all of an item; several may stand in one string. */
function numbersOf(named: string[], labels: string[]): number[] {
  const wanted = named.flatMap((text) => text.split(/[\s,;]+/)).filter((text) => text !== '');
  return labels.flatMap((label, number) =>
    wanted.some((one) => one === label || label.startsWith(`${one}.`)) ? [number] : [],
  );
}

export function sentenceFromAnswer(answered: AnsweredSentence, material: Material): Sentence {
  const { evidence, words, facts } = resolveReferences(answered.refs, material);
  const quote = answered.quote.replace(/^\d+[+-]/, '').trim();
  return {
    text: answered.text.trim(),
    basis: answered.basis,
    quote: quote === '' ? null : quote,
    evidence: withoutRepeats(evidence),
    words,
    facts,
  };
}

const ownFileFirst = (sentence: Sentence, fileName: string): Sentence => ({
  ...sentence,
  evidence: [
    ...sentence.evidence.filter((one) => one.fileName === fileName),
    ...sentence.evidence.filter((one) => one.fileName !== fileName),
  ],
});
