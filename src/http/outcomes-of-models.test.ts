import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, type Reply as HttpReply, type TestApp } from '../../test/build-app.ts';
import { makeClone } from '../../test/make-clone.ts';
import { type Asked, judgeHonestly, questionIn, writeObligingly } from '../../test/model/obliging-writer.ts';
import {
  type HeardRequest,
  type Script,
  startScriptedModelForTests,
} from '../../test/model/scripted-model.ts';
import type { Reply } from '../../test/model/wire.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

const root = temporaryFolder();
const model = await startScriptedModelForTests(writeObligingly);
const waits: number[] = [];
const environment = {
  GIT_REPOS: root,
  AI_MODEL: 'compatible/scripted',
  AI_BASE_URL: model.url,
  AI_JUDGE_MODEL: 'off',
  AI_TIMEOUT_SECONDS: '60',
  AI_ARTICLES_PER_DAY: '1000',
};

const reader = { ...environment, AI_JUDGE_MODEL: 'compatible/reader' };

const failing = (status: number, code: string, more: Partial<NonNullable<Reply['error']>> = {}): Reply => ({
  error: { status, code, ...more },
});

/** First what is given, then whatever is right. */
const then =
  (...first: Reply[]): Script =>
  (request, turn) =>
    first[turn] ?? writeObligingly(request);

const dressed: Script = (request) => {
  const { text = '', usage = null } = writeObligingly(request);
  return { text: `<think>hm {</think>Here:\n\`\`\`json\n${text}\n\`\`\`\nBye.`, thinks: 'hm', usage };
};

/** Speaks the protocol, and knows nothing of answers in JSON. */
const withoutSchemas: Script = (request) =>
  request.body.response_format
    ? failing(400, 'invalid', { message: 'response_format is not supported' })
    : writeObligingly(request);

const withoutLists: Script = (request) => {
  const { text = '{}', usage = null } = writeObligingly(request);
  const { background: _, notablePoints: __, ...rest } = JSON.parse(text);
  return { text: JSON.stringify({ ...rest, mood: 'good' }), usage };
};

const title = 'この変更では、受け取り側の暦で日数を数えるようになり、約束した日付が守られるようになります';
const inJapanese: Reply = {
  text: JSON.stringify({
    mainChanges: [],
    standfirst: { text: '' },
    title: { text: title },
    sentences: [{ n: 0, text: title }],
  }),
};

/** Plays a script to one kind of question, and whatever is right to all others. */
function onlyTo(asked: Asked, script: Script): Script {
  let turn = 0;
  return (request) => {
    if (questionIn(request).asked !== asked) return writeObligingly(request);
    const at = turn++;
    const reply =
      typeof script === 'function' ? script(request, at) : script[Math.min(at, script.length - 1)];
    return reply ?? {};
  };
}

interface Outcome {
  what: string;
  script: Script;
  /** In French, which only a model can write, and in English, where the offline writer can stand in. */
  french: string;
  english: string;
  calls: number;
  /** Asked for at once, before the breaker has had time to forget. */
  isSoon?: boolean;
}

const ai = '201 ai';
const standIn = '201 offline, stands in';
const unavailable = '503 UNAVAILABLE';
const aiError = '502 AI_ERROR';

const outcomes: Outcome[] = [
  { what: 'an answer', script: writeObligingly, french: ai, english: ai, calls: 2 },
  { what: 'thinking, fences, prose', script: dressed, french: ai, english: ai, calls: 2 },
  { what: 'lists left out', script: withoutLists, french: ai, english: ai, calls: 2 },
  { what: 'another language, then an answer', script: then(inJapanese), french: ai, english: ai, calls: 3 },
  {
    what: 'always another language',
    script: [inJapanese],
    french: `${aiError} badOutput`,
    english: standIn,
    calls: 2,
  },
  { what: 'no JSON, then an answer', script: then({ text: 'Sure!' }), french: ai, english: ai, calls: 3 },
  {
    what: 'never JSON',
    script: [{ text: 'Sure!' }],
    french: `${aiError} badOutput`,
    english: standIn,
    calls: 3,
  },
  {
    what: 'cut off, then an answer',
    script: then({ text: '{"title":', ends: 'cutOff' }),
    french: ai,
    english: ai,
    calls: 3,
  },
  {
    what: 'always cut off',
    script: [{ text: '{"title":', ends: 'cutOff' }],
    french: `${aiError} cutOff`,
    english: standIn,
    calls: 3,
  },
  {
    what: '429, then an answer',
    script: then(failing(429, 'rate_limit')),
    french: ai,
    english: ai,
    calls: 3,
  },
  {
    what: '429 for 90 s',
    script: [failing(429, 'rate_limit', { headers: { 'retry-after': '90' } })],
    french: unavailable,
    english: standIn,
    calls: 1,
  },
  { what: '503', script: [failing(503, 'overloaded')], french: unavailable, english: standIn, calls: 3 },
  {
    what: 'connection cut',
    script: [{ text: '{"title":', cutAfter: 1 }],
    french: unavailable,
    english: standIn,
    calls: 3,
  },
  {
    what: 'bad key',
    script: [failing(401, 'invalid_api_key')],
    french: `${aiError} badKey`,
    english: standIn,
    calls: 1,
  },
  {
    what: 'well again, right after',
    script: writeObligingly,
    french: unavailable,
    english: standIn,
    calls: 0,
    isSoon: true,
  },
  {
    what: 'unknown model',
    script: [failing(404, 'model_not_found')],
    french: `${aiError} unknownModel`,
    english: standIn,
    calls: 1,
  },
  {
    what: 'too long for it',
    script: [failing(400, 'context_length_exceeded')],
    french: `${aiError} tooLong`,
    english: '201 offline',
    calls: 1,
  },
  {
    what: 'spend limit',
    script: [failing(429, 'insufficient_quota')],
    french: `${aiError} spendLimit`,
    english: standIn,
    calls: 1,
  },
  {
    what: 'refusal',
    script: [{ text: 'No.', ends: 'refused' }],
    french: `${aiError} refused`,
    english: standIn,
    calls: 1,
  },
  {
    what: 'half the prompt read',
    script: [{ text: '{}', usage: { input: 50, output: 5 } }],
    french: `${aiError} cutPrompt`,
    english: standIn,
    calls: 1,
  },
  {
    what: 'redirect',
    script: [{ raw: { status: 302, headers: { location: '/x' }, body: '' } }],
    french: `${aiError} rejected`,
    english: standIn,
    calls: 1,
  },
  {
    what: 'over 1 MiB',
    script: [{ text: 'x'.repeat(1_100_000) }],
    french: `${aiError} badOutput`,
    english: standIn,
    calls: 1,
  },
  // What a model does not take is remembered: whatever comes after this is asked for by words alone.
  { what: 'no schemas', script: withoutSchemas, french: ai, english: ai, calls: 4 },
];

/** A call without an answer waits as long as is allowed; all other calls are given more time than they need. */
const lateOutcomes: Outcome[] = [
  {
    what: 'no answer in time',
    script: [{ silent: true }],
    french: '504 AI_TIMEOUT',
    english: standIn,
    calls: 1,
  },
];

function seen({ status, body }: HttpReply, language: string): string {
  if (!body.success) {
    const reason = /^\w+(?=:)/.exec(body.error.details?.[0]?.problem ?? '')?.[0];
    return [status, body.error.code, reason].filter(Boolean).join(' ');
  }
  const { kind, standsIn } = body.data.contents[language].writer;
  return `${status} ${kind}${standsIn ? ', stands in' : ''}`;
}

/** What a reader says of each sentence, and of one that is false beyond doubt. */
const reading =
  (judge: (verdict: Verdict) => object[]): Script =>
  (request: HeardRequest) => ({
    text: JSON.stringify({
      verdicts: judgeHonestly(questionIn(request).material).verdicts.flatMap(judge),
    }),
  });
type Verdict = ReturnType<typeof judgeHonestly>['verdicts'][number];

const unread = `${aiError} unread`;
/** Whatever a second reader does that reads nothing, what was written is not published as if it had been read. */
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

/** The same that can happen to an article can happen to what says it again, which is asked for once there is one. */
const saidAgain: Outcome[] = outcomes
  .filter(({ isSoon, what }) => !isSoon && !['no schemas', 'half the prompt read'].includes(what))
  .map((outcome) => ({
    ...outcome,
    what: `said again: ${outcome.what}`,
    script: onlyTo('said again', outcome.script),
    english: ai,
    ...(outcome.french !== ai && { calls: outcome.calls + 1 }),
  }));

/** A pull request of its own for each outcome. */
let made = 0;

/** A line for each outcome and language, and those that are not as they should be. */
async function observe(app: TestApp, expected: Outcome[]) {
  await app.signUp('ann');
  const rows: string[] = [];
  const wrong: string[] = [];
  for (const { what, script, calls, isSoon = false, ...wishes } of expected) {
    made += 1;
    makeClone(root, `acme/rocket-${made}`, `feat: launch number ${made} (#1)`);
    for (const [language, wish] of [
      ['fr', wishes.french],
      ['en', wishes.english],
    ] as const) {
      if (!isSoon) app.advance(11 * 60_000);
      model.play(script);
      const before = model.heard.length;
      const path = `/repos/acme/rocket-${made}/pulls/1/article`;
      const reply = await app.call('POST', path, { token: app.tokenFor('ann'), body: { language } });
      const count = model.heard.length - before;
      const row = `${what} | ${language} | ${seen(reply, language)} | ${count}`;
      rows.push(row);
      // What French was said after is there already, or is written with as many calls.
      if (seen(reply, language) !== wish || (language === 'fr' && count !== calls))
        wrong.push(`${row}, not ${wish} | ${calls}`);
      model.play(writeObligingly);
    }
  }
  return { rows, wrong };
}

test('every answer and failure of a model is seen by users as it should be, after as many calls as it should take', async () => {
  const app = await buildTestApp({ environment, frozen: true, waits });
  const hasty = { ...environment, AI_TIMEOUT_SECONDS: '1' };
  const hurried = await buildTestApp({ environment: hasty, frozen: true, waits });
  const observed = [
    await observe(app, [...saidAgain, ...outcomes]),
    await observe(hurried, lateOutcomes),
    await observe(await buildTestApp({ environment: reader, frozen: true, waits }), readers.map(asReader)),
  ];
  const rows = observed.flatMap((one) => one.rows);
  console.log(['model | language | the user saw | calls', ...rows].join('\n'));
  assert.deepEqual(
    observed.flatMap(({ wrong }) => wrong),
    [],
  );
});
