import type { Draft, Sentence } from '../draft.ts';
import { numberSentences, replaceSentences } from '../number-sentences.ts';
import type { Verification } from '../written-article.ts';
import { ArticleAnswer } from './answers.ts';
import { draftFromAnswer, type Ground } from './draft-from-answer.ts';
import { fillPrompt } from './fill-prompt.ts';
import { type Judgement, judgeSentences, type NumberedSentence } from './judge-sentences.ts';
import type { Material } from './material.ts';
import { type FailedSentence, mendSentences } from './mend-sentences.ts';
import type { CheckedSentence, Telling } from './telling.ts';

export interface ModelArticle {
  /** What held. An item may be empty, and so may the title's text. */
  draft: Draft;
  verification: Verification;
}

/**
 * Has a model write an article and keeps of it what holds. What fails the check, or the second reader, goes back once; what
 * fails again is dropped and counted.
 */
export async function writeWithModel(
  telling: Telling,
  material: Material,
  ground: Ground,
): Promise<ModelArticle> {
  const { ask, prompts, project, language, onProgress } = telling;
  onProgress('writing', 0, 1);
  const filled = fillPrompt(prompts['write-article'], { language, project, lines: material.lines });
  const first = draftFromAnswer(await ask({ ...filled, schema: ArticleAnswer }), material, ground);
  const round = await checkAndJudge(telling, first, material, () => true);
  const failed = round.outcomes.flatMap((outcome, index): FailedSentence[] =>
    outcome.kept === null
      ? [{ index, sentence: numberSentences(first)[index] ?? first.title, reason: outcome.reason }]
      : [],
  );
  if (failed.length === 0) return finish(first, round.outcomes, new Set(), round.judgement);
  onProgress('mending', 0, failed.length);
  const mended = await mendSentences(telling, first, failed, material);
  const second = replaceInPlace(first, round.outcomes, mended);
  const isMended = new Set(mended.keys());
  const again = await checkAndJudge(telling, second, material, (index) => isMended.has(index));
  return finish(second, again.outcomes, isMended, new Map([...round.judgement, ...again.judgement]));
}

interface Round {
  outcomes: CheckedSentence[];
  judgement: Judgement;
}

/** The rules first; what passes them goes to the second reader, unless it has been there. */
async function checkAndJudge(
  telling: Telling,
  draft: Draft,
  material: Material,
  isForJudge: (index: number) => boolean,
): Promise<Round> {
  const total = numberSentences(draft).length;
  telling.onProgress('checking claims', 0, total);
  const checked = await telling.check(draft);
  // A title sums up what is judged sentence by sentence.
  const passed = checked.flatMap(({ kept }, index): NumberedSentence[] =>
    kept !== null && index > 0 && isForJudge(index) ? [{ index, sentence: kept }] : [],
  );
  const judgement = await judgeSentences(telling, passed, material);
  telling.onProgress('checking claims', total, total);
  const outcomes = checked.map((outcome, index): CheckedSentence => {
    const complaint = judgement.get(index);
    return outcome.kept && complaint ? { kept: null, reason: complaint } : outcome;
  });
  return { outcomes, judgement };
}

/** What held stays, what was mended takes its place, and what was given up leaves an empty sentence that cannot pass. */
function replaceInPlace(
  draft: Draft,
  outcomes: CheckedSentence[],
  mended: Map<number, Sentence | null>,
): Draft {
  const sentences = numberSentences(draft).map((sentence, index) => {
    const anew = mended.get(index);
    // A title rests on its sentences, whatever is cited for it now.
    if (anew && index === 0) return { ...sentence, text: anew.text };
    return anew ?? outcomes[index]?.kept ?? { ...sentence, text: '' };
  });
  return replaceSentences(draft, sentences);
}

function finish(
  draft: Draft,
  outcomes: CheckedSentence[],
  mended: Set<number>,
  judgement: Judgement,
): ModelArticle {
  const sentences = numberSentences(draft);
  // The title sums up, and is no statement.
  const isClaim = (index: number) => index > 0 && sentences[index]?.basis !== 'judgement';
  const claims = outcomes.flatMap((outcome, index) => (isClaim(index) ? [{ outcome, index }] : []));
  const kept = claims.filter(({ outcome }) => outcome.kept !== null);
  const repaired = kept.filter(
    ({ outcome, index }) => mended.has(index) || (outcome.kept !== null && outcome.isRepaired),
  );
  return {
    draft: replaceSentences(
      draft,
      outcomes.map(({ kept: sentence }) => sentence),
    ),
    verification: {
      claims: claims.length,
      verified: kept.length - repaired.length,
      repaired: repaired.length,
      dropped: claims.length - kept.length,
      judged: kept.filter(({ index }) => judgement.get(index) === null).length,
      unjudged: 0,
    },
  };
}
