import type { Judgement } from '../../writing/ai/judge-sentences.ts';
import type { ReaderFigures, TrialFigures } from './figures.ts';
import type { KnownSentence, LieKind } from './known-sentences.ts';
import type { WrittenSample } from './steps.ts';
import { isHeld } from './verdict.ts';

/** What came of each step; null where the model has failed at it. */
export interface Results {
  articles: { written: WrittenSample | 'noRoom' | null; seconds: number; tokens: number }[];
  judged: { known: KnownSentence[]; judgement: Judgement }[];
  languages: { language: string; said: { sentences: number; kept: number } | null }[];
}

export function tally(
  { articles, judged, languages }: Results,
  hasReader: boolean,
): Pick<TrialFigures, 'articles' | 'sentences' | 'reader' | 'languages'> {
  const drafts = articles.flatMap(({ written }) =>
    written === null || written === 'noRoom' ? [] : [written],
  );
  const english = {
    sentences: sumOf(drafts, ({ first }) => first.claims),
    kept: sumOf(drafts, ({ first }) => first.inEnglish),
  };
  return {
    articles: {
      asked: articles.length,
      written: drafts.filter(({ first }) => first.claims > 0).length,
      noRoom: articles.filter(({ written }) => written === 'noRoom').length,
      seconds: meanOf(articles.map(({ seconds }) => seconds)),
      tokens: Math.round(meanOf(articles.map(({ tokens }) => tokens))),
    },
    sentences: {
      written: english.sentences,
      byRules: sumOf(drafts, ({ first }) => first.passed),
      kept: sumOf(drafts, ({ article }) => keptOf(article?.verification)),
      mended: sumOf(drafts, ({ article }) => article?.verification.repaired ?? 0),
      dropped: sumOf(drafts, ({ article, first }) => article?.verification.dropped ?? first.claims),
    },
    reader: hasReader ? readerOf(judged) : null,
    languages: [
      { language: 'en', ...english, isHeld: isHeld(english) },
      ...languages.map(({ language, said }) => {
        const counts = said ?? { sentences: 0, kept: 0 };
        return { language, ...counts, isHeld: isHeld(counts) };
      }),
    ],
  };
}

const keptOf = (verification: { claims: number; dropped: number } | undefined): number =>
  verification ? verification.claims - verification.dropped : 0;

function readerOf(judged: Results['judged']): ReaderFigures {
  const verdicts = judged.flatMap(({ known, judgement }) =>
    known.map(({ lie }, index) => ({ lie, complaint: judgement.get(index) })),
  );
  const truths = verdicts.filter(({ lie }) => lie === null);
  const lies = verdicts.filter(({ lie }) => lie !== null);
  const missed: Partial<Record<LieKind, number>> = {};
  for (const { lie, complaint } of lies)
    if (lie && typeof complaint !== 'string') missed[lie] = (missed[lie] ?? 0) + 1;
  return {
    lies: {
      told: lies.length,
      caught: lies.filter(({ complaint }) => typeof complaint === 'string').length,
      missed,
    },
    truths: {
      told: truths.length,
      passed: truths.filter(({ complaint }) => complaint === null).length,
      refused: truths.filter(({ complaint }) => typeof complaint === 'string').length,
    },
    unread: verdicts.filter(({ complaint }) => complaint === undefined).length,
  };
}

const sumOf = <Item>(items: Item[], of: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0);

const meanOf = (values: number[]): number =>
  values.length === 0 ? 0 : sumOf(values, (value) => value) / values.length;
