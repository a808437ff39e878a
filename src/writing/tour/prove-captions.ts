import type { Evidence } from '../../reading/facts.ts';
import type { Sentence } from '../draft.ts';
import { offlineLanguages } from '../languages.ts';
import { checkSentence } from '../verify/check-sentence.ts';
import type { Ground } from '../verify/ground.ts';
import type { Caption } from './captions/caption.ts';
import { proofOf, say } from './captions/captions.ts';

/** A caption and the lines that it stands on. */
export interface Told {
  caption: Caption;
  evidence: Evidence[];
}

/** Whether the lines bear captions out that are said in one sentence, in every language. */
export type Prove = (told: Told, ...more: Told[]) => boolean;

export const sentenceOf = (text: string, captions: Caption[], evidence: Evidence[]): Sentence => ({
  text,
  basis: 'diff',
  quote: null,
  evidence,
  words: [],
  facts: captions.flatMap(proofOf),
});

/** Holds captions against the diff before one is chosen, so that what is chosen is there in the end. */
export const createProof =
  (ground: Ground): Prove =>
  (...all) => {
    const captions = all.map(({ caption }) => caption);
    const evidence = all.flatMap((one) => one.evidence);
    return offlineLanguages.every((language) => {
      const text = captions.map((caption) => say(language, caption)).join(' ');
      const sentence = sentenceOf(text, captions, evidence);
      return checkSentence(sentence, ground, { fileName: null, isTitle: false, before: [] }).kept !== null;
    });
  };
