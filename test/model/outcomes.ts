import { type Asked, questionIn, writeObligingly } from './obliging-writer.ts';
import type { Script } from './scripted-model.ts';
import type { Reply } from './wire.ts';

export const failing = (
  status: number,
  code: string,
  more: Partial<NonNullable<Reply['error']>> = {},
): Reply => ({
  error: { status, code, ...more },
});

/** Plays given replies first, then valid ones. */
const then =
  (...first: Reply[]): Script =>
  (request, turn) =>
    first[turn] ?? writeObligingly(request);

const dressed: Script = (request) => {
  const { text = '', usage = null } = writeObligingly(request);
  return { text: `<think>hm {</think>Here:\n\`\`\`json\n${text}\n\`\`\`\nBye.`, thinks: 'hm', usage };
};

/** A server that speaks the protocol but not JSON replies. */
const withoutSchemas: Script = (request) =>
  request.body.response_format
    ? failing(400, 'invalid', { message: 'response_format is not supported' })
    : writeObligingly(request);

const withoutLists: Script = (request) => {
  const { text = '{}', usage = null } = writeObligingly(request);
  const { background: _, rest: __, ...rest } = JSON.parse(text);
  return { text: JSON.stringify({ ...rest, mood: 'good' }), usage };
};

const title = 'この変更では、受け取り側の暦で日数を数えるようになり、約束した日付が守られるようになります';
const inJapanese: Reply = {
  text: JSON.stringify({
    sections: [],
    lead: { text: '' },
    title: { text: title },
    sentences: [{ n: 0, text: title }],
  }),
};

/** Plays a script for one kind of question, and valid replies for all others. */
export function onlyTo(asked: Asked, script: Script): Script {
  let turn = 0;
  return (request) => {
    if (questionIn(request).asked !== asked) return writeObligingly(request);
    const at = turn++;
    const reply =
      typeof script === 'function' ? script(request, at) : script[Math.min(at, script.length - 1)];
    return reply ?? {};
  };
}

export interface Outcome {
  what: string;
  script: Script;
  /** The outcome in French, which only a model can write, and in English, which has an offline writer. */
  french: string;
  /** The outcome in English; null if it is the same as in French. */
  english: string | null;
  calls: number;
  /** Requested at once, before the circuit breaker has closed. */
  isSoon?: boolean;
  /** About a pull request that is read in parts. */
  isLarge?: boolean;
}

export const ai = '201 ai';
export const standIn = '201 offline, stands in';
const unavailable = '503 UNAVAILABLE';
export const aiError = '502 AI_ERROR';

export const outcomes: Outcome[] = [
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
  // A model's rejection of schemas is remembered, so this outcome must be the last.
  { what: 'no schemas', script: withoutSchemas, french: ai, english: ai, calls: 4 },
];

/** The first outcome of each kind, because users see the others alike. */
export const oneOfEachKind = (some: Outcome[]): Outcome[] =>
  Map.groupBy(some, ({ french, calls }) => `${french} ${calls}`)
    .values()
    .flatMap((alike) => alike.slice(0, 1))
    .toArray();
