import type { Evidence } from '../../reading/facts.ts';
import type { Sentence } from '../draft.ts';
import { findUnborne } from './check-marks.ts';
import { findFalseFact, shownBy } from './facts/check-facts.ts';
import type { Ground } from './ground.ts';
import { markText } from './marked-text.ts';
import { saysWhoSpeaks } from './says-who-speaks.ts';
import { Scope } from './scope.ts';

/** What the check says of a sentence: as it is kept, or why it is not. */
export type Verdict = { kept: Sentence; isRepaired: boolean } | { kept: null; reason: string };

/** Where a sentence stands. */
export interface Place {
  /** The file that the item is about, or null. */
  fileName: string | null;
  /** A title says no more than its sentences, and names nobody. */
  isTitle: boolean;
  /** What the sentences before it in the same item rest on. */
  before: Evidence[];
}

const fail = (reason: string): Verdict => ({ kept: null, reason });

/** Holds one sentence against the diff and the words that it cites. */
export function checkSentence(sentence: Sentence, ground: Ground, place: Place): Verdict {
  const { text, basis, words, evidence, quote, facts } = sentence;
  const marked = markText(text);
  if (basis === 'words') {
    if (words.length === 0) return fail('it tells what somebody says and cites no words');
    if (!place.isTitle && !saysWhoSpeaks(text, words)) return fail('it does not say who says it');
  }
  const unsaid = words.find((one) => one.where !== 'code' && ground.speakersOf(one).length === 0);
  if (unsaid) return fail(`nobody wrote “${unsaid.text.slice(0, 80)}” in the ${unsaid.where}`);
  const spoken = words.filter(({ where }) => where !== 'code');
  const scope = new Scope(ground, basis === 'judgement' ? [...evidence, ...place.before] : evidence, spoken);
  const lie = findFalseFact(facts, ground);
  if (lie) return fail(`the lines do not show that ${JSON.stringify(lie)}`);
  const shown = shownBy(facts, text);
  if (place.fileName !== null) shown.names.push(place.fileName);
  if (evidence.length > 0 && scope.evidence.length === 0) return fail('it cites no lines that changed');
  const unwritten = words.find((one) => one.where === 'code' && !scope.hasQuotation(one.text));
  if (unwritten) return fail(`no comment in what is cited says “${unwritten.text.slice(0, 80)}”`);
  if (
    quote !== null &&
    !scope.hasQuotation(quote) &&
    !scope.hasName(quote) &&
    !scope.reachForQuotation(quote)
  ) {
    return fail(`the quote “${quote.slice(0, 80)}” does not stand in what is cited`);
  }
  const unborne = findUnborne(marked, scope, shown);
  if (unborne) return fail(unborne);
  const kept =
    basis === 'judgement' ? scope.evidence.filter((one) => !place.before.includes(one)) : scope.evidence;
  return { kept: { ...sentence, evidence: kept }, isRepaired: scope.isRepaired };
}
