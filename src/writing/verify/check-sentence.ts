import type { QuoteSource } from '../../domain/article.ts';
import { changelogName } from '../../reading/changelog-name.ts';
import { visibleText } from '../../reading/description/visible-text.ts';
import type { Evidence } from '../../reading/facts.ts';
import type { Sentence } from '../draft.ts';
import { holdsKey } from '../key-shapes.ts';
import { findUnborne } from './check-marks.ts';
import { findFalseFact } from './facts/check-facts.ts';
import { foldWords } from './fold-words.ts';
import type { Ground } from './ground.ts';
import { markText } from './marked-text.ts';
import { findFalseWords, saidIn } from './said/check-said.ts';
import { saysWhoSpeaks } from './says-who-speaks.ts';
import { Scope } from './scope.ts';
import { shownBy } from './shown.ts';
import { wholesOfCode } from './whole-quotations.ts';

/** What the check says of a sentence: as it is kept, or why it is not. */
export type Verdict = { kept: Sentence; isRepaired: boolean } | { kept: null; reason: string };

/** Where a sentence stands. */
interface Place {
  /** The file that the item is about, or null. */
  fileName: string | null;
  /** A title says no more than its sentences, and names nobody. */
  isTitle: boolean;
  /** What the sentences before it in the same item rest on. */
  before: Evidence[];
}

/** Longer than the longest path that git can have checked out, with room for what is said of it. */
const longestSentence = 5_000;

/** Holds one sentence against the diff and the words that it cites. */
export function checkSentence(sentence: Sentence, ground: Ground, place: Place): Verdict {
  const { basis, words, evidence } = sentence;
  if (sentence.text.length > longestSentence) return { kept: null, reason: 'it is too long to be checked' };
  const references = basis === 'judgement' ? [...evidence, ...place.before] : evidence;
  const spoken = words.filter(({ where }) => where !== 'code');
  const scope = new Scope(ground, references, spoken);
  const reason =
    (holdsKey(sentence.text) ? 'it holds something that looks like a key' : null) ??
    complaintAboutWords(sentence, ground, place) ??
    complaintAboutSources(sentence, scope) ??
    (sentence.source === undefined
      ? complaintAboutSayings(sentence, scope, place)
      : complaintAboutQuotation(sentence, sentence.source, scope));
  if (reason) return { kept: null, reason };
  const kept =
    basis === 'judgement' ? scope.evidence.filter((one) => !place.before.includes(one)) : scope.evidence;
  return { kept: { ...sentence, evidence: kept }, isRepaired: scope.isRepaired };
}

const beginningOf = (text: string): string => `“${text.slice(0, 80)}”`;

/** Whether somebody wrote what is cited, and the sentence says so. */
function complaintAboutWords(
  { text, basis, words, source }: Sentence,
  ground: Ground,
  { isTitle }: Place,
): string | null {
  if (basis === 'words') {
    if (words.length === 0) return 'it tells what somebody says and cites no words';
    if (!isTitle && source === undefined && !saysWhoSpeaks(text, words)) return 'it does not say who says it';
  }
  const unsaid = words.find((one) => one.where !== 'code' && ground.speakersOf(one).length === 0);
  return unsaid ? `nobody wrote ${beginningOf(unsaid.text)} in the ${unsaid.where}` : null;
}

/** Whether what is cited is there, and holds what is copied from it. */
function complaintAboutSources({ text, words, evidence, quote }: Sentence, scope: Scope): string | null {
  if (evidence.length > 0 && scope.evidence.length === 0) {
    const names = markText(text).marks.map((mark) => mark.text);
    if (!scope.reachBeside(names)) return 'it cites no lines that changed';
  }
  const unwritten = words.find(
    ({ where, text }) => where === 'code' && !scope.hasQuotation(text) && !scope.reachForQuotation(text),
  );
  if (unwritten) return `no comment in what is cited says ${beginningOf(unwritten.text)}`;
  if (quote === null || scope.hasQuotation(quote) || scope.hasName(quote) || scope.reachForQuotation(quote)) {
    return null;
  }
  return `the quote ${beginningOf(quote)} does not stand in what is cited`;
}

/** Whether all of it stands where it is said to stand, as a whole: half of a sentence may say the reverse. */
function complaintAboutQuotation(
  { text, basis }: Sentence,
  source: QuoteSource,
  scope: Scope,
): string | null {
  if (basis !== 'words') return 'it is a quotation, and says that it is none';
  if (visibleText(text) !== text) return 'it holds characters that cannot be seen';
  const isChangelog = source === 'changelog';
  const isThere =
    isChangelog || source === 'code'
      ? scope.files.some(
          (file) =>
            changelogName.test(file.path) === isChangelog &&
            wholesOfCode(file.text('new')).has(foldWords(text)),
        )
      : scope.ground.hasWhole(source, text);
  return isThere ? null : `${beginningOf(text)} is no whole sentence of the ${source}`;
}

/** Whether its facts hold, its names and numbers stand there, and its words say the same as the lines. */
function complaintAboutSayings(
  { text, basis, facts }: Sentence,
  scope: Scope,
  { fileName }: Place,
): string | null {
  const marked = markText(text);
  const lie = findFalseFact(facts, scope);
  if (lie) return `the lines do not show that ${JSON.stringify(lie)}`;
  const file = fileName === null ? null : (scope.ground.lines.file(fileName) ?? null);
  const sentence = { marked, facts, scope, file };
  const said = basis === 'diff' ? saidIn(marked) : [];
  const counts = said.filter((one) => one.kind === 'count');
  const miscounted = findFalseWords(counts, sentence);
  if (miscounted) return miscounted;
  const shown = shownBy(facts);
  // Where nothing is cited, it can only be about its own file.
  if (file && scope.evidence.length === 0) shown.names.push(file.path);
  shown.numbers.push(...counts.map(({ value }) => value));
  return findUnborne(marked, scope, shown) ?? findFalseWords(said, sentence);
}
