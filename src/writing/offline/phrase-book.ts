import type { Coverage, Verification, WriterLabel } from '../written-article.ts';
import type { Outline, Statement } from './outline.ts';

/** One function for each kind of statement. */
export type Saying<Result> = {
  [Say in Statement['say']]: (statement: Extract<Statement, { say: Say }>) => Result;
};

/** How a language says everything that an article can say. A new language is one more file like english.ts. */
export interface PhraseBook {
  headings: {
    background: string;
    changes: string;
    points: string;
    evidence: string;
    footer: (coverage: Coverage, verification: Verification, writer: WriterLabel) => string;
  };
  title: (outline: Outline) => string;
  /** An empty string where this language has no need to say it. */
  say: Saying<string>;
  /** A sentence as it is printed. */
  tidy: (sentence: string) => string;
}

/** Gives each statement to the function of its own name, which the compiler cannot follow through the index. */
export function sayWith<Result>(saying: Saying<Result>, statement: Statement): Result {
  return (saying[statement.say] as (statement: Statement) => Result)(statement);
}
