import { shorten } from '../plain-text.ts';
import type { WrittenChange, WrittenPoint } from '../written-article.ts';
import type { Outline } from './outline.ts';
import { phrasesFor, sayBackground, sayStatement } from './phrases.ts';

const longestTitle = 80;

/** The words of an article in one language; the other parts are the same in all of them. */
export interface OfflineText {
  title: string;
  background: string[];
  mainChanges: WrittenChange[];
  notablePoints: WrittenPoint[];
}

/** Puts an outline into words. It decides nothing: what is said, and in which order, the outline has settled. */
export function writeOffline(outline: Outline, languageCode: string): OfflineText {
  const phrases = phrasesFor(languageCode);
  return {
    title: shorten(phrases.title(outline), longestTitle),
    background: outline.background.map((statement) => sayBackground(phrases, statement)),
    mainChanges: outline.changes.map(({ statements, ...change }) => ({
      ...change,
      description: phrases.joinSentences(statements.map((statement) => sayStatement(phrases, statement))),
    })),
    notablePoints: outline.points.map(({ reason, ...point }) => ({
      categories: point.categories,
      point: phrases.joinSentences([phrases.points[reason]({ reason, ...point })]),
      evidence: point.evidence,
    })),
  };
}
