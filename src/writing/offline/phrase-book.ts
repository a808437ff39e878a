import type { Coverage, Verification, WriterLabel } from '../written-article.ts';
import type { Outline } from './outline.ts';
import type { Saying } from './statements.ts';

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
