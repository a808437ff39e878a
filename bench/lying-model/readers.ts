import type { Static, TSchema } from 'typebox';
import type { Material } from '../../src/writing/ai/material.ts';
import type { Ask, Question, WritingDeps } from '../../src/writing/ai/prompts.ts';
import { resolveReferences } from '../../src/writing/ai/references.ts';
import type { JudgeReply } from '../../src/writing/ai/reply-forms.ts';
import type { Claims } from './claims.ts';

type Verdict = JudgeReply['verdicts'][number]['verdict'];

/** A sentence of a question, with the labels of what it rests on. */
interface Asked {
  n: number;
  labels: string[];
  text: string;
}

/** What a second reader replies to a question. Throws where it cannot be reached. */
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

/** Knows what the model knows. What it does not know is a control sentence. */
const read: Reader = (asked, _, { claims, material }) =>
  say(asked, ({ labels, text }) => {
    const { evidence } = resolveReferences(labels, material);
    const isTrue = claims.find(text) !== undefined && claims.lieIn({ text, evidence }) === null;
    return [isTrue ? 'holds' : 'contradicted'];
  });

/** Readers by what is wrong with them; null where there is none. */
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
    // For none of them, or for others than those that it was asked about.
    return question % 3 === 1
      ? { verdicts: [] }
      : say(
          asked.map((one) => ({ ...one, n: one.n + asked.length })),
          () => ['holds'],
        );
  },
  // The complaint is now the first word, now the last.
  'contradicts itself': (asked, question) =>
    say(asked, ({ n }) => ((n + question) % 2 === 0 ? ['holds', 'contradicted'] : ['notShown', 'holds'])),
  none: null,
} satisfies Record<string, Reader | null>;

export type ReaderName = keyof typeof readers;
export const readerNames = Object.keys(readers) as ReaderName[];

/** Of all articles, so that each way not to reply comes first for some of them. */
let questions = 0;

/** Such a reader, as a model that is asked; it knows which texts are true if it works. */
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
