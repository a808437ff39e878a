import type { Judgement } from './learn-table.ts';

/** How many of the table's verdicts shall be right. */
const rightShare = 0.85;
const step = 0.01;

/** The least chance, in hundredths, from which on enough verdicts on repositories that were held back are right. */
export function chooseLeastChance(judgements: Judgement[]): number {
  for (let least = 0; least < 1; least += step) {
    const believed = judgements.filter(({ chance }) => chance >= least);
    const right = believed.filter(({ expected, judged }) => expected === judged);
    if (right.length >= rightShare * believed.length) return Number(least.toFixed(2));
  }
  return 1;
}
