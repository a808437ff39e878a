import type { Outline } from './outline.ts';
import type { Saying } from './statements.ts';

/** How a language says everything that an article can say. A new language is one more file like english.ts. */
export interface PhraseBook {
  title: (outline: Outline) => string;
  /** Somebody's words as this language marks them. */
  quote: (words: string) => string;
  /** An empty string where this language has no need to say it. */
  say: Saying<string>;
  /** A sentence as it is printed. */
  tidy: (sentence: string) => string;
}
