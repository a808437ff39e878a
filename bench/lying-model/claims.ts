import type { Evidence } from '../../src/reading/facts.ts';
import type { FileDiff } from '../../src/reading/file-diff.ts';
import { oneLine } from '../../src/writing/ai/material.ts';
import { emptySentence, type Sentence } from '../../src/writing/draft.ts';
import { type LieKind, pointsThere, showsIt } from '../make-lies.ts';

/** Lies that name only what the cited lines hold, each as it is spelled there, or that hold no name at all. */
export const liesOfMeaning = [
  'two names change places',
  'an effect that is not there',
  'a false judgement',
  'words put into a mouth',
  'a false effect in a summary',
  'praise',
  'a measure',
] as const;

/** Lies told where a sentence is said again. */
export const liesInSayingAgain = [
  'said again: number',
  'said again: name',
  'said again: quotation',
  'said again: direction',
  'said again: no longer needed',
  'said again: false effect',
] as const;

export type Kind = LieKind | (typeof liesOfMeaning)[number] | (typeof liesInSayingAgain)[number];

/** Which of a model's replies a text stands in. */
export type Place = 'sentence' | 'title' | 'standfirst' | 'heading' | 'mended' | 'said again';

/** A text as a model sends it, and what is known of it. */
export interface Claim {
  text: string;
  place: Place;
  /** Null where it is true. */
  lie: Kind | null;
  /** What shows the truth that it was made from. */
  shownBy: Evidence[];
}

/** All that a model says about one pull request in one language, by text, as a reader gets to see it. */
export class Claims {
  readonly #diff: FileDiff[];
  readonly #byText = new Map<string, Claim>();

  constructor(diff: FileDiff[]) {
    this.#diff = diff;
  }

  add(claim: Claim): void {
    const known = this.#byText.get(oneLine(claim.text));
    // The same text may be told twice; if one of them is a lie, so is the other.
    if (!known || known.lie === null) this.#byText.set(oneLine(claim.text), claim);
  }

  find(text: string): Claim | undefined {
    return this.#byText.get(oneLine(text));
  }

  /** The lie that a sentence is, with what it rests on by now; null where it is none. */
  lieIn(sentence: Pick<Sentence, 'text' | 'evidence'>): Claim | null {
    const claim = this.find(sentence.text);
    if (!claim?.lie) return null;
    const truth = { diff: this.#diff };
    const led = { ...emptySentence, ...sentence };
    // A sentence that was led to where it is true is no lie any more.
    if (claim.lie === 'wrong hunk' && (pointsThere(led, claim.shownBy) || showsIt(led, truth))) return null;
    // Nor is one of another file that does the same, where its evidence lies there.
    if (claim.lie === 'another file') {
      const own = led.evidence.filter(({ fileName }) => led.text.includes(`\`${fileName}\``));
      const asCode = led.text.replace(/[「“]([^」”]*)[」”]/gu, '`$1`');
      if (own.length > 0 && showsIt({ ...led, text: asCode, evidence: own }, truth)) return null;
    }
    return claim;
  }
}
