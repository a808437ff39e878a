import type { Evidence } from '../../reading/facts.ts';
import type { Draft, Sentence } from '../draft.ts';
import { checkSentence, type Verdict } from './check-sentence.ts';
import type { Ground } from './ground.ts';

/** Holds every sentence of a draft against the diff, whoever wrote it; in the order of `numberSentences`. */
export function checkDraft(draft: Draft, ground: Ground): Verdict[] {
  return [
    ...[draft.title, ...(draft.standfirst ? [draft.standfirst] : [])].map((summary) =>
      checkSentence(summary, ground, { fileName: null, isSummary: true, before: [] }),
    ),
    ...checkItem(draft.scope ? [draft.scope.sentence] : [], ground, null),
    ...checkItem(draft.background, ground, null),
    ...draft.mainChanges.flatMap(({ fileName, sentences }) => checkItem(sentences, ground, fileName)),
    ...draft.notablePoints.flatMap(({ sentences }) => checkItem(sentences, ground, null)),
    ...checkItem(draft.tests?.sentences ?? [], ground, null),
    ...draft.also.flatMap(({ sentence }) => checkItem([sentence], ground, null)),
  ];
}

const fail = (reason: string): Verdict => ({ kept: null, reason });

/**
 * The sentences of one item. What it means follows what the lines do, once; and what is told of a file begins with that
 * file.
 */
function checkItem(sentences: Sentence[], ground: Ground, fileName: string | null): Verdict[] {
  const file = fileName === null ? null : ground.lines.file(fileName);
  const before: Evidence[] = [];
  let isFollowed = false;
  let isJudged = false;
  let mustBegin = (file?.hunks.length ?? 0) > 0;

  const check = (sentence: Sentence): Verdict => {
    if (file === undefined) return fail(`\`${fileName}\` is not in the diff`);
    const isJudgement = sentence.basis === 'judgement';
    if (isJudgement && !isFollowed) return fail('it follows no sentence on lines');
    if (isJudgement && isJudged) return fail('it is the second judgement of its item');
    const verdict = checkSentence(sentence, ground, { fileName, isSummary: false, before });
    if (!verdict.kept) return verdict;
    const { evidence } = verdict.kept;
    const own = evidence.filter((one) => one.fileName === fileName);
    if (mustBegin && own.length === 0) return fail(`it does not begin with lines of \`${fileName}\``);
    const others = evidence.filter((one) => one.fileName !== fileName);
    const kept = { ...verdict.kept, evidence: mustBegin ? [...own, ...others] : evidence };
    mustBegin = false;
    isJudged ||= isJudgement;
    return { kept, isRepaired: verdict.isRepaired };
  };
  return sentences.map((sentence) => {
    const verdict: Verdict = sentence.text === '' ? { kept: sentence, isRepaired: false } : check(sentence);
    // One that fails may yet be mended: what follows from it is held against the same lines, and goes with it at the end.
    const resting = verdict.kept ?? sentence;
    isFollowed ||= restsOnLines(resting);
    before.push(...resting.evidence);
    return verdict;
  });
}

/** Whether a sentence says something of lines, be it what somebody says of them. */
export const restsOnLines = ({ basis, evidence }: Sentence): boolean =>
  basis === 'diff' || (basis === 'words' && evidence.length > 0);
