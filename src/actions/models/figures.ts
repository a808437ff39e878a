import type { ModelArticle } from '../../writing/ai/check-and-judge.ts';
import type { Judgement } from '../../writing/ai/judge-sentences.ts';
import type { FailureReason, TokenUsage } from '../../writing/ai/model-question.ts';
import type { KnownSentence, LieKind } from './samples.ts';

export interface Cost extends TokenUsage {
  usd?: number;
}

export interface ReplyCounts {
  questions: number;
  askedAgain: number;
  useless: number;
  unreplied: number;
}

export type TrialFigures = ReturnType<typeof tally> & {
  writer: string;
  judge: string | null;
  replies: ReplyCounts;
  used: Cost;
  stopped: { model: string; reason: FailureReason } | null;
};

export type ReaderFigures = ReturnType<typeof readerOf>;

export interface WrittenSample {
  /** The article of the model; null if the second model that the trial requires is missing. */
  article: ModelArticle | null;
  first: { claims: number; passed: number; inEnglish: number };
}

/** The result of each step; null if the model failed in it. */
export interface Results {
  articles: { written: WrittenSample | 'noRoom' | null; seconds: number; tokens: number }[];
  judged: { known: KnownSentence[]; judgement: Judgement }[];
  languages: { language: string; said: { sentences: number; kept: number } | null }[];
}

export function tally({ articles, judged, languages }: Results, hasReader: boolean) {
  const drafts = articles.flatMap(({ written }) => (written && written !== 'noRoom' ? [written] : []));
  const sumOf = (of: (draft: WrittenSample) => number) => drafts.reduce((sum, one) => sum + of(one), 0);
  const meanOf = (of: 'seconds' | 'tokens') =>
    articles.reduce((sum, one) => sum + one[of], 0) / Math.max(1, articles.length);
  const written = sumOf(({ first }) => first.claims);
  const english = { sentences: written, kept: sumOf(({ first }) => first.inEnglish) };
  return {
    articles: {
      asked: articles.length,
      written: drafts.filter(({ first }) => first.claims > 0).length,
      noRoom: articles.filter((one) => one.written === 'noRoom').length,
      seconds: meanOf('seconds'),
      tokens: Math.round(meanOf('tokens')),
    },
    sentences: {
      written,
      byRules: sumOf(({ first }) => first.passed),
      kept: sumOf(({ article }) =>
        article ? article.verification.claims - article.verification.dropped : 0,
      ),
      mended: sumOf(({ article }) => article?.verification.repaired ?? 0),
      dropped: sumOf(({ article, first }) => article?.verification.dropped ?? first.claims),
    },
    reader: hasReader ? readerOf(judged) : null,
    languages: [{ language: 'en', said: english }, ...languages].map(({ language, said }) => {
      const counts = said ?? { sentences: 0, kept: 0 };
      return { language, ...counts, isHeld: shareOf(counts.kept, counts.sentences) >= thresholds.saidAgain };
    }),
  };
}

function readerOf(judged: Results['judged']) {
  const verdicts = judged.flatMap(({ known, judgement }) =>
    known.map(({ lie }, index) => ({ lie, complaint: judgement.get(index) })),
  );
  const refused = ({ complaint }: (typeof verdicts)[number]) => typeof complaint === 'string';
  const truths = verdicts.filter(({ lie }) => lie === null);
  const lies = verdicts.filter(({ lie }) => lie !== null);
  const missed: Partial<Record<LieKind, number>> = {};
  for (const one of lies) if (one.lie && !refused(one)) missed[one.lie] = (missed[one.lie] ?? 0) + 1;
  return {
    lies: { told: lies.length, caught: lies.filter(refused).length, missed },
    truths: {
      told: truths.length,
      passed: truths.filter(({ complaint }) => complaint === null).length,
      refused: truths.filter(refused).length,
    },
    unread: verdicts.filter(({ complaint }) => complaint === undefined).length,
  };
}

export const verdicts = {
  good: 'good enough to write and to judge',
  weakReader: 'good enough to write, too weak to judge: set AI_JUDGE_MODEL',
  untriedReader: 'good enough to write; no second model was tried',
  weakWriter: 'too weak to write',
  silent: 'does not answer',
} as const;

export const thresholds = {
  /**
   * If the model writes no article, the tokens are spent and the rules write it: acceptable for one in four at most.
   */
  articlesWritten: 3 / 4,
  /** If more than a third of its sentences is dropped, an article says less than one without a model. */
  sentencesKept: 2 / 3,
  /**
   * Rules find wrong names, numbers and quotations, and only the second model finds other errors. If one sentence in
   * ten is wrong and it finds nine of ten, one in a hundred is published.
   */
  liesCaught: 9 / 10,
  /**
   * An article has at least ten sentences: if one in ten true ones were rejected, nearly every article would be
   * repaired.
   */
  truthsPassed: 9 / 10,
  /**
   * The share of translated sentences that keep their names and are in the language; with fewer, the article is not
   * worth reading.
   */
  saidAgain: 4 / 5,
} as const;

const shareOf = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

type Judged = Pick<TrialFigures, 'articles' | 'sentences' | 'reader' | 'stopped'>;

export function verdictOn({ articles, sentences, reader, stopped }: Judged): string {
  if (stopped) return verdicts.silent;
  const isReader =
    reader !== null &&
    shareOf(reader.lies.caught, reader.lies.told) >= thresholds.liesCaught &&
    shareOf(reader.truths.passed, reader.truths.told) >= thresholds.truthsPassed;
  // Verdicts of a weak second model say nothing about the writer, so only the rules count then.
  const kept = shareOf(isReader ? sentences.kept : sentences.byRules, sentences.written);
  const isWriter =
    shareOf(articles.written, articles.asked) >= thresholds.articlesWritten &&
    kept >= thresholds.sentencesKept;
  if (!isWriter) return verdicts.weakWriter;
  if (!reader) return verdicts.untriedReader;
  return isReader ? verdicts.good : verdicts.weakReader;
}
