import type { Coverage, Verification, WriterLabel } from '../written-article.ts';
import { english } from './languages/english.ts';
import { japanese } from './languages/japanese.ts';
import type { BackgroundStatement, Outline, PlannedPoint, Statement } from './outline.ts';

type Saying<Union extends { say: string }> = {
  [S in Union['say']]: (statement: Extract<Union, { say: S }>) => string;
};

/** How a language says everything that an article can say. A new language is one more file like english.ts. */
export interface Phrases {
  headings: {
    background: string;
    changes: string;
    points: string;
    evidence: string;
    footer: (coverage: Coverage, verification: Verification, writer: WriterLabel) => string;
  };
  title: (outline: Outline) => string;
  /** An empty string where this language has no need to say it. */
  background: Saying<BackgroundStatement>;
  statement: Saying<Statement>;
  /** By the name of the reason. */
  points: Record<string, (point: PlannedPoint) => string>;
  joinSentences: (sentences: string[]) => string;
}

const languages: Record<string, Phrases> = { en: english, ja: japanese };

/** The phrases of a language, or English ones where it has none of its own. */
export function phrasesFor(languageCode: string): Phrases {
  return languages[languageCode] ?? english;
}

export function sayStatement(phrases: Phrases, statement: Statement): string {
  // Each statement goes to the phrase of its own name, which the compiler cannot follow through the index.
  const phrase = phrases.statement[statement.say] as (statement: Statement) => string;
  return phrase(statement);
}

export function sayBackground(phrases: Phrases, statement: BackgroundStatement): string {
  const phrase = phrases.background[statement.say] as (statement: BackgroundStatement) => string;
  return phrase(statement);
}
