import type { PhraseBook } from '../phrase-book.ts';
import { backgroundSayings } from './english/background.ts';
import { companySayings, fileSayings, lineSayings, symbolSayings } from './english/changes.ts';
import { pointSayings } from './english/points.ts';
import { titleInEnglish } from './english/title.ts';
import { plural } from './english/words.ts';

export const english: PhraseBook = {
  headings: {
    background: 'Background and purpose',
    changes: 'Main changes',
    points: 'Worth noting',
    evidence: 'see',
    footer: (coverage, verification, writer) => {
      const by =
        writer.kind === 'offline'
          ? 'Written from the diff by rules, without a language model'
          : 'Written by a language model';
      const skipped =
        coverage.skipped.length > 0 ? `; ${plural(coverage.skipped.length, 'file')} not read` : '';
      const dropped = verification.dropped > 0 ? `, ${verification.dropped} dropped` : '';
      return (
        `${by}. Read: ${coverage.filesRead.toLocaleString('en')} of ${plural(coverage.filesTotal, 'file')}, ${coverage.linesRead.toLocaleString('en')} of ` +
        `${plural(coverage.linesTotal, 'changed line')}${skipped}. Checked against the diff: ${plural(verification.claims, 'claim')}${dropped}.`
      );
    },
  },

  title: titleInEnglish,
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
