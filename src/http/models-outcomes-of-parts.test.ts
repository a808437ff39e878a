import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesOfLarge, observe } from '../../test/model/observe-outcomes.ts';
import { ai, type Outcome, oneOfEachKind, onlyTo, outcomes } from '../../test/model/outcomes.ts';
import { rowsToRun } from '../../test/tables.ts';

/** Limits that make each file a part. */
const inParts = { AI_PART_TOKENS: '4000', AI_PARALLEL_CALLS: '1' };
const parts = filesOfLarge;
const largeOutcomes = outcomes
  .filter(({ isSoon }) => !isSoon)
  .map((one) => ({ ...one, isLarge: true, english: null }));

/** A bad reply about one part does not stop the others; an unavailable model does. */
const noted = oneOfEachKind(
  largeOutcomes.map((outcome): Outcome => {
    const isOfPart = /(?:badOutput|cutOff|refused|cutPrompt|tooLong)$/.test(outcome.french);
    const calls = outcome.french === ai ? outcome.calls + parts : outcome.calls * (isOfPart ? parts : 1);
    return {
      ...outcome,
      what: `notes: ${outcome.what}`,
      script: onlyTo('notes', outcome.script),
      // The reply has no notes at all, so it fails as invalid before its language is checked.
      calls: outcome.what === 'always another language' ? 3 * parts : calls,
    };
  }),
);

/** An article from notes has the same outcomes as any other. */
const composed = oneOfEachKind(largeOutcomes).map(
  (outcome): Outcome => ({
    ...outcome,
    what: `composed: ${outcome.what}`,
    script: onlyTo('article', outcome.script),
    calls: outcome.calls + parts,
  }),
);

/** Whether the article is written, a part fails, or everything fails. */
const kindOf = ({ french, calls }: Outcome): string => (french === ai ? ai : calls > parts ? 'part' : 'all');

for (const [what, expected] of [
  ['takes notes on parts', noted],
  ['writes from notes', composed],
] as const) {
  test(`every reply and failure of a model that ${what} gives the user the expected response`, async () => {
    const { rows, wrong } = await observe(inParts, rowsToRun(expected, kindOf));
    console.log(['model | language | the user saw | calls', ...rows].join('\n'));
    assert.deepEqual(wrong, []);
  });
}
