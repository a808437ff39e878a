import { type Draft, isSummary, mapSentences, numberSentences, type Sentence } from '../draft.ts';
import {
  type CheckedRound,
  checkAndJudge,
  isLoose,
  keepWhatHeld,
  type ModelArticle,
} from './check-and-judge.ts';
import { type AuthorFrame, draftFromReply, rowsOfUncited, sentenceFromReply } from './draft-from-reply.ts';
import { type Material, oneLine } from './material.ts';
import { fillPrompt, type WritingDeps } from './prompts.ts';
import { labelsOf, printCited } from './references.ts';
import { ArticleReply, MendReply } from './reply-forms.ts';
import { aboutReview } from './review/review-rules.ts';
import {
  type DraftWithRests,
  groundOf,
  type Item,
  itemsOf,
  restSummaries,
  withoutReader,
} from './summaries.ts';

/** How long an article may be, by the size of the change. */
const lengths: Record<AuthorFrame['size'], string> = {
  tiny: `This change is so short that its readers see it at a glance. Write under 80 words in all: the lead, at most one sentence of background, and one section of two or three sentences with what the lines alone do not tell: the effect, who is not hit, what stays. No heading, no \`rest\`, no \`beforeAfter\`; \`show\` the changed lines once if they are at most 18.`,
  small: 'This change is small: write 80 to 150 words in all, in one or two sections without headings.',
  usual: 'Write 150 to 350 words in all.',
};

interface FailedSentence {
  index: number;
  sentence: Sentence;
  reason: string;
}

/**
 * Sends failed sentences back once, in one call, with the reasons, the other sentences of their item and the cited
 * lines. Null stands for sentences that are dropped; without a reply, all are.
 */
async function mendSentences(
  { ask, prompts, project, language, judge }: WritingDeps,
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
  const reply = await ask({ ...filled, schema: MendReply }).catch(() => null);
  const mended = new Map<number, Sentence | null>(failed.map(({ index }) => [index, null]));
  for (const { n, ...replied } of reply?.sentences ?? []) {
    if (!mended.has(n) || replied.text.trim() === '') continue;
    const sentence = sentenceFromReply(replied, material);
    // Without a second model, nobody would check a judgement.
    if (judge || sentence.basis !== 'judgement') mended.set(n, sentence);
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

/**
 * Lets a model write an article and keeps the sentences that pass. Those that fail the rules or the second model are
 * sent back once, and dropped and counted if they fail again. The given notes are covered in any case. Null if a
 * required second model is missing.
 */
export async function writeWithModel(
  deps: WritingDeps,
  material: Material,
  ground: AuthorFrame,
  notes: Sentence[] = [],
): Promise<ModelArticle | null> {
  const { ask, prompts, project, language, onProgress } = deps;
  onProgress('writing', 0, 1);
  const filled = fillPrompt(prompts['write-article'], {
    language,
    project,
    lines: material.lines,
    length: lengths[ground.size],
    review: aboutReview(prompts, material),
  });
  const reply = await ask({ ...filled, schema: ArticleReply });
  const replied = draftFromReply(reply, material, ground, notes);
  return checkAndMend(
    deps,
    deps.judge ? replied : { draft: withoutReader(replied.draft), rests: [[]] },
    material,
    notes,
  );
}

/** Keeps the sentences of a draft that pass; those that fail are sent back once. */
export async function checkAndMend(
  deps: WritingDeps,
  first: DraftWithRests,
  material: Material,
  notes: Sentence[] = [],
): Promise<ModelArticle | null> {
  const { onProgress } = deps;
  const round = await checkAndJudge(deps, first, material);
  if (!round) return null;
  const failed = failedIn(first.draft, round);
  if (failed.length === 0) return keepWhatHeld(first.draft, round, new Set(), material);
  onProgress('mending', 0, failed.length);
  const mended = await mendSentences(deps, first.draft, failed, material);
  const second = withMended(first, round, mended);
  const numbers = new Set(mended.keys());
  // A dropped sentence may have been the only one about a note.
  for (const row of rowsOfUncited(notes, second.draft)) {
    numbers.add(numberSentences(second.draft).length);
    second.draft.also.push(row);
  }
  const again = await checkAndJudge(deps, second, material, {
    mended: numbers,
    judgement: round.judgement,
  });
  return again && keepWhatHeld(second.draft, again, numbers, material);
}

function failedIn(draft: Draft, { outcomes }: CheckedRound): FailedSentence[] {
  return numberSentences(draft).flatMap((sentence, index) => {
    const outcome = outcomes[index];
    return outcome?.kept === null && sentence.text !== ''
      ? [{ index, sentence, reason: outcome.reason }]
      : [];
  });
}

/**
 * Merges a draft with its repaired sentences: those that passed stay, and dropped ones become empty and cannot pass. A
 * summary keeps those of its sentences that are left; if all are, it is checked again unchanged.
 */
function withMended(
  { draft, rests }: DraftWithRests,
  { outcomes }: CheckedRound,
  mended: Map<number, Sentence | null>,
): DraftWithRests {
  const isLeft = (number: number): boolean => Boolean(outcomes[number]?.kept ?? mended.get(number));
  const said = mapSentences(draft, (placed) => {
    const { id, sentence } = placed;
    const anew = mended.get(id);
    const { label, beforeAfter } = sentence;
    const risk = { ...(label && { label }), ...(beforeAfter && { beforeAfter }) };
    if (!isSummary(placed))
      return anew ? { ...anew, ...risk } : (outcomes[id]?.kept ?? { ...sentence, text: '' });
    const fellAlong = isLoose(outcomes[id]) && rests[id]?.every(isLeft);
    return { ...sentence, text: anew?.text ?? (isLeft(id) || fellAlong ? sentence.text : '') };
  });
  return restSummaries({ draft: said, rests: rests.map((ids) => ids.filter(isLeft)) });
}
