import type { Draft, Sentence } from '../draft.ts';
import { MendAnswer } from './answers.ts';
import { sentenceFromAnswer } from './draft-from-answer.ts';
import { fillPrompt } from './fill-prompt.ts';
import type { NumberedSentence } from './judge-sentences.ts';
import { type Material, oneLine } from './material.ts';
import { labelsOf, printCited } from './print-cited.ts';
import type { Telling } from './telling.ts';

export interface FailedSentence extends NumberedSentence {
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
  const cited = {
    evidence: failed.flatMap(({ sentence }) => sentence.evidence),
    words: failed.flatMap(({ sentence }) => sentence.words),
    facts: failed.flatMap(({ sentence }) => sentence.facts),
  };
  const lines = [
    ...failed.flatMap((one) => printFailed(one, items[one.index], material)),
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

/** Where a sentence stands, and what else is said there. */
interface Item {
  name: string;
  others: string[];
}

/** The item of each sentence, by the numbers of `numberSentences`. */
function itemsOf(draft: Draft, { files }: Material): Item[] {
  const labelOf = (path: string) => [...files].find(([, file]) => file.path === path)?.[0] ?? oneLine(path);
  const within = (name: string, sentences: Sentence[]): Item[] =>
    sentences.map((own) => ({
      name,
      others: sentences.filter((one) => one !== own).map(({ text }) => oneLine(text)),
    }));
  return [
    ...within('title', [draft.title]),
    ...within('background', draft.background),
    ...draft.mainChanges.flatMap(({ fileName, sentences }) =>
      within(`main change, ${labelOf(fileName)}`, sentences),
    ),
    ...draft.notablePoints.flatMap(({ sentences }) => within('notable point', sentences)),
  ];
}

function printFailed(
  { index, sentence, reason }: FailedSentence,
  item: Item | undefined,
  material: Material,
): string[] {
  return [
    `s${index} (${item?.name}; ${sentence.basis}) ${oneLine(sentence.text)}`,
    `cited${index} ${labelsOf(sentence, material).join(', ') || 'nothing'}`,
    `failed${index} ${oneLine(reason)}`,
    ...(item?.others ?? []).map((text) => `beside${index} ${text}`),
  ];
}
