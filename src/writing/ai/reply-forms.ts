import type { Static, TSchema } from 'typebox';
import { Type } from '../../contract/type.ts';
import { changeTypes, severities } from '../../domain/articles.ts';

/**
 * Schemas of answers. Everything is required and closed and nothing is bounded, because providers differ in what they
 * understand; references come before the text, and what sums up last, because models write in the order of the schema.
 */
const closed = <Properties extends Record<string, TSchema>>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false });

const oneOf = <const Values extends readonly string[]>(values: Values) =>
  Type.Enum([...values] as Values[number][], { type: 'string' });

const sentence = {
  refs: Type.Array(Type.String()),
  quote: Type.String(),
  basis: oneOf(['diff', 'words', 'judgement']),
  text: Type.String(),
};

export const AnsweredSentence = closed(sentence);
export type AnsweredSentence = Static<typeof AnsweredSentence>;

/** Sums up: `of` names the sentences that it rests on, `b1`, `s2.1` or `r1.1` by their places. */
const AnsweredSummary = closed({ of: Type.Array(Type.String()), text: Type.String() });
export type AnsweredSummary = Static<typeof AnsweredSummary>;

export const noLabel = 'none';

const riskLabels = ['breaking', 'deprecated', 'migration', 'default', 'permission', 'security'] as const;

export const ArticleAnswer = closed({
  background: Type.Array(AnsweredSentence),
  sections: Type.Array(
    closed({
      changeTypes: Type.Array(oneOf(changeTypes)),
      sentences: Type.Array(AnsweredSentence),
      show: Type.String(),
      heading: Type.String(),
    }),
  ),
  risks: Type.Array(
    closed({
      label: oneOf([...riskLabels, noLabel]),
      severity: oneOf(severities),
      sentences: Type.Array(AnsweredSentence),
    }),
  ),
  rest: Type.Array(AnsweredSentence),
  lead: AnsweredSummary,
  title: AnsweredSummary,
});
export type ArticleAnswer = Static<typeof ArticleAnswer>;

export const MendAnswer = closed({ sentences: Type.Array(closed({ n: Type.Integer(), ...sentence })) });
export type MendAnswer = Static<typeof MendAnswer>;

const verdicts = ['holds', 'contradicted', 'notShown'] as const;

export const JudgeAnswer = closed({
  verdicts: Type.Array(closed({ n: Type.Integer(), reason: Type.String(), verdict: oneOf(verdicts) })),
});
export type JudgeAnswer = Static<typeof JudgeAnswer>;

export const SayAgainAnswer = closed({
  sentences: Type.Array(closed({ n: Type.Integer(), text: Type.String() })),
});
export type SayAgainAnswer = Static<typeof SayAgainAnswer>;

export const NotesAnswer = closed({
  notes: Type.Array(
    closed({
      refs: Type.Array(Type.String()),
      quote: Type.String(),
      weight: Type.Integer(),
      text: Type.String(),
    }),
  ),
});
export type NotesAnswer = Static<typeof NotesAnswer>;

export const QuestionAnswer = closed({ found: Type.Boolean(), sentences: Type.Array(AnsweredSentence) });

export const answerForms = {
  article: ArticleAnswer,
  mending: MendAnswer,
  judgement: JudgeAnswer,
  sayingAgain: SayAgainAnswer,
  notes: NotesAnswer,
  answer: QuestionAnswer,
};
export type AnswerForm = keyof typeof answerForms;
