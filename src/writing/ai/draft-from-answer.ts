import type { ChangeType } from '../../domain/article.ts';
import type { Evidence } from '../../reading/facts.ts';
import {
  type Draft,
  type DraftChange,
  type DraftPoint,
  type DraftRow,
  emptyDraft,
  emptySentence,
  type Sentence,
} from '../draft.ts';
import { numberSentences } from '../number-sentences.ts';
import { DiffLines } from '../verify/diff-lines.ts';
import { withoutRepeats } from '../without-repeats.ts';
import { type AnsweredSentence, type ArticleAnswer, noLabel } from './answers.ts';
import { chosenHunk } from './cited-hunk.ts';
import type { Material } from './material.ts';
import { resolveReferences } from './resolve-references.ts';
import { restSummaries, type ToldDraft } from './summaries.ts';

/** Readers want no more, and a model that sends more was tricked. */
const most = { background: 4, sections: 8, risks: 2, rest: 1, sentences: 6 };

/** What is known without a model, for where its own words do not hold. */
export interface Ground {
  title: string;
  /** Of the whole change, the main one first. */
  changeTypes: ChangeType[];
}

/**
 * A model's answer as a draft: its labels are looked up, nothing is checked yet. Notes that must not be lost, and whose lines
 * nothing in the answer cites, are rows at its end.
 */
export function draftFromAnswer(
  answer: ArticleAnswer,
  material: Material,
  ground: Ground,
  notes: Sentence[] = [],
): ToldDraft {
  /** What the answer's own summaries call its sentences, in their order. */
  const labels: string[] = [];
  const read = (item: string, sentences: AnsweredSentence[], mostSentences = most.sentences): Sentence[] =>
    sentences.slice(0, mostSentences).map((answered, index) => {
      labels.push(`${item}${index + 1}`);
      return sentenceFromAnswer(answered, material);
    });
  const lines = new DiffLines([...material.files.values()]);
  const background = read('b', answer.background, most.background);
  const mainChanges = answer.sections
    .slice(0, most.sections)
    .flatMap(({ changeTypes, sentences, show, heading }, index): DraftChange[] => {
      const own = read(`s${index + 1}.`, sentences);
      const hunk = chosenHunk(resolveReferences([show], material).evidence, lines);
      const fileName = hunk?.fileName ?? own.flatMap(({ evidence }) => evidence)[0]?.fileName;
      if (fileName === undefined) {
        labels.splice(labels.length - own.length);
        return [];
      }
      return [{ heading: summary(heading), fileName, changeTypes, sentences: own, hunk }];
    });
  const notablePoints = answer.risks.slice(0, most.risks).map(
    ({ label, severity, sentences }, index): DraftPoint => ({
      categories: [label === 'security' ? 'SECURITY' : 'RISK'],
      label: label === noLabel ? null : label,
      severity,
      sentences: read(`r${index + 1}.`, sentences),
    }),
  );
  const draft: Draft = {
    ...emptyDraft,
    title: summary(answer.title.text) ?? emptySentence,
    ownTitle: ground.title,
    standfirst: summary(answer.lead.text),
    changeTypes: ground.changeTypes,
    background,
    mainChanges,
    notablePoints,
    also: answer.rest.slice(0, most.rest).map((one) => rowOf(sentenceFromAnswer(one, material))),
  };
  draft.also.push(...rowsOfUncited(notes, draft));
  const summaries = [answer.title, ...(draft.standfirst ? [answer.lead] : [])];
  const before = summaries.length + mainChanges.filter(({ heading }) => heading).length;
  const rests = summaries.map(({ of }) => numbersOf(of, labels).map((number) => number + before));
  return restSummaries({ draft, rests });
}

/** What it rests on is known once its sentences are. */
const summary = (text: string): Sentence | null =>
  text.trim() === '' ? null : { ...emptySentence, text: text.trim() };

/** Rows for those notes; those that are rows already are not repeated. */
export const rowsOfUncited = (notes: Sentence[], draft: Draft): DraftRow[] =>
  notesNotCited(notes, draft).map(rowOf);

/** The notes none of whose lines a sentence cites. */
export function notesNotCited(notes: Sentence[], draft: Draft): Sentence[] {
  const written = numberSentences(draft).filter(({ text }) => text !== '');
  const cited = [...written, ...draft.also.map(({ sentence }) => sentence)].flatMap(
    ({ evidence }) => evidence,
  );
  const isCited = (one: Evidence): boolean =>
    cited.some(
      ({ fileName, side, startLine, endLine }) =>
        fileName === one.fileName &&
        side === one.side &&
        startLine <= one.endLine &&
        endLine >= one.startLine,
    );
  return notes.filter(({ evidence }) => !evidence.some(isCited));
}

/** How many lines its files have is counted where the article is published. */
const rowOf = (sentence: Sentence): DraftRow => ({
  sentence,
  times: null,
  files: [...new Set(sentence.evidence.map(({ fileName }) => fileName))],
  additions: 0,
  deletions: 0,
});

/** The places of what is named by `s1.2`, or by `s1` for all of an item; several may stand in one string. */
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
