import type { Draft } from '../draft.ts';
import { replaceSentences } from '../number-sentences.ts';
import type { Verification } from '../written-article.ts';
import type { CheckedRound } from './check-and-judge.ts';
import { countClaims } from './count-claims.ts';
import type { Material } from './material.ts';

export interface ModelArticle {
  /** What held. An item may be empty, and so may the title's text. */
  draft: Draft;
  verification: Verification;
}

/** What is left of a draft after its last round, and what became of its claims. */
export function keepWhatHeld(
  draft: Draft,
  { outcomes, judgement }: CheckedRound,
  mended: ReadonlySet<number>,
  material: Material,
): ModelArticle {
  return {
    draft: replaceSentences(
      draft,
      outcomes.map(({ kept }) => kept),
    ),
    verification: countClaims({ draft, outcomes, judgement, mended }, material),
  };
}
