import { english } from './languages/english.ts';
import { japanese } from './languages/japanese.ts';
import type { BackgroundStatement, Statement } from './outline.ts';
import type { PhraseBook } from './phrase-book.ts';

const languages: Record<string, PhraseBook> = { en: english, ja: japanese };

/** The phrases of a language, or English ones where it has none of its own. */
export function phrasesFor(languageCode: string): PhraseBook {
  return languages[languageCode] ?? english;
}

export function sayStatement(phrases: PhraseBook, statement: Statement): string {
  // Each statement goes to the phrase of its own name, which the compiler cannot follow through the index.
  const phrase = phrases.statement[statement.say] as (statement: Statement) => string;
  return phrase(statement);
}

export function sayBackground(phrases: PhraseBook, statement: BackgroundStatement): string {
  const phrase = phrases.background[statement.say] as (statement: BackgroundStatement) => string;
  return phrase(statement);
}
