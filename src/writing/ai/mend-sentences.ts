import type { Draft, Sentence } from '../draft.ts';
import { numberSentences } from '../number-sentences.ts';
import { MendAnswer } from './answers.ts';
import { sentenceFromAnswer } from './draft-from-answer.ts';
import { groundOf, type Item, itemsOf } from './draft-items.ts';
import { fillPrompt } from './fill-prompt.ts';
import { type Material, oneLine } from './material.ts';
import { labelsOf, printCited } from './print-cited.ts';
import type { Telling } from './telling.ts';

export interface FailedSentence {
  index: number;
  sentence: Sentence;
  reason: string;
}

/**
 * Sends what failed back once, all in one call, with the reasons, the other sentences of its item and the lines concerned;
 * null where it is given up. A writer that cannot be asked again gives up all.
 */
export async function mendSentences(
  { ask, prompts, project, language }: Telling,
  draft: Draft,
  failed: FailedSentence[],
  material: Material,
): Promise<Map<number, Sentence | null>> {
  const items = itemsOf(draft, material);
  const grounds = failed.map(({ index }) => groundOf(draft, index, items));
  const cited = {
    evidence: grounds.flatMap(({ evidence }) => evidence),
    words: grounds.flatMap(({ words }) => words),
    facts: grounds.flatMap(({ facts }) => facts),
  };
  const lines = [
    ...failed.flatMap((one) => printFailed(one, items[one.index], draft, material)),
    ...printCited(cited, material),
  ];
  const filled = fillPrompt(prompts['mend-sentences'], { language, project, lines });
  const answer = await ask({ ...filled, schema: MendAnswer }).catch(() => null);
  const mended = new Map<number, Sentence | null>(failed.map(({ index }) => [index, null]));
  for (const { n, ...answered } of answer?.sentences ?? []) {
    if (mended.has(n) && answered.text.trim() !== '') mended.set(n, sentenceFromAnswer(answered, material));
  }
  return mended;
}

function printFailed(
  { index, sentence, reason }: FailedSentence,
  item: Item | undefined,
  draft: Draft,
  material: Material,
): string[] {
  const sentences = numberSentences(draft);
  const others = (item?.numbers ?? []).filter((number) => number !== index);
  return [
    `s${index} (${item?.name}; ${sentence.basis}) ${oneLine(sentence.text)}`,
    `cited${index} ${labelsOf(sentence, material).join(', ') || 'nothing'}`,
    `failed${index} ${oneLine(reason)}`,
    ...others.map((number) => `beside${index} ${oneLine(sentences[number]?.text ?? '')}`),
  ];
}
