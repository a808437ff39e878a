import { createHash } from 'node:crypto';
import type { ChangeType } from '../../domain/articles.ts';
import type { Evidence } from '../../reading/facts.ts';
import type { CheckedDraft, WrittenStatement } from '../articles.ts';
import {
  type Draft,
  type DraftChange,
  isSummary,
  mapSentences,
  numberSentences,
  placeSentences,
  type Sentence,
  withoutRepeats,
} from '../draft.ts';
import { type CheckedSentence, checkSentence } from './check-sentence.ts';
import type { Ground } from './ground.ts';

type IdentifiedSentence = Pick<
  Sentence,
  'text' | 'basis' | 'certain' | 'source' | 'label' | 'beforeAfter' | 'evidence'
>;

/**
 * Gives the statements of an article their ids: a hash of the sentence, so that it keeps its id when others are added
 * or removed. Equal sentences are distinguished by their order.
 */
function createStatementIds(): (sentence: IdentifiedSentence, comments: string[]) => WrittenStatement {
  const times = new Map<string, number>();
  return ({ text, basis, certain, source, label, beforeAfter, evidence }, comments) => {
    const files = [...new Set(evidence.map(({ fileName }) => fileName))];
    const hash = createHash('sha256')
      .update(JSON.stringify([text, basis, files]))
      .digest('hex')
      .slice(0, 12);
    const time = (times.get(hash) ?? 0) + 1;
    times.set(hash, time);
    const id = time === 1 ? hash : `${hash}-${time}`;
    return {
      id,
      text,
      basis,
      ...(certain && { certain }),
      ...(source && { source }),
      ...(label && { label }),
      ...(beforeAfter && { beforeAfter }),
      ...(comments.length > 0 && { comments }),
      evidence,
    };
  };
}

export function checkDraft(draft: Draft, ground: Ground): CheckedSentence[] {
  const items = Map.groupBy(placeSentences(draft), ({ part, item }) => `${part} ${item}`);
  return [...items.values()].flatMap((placed) => {
    const sentences = placed.map(({ sentence }) => sentence);
    const change = placed[0]?.part === 'change' ? draft.mainChanges[placed[0].item] : null;
    return placed.some(isSummary)
      ? sentences.map((one) => checkSentence(one, ground, { fileName: null, isSummary: true, before: [] }))
      : checkItem(sentences, ground, change?.fileName ?? null);
  });
}

const fail = (reason: string): CheckedSentence => ({ kept: null, reason });

/** The most judgements in a section: with more, it would be mostly opinion. */
const mostJudgements = 2;

/** Checks the sentences of an item. Judgments follow the sentences about lines. */
function checkItem(sentences: Sentence[], ground: Ground, fileName: string | null): CheckedSentence[] {
  const file = fileName === null ? null : ground.lines.file(fileName);
  const before: Evidence[] = [];
  let isFollowed = false;
  let judged = 0;

  const check = (sentence: Sentence): CheckedSentence => {
    if (file === undefined) return fail(`\`${fileName}\` is not in the diff`);
    const isJudgement = sentence.basis === 'judgement';
    if (isJudgement && !isFollowed) return fail('it follows no sentence on lines');
    if (isJudgement && judged >= mostJudgements) return fail('its item has two judgements already');
    const verdict = checkSentence(sentence, ground, { fileName, isSummary: false, before });
    if (!verdict.kept) return verdict;
    judged += Number(isJudgement);
    return verdict;
  };
  return sentences.map((sentence) => {
    const verdict: CheckedSentence =
      sentence.text === '' ? { kept: sentence, isRepaired: false } : check(sentence);
    // A failed sentence may still be repaired, so judgments that follow from it are checked with its lines, and dropped
    // with it at the end.
    const resting = verdict.kept ?? sentence;
    isFollowed ||= restsOnLines(resting);
    before.push(...resting.evidence);
    return verdict;
  });
}

const restsOnLines = ({ basis, evidence }: Sentence): boolean =>
  basis === 'diff' || (basis === 'words' && evidence.length > 0);

/** Keeps the sentences of a draft that pass, without judgments whose basis was dropped. */
export function verifyDraft(draft: Draft, ground: Ground): Draft {
  const keepTrue = (one: Draft): Draft => {
    const checked = checkDraft(one, ground);
    return mapSentences(one, ({ id }) => {
      const kept = checked[id]?.kept;
      return kept && { ...kept, evidence: withoutRepeats(kept.evidence) };
    });
  };
  const kept = keepTrue(draft);
  return numberSentences(kept).some(({ basis }) => basis === 'judgement') ? keepTrue(kept) : kept;
}

/**
 * Types of parts follow the type of the whole; without it they are left out, because the type of a test would look like
 * that of the change.
 */
const typesOfWhole = (whole: ChangeType[], parts: DraftChange[]): ChangeType[] =>
  whole.length === 0 ? [] : [...new Set([...whole, ...parts.flatMap(({ changeTypes }) => changeTypes)])];

/** A draft as it is published: with ids, and without sentences that are empty in its language. */
export function asWritten(draft: Draft): CheckedDraft {
  const { title, ownTitle, standfirst, scope, authorWords, changeTypes, tests } = draft;
  const { background, mainChanges, notablePoints, also } = draft;
  const identify = createStatementIds();
  const statementsOf = (sentences: Sentence[]): WrittenStatement[] => {
    const before: string[] = [];
    return withoutLooseEnds(sentences).map((sentence) => {
      const own = sentence.words.flatMap(({ said }) => said?.comment ?? []);
      before.push(...own);
      return identify(sentence, [...new Set(sentence.basis === 'judgement' ? before : own)]);
    });
  };
  const tell = ({ sentences, heading, ...change }: DraftChange) => {
    const statements = statementsOf(sentences);
    if (statements.length === 0 && !change.hunk) return [];
    return [{ ...change, heading: heading?.text || null, statements }];
  };
  const scoped = scope && statementsOf([scope.sentence])[0];
  return {
    title: title.text === '' ? ownTitle : title.text,
    standfirst: standfirst && (statementsOf([standfirst])[0] ?? null),
    scope: scope && scoped ? { kind: scope.kind, statement: scoped } : null,
    authorWords,
    changeTypes: typesOfWhole(changeTypes, mainChanges),
    background: statementsOf(background),
    mainChanges: mainChanges.flatMap(tell),
    beforeAfter: null,
    notablePoints: notablePoints.flatMap(({ sentences, ...point }) => {
      const statements = statementsOf(sentences);
      return statements.length > 0 ? [{ ...point, statements }] : [];
    }),
    tests: tests && {
      added: tests.added.slice(0, mostTestsNamed),
      addedTotal: tests.added.length,
      statements: statementsOf(tests.sentences),
    },
    also: also.flatMap(({ sentence, files, ...row }) =>
      statementsOf([sentence]).map((statement) => ({
        ...row,
        statement,
        files: files.slice(0, mostFilesOfRow),
        filesTotal: files.length,
      })),
    ),
  };
}

const mostTestsNamed = 5;

/** The files that a row names: enough for readers to find their own, beside the total. */
const mostFilesOfRow = 20;

/** Drops sentences without text in this language, and judgements before the first sentence that cites lines. */
function withoutLooseEnds(sentences: Sentence[]): Sentence[] {
  const said = sentences.filter(({ text }) => text !== '');
  const first = said.findIndex(restsOnLines);
  return said.filter(({ basis }, index) => basis !== 'judgement' || (first >= 0 && first < index));
}
