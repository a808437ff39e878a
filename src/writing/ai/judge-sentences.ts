import type { Sentence } from '../draft.ts';
import { type JudgeAnswer as Answer, JudgeAnswer } from './answers.ts';
import { controlSentence } from './control-sentences.ts';
import { fillPrompt } from './fill-prompt.ts';
import { type Material, oneLine } from './material.ts';
import { labelsOf, printCited } from './print-cited.ts';
import type { Telling } from './telling.ts';

/** A sentence, and what a reader is shown for it. */
export interface SentenceToJudge {
  index: number;
  sentence: Sentence;
  /** What it is where it is no plain sentence: a title, a standfirst. */
  name: string | null;
}

/** By a sentence's number: null where a second reader found that it holds, else why not. What was not judged is absent. */
export type Judgement = Map<number, string | null>;

/** One that has not judged a sentence is asked about it once more. */
const mostTurns = 2;

/**
 * Has a second reader hold each sentence against what it cites, in an order that tells nothing: in one call, or in as many as
 * it takes where the reader has not room for all. Among them stands one that is false beyond doubt; where that passes,
 * nothing passes.
 */
export async function judgeSentences(
  telling: Telling,
  sentences: SentenceToJudge[],
  material: Material,
): Promise<Judgement> {
  const judged: Judgement = new Map();
  if (!telling.judge) return judged;
  const { ask, mostBytes } = telling.judge;
  for (let turn = 0; turn < mostTurns; turn += 1) {
    const open = telling.shuffle(sentences.filter(({ index }) => !judged.has(index)));
    for (const batch of batchesOf(open, material, mostBytes)) {
      const control = controlFor(telling, batch, material, turn);
      const inOrder = control ? telling.shuffle([...batch, control]) : batch;
      // The same question would have the same answer.
      const asked = turn === 0 ? inOrder : inOrder.toReversed();
      const answer = await askAbout(telling, ask, asked, material);
      if (!answer) return judged;
      const { found, isAwake } = readVerdicts(answer, asked, control);
      if (control) telling.onControl?.(isAwake);
      for (const [index, complaint] of found) judged.set(index, complaint);
    }
  }
  return judged;
}

function controlFor(
  { language, shuffle }: Telling,
  batch: SentenceToJudge[],
  material: Material,
  turn: number,
): SentenceToJudge | null {
  const sentences = batch.map(({ sentence }) => sentence);
  const sentence = controlSentence(material, { sentences, language, shuffle, used: turn });
  return sentence ? { index: -1, sentence, name: null } : null;
}

/** What has no room even by itself is left out, and so is not judged. */
function batchesOf(sentences: SentenceToJudge[], material: Material, mostBytes: number): SentenceToJudge[][] {
  const fits = (batch: SentenceToJudge[]) =>
    Buffer.byteLength(printBatch(batch, material).join('\n')) + roomForControl <= mostBytes;
  const batches: SentenceToJudge[][] = [];
  for (const one of sentences) {
    const last = batches.at(-1);
    if (last && fits([...last, one])) last.push(one);
    else if (fits([one])) batches.push([one]);
  }
  return batches;
}

/** A line of the diff, twice, and a path. */
const roomForControl = 1_000;

/** The sentences with the labels of what they cite, and then what is cited, once for all of them. */
function printBatch(batch: SentenceToJudge[], material: Material): string[] {
  const cited = {
    evidence: batch.flatMap(({ sentence }) => sentence.evidence),
    words: batch.flatMap(({ sentence }) => sentence.words),
    facts: batch.flatMap(({ sentence }) => sentence.facts),
  };
  return [
    ...batch.map(({ sentence, name }, position) => {
      const labels = labelsOf(sentence, material).join(', ');
      const kind = name ?? (sentence.basis === 'judgement' ? 'judgement' : null);
      return `s${position + 1} (${[kind, labels].filter(Boolean).join('; ')}) ${oneLine(sentence.text)}`;
    }),
    ...printCited(cited, material),
  ];
}

async function askAbout(
  { prompts, project, language }: Telling,
  ask: NonNullable<Telling['judge']>['ask'],
  batch: SentenceToJudge[],
  material: Material,
): Promise<Answer | null> {
  const lines = printBatch(batch, material);
  const filled = fillPrompt(prompts['judge-sentences'], { language, project, lines });
  return ask({ ...filled, schema: JudgeAnswer });
}

/** Any complaint counts; that a sentence holds counts where no complaint stands beside it and the control was found out. */
function readVerdicts(
  { verdicts }: Answer,
  batch: SentenceToJudge[],
  control: SentenceToJudge | null,
): { found: Judgement; isAwake: boolean } {
  const found: Judgement = new Map();
  for (const { n, verdict, reason } of verdicts) {
    const index = batch[n - 1]?.index;
    if (index === undefined || typeof found.get(index) === 'string') continue;
    const complaint = `a second reader found that the lines ${verdict === 'contradicted' ? 'say otherwise' : 'do not show it'}`;
    found.set(index, verdict === 'holds' ? null : `${complaint}${reason ? `: ${reason}` : ''}`);
  }
  const isAwake = control === null || typeof found.get(control.index) === 'string';
  const counted = [...found].filter(([index, complaint]) => index >= 0 && (isAwake || complaint !== null));
  return { found: new Map(counted), isAwake };
}
