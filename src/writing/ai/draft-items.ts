import type { Draft, Sentence } from '../draft.ts';
import { numberSentences } from '../number-sentences.ts';
import { type Material, oneLine } from './material.ts';

/** Sentences that stand together and follow from each other. */
export interface Item {
  name: string;
  /** As `numberSentences` has them. */
  numbers: number[];
}

/** The item of each sentence of a draft, by its number. A heading is one by itself, beside the sentences of its section. */
export function itemsOf(draft: Draft, { labels }: Material): Item[] {
  let next = 0;
  const numbered = (name: string, sentences: Sentence[]): Item => ({
    name,
    numbers: sentences.map(() => next++),
  });
  const each = (items: Item[]): Item[] => items.flatMap((item) => item.numbers.map(() => item));
  const summaries = [
    numbered('title', [draft.title]),
    numbered('lead', draft.standfirst ? [draft.standfirst] : []),
  ];
  const headings = draft.mainChanges.map(({ heading }, index) =>
    numbered(`heading of section ${index + 1}`, heading ? [heading] : []),
  );
  const background = numbered('background', draft.background);
  const sections = draft.mainChanges.map(({ fileName, sentences }, index) =>
    numbered(`section ${index + 1}, ${labels.get(fileName) ?? oneLine(fileName)}`, sentences),
  );
  const others = [
    ...draft.notablePoints.map(({ sentences }) => numbered('risk', sentences)),
    ...draft.also.map(({ sentence }) => numbered('the rest', [sentence])),
  ];
  const beside = headings.flatMap(({ name, numbers }, index) =>
    numbers.map((own): Item => ({ name, numbers: [own, ...(sections[index]?.numbers ?? [])] })),
  );
  return [...each(summaries), ...beside, ...each([background, ...sections, ...others])];
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
