import type { Verification } from '../articles.ts';
import { type Draft, isSummary, mapSentences, placeSentences, withoutRepeats } from '../draft.ts';
import type { CheckedSentence } from '../verify/check-sentence.ts';
import { isSentenceInLanguage } from './ask-model.ts';
import { blockToJudge, numberOfBlock, withApprovedBlock } from './before-after.ts';
import { type Judgement, judgeSentences, type SentenceToJudge } from './judge-sentences.ts';
import type { Material } from './material.ts';
import { languageName, type WritingDeps } from './prompts.ts';
import { type DraftWithRests, groundOf, itemsOf } from './summaries.ts';

export interface CheckedRound {
  outcomes: CheckedSentence[];
  judgement: Judgement;
}

interface Earlier {
  mended: ReadonlySet<number>;
  judgement: Judgement;
}

const drop = (reason: string): CheckedSentence => ({ kept: null, reason });

const loose = 'a sentence that it rests on does not hold';

export const isLoose = (outcome: CheckedSentence | undefined): boolean =>
  outcome?.kept === null && outcome.reason === loose;

/**
 * Checks a draft by the rules, and lets the second model judge the sentences that pass, unless it already has. Null if
 * a required second model is missing.
 */
export async function checkAndJudge(
  deps: WritingDeps,
  replied: DraftWithRests,
  material: Material,
  earlier?: Earlier,
): Promise<CheckedRound | null> {
  const { draft } = replied;
  const placed = placeSentences(draft);
  deps.onProgress('checking claims', 0, placed.length);
  const ruled = await withoutNamesOfFailed(deps, replied, await deps.check(draft));
  const checked = await checkLanguages(ruled, deps.language);
  const passed = sentencesToJudge(draft, checked, material).filter(
    ({ index }) =>
      !earlier || earlier.mended.has(index) || (index === numberOfBlock && !earlier.judgement.has(index)),
  );
  const found = await judgeSentences(deps, passed, material);
  // Without lines there is no control sentence, so approvals of the second model do not count.
  const canApprove = deps.judge !== null && material.files.size > 0;
  const isUnread = canApprove && passed.length > 0 && found.size === 0;
  if (isUnread && !earlier) return null;
  deps.onProgress('checking claims', placed.length, placed.length);
  const judgement: Judgement = new Map([...(earlier?.judgement ?? []), ...found]);
  for (const index of earlier?.mended ?? []) if (!found.has(index)) judgement.delete(index);
  const outcomes = checked.map((outcome, index): CheckedSentence => {
    const complaint = judgement.get(index);
    if (!outcome.kept || !deps.judge) return outcome;
    if (complaint) return drop(complaint);
    // Summaries and judgments must be approved, because lists and pages show them without naming their checker. So must
    // sentences that were rejected before.
    const needsReader =
      isSummary(placed[index]) || outcome.kept.basis === 'judgement' || earlier?.mended.has(index);
    if (complaint === undefined && needsReader) return drop('no second reader has read it');
    return { ...outcome, kept: withApprovedBlock(outcome.kept, judgement) };
  });
  return { outcomes: withoutLooseSummaries(outcomes, replied), judgement };
}

/**
 * Checks summaries again without the names that only failed sentences use. Those that a summary rests on are left to
 * `withoutLooseSummaries`, because they may be mended.
 */
async function withoutNamesOfFailed(
  { check }: Pick<WritingDeps, 'check'>,
  { draft, rests }: DraftWithRests,
  outcomes: CheckedSentence[],
): Promise<CheckedSentence[]> {
  const placed = placeSentences(draft);
  const failed = new Set(
    placed.flatMap((one) => (isSummary(one) || outcomes[one.id]?.kept !== null ? [] : [one.sentence.text])),
  );
  if (failed.size === 0) return outcomes;
  const strict = mapSentences(draft, (one) => {
    const { id, part, item, sentence } = one;
    if (!isSummary(one)) return sentence;
    const own =
      part === 'heading'
        ? (draft.mainChanges[item]?.sentences ?? [])
        : (rests[id] ?? []).flatMap((at) => placed[at]?.sentence ?? []);
    const isOwn = (text: string): boolean => own.some((rest) => rest.text === text);
    const facts = sentence.facts.filter(
      (fact) => fact.relation !== 'found' || isOwn(fact.text) || !failed.has(fact.text),
    );
    return { ...sentence, facts };
  });
  const again = await check(strict);
  return outcomes.map((outcome, index) => (isSummary(placed[index]) ? (again[index] ?? outcome) : outcome));
}

async function checkLanguages(outcomes: CheckedSentence[], language: string): Promise<CheckedSentence[]> {
  return Promise.all(
    outcomes.map(async (outcome) => {
      if (!outcome.kept || (await isSentenceInLanguage(outcome.kept.text, language))) return outcome;
      return drop(`it is not in ${languageName(language)}`);
    }),
  );
}

/** The sentences that passed the rules, with the cited lines, including unchanged ones. */
function sentencesToJudge(draft: Draft, checked: CheckedSentence[], material: Material): SentenceToJudge[] {
  const items = itemsOf(draft, material);
  return placeSentences(draft).flatMap((placed) => {
    const { id: index } = placed;
    const kept = checked[index]?.kept;
    if (!kept || kept.text === '') return [];
    const { evidence, words, facts } = groundOf(draft, index, items);
    const sentence = { ...kept, evidence: withoutRepeats([...kept.evidence, ...evidence]), words, facts };
    const label = [kept.label, kept.label && kept.basis === 'judgement' && 'judgement'].filter(Boolean);
    const name = isSummary(placed) ? items[index]?.name : label.join(', ');
    const own = { index, sentence, name: name || null };
    return kept.beforeAfter ? [own, blockToJudge(sentence, kept.beforeAfter)] : [own];
  });
}

/** A summary is dropped if a sentence that it summarizes is dropped. */
function withoutLooseSummaries(outcomes: CheckedSentence[], { rests }: DraftWithRests): CheckedSentence[] {
  return outcomes.map((outcome, index) => {
    const hasLost = rests[index]?.some((number) => outcomes[number]?.kept === null);
    return hasLost && outcome.kept ? drop(loose) : outcome;
  });
}

export interface ModelArticle {
  draft: Draft;
  verification: Verification;
}

export function keepWhatHeld(
  draft: Draft,
  round: CheckedRound,
  mended: ReadonlySet<number>,
  material: Material,
): ModelArticle {
  return {
    draft: mapSentences(draft, ({ id }) => round.outcomes[id]?.kept),
    verification: countClaims({ draft, ...round, mended }, material),
  };
}

interface Checked extends CheckedRound {
  draft: Draft;
  mended: ReadonlySet<number>;
}

/**
 * Counts the claims of a draft. Rules prove names, numbers, directions and quotations; other content counts as verified
 * only if the second model approved it or a finding says the same.
 */
export function countClaims(
  { draft, outcomes, judgement, mended }: Checked,
  { findings }: Material,
): Verification {
  const proven = new Set(
    [...findings.values()].flatMap(({ text, facts }) => (facts.length > 0 ? [text] : [])),
  );
  const verification = { claims: 0, verified: 0, repaired: 0, dropped: 0, judged: 0, unjudged: 0 };
  for (const placed of placeSentences(draft)) {
    const { id, sentence } = placed;
    const outcome = outcomes[id];
    if (sentence.basis === 'judgement' || !outcome || (isSummary(placed) && sentence.text === '')) continue;
    verification.claims += 1;
    const isJudged = judgement.get(id) === null;
    if (outcome.kept === null) verification.dropped += 1;
    else if (!isJudged && !proven.has(sentence.text)) verification.unjudged += 1;
    else if (mended.has(id) || outcome.isRepaired) verification.repaired += 1;
    else verification.verified += 1;
    if (outcome.kept !== null && isJudged) verification.judged += 1;
  }
  return verification;
}
