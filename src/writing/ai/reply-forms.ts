import type { Static, TSchema } from 'typebox';
import { Type } from '../../contract/type.ts';
import { changeTypes } from '../../domain/articles.ts';

/**
 * Schemas of replies. All fields are required and closed, and none is bounded, because providers support different
 * features. References come before the text and summaries last, because models write in the order of the schema.
 */
const closed = <Properties extends Record<string, TSchema>>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false });

const oneOf = <const Values extends readonly string[]>(values: Values) =>
  Type.Enum([...values] as Values[number][], { type: 'string' });

const sentence = {
  refs: Type.Array(Type.String()),
  quote: Type.String(),
  basis: oneOf(['diff', 'words', 'judgement', 'consequence']),
  text: Type.String(),
};

export const ReplySentence = closed(sentence);
export type ReplySentence = Static<typeof ReplySentence>;

/** `of` names the sentences that are summarized by their places, such as `b1` or `s2.1`. */
const ReplySummary = closed({ of: Type.Array(Type.String()), text: Type.String() });
export type ReplySummary = Static<typeof ReplySummary>;

export const noLabel = 'none';

const riskLabels = ['breaking', 'migration', 'deprecated', 'default', 'permission', 'security'] as const;

const { text: textOfSentence, ...groundOfSentence } = sentence;

/** `label` is set for a risk. */
export const SectionSentence = closed({
  ...groundOfSentence,
  label: oneOf([...riskLabels, noLabel]),
  text: textOfSentence,
});
export type SectionSentence = Static<typeof SectionSentence>;

export const ArticleReply = closed({
  background: Type.Array(ReplySentence),
  sections: Type.Array(
    closed({
      changeTypes: Type.Array(oneOf(changeTypes)),
      sentences: Type.Array(SectionSentence),
      show: Type.String(),
      heading: Type.String(),
    }),
  ),
  /** Code of callers before and after the change: at most one block, and `of` names the risk that it shows. */
  beforeAfter: Type.Array(closed({ of: Type.String(), before: Type.String(), after: Type.String() })),
  rest: Type.Array(ReplySentence),
  lead: ReplySummary,
  title: ReplySummary,
});
export type ArticleReply = Static<typeof ArticleReply>;

export const MendReply = closed({ sentences: Type.Array(closed({ n: Type.Integer(), ...sentence })) });
export type MendReply = Static<typeof MendReply>;

const verdicts = ['holds', 'contradicted', 'notShown'] as const;

export const JudgeReply = closed({
  verdicts: Type.Array(closed({ n: Type.Integer(), reason: Type.String(), verdict: oneOf(verdicts) })),
});
export type JudgeReply = Static<typeof JudgeReply>;

export const SayAgainReply = closed({
  sentences: Type.Array(closed({ n: Type.Integer(), text: Type.String() })),
});
export type SayAgainReply = Static<typeof SayAgainReply>;

export const NotesReply = closed({
  notes: Type.Array(
    closed({
      refs: Type.Array(Type.String()),
      quote: Type.String(),
      weight: Type.Integer(),
      text: Type.String(),
    }),
  ),
});
export type NotesReply = Static<typeof NotesReply>;

export const DigestReply = closed({ sentences: Type.Array(ReplySentence), title: ReplySummary });

export const QuestionReply = closed({ found: Type.Boolean(), sentences: Type.Array(ReplySentence) });

/** Marks fields that may be missing in replies written by hand; providers want all fields to be required. */
export const mayBeLeftOut = 'may be left out';

const optionalText = Type.String({ description: mayBeLeftOut });

export const LooksReply = closed({
  looks: Type.Array(
    closed({
      find: optionalText,
      usages: optionalText,
      show: optionalText,
      name: optionalText,
      lines: Type.Array(Type.Integer()),
      in: optionalText,
      at: optionalText,
    }),
  ),
});
export type LooksReply = Static<typeof LooksReply>;

/** Labels of threads and of their sentences. */
export const PointsReply = closed({
  points: Type.Array(
    closed({ thread: Type.String(), request: Type.Array(Type.String()), reply: Type.Array(Type.String()) }),
  ),
});
export type PointsReply = Static<typeof PointsReply>;

export const replyForms = {
  article: ArticleReply,
  mending: MendReply,
  judgement: JudgeReply,
  sayingAgain: SayAgainReply,
  notes: NotesReply,
  answer: QuestionReply,
  looks: LooksReply,
  points: PointsReply,
  digest: DigestReply,
};
export type ReplyForm = keyof typeof replyForms;
