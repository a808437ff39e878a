import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesOfLarge, observe } from '../../test/model/observe-outcomes.ts';
import { ai, type Outcome, oneOfEachKind, onlyTo, outcomes } from '../../test/model/outcomes.ts';
import { rowsToRun } from '../../test/tables.ts';

/** Each file is a part. */
const inParts = { AI_PART_TOKENS: '4000', AI_PARALLEL_CALLS: '1' };
const parts = filesOfLarge;
const largeOutcomes = outcomes
  .filter(({ isSoon }) => !isSoon)
  .map((one) => ({ ...one, isLarge: true, english: null }));

/** What a model says of one part leaves the others to be asked about; where it is not to be had, they are not. */
const noted = oneOfEachKind(
  largeOutcomes.map((outcome): Outcome => {
    const isOfPart = /(?:badOutput|cutOff|refused|cutPrompt|tooLong)$/.test(outcome.french);
    const calls = outcome.french === ai ? outcome.calls + parts : outcome.calls * (isOfPart ? parts : 1);
    return {
      ...outcome,
      what: `notes: ${outcome.what}`,
      script: onlyTo('notes', outcome.script),
      // It is no answer at all: there are no notes in it, whatever language they are not in.
      calls: outcome.what === 'always another language' ? 3 * parts : calls,
    };
  }),
);

/** What is written from notes is written like any other article. */
const composed = oneOfEachKind(largeOutcomes).map(
  (outcome): Outcome => ({
    ...outcome,
    what: `composed: ${outcome.what}`,
    script: onlyTo('article', outcome.script),
    calls: outcome.calls + parts,
  }),
);

/** Whether it is written, is about one part alone, or ends all of it. */
const kindOf = ({ french, calls }: Outcome): string => (french === ai ? ai : calls > parts ? 'part' : 'all');

for (const [what, expected] of [
  ['takes notes on parts', noted],
  ['writes from notes', composed],
] as const) {
  test(`every answer and failure of a model that ${what} is seen by users as it should be`, async () => {
    const { rows, wrong } = await observe(inParts, rowsToRun(expected, kindOf));
    console.log(['model | language | the user saw | calls', ...rows].join('\n'));
    assert.deepEqual(wrong, []);
  });
}
