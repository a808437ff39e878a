import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeHonestly, questionIn } from '../../test/model/obliging-writer.ts';
import { observe } from '../../test/model/observe-outcomes.ts';
import {
  ai,
  aiError,
  failing,
  type Outcome,
  oneOfEachKind,
  onlyTo,
  outcomes,
  standIn,
} from '../../test/model/outcomes.ts';
import type { HeardRequest, Script } from '../../test/model/scripted-model.ts';
import { rowsToRun } from '../../test/tables.ts';

/** Only the call without a reply runs into the timeout; all others get more time than they need. */
const lateOutcomes: Outcome[] = [
  {
    what: 'no answer in time',
    script: [{ silent: true }],
    french: '504 AI_TIMEOUT',
    english: standIn,
    calls: 1,
  },
];

/** A second model that changes honest verdicts. */
const reading =
  (judge: (verdict: Verdict) => object[]): Script =>
  (request: HeardRequest) => ({
    text: JSON.stringify({
      verdicts: judgeHonestly(questionIn(request).material).verdicts.flatMap(judge),
    }),
  });
type Verdict = ReturnType<typeof judgeHonestly>['verdicts'][number];

const unread = `${aiError} unread`;
/** A second model that did not read must not make an article count as checked. */
const readers: Outcome[] = [
  { what: 'reads', script: reading((one) => [one]), french: ai, english: ai, calls: 4 },
  {
    what: 'agrees to everything',
    script: reading((one) => [{ ...one, verdict: 'holds' }]),
    french: unread,
    english: standIn,
    calls: 3,
  },
  { what: 'says nothing', script: reading(() => []), french: unread, english: standIn, calls: 3 },
  {
    what: 'speaks of other sentences',
    script: reading((one) => [{ ...one, n: one.n + 50 }]),
    french: unread,
    english: standIn,
    calls: 3,
  },
  {
    what: 'says everything twice',
    script: reading((one) => [one, one]),
    french: ai,
    english: ai,
    calls: 4,
  },
  {
    what: 'has both verdicts',
    script: reading((one) => [
      { ...one, verdict: 'holds' },
      { ...one, verdict: 'notShown' },
    ]),
    french: `${aiError} badOutput`,
    english: standIn,
    calls: 3,
  },
  { what: 'answers in prose', script: [{ text: 'All fine!' }], french: unread, english: standIn, calls: 4 },
  { what: '503', script: [failing(503, 'overloaded')], french: unread, english: standIn, calls: 4 },
  { what: 'refuses', script: [{ text: 'No.', ends: 'refused' }], french: unread, english: standIn, calls: 2 },
];

const asReader = (outcome: Outcome): Outcome => ({ ...outcome, script: onlyTo('verdicts', outcome.script) });

/** The same outcomes for a translation, which is requested once an article exists. */
const saidAgain: Outcome[] = oneOfEachKind(
  outcomes.filter(({ isSoon, what }) => !isSoon && !['no schemas', 'half the prompt read'].includes(what)),
).map((outcome) => ({
  ...outcome,
  what: `said again: ${outcome.what}`,
  script: onlyTo('said again', outcome.script),
  english: null,
  ...(outcome.french !== ai && { calls: outcome.calls + 1 }),
}));

/** One row of each status is enough, because replies are validated alike for every question. */
const statusOf = ({ french }: Outcome): string => french.slice(0, 3);
const seenAs = ({ french, isSoon = false }: Outcome): string => `${french} ${isSoon}`;

test('every reply and failure of a model gives the user the expected response, after the expected number of calls', async () => {
  const observed = [
    await observe({}, [...rowsToRun(saidAgain, statusOf), ...rowsToRun(outcomes, seenAs)]),
    await observe({ AI_TIMEOUT_SECONDS: '1' }, lateOutcomes),
    await observe({ AI_JUDGE_MODEL: 'compatible/reader' }, rowsToRun(readers, seenAs).map(asReader)),
  ];
  const rows = observed.flatMap((one) => one.rows);
  console.log(['model | language | the user saw | calls', ...rows].join('\n'));
  assert.deepEqual(
    observed.flatMap(({ wrong }) => wrong),
    [],
  );
});
