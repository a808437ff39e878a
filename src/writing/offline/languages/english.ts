import type { PhraseBook } from '../phrase-book.ts';
import { backgroundSayings } from './english/background.ts';
import { companySayings, fileSayings, lineSayings, symbolSayings } from './english/changes.ts';
import { pointSayings } from './english/points.ts';
import { titleInEnglish } from './english/title.ts';
import { quote } from './english/words.ts';

export const english: PhraseBook = {
  title: titleInEnglish,
  quote,
  tidy: (sentence) => sentence,
  say: {
    ...fileSayings,
    ...symbolSayings,
    ...lineSayings,
    ...companySayings,
    ...pointSayings,
    ...backgroundSayings,
  },
};
