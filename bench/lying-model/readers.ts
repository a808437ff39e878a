import type { Static, TSchema } from 'typebox';
import type { Material } from '../../src/writing/ai/material.ts';
import type { Ask, Question, WritingDeps } from '../../src/writing/ai/prompts.ts';
import { resolveReferences } from '../../src/writing/ai/references.ts';
import type { JudgeReply } from '../../src/writing/ai/reply-forms.ts';
import type { Claims } from './claims.ts';

type Verdict = JudgeReply['verdicts'][number]['verdict'];

/** A sentence of a question with the labels of its evidence. */
interface Asked {
  n: number;
  labels: string[];
  text: string;
}

/** The reply of a second model to a question. Throws if it cannot be reached. */
type Reader = (
  asked: Asked[],
  question: number,
  known: { claims: Claims; material: Material },
) => JudgeReply | null;

const say = (asked: Asked[], verdictsOf: (one: Asked) => Verdict[]): JudgeReply => ({
  verdicts: asked.flatMap((one) =>
    verdictsOf(one).map((verdict) => ({ n: one.n, reason: verdict === 'holds' ? '' : 'so', verdict })),
  ),
});

/** A second model that knows the truth. Sentences that it does not know are controls. */
const read: Reader = (asked, _, { claims, material }) =>
  say(asked, ({ labels, text }) => {
    const { evidence } = resolveReferences(labels, material);
    const isTrue = claims.find(text) !== undefined && claims.lieIn({ text, evidence }) === null;
    return [isTrue ? 'holds' : 'contradicted'];
  });

/** Second models by their fault; null for one without a fault. */
const readers = {
  works: read,
  'reads every other one': (asked, question, known) =>
    read(
      asked.filter(({ n, text }) => n % 2 === 0 || known.claims.find(text) === undefined),
      question,
      known,
    ),
  'agrees to everything': (asked) => say(asked, () => ['holds']),
  'answers nothing': (asked, question) => {
    if (question % 3 === 0) return null;
    // Verdicts on no sentence, or on others than those in the question.
    return question % 3 === 1
      ? { verdicts: [] }
      : say(
          asked.map((one) => ({ ...one, n: one.n + asked.length })),
          () => ['holds'],
        );
  },
  // The complaint is the first word or the last one, in turn.
  'contradicts itself': (asked, question) =>
    say(asked, ({ n }) => ((n + question) % 2 === 0 ? ['holds', 'contradicted'] : ['notShown', 'holds'])),
  none: null,
} satisfies Record<string, Reader | null>;

export type ReaderName = keyof typeof readers;
export const readerNames = Object.keys(readers) as ReaderName[];

/** Counted over all articles, so that each way to fail comes first for some of them. */
let questions = 0;

/** A faulty second model as a function; it knows which texts are true if it works. */
export function readerFor(name: ReaderName, claims: Claims, material: Material): WritingDeps['judge'] {
  const reader: Reader | null = readers[name];
  if (!reader) return null;
  const ask: Ask = async <Schema extends TSchema>({ prompt }: Question<Schema>) => {
    const asked = Array.from(
      prompt.matchAll(/^s(\d+) \(([^)]*)\) (.*)$/gm),
      ([, n, rests = '', text = '']) => ({
        n: Number(n),
        labels: rests.split(/[,;]\s*/),
        text,
      }),
    );
    questions += 1;
    return reader(asked, questions, { claims, material }) as Static<Schema>;
  };
  return { ask, mostBytes: Number.MAX_SAFE_INTEGER };
}
