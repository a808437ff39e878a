import type { Draft } from '../draft.ts';
import { numberSentences, replaceSentences } from '../number-sentences.ts';
import type { Verification } from '../written-article.ts';
import type { CheckedRound } from './check-and-judge.ts';
import type { Material } from './material.ts';
import { isSummary } from './summaries.ts';

export interface ModelArticle {
  /** What held. An item may be empty, and so may the title's text. */
  draft: Draft;
  verification: Verification;
}

/** What is left of a draft after its last round, and what became of its claims. */
export function keepWhatHeld(
  draft: Draft,
  round: CheckedRound,
  mended: ReadonlySet<number>,
  material: Material,
): ModelArticle {
  const kept = round.outcomes.map((outcome) => outcome.kept);
  return {
    draft: replaceSentences(draft, kept),
    verification: countClaims({ draft, ...round, mended }, material),
  };
}

interface Checked extends CheckedRound {
  /** As it was before anything was dropped. */
  draft: Draft;
  /** Those that were written once more. */
  mended: ReadonlySet<number>;
}

/**
 * What became of the claims of a draft. Rules prove names, numbers, directions and quotations; what a sentence says beyond
 * that is verified by a reader's word alone, unless it says what a finding says.
 */
export function countClaims(
  { draft, outcomes, judgement, mended }: Checked,
  { findings }: Material,
): Verification {
  const proven = new Set(
    [...findings.values()].flatMap(({ text, facts }) => (facts.length > 0 ? [text] : [])),
  );
  const verification = { claims: 0, verified: 0, repaired: 0, dropped: 0, judged: 0, unjudged: 0 };
  for (const [number, { text, basis }] of numberSentences(draft).entries()) {
    const outcome = outcomes[number];
    if (basis === 'judgement' || !outcome || (isSummary(draft, number) && text === '')) continue;
    verification.claims += 1;
    const isJudged = judgement.get(number) === null;
    if (outcome.kept === null) verification.dropped += 1;
    else if (!isJudged && !proven.has(text)) verification.unjudged += 1;
    else if (mended.has(number) || outcome.isRepaired) verification.repaired += 1;
    else verification.verified += 1;
    if (outcome.kept !== null && isJudged) verification.judged += 1;
  }
  return verification;
}
