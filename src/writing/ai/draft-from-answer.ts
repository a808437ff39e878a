import type { ChangeType } from '../../domain/change-types.ts';
import type { Draft, DraftChange, DraftPoint, Sentence } from '../draft.ts';
import { withoutRepeats } from '../without-repeats.ts';
import type { AnsweredSentence, ArticleAnswer } from './answers.ts';
import type { Material } from './material.ts';
import { resolveReferences } from './resolve-references.ts';

/** Readers want no more, and a model that sends more was tricked. */
const most = { background: 6, mainChanges: 8, notablePoints: 6, sentences: 6 };

/** What is known without a model, for where its own words do not hold. */
export interface Ground {
  title: string;
  /** Of the whole change, the main one first. */
  changeTypes: ChangeType[];
}

/** A model's answer as a draft: its labels are looked up, nothing is checked yet. */
export function draftFromAnswer(answer: ArticleAnswer, material: Material, ground: Ground): Draft {
  const toSentence = (answered: AnsweredSentence) => sentenceFromAnswer(answered, material);
  const mainChanges = answer.mainChanges
    .slice(0, most.mainChanges)
    .flatMap(({ file, changeTypes, sentences }): DraftChange[] => {
      const told = sentences.slice(0, most.sentences).map(toSentence);
      const fileName = material.files.get(file.trim())?.path ?? told[0]?.evidence[0]?.fileName;
      if (fileName === undefined) return [];
      return [
        {
          fileName,
          changeTypes,
          sentences: told.map((one) => ownFileFirst(one, fileName)),
          excerpts: [],
        },
      ];
    });
  const notablePoints = answer.notablePoints.slice(0, most.notablePoints).map(
    ({ categories, sentences }): DraftPoint => ({
      categories,
      label: null,
      sentences: sentences.slice(0, most.sentences).map(toSentence),
    }),
  );
  const background = answer.background.slice(0, most.background).map(toSentence);
  const rest = [...mainChanges, ...notablePoints].flatMap(({ sentences }) => sentences);
  return {
    title: titleOn(answer.title, [...background, ...rest]),
    ownTitle: ground.title,
    standfirst: null,
    changeTypes: ground.changeTypes,
    background,
    mainChanges,
    notablePoints,
    also: [],
  };
}

/** A title sums up: it rests on all lines that the sentences below it rest on. What people say bears out no title. */
function titleOn(text: string, sentences: Sentence[]): Sentence {
  return {
    text: text.trim(),
    basis: 'diff',
    quote: null,
    evidence: withoutRepeats(sentences.flatMap(({ evidence }) => evidence)),
    words: [],
    facts: [],
  };
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
