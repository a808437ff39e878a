import type { Evidence } from '../../reading/facts.ts';
import type { Sentence } from '../draft.ts';
import { offlineLanguages } from '../languages.ts';
import { checkSentence } from '../verify/check-sentence.ts';
import type { Ground } from '../verify/ground.ts';
import { type Caption, proofOf, say } from './captions.ts';

/** A caption and the lines that it stands on. */
export interface Told {
  caption: Caption;
  evidence: Evidence[];
}

/** Whether the lines bear a caption out, in every language. */
export type Prove = (told: Told) => boolean;

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
  ({ caption, evidence }) =>
    offlineLanguages.every(
      (language) =>
        checkSentence(sentenceOf(say(language, caption), [caption], evidence), ground, {
          fileName: null,
          isTitle: false,
          before: [],
        }).kept !== null,
    );
