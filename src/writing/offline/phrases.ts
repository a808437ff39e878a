import type { OfflineLanguage } from '../languages.ts';
import { english } from './languages/english.ts';
import { japanese } from './languages/japanese.ts';
import type { PhraseBook } from './phrase-book.ts';

export const phraseBooks: Record<OfflineLanguage, PhraseBook> = { en: english, ja: japanese };
