import type { Sentence } from '../draft.ts';
import { JudgeAnswer } from './answers.ts';
import { fillPrompt } from './fill-prompt.ts';
import type { Material } from './material.ts';
import { printCited } from './print-cited.ts';
import type { Telling } from './telling.ts';

export interface NumberedSentence {
  index: number;
  sentence: Sentence;
}

/** By a sentence's number: null where a second reader found that it holds, else why not. What was not judged is absent. */
export type Judgement = Map<number, string | null>;

/**
 * Has a second reader hold each sentence against what it cites and nothing else, in an order that tells nothing. One that
 * fails holds nothing up.
 */
export async function judgeSentences(
  { askJudge, prompts, project, language, shuffle }: Telling,
  sentences: NumberedSentence[],
  material: Material,
): Promise<Judgement> {
  const judged: Judgement = new Map();
  if (!askJudge || sentences.length === 0) return judged;
  const order = shuffle(sentences);
  const lines = order.flatMap(({ sentence }, position) => [
    `s${position + 1} ${sentence.basis === 'judgement' ? '(judgement) ' : ''}${sentence.text}`,
    ...printCited(sentence, material),
  ]);
  const filled = fillPrompt(prompts['judge-sentences'], { language, project, lines });
  const answer = await askJudge({ ...filled, schema: JudgeAnswer }).catch(() => null);
  for (const { n, verdict, reason } of answer?.verdicts ?? []) {
    const index = order[n - 1]?.index;
    if (index === undefined) continue;
    const complaint = `a second reader found that the lines ${verdict === 'contradicted' ? 'say otherwise' : 'do not show it'}`;
    judged.set(index, verdict === 'holds' ? null : `${complaint}${reason ? `: ${reason}` : ''}`);
  }
  return judged;
}
