import type { Sentence } from '../draft.ts';
import { controlSentence } from './control-sentences.ts';
import { type Material, oneLine } from './material.ts';
import { fillPrompt, type WritingDeps } from './prompts.ts';
import { labelsOf, printCited, printUsages } from './references.ts';
import { JudgeReply } from './reply-forms.ts';

export interface SentenceToJudge {
  index: number;
  sentence: Sentence;
  name: string | null;
  /** Set for sentences known to be false, as in a trial: reversed they may be true, so no control is made from them. */
  isFalse?: boolean;
}

/**
 * The second model's complaint by the number of the sentence, or null if it approved it. Sentences that were not
 * judged are missing.
 */
export type Judgement = Map<number, string | null>;

/** Sentences without a verdict are sent once more. */
const mostTurns = 2;

/**
 * Lets the second model compare each sentence with its citations, in random order, in one call or as many as needed.
 * One of the sentences is a control that is known to be false; if that is approved, no approval counts.
 */
export async function judgeSentences(
  deps: WritingDeps,
  sentences: SentenceToJudge[],
  material: Material,
): Promise<Judgement> {
  const judged: Judgement = new Map();
  if (!deps.judge) return judged;
  const { ask, mostBytes } = deps.judge;
  for (let turn = 0; turn < mostTurns; turn += 1) {
    const open = deps.shuffle(sentences.filter(({ index }) => !judged.has(index)));
    for (const batch of batchesOf(open, material, mostBytes)) {
      const control = controlFor(deps, batch, material, turn);
      const inOrder = control ? deps.shuffle([...batch, control]) : batch;
      // The order is reversed, because the same question would get the same reply.
      const batchInOrder = turn === 0 ? inOrder : inOrder.toReversed();
      const reply = await askAbout(deps, ask, batchInOrder, material);
      if (!reply) return judged;
      const { found, isAwake } = readVerdicts(reply, batchInOrder, control);
      if (control) deps.onControl?.(isAwake);
      for (const [index, complaint] of found) judged.set(index, complaint);
    }
  }
  return judged;
}

function controlFor(
  { language, shuffle }: WritingDeps,
  batch: SentenceToJudge[],
  material: Material,
  turn: number,
): SentenceToJudge | null {
  const sentences = batch.flatMap(({ sentence, isFalse }) => (isFalse ? [] : [sentence]));
  const sentence = controlSentence(material, { sentences, language, shuffle, used: turn });
  return sentence ? { index: -1, sentence, name: null } : null;
}

/** A sentence that does not fit into a question alone is left out and not judged. */
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

const roomForControl = 1_000;

function printBatch(batch: SentenceToJudge[], material: Material): string[] {
  const cited = {
    evidence: batch.flatMap(({ sentence }) => sentence.evidence),
    words: batch.flatMap(({ sentence }) => sentence.words),
    facts: batch.flatMap(({ sentence }) => sentence.facts),
  };
  return [
    ...batch.map(({ sentence, name }, position) => {
      const labels = labelsOf(sentence, material).join(', ');
      const kind =
        name ?? (sentence.basis !== 'judgement' ? null : sentence.certain ? 'consequence' : 'judgement');
      return `s${position + 1} (${[kind, labels].filter(Boolean).join('; ')}) ${oneLine(sentence.text)}`;
    }),
    ...printCited(cited, material),
    ...printUsages(batch.map(({ sentence }) => sentence.text).join('\n'), material),
  ];
}

async function askAbout(
  { prompts, project, language }: WritingDeps,
  ask: NonNullable<WritingDeps['judge']>['ask'],
  batch: SentenceToJudge[],
  material: Material,
): Promise<JudgeReply | null> {
  const lines = printBatch(batch, material);
  const filled = fillPrompt(prompts['judge-sentences'], { language, project, lines });
  return ask({ ...filled, schema: JudgeReply });
}

/** Every complaint counts. An approval counts only without a complaint, and if the control was rejected. */
function readVerdicts(
  { verdicts }: JudgeReply,
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
  const isAwake = control !== null && typeof found.get(control.index) === 'string';
  const counted = [...found].filter(([index, complaint]) => index >= 0 && (isAwake || complaint !== null));
  return { found: new Map(counted), isAwake };
}
