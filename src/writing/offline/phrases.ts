import type { OfflineLanguage } from '../languages.ts';
import { english } from './languages/english.ts';
import { japanese } from './languages/japanese.ts';
import type { PhraseBook } from './phrase-book.ts';

export const phraseBooks: Record<OfflineLanguage, PhraseBook> = { en: english, ja: japanese };

/** The phrases of a language, or English ones where it has none of its own. */
export function phrasesFor(languageCode: string): PhraseBook {
  return Object.entries(phraseBooks).find(([code]) => code === languageCode)?.[1] ?? english;
}
