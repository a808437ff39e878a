import type { Evidence } from '../../reading/facts.ts';
import type { Sentence, StatedFact } from '../draft.ts';
import { findFalseFact } from './facts.ts';
import { namesFile, partsOf } from './find-name.ts';
import { type Ground, isNamed } from './ground.ts';
import {
  type Mark,
  type MarkedText,
  marksIn,
  markText,
  matchAround,
  numbersIn,
  placeholder as P,
} from './marked-text.ts';
import { findFalseWords, saidIn } from './said/check-said.ts';
import { marksOf } from './said/phrases.ts';
import { Scope } from './scope.ts';

const things = 'function|method|class|type|constant|helper|struct|interface|macro|enum|trait|variable|module';
const uses =
  '(?!\\s+(?:calls?|uses?|imports?|checks?|invocations?|arguments?|options?|parameters?|lines?|fields?|instances?|entr|prop))';
const done =
  '(?:added|introduced|defined|new|removed|deleted|changed|modified|rewritten|renamed|reworked|refactored)';

const patterns = [
  `\\b(?:add|introduc|defin|remov|delet|chang|modif|rewrit|rewrote|renam|rework|refactor)\\w*\\s+(?:(?:the|a|an|its|new|old|existing|private|public|shared)\\s+)*(?:(?:${things})\\s+)?(?<what>${P})${uses}`,
  `(?<what>${P})(?:\\s+(?:${things}))?\\s+(?:is|are|was|were|gets?|has been|have been)\\s+(?:now\\s+)?${done}\\b(?!\\s+(?:to|in|on)\\b)`,
  `\\bnew\\s+(?:${things})\\s+(?<what>${P})|\\bnew\\s+(?<that>${P})\\s+(?:${things})\\b`,
  `(?<what>${P})\\s+(?:now|no longer)\\s+(?:takes?|accepts?|returns?|requires?|throws?|raises?|has|holds?|calls?|uses?|reads?)\\b`,
  `(?<what>${P})\\s*(?:という|の)?\\s*(?:関数|メソッド|クラス|型|定数)?\\s*を\\s*(?:新たに)?(?:追加|新設|導入|定義|削除|変更|書き換え|改名|修正)`,
  `(?<what>${P})\\s*(?:が|は)、?\\s*(?:新たに)?(?:追加|新設|導入|削除|変更|改名|修正)され|新しい(?:関数|メソッド|クラス|型|定数)\\s*(?<that>${P})`,
];

/** Names that a sentence says have changed, although the definition shown to the model did not. */
const saidToChange = (marked: MarkedText, isUnchanged: (name: string) => boolean): string[] =>
  patterns
    .flatMap((pattern) => matchAround(marked, pattern))
    .flatMap(({ groups }) => marksIn(marked, `${groups?.what ?? ''}${groups?.that ?? ''}`))
    .filter(({ text }) => isUnchanged(text))
    .map(({ text }) => `\`${text}\` is defined as before: only what uses it changes`);

export type CheckedSentence = { kept: Sentence; isRepaired: boolean } | { kept: null; reason: string };

interface Place {
  fileName: string | null;
  /** A title, lead or heading may use any name in the paths of its files and in texts of people. */
  isSummary: boolean;
  before: Evidence[];
}

/** The longest sentence: longer than the longest path that git can check out, plus a sentence about it. */
const longestSentence = 5_000;

export function checkSentence(sentence: Sentence, ground: Ground, place: Place): CheckedSentence {
  const { basis, words, evidence } = sentence;
  if (sentence.text.length > longestSentence) return { kept: null, reason: 'it is too long to be checked' };
  const references = basis === 'judgement' ? [...evidence, ...place.before] : evidence;
  const scope = new Scope(ground, references, words);
  const complaints = [...complaintsAboutWords(sentence, ground), ...complaintsAboutSources(sentence, scope)];
  // Without usable evidence, other complaints would not help.
  const isGrounded =
    scope.evidence.length > 0 || words.length > 0 || (evidence.length === 0 && basis !== 'words');
  if (isGrounded) complaints.push(...complaintsAboutSayings(sentence, scope, place));
  if (complaints.length > 0) return { kept: null, reason: joinComplaints(complaints) };
  const kept =
    basis === 'judgement' ? scope.evidence.filter((one) => !place.before.includes(one)) : scope.evidence;
  return { kept: { ...sentence, evidence: kept }, isRepaired: scope.isRepaired };
}

const beginningOf = (text: string): string => `“${text.slice(0, 80)}”`;

const complaintsAboutWords = ({ words }: Sentence, ground: Ground): string[] =>
  words
    .filter((one) => ground.speakersOf(one).length === 0)
    .map((one) => `no one wrote ${beginningOf(one.text)} in the ${one.where}`);

/** Words about changes, which a sentence must not use if it cites only unchanged lines. That something stays is none. */
const tellsChange =
  /\b(?:now|no longer|any ?more|used to|previously|formerly|until now|new(?:ly)?|(?<!\b(?:not|never) )chang(?:es?|ed)|add(?:s|ed)|introduc(?:es?|ed)|remov(?:es?|ed)|delet(?:es?|ed)|drop(?:s|ped)|replac(?:es?|ed)|renam(?:es?|ed)|mov(?:es?|ed)|becomes?|gone)\b|追加|削除|変更(?!され(?:ません|ない|ず)|しな|しません|はありません|はない)|変わ(?!りません|らな|らず|りはありません|りはない|りなく)|新し|新たに|ように(?:な|変)|なくな|置き換|移(?:動|し|り)|廃止|(?:これまで|従来)(?!どおり|通り|と同じ|と変わら)/iu;

function complaintsAboutSources({ text, evidence, quote }: Sentence, scope: Scope): string[] {
  if (evidence.length > 0 && scope.evidence.length === 0) return ['it cites no lines'];
  if (evidence.length > 0 && !scope.citesChange && tellsChange.test(text))
    return ['it cites no lines that changed'];
  if (quote === null || scope.hasQuotation(quote) || scope.hasName(quote) || scope.reachForQuotation(quote))
    return [];
  return [`the quote ${beginningOf(quote)} does not stand in what is cited`];
}

function complaintsAboutSayings(
  { text, basis, facts }: Sentence,
  scope: Scope,
  { fileName, isSummary }: Place,
): string[] {
  const marked = markText(text);
  const lie = findFalseFact(facts, scope);
  if (lie) return [`the lines do not show that ${JSON.stringify(lie)}`];
  const file = fileName === null ? null : (scope.ground.lines.file(fileName) ?? null);
  const sentence = { marked, facts, scope, file, isSummary };
  const said = basis === 'diff' ? saidIn(marked) : [];
  const counts = said.filter((one) => one.kind === 'count');
  const shown = shownBy(facts);
  // A sentence without citations can only be about its own file.
  if (file && scope.evidence.length === 0) shown.names.push(file.path);
  // A wrong count is reported only once.
  shown.numbers.push(...counts.map(({ value }) => value));
  const unsupported = findUnsupported(marked, scope, shown).filter(
    ({ kind, text: name }) =>
      (kind !== 'code' && kind !== 'name' && !(kind === 'number' && basis === 'judgement')) ||
      !(
        (basis === 'judgement' && mayBeOfLibrary(name, scope.ground)) ||
        (isSummary && scope.isNameOfWhole(name))
      ),
  );
  // If a name is not in the evidence, no further complaint about it is needed.
  const others = said.filter((one) => !marksOf(one).some((mark) => unsupported.includes(mark)));
  const unchanged = basis === 'diff' ? saidToChange(marked, (name) => scope.ground.isUnchanged(name)) : [];
  return [...unsupported.map(complaintAboutMark), ...unchanged, ...findFalseWords(others, sentence)];
}

/** Keywords of programming languages, except values, which a sentence may name without a citation. */
const keywords = new Set(
  [
    'if else elif elsif unless for foreach while until do loop in of match switch case when default break continue pass goto',
    'return yield await async try catch except rescue ensure finally throw throws raise defer go select with using where',
    'import export from require include use package module class struct interface trait impl enum extends implements new',
    'function func fn def fun lambda const let var val static final abstract override virtual public private protected',
    'internal this self super is as not and or typeof instanceof delete void unsafe mut ref dyn begin end then type',
  ].flatMap((some) => some.split(' ')),
);

/** Errors and values of languages, which no line needs to contain. */
const ofLanguage =
  /^(?:[A-Z]\w*(?:Error|Exception|Exit|Interrupt)|undefined|null|nil|None|NaN|true|false|True|False)$/;

/**
 * Names in a judgment that no line here declares, although lines contain their words: the second model knows whether
 * the language or a library has them. Without it, no judgment is published.
 */
const mayBeOfLibrary = (name: string, ground: Ground): boolean =>
  ofLanguage.test(name) ||
  /^\d+$/.test(name) ||
  (!/\d\.\d|\/|^#/.test(name) && ground.shows(name) && !ground.isDeclared(name));

/** Names and numbers proved by the facts of a sentence, so that they need no line. */
interface Shown {
  names: string[];
  numbers: number[];
}

function shownBy(facts: StatedFact[]): Shown {
  const found = facts.flatMap((fact) => (fact.relation === 'found' ? [markText(fact.text)] : []));
  return {
    names: [
      ...facts.flatMap((fact) =>
        Object.entries(fact).flatMap(([key, value]) =>
          isShownBy(fact, key) ? [value].flat().filter(isText) : [],
        ),
      ),
      ...found.flatMap(({ marks }) => marks.map(({ text }) => text)),
    ],
    numbers: [
      ...facts.flatMap((fact) => (fact.relation === 'count' ? fact.value : [])),
      ...found.flatMap(numbersIn),
    ],
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';

/**
 * Facts with paths and values prove their names. Declarations and tests must be on their line as a whole, but packages
 * and options need not be.
 */
const isShownBy = (fact: StatedFact, key: string): boolean =>
  /^(?:from|to|of|path|fromFile|toFile)$/.test(key) ||
  (key === 'name' && 'thing' in fact && /^(?:dependency|commandLineOption)$/.test(fact.thing));

const findUnsupported = (marked: MarkedText, scope: Scope, shown: Shown): Mark[] =>
  [...marked.marks, ...marked.unmarked].filter((mark) => !checksOut(mark, scope, shown));

function checksOut(mark: Mark, scope: Scope, shown: Shown): boolean {
  const { kind, text } = mark;
  if (!/[\p{L}\p{N}]/u.test(text))
    return kind === 'quotation' || text === '' || shown.names.includes(text) || scope.hasName(text);
  if (kind === 'quotation')
    return (
      ofLanguage.test(text) ||
      shown.names.includes(text) ||
      scope.hasQuotation(text) ||
      scope.reachForQuotation(text)
    );
  if (kind === 'number') return numberChecksOut(text, scope, shown);
  const isThere = (name: string): boolean => isShown(name, scope, shown);
  const stands = (name: string): boolean => isThere(name) || scope.reachForName(name);
  if (keywords.has(text) || stands(text)) return true;
  const isFile = [...scope.ground.lines.files].some(({ path }) => namesFile(text, path));
  return !isFile && partsOf(text).some((parts) => parts.every(parts.length > 1 ? isThere : stands));
}

const isShown = (name: string, scope: Scope, { names }: Shown): boolean =>
  names.some((one) => one === name || namesFile(name, one)) ||
  scope.ground.isAboutAll(name) ||
  isFileWithoutLines(name, scope) ||
  scope.hasName(name) ||
  scope.evidence
    .flatMap((one) => scope.ground.rangesAround(one))
    .some(({ name: around }) => isNamed(around, name) || around.split(/\.|::|#/).includes(name));

/** A file without lines, such as a picture, can be named but not cited. */
const isFileWithoutLines = (name: string, { ground, evidence }: Scope): boolean =>
  evidence.length === 0 && ground.lines.file(name)?.hunks.length === 0;

function numberChecksOut(text: string, scope: Scope, { numbers }: Shown): boolean {
  if (text.startsWith('#')) return scope.wasWritten(text) || scope.hasName(text.slice(1));
  const plain = text.replaceAll(',', '');
  return numbers.includes(Number(plain)) || scope.hasName(text) || scope.hasName(plain);
}

const complaintAboutMark = ({ kind, text }: Mark): string =>
  kind === 'quotation'
    ? `the quotation “${text}” does not stand in what is cited`
    : `${kind === 'number' ? 'the number ' : ''}\`${text}\` does not stand in what is cited`;

/** The repair prompt shows at most six problems: longer lists made models skip some. */
const most = 6;
const longest = 600;

export function joinComplaints(complaints: string[]): string {
  const all = [...new Set(complaints)];
  const shown = all.slice(0, most).join('; ');
  return shown.length > longest ? `${shown.slice(0, longest)}…` : shown;
}
