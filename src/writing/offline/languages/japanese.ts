import type { PhraseBook } from '../phrase-book.ts';
import { backgroundSayings } from './japanese/background.ts';
import { companySayings, fileSayings, lineSayings, symbolSayings } from './japanese/changes.ts';
import { pointSayings } from './japanese/points.ts';
import { titleInJapanese } from './japanese/title.ts';
import { quote, tidy } from './japanese/words.ts';

export const japanese: PhraseBook = {
  title: titleInJapanese,
  quote,
  tidy,
  say: {
    ...fileSayings,
    ...symbolSayings,
    ...lineSayings,
    ...companySayings,
    ...pointSayings,
    ...backgroundSayings,
  },
};
