import type { Evidence } from '../../src/reading/facts.ts';
import type { FileDiff } from '../../src/reading/file-diff.ts';
import { oneLine } from '../../src/writing/ai/material.ts';
import { emptySentence, type Sentence } from '../../src/writing/draft.ts';
import { type LieKind, pointsThere, showsIt } from '../make-lies.ts';

/** Lies whose names are all in the cited lines, spelled as there, or that contain no names. */
export const liesOfMeaning = [
  'two names change places',
  'an effect that is not there',
  'a false judgement',
  'words put into a mouth',
  'a false effect in a summary',
  'praise',
  'a measure',
] as const;

/** Lies in translations. */
export const liesInSayingAgain = [
  'said again: number',
  'said again: name',
  'said again: quotation',
  'said again: direction',
  'said again: no longer needed',
  'said again: false effect',
] as const;

export type Kind = LieKind | (typeof liesOfMeaning)[number] | (typeof liesInSayingAgain)[number];

/** The reply of a model that contains a text. */
export type Place = 'sentence' | 'title' | 'standfirst' | 'heading' | 'mended' | 'said again';

/** A text as a model sends it, with the truth about it. */
export interface Claim {
  text: string;
  place: Place;
  /** The kind of lie; null if the sentence is true. */
  lie: Kind | null;
  /** The evidence of the true sentence that it was made from. */
  shownBy: Evidence[];
}

/** All sentences of a model about one pull request in one language, by text, as readers see them. */
export class Claims {
  readonly #diff: FileDiff[];
  readonly #byText = new Map<string, Claim>();

  constructor(diff: FileDiff[]) {
    this.#diff = diff;
  }

  add(claim: Claim): void {
    const known = this.#byText.get(oneLine(claim.text));
    // The same text may occur twice; if one of them is a lie, so is the other.
    if (!known || known.lie === null) this.#byText.set(oneLine(claim.text), claim);
  }

  find(text: string): Claim | undefined {
    return this.#byText.get(oneLine(text));
  }

  /** The lie of a sentence with its current evidence; null if it is true. */
  lieIn(sentence: Pick<Sentence, 'text' | 'evidence'>): Claim | null {
    const claim = this.find(sentence.text);
    if (!claim?.lie) return null;
    const truth = { diff: this.#diff };
    const led = { ...emptySentence, ...sentence };
    // A sentence whose citation was moved to where it is true is no longer a lie.
    if (claim.lie === 'wrong hunk' && (pointsThere(led, claim.shownBy) || showsIt(led, truth))) return null;
    // Neither is a sentence about another file with the same change, if its evidence is there.
    if (claim.lie === 'another file') {
      const own = led.evidence.filter(({ fileName }) => led.text.includes(`\`${fileName}\``));
      const asCode = led.text.replace(/[「“]([^」”]*)[」”]/gu, '`$1`');
      if (own.length > 0 && showsIt({ ...led, text: asCode, evidence: own }, truth)) return null;
    }
    return claim;
  }
}
