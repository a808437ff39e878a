import type { Draft, Sentence } from '../draft.ts';
import { numberSentences } from '../number-sentences.ts';
import type { Material } from './material.ts';
import { oneLine } from './material.ts';

/** Sentences that stand together and follow from each other. */
export interface Item {
  name: string;
  /** As `numberSentences` has them. */
  numbers: number[];
}

/** The item of each sentence of a draft, by its number. */
export function itemsOf(draft: Draft, { labels }: Material): Item[] {
  const parts: [name: string, sentences: Sentence[]][] = [
    ['title', [draft.title]],
    ['standfirst', draft.standfirst ? [draft.standfirst] : []],
    ['background', draft.background],
    ...draft.mainChanges.map(({ fileName, sentences }): [string, Sentence[]] => [
      `main change, ${labels.get(fileName) ?? oneLine(fileName)}`,
      sentences,
    ]),
    ...draft.notablePoints.map(({ sentences }): [string, Sentence[]] => ['notable point', sentences]),
  ];
  let next = 0;
  return parts.flatMap(([name, sentences]) => {
    const numbers = sentences.map(() => next++);
    return numbers.map((): Item => ({ name, numbers }));
  });
}

/** What a reader is shown for a sentence: all that it cites, with what the sentences cite that a judgement follows from. */
export function groundOf(
  draft: Draft,
  number: number,
  items: Item[],
): Pick<Sentence, 'evidence' | 'words' | 'facts'> {
  const sentences = numberSentences(draft);
  const own = sentences[number];
  const before = own?.basis === 'judgement' ? (items[number]?.numbers ?? []).filter((at) => at < number) : [];
  const grounds = [...before, number].flatMap((at) => sentences[at] ?? []);
  return {
    evidence: grounds.flatMap(({ evidence }) => evidence),
    words: grounds.flatMap(({ words }) => words),
    facts: grounds.flatMap(({ facts }) => facts),
  };
}
