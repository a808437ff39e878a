import { changeTypes } from '../../src/domain/change-types.ts';
import { Confusion } from './confusion.ts';

export interface Judgement {
  expected: number;
  /** How much speaks for each type. */
  scores: Float64Array;
}

// Coarse steps find the neighbourhood, fine ones the place; finer ones would fit the examples and nothing else.
const steps = [0.4, 0.2, 0.1];
const passes = 2;

/** What to add to the scores of each type, so that common and rare ones are found equally well. */
export function tuneOffsets(judgements: Judgement[], unit: number): Float64Array {
  const offsets = new Float64Array(changeTypes.length);
  let best = confuse(judgements, offsets).macroF1;
  const tryStep = (type: number, step: number): boolean => {
    offsets[type] = (offsets[type] ?? 0) + step;
    const reached = confuse(judgements, offsets).macroF1;
    const isBetter = reached > best + 1e-6;
    if (isBetter) best = reached;
    else offsets[type] = (offsets[type] ?? 0) - step;
    return isBetter;
  };
  for (const step of steps) {
    for (let pass = 0; pass < passes; pass++) {
      for (const type of changeTypes.keys()) {
        while (tryStep(type, -step * unit));
        while (tryStep(type, step * unit));
      }
    }
  }
  return offsets;
}

export function confuse(judgements: Judgement[], offsets: Float64Array): Confusion {
  const confusion = new Confusion();
  for (const { expected, scores } of judgements) {
    let best = 0;
    let most = -Infinity;
    for (let type = 0; type < scores.length; type++) {
      const score = (scores[type] ?? 0) + (offsets[type] ?? 0);
      if (score <= most) continue;
      most = score;
      best = type;
    }
    confusion.add(expected, best);
  }
  return confusion;
}
