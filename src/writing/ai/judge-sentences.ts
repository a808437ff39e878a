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
 * Has a second reader hold each sentence against what it cites and nothing else, in an order that tells nothing: in one call,
 * or in as many as it takes where the reader has not room for all. One that fails holds nothing up.
 */
export async function judgeSentences(
  telling: Telling,
  sentences: NumberedSentence[],
  material: Material,
): Promise<Judgement> {
  const judged: Judgement = new Map();
  if (!telling.judge || sentences.length === 0) return judged;
  for (const batch of batchesOf(telling.shuffle(sentences), material, telling.judge.mostBytes)) {
    for (const [index, complaint] of await judgeBatch(telling, telling.judge.ask, batch))
      judged.set(index, complaint);
  }
  return judged;
}

/** A sentence and what it cites, as they are shown. */
interface Shown {
  index: number;
  text: string;
  cited: string[];
}

/** What has no room even by itself is left out, and so is not judged. */
function batchesOf(sentences: NumberedSentence[], material: Material, mostBytes: number): Shown[][] {
  const batches: Shown[][] = [];
  let room = 0;
  for (const { index, sentence } of sentences) {
    const text = `${sentence.basis === 'judgement' ? '(judgement) ' : ''}${sentence.text}`;
    const cited = printCited(sentence, material);
    const size = Buffer.byteLength([`s999 ${text}`, ...cited, ''].join('\n'));
    if (size > mostBytes) continue;
    if (size > room) {
      batches.push([]);
      room = mostBytes;
    }
    batches.at(-1)?.push({ index, text, cited });
    room -= size;
  }
  return batches;
}

async function judgeBatch(
  { prompts, project, language }: Telling,
  ask: NonNullable<Telling['judge']>['ask'],
  batch: Shown[],
): Promise<Judgement> {
  const lines = batch.flatMap(({ text, cited }, position) => [`s${position + 1} ${text}`, ...cited]);
  const filled = fillPrompt(prompts['judge-sentences'], { language, project, lines });
  const answer = await ask({ ...filled, schema: JudgeAnswer }).catch(() => null);
  const judged: Judgement = new Map();
  for (const { n, verdict, reason } of answer?.verdicts ?? []) {
    const index = batch[n - 1]?.index;
    if (index === undefined) continue;
    const complaint = `a second reader found that the lines ${verdict === 'contradicted' ? 'say otherwise' : 'do not show it'}`;
    judged.set(index, verdict === 'holds' ? null : `${complaint}${reason ? `: ${reason}` : ''}`);
  }
  return judged;
}
