import type { TrialFigures } from './figures.ts';

export const verdicts = {
  good: 'good enough to write and to judge',
  weakReader: 'good enough to write, too weak to judge: set AI_JUDGE_MODEL',
  untriedReader: 'good enough to write; no second reader was tried',
  weakWriter: 'too weak to write',
  silent: 'does not answer',
} as const;
export type Verdict = (typeof verdicts)[keyof typeof verdicts];

/** What a model must reach, as shares of what it was asked for. */
export const thresholds = {
  /** Where no article comes, the one that is written without a model stands in, after the tokens were paid: one in four at most. */
  articlesWritten: 3 / 4,
  /** What is dropped leaves holes. Where more than a third goes, an article tells less than the one without a model. */
  sentencesKept: 2 / 3,
  /**
   * Rules find wrong names, numbers and quotations; for all else there is only the reader. If a writer errs in one sentence of
   * ten, a reader that finds nine of ten lets one of a hundred through.
   */
  liesCaught: 9 / 10,
  /** An article has ten sentences and more: a reader that holds up one of ten true ones sends nearly every article back. */
  truthsPassed: 9 / 10,
  /** Sentences in a language that keep their names and are in it: an article that loses more is not worth its reading. */
  saidAgain: 4 / 5,
} as const;

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

type Judged = Pick<TrialFigures, 'articles' | 'sentences' | 'reader' | 'stopped'>;

export function verdictOn({ articles, sentences, reader, stopped }: Judged): Verdict {
  if (stopped) return verdicts.silent;
  const isReader =
    reader !== null &&
    share(reader.lies.caught, reader.lies.told) >= thresholds.liesCaught &&
    share(reader.truths.passed, reader.truths.told) >= thresholds.truthsPassed;
  // What a reader keeps or drops that cannot read says nothing about the writer: then the rules alone do.
  const kept = isReader
    ? share(sentences.kept, sentences.written)
    : share(sentences.byRules, sentences.written);
  const isWriter =
    share(articles.written, articles.asked) >= thresholds.articlesWritten && kept >= thresholds.sentencesKept;
  if (!isWriter) return verdicts.weakWriter;
  if (!reader) return verdicts.untriedReader;
  return isReader ? verdicts.good : verdicts.weakReader;
}

export const isHeld = ({ sentences, kept }: { sentences: number; kept: number }): boolean =>
  share(kept, sentences) >= thresholds.saidAgain;
