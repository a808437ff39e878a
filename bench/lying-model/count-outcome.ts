import { countClaims, type ModelArticle } from '../../src/writing/ai/check-and-judge.ts';
import type { Material } from '../../src/writing/ai/material.ts';
import { type Draft, numberSentences, type Sentence } from '../../src/writing/draft.ts';
import type { CheckedSentence } from '../../src/writing/verify/check-sentence.ts';
import type { Claim } from './claims.ts';
import type { ReaderName } from './readers.ts';
import type { Scene } from './scene.ts';
import { tally } from './tally.ts';

/** The examples that are shown. */
export const examples = { failures: [] as string[], letThrough: [] as string[], lost: [] as string[] };

const isOfNoUse = (reader: ReaderName): boolean => reader !== 'works' && reader !== 'reads every other one';

/** Whether an article counts a sentence as checked that no second model has approved. */
function isCalledChecked(sentence: Sentence, draft: Draft, material: Material): boolean {
  const alone: Draft = {
    ...draft,
    standfirst: null,
    background: [sentence],
    mainChanges: [],
    notablePoints: [],
  };
  const kept = (one: Sentence): CheckedSentence => ({ kept: one, isRepaired: false });
  const outcomes = [draft.title, sentence].map(kept);
  const { verified, repaired } = countClaims(
    { draft: alone, outcomes, judgement: new Map(), mended: new Set() },
    material,
  );
  return verified + repaired > 0;
}

/** Counts the results of all sentences of a model, and keeps examples. */
export function countOutcome(scene: Scene, written: ModelArticle | null): void {
  const { claims, material, name, language, reader, said } = scene;
  const counts = tally.readers[reader];
  const told = said.filter(({ lie }) => lie !== null);
  const sentences = written ? numberSentences(written.draft).filter(({ text }) => text !== '') : [];
  const published = sentences.filter((sentence) => claims.lieIn(sentence));
  const checked = written
    ? published.filter((sentence) => isCalledChecked(sentence, written.draft, material))
    : [];
  // Pages show titles, leads and headings without naming their checker.
  const { title, standfirst, mainChanges = [] } = written?.draft ?? {};
  const unmarked = published.filter((one) =>
    [title, standfirst, ...mainChanges.map(({ heading }) => heading)].includes(one),
  );
  counts.articles += 1;
  if (!written) counts.unread += 1;
  counts['lies told'] += told.length;
  counts['lies published'] += published.length;
  counts['of these titles'] += unmarked.length;
  counts['lies called checked'] += checked.length;
  counts.judged += written?.verification.judged ?? 0;
  counts.unjudged += written?.verification.unjudged ?? 0;
  const texts = new Set(sentences.map(({ text }) => text));
  const honest = [...new Set(said)].filter(({ lie }) => lie === null);
  counts['true told'] += honest.length;
  counts['true published'] += honest.filter(({ text }) => texts.has(text)).length;
  // A sentence that was rejected once must be approved by the second model, if there is one.
  const unread =
    reader === 'none' ? [] : published.filter(({ text }) => claims.find(text)?.place === 'mended');
  for (const { text } of reader === 'works' ? published : new Set([...checked, ...unmarked, ...unread]))
    examples.failures.push(`${language}, reader ${reader}, ${name}: ${text}`);
  // If more lies are published than are counted as unjudged, one of them is called judged.
  const { judged = 0, unjudged = 0 } = written?.verification ?? {};
  const claimed = published.filter((one) => one.basis !== 'judgement' && !unmarked.includes(one));
  if (claimed.length > unjudged || (judged > 0 && isOfNoUse(reader)))
    examples.failures.push(
      `${language}, reader ${reader}, ${name}: of ${claimed.length} lies, ${unjudged} are unjudged`,
    );
  if (reader === 'works') countRules(scene, told, sentences);
}

/** The second model does not affect the number of lies that the rules let through, so it is counted once. */
function countRules(
  { claims, language, letThrough, name, refusals, said }: Scene,
  told: Claim[],
  kept: Sentence[],
): void {
  const passed = new Set([...letThrough.values()].map(({ text }) => text));
  for (const { lie, place, text } of told) {
    if (lie === null) continue;
    const part = passed.has(text) ? 1 : 0;
    tally.rulesByKind.add(lie, language, 1, part);
    tally.rulesByPlace.add(place, language, 1, part);
    tally.published.add(place, language, 1, 0);
    if (part > 0) examples.letThrough.push(`${lie}, ${place}, ${language}, ${name}: ${text}`);
  }
  for (const sentence of kept) {
    const lie = claims.lieIn(sentence);
    if (lie) tally.published.add(lie.place, language, 0, 1);
  }
  const texts = new Set(kept.map(({ text }) => text));
  for (const { lie, place, text } of new Set(said)) {
    if (lie !== null) continue;
    tally.lost.add('true sentences lost', language, 1, texts.has(text) ? 0 : 1);
    if (!texts.has(text))
      examples.lost.push(`${place}, ${language}, ${name}: ${text} (${refusals.get(text) ?? 'no rule'})`);
  }
}
