import type { Sentence } from '../draft.ts';
import { MendAnswer } from './answers.ts';
import { sentenceFromAnswer } from './draft-from-answer.ts';
import { fillPrompt } from './fill-prompt.ts';
import type { NumberedSentence } from './judge-sentences.ts';
import type { Material } from './material.ts';
import { printCited } from './print-cited.ts';
import type { Telling } from './telling.ts';

export interface FailedSentence extends NumberedSentence {
  reason: string;
}

/** Sends what failed back once, all in one call, with the reasons and the lines concerned; null where it is given up. */
export async function mendSentences(
  { ask, prompts, project, language }: Telling,
  failed: FailedSentence[],
  material: Material,
): Promise<Map<number, Sentence | null>> {
  const lines = failed.flatMap(({ index, sentence, reason }) => [
    `s${index} (${sentence.basis}) ${sentence.text.replace(/\s+/g, ' ')}`,
    `failed${index} ${reason}`,
    ...printCited(sentence, material),
  ]);
  const filled = fillPrompt(prompts['mend-sentences'], { language, project, lines });
  const answer = await ask({ ...filled, schema: MendAnswer });
  const mended = new Map<number, Sentence | null>(failed.map(({ index }) => [index, null]));
  for (const { n, ...answered } of answer.sentences) {
    if (mended.has(n) && answered.text.trim() !== '') mended.set(n, sentenceFromAnswer(answered, material));
  }
  return mended;
}
