import type { FileDiff } from '../../../reading/file-diff.ts';
import type { StatedFact } from '../../draft.ts';
import { foldsOf, joinLines, type PlacedLine, quotesFrom, referenceTo } from '../diff-lines.ts';
import { countOf, takesParameter } from '../facts.ts';
import { countIn, declares, gives, namesFile, occursIn, partsOf } from '../find-name.ts';
import { isNamed } from '../ground.ts';
import { type Mark, type MarkedText, markText, numbersIn } from '../marked-text.ts';
import { type ChangedSide, citedLines, linesHolding, longestWord, otherSide, type Scope } from '../scope.ts';
import { english } from './english.ts';
import { japanese } from './japanese.ts';
import { arrow, readPhrases, type Said, type Sentence } from './phrases.ts';

export const saidIn = (marked: MarkedText): Said[] =>
  readPhrases(
    [
      arrow,
      ...(/[a-z]/iu.test(marked.masked) ? english : []),
      ...(/[\u3040-\u30ff\u3400-\u9fff]/u.test(marked.masked) ? japanese : []),
    ],
    marked,
  );

export const findFalseWords = (said: Said[], sentence: Sentence): string[] =>
  said.flatMap((one) => complaintsAbout(one, sentence));

const from = (said: { from: Mark }): string => `\`${said.from.text}\``;
const to = (said: { to: Mark }): string => `\`${said.to.text}\``;

type SaidOf<Kind extends Said['kind']> = Extract<Said, { kind: Kind }>;

function complaintsAbout(said: Said, sentence: Sentence): string[] {
  switch (said.kind) {
    case 'side':
      return said.marks
        .filter((mark) => !isOnSide(asWritten(mark, sentence), said, sentence))
        .map(({ text }) => `\`${text}\` is not ${said.side} in what is cited`);
    case 'time':
      return complaintsAboutTime(said, sentence);
    case 'turn':
      return isTurn(said, sentence) ||
        (said.isChoice && !isTurn({ ...said, from: said.to, to: said.from }, sentence)) ||
        (said.isRange && areBeside(said, sentence))
        ? []
        : [`${from(said)} does not become ${to(said)} in what is cited`];
    case 'order':
      return isInOrder(said) ? [] : [`${from(said)} and ${to(said)} are in another order`];
    case 'move':
      return isMove(said, sentence) ? [] : [`\`${said.marks[0]?.text ?? ''}\` does not move like that`];
    case 'take':
      return isTaken(said, sentence) ? [] : [`\`${said.by.text}\` is taken, and takes nothing`];
    case 'call':
      return said.marks
        .map((mark) => asWritten(mark, sentence).text)
        .filter((name) => sentence.scope.onlyDeclares(name))
        .map((name) => `no line that is cited calls \`${name}\``);
    case 'count':
      return isCounted(said, sentence) ? [] : [`${said.value} is not the number of ${said.of}`];
    case 'file':
      return isFile(said, sentence) ? [] : ['that is not what happened to the file'];
  }
}

const times = { old: 'as they were', new: 'as they are now' };

/**
 * A statement about the past must cite removed lines, and one about the present added lines; unchanged lines prove
 * both.
 */
function complaintsAboutTime({ side, marks }: SaidOf<'time'>, sentence: Sentence): string[] {
  const { scope } = sentence;
  if (scope.evidence.length === 0) return [];
  if (!sentence.isSummary && !scope.cites(side))
    return [
      `it says how it ${side === 'old' ? 'was' : 'is now'}, and cites no lines ${times[side]} or that stay`,
    ];
  const isOn = (name: string, which: 'old' | 'new'): boolean =>
    scope.files.some(({ path, around }) => occursIn(name, joinLines(around, which), path));
  return (
    marks
      .map((mark) => asWritten(mark, sentence).text)
      // Old code need not name the errors that it caused.
      .filter((name) => side === 'new' || !/(?:Error|Exception)$/.test(name))
      .filter(
        (name) => !isOn(name, side) && isOn(name, side === 'old' ? 'new' : 'old') && !scope.staysIn(name),
      )
      .map((name) => `\`${name}\` does not stand in the lines ${times[side]}`)
  );
}

/** A name that is qualified only in the sentence, as the lines have it. */
function asWritten(mark: Mark, { scope }: Sentence): Mark {
  const isCited = (name: string): boolean =>
    scope.files.some(
      (file) => occursIn(name, file.text('old'), file.path) || occursIn(name, file.text('new'), file.path),
    );
  const text = partsOf(mark.text)
    .map((parts) => parts.at(-1) ?? '')
    .find(isCited);
  return mark.kind === 'quotation' || text === undefined || isCited(mark.text) ? mark : { ...mark, text };
}

function isTurn(said: SaidOf<'turn'>, sentence: Sentence): boolean {
  const { facts, scope } = sentence;
  const [from, to] = [asWritten(said.from, sentence), asWritten(said.to, sentence)];
  const isStated = (fact: StatedFact): boolean =>
    fact.relation === 'becomes' && from.text === fact.from && to.text === fact.to;
  if (facts.some(isStated)) return true;
  const files = [...scope.ground.lines.files];
  const named = ({ text }: Mark) =>
    files.filter(({ path, previousPath }) => namesFile(text, path, previousPath));
  const [left, came] = [named(from), named(to)];
  if (left.length > 0 && came.length > 0)
    return (
      came.some(({ previousPath }) => namesFile(from.text, previousPath)) ||
      (left.some(({ status }) => status === 'removed') && came.some(({ status }) => status !== 'removed'))
    );
  if (left.length + came.length > 0) return true;
  const isOn = ({ kind, text }: Mark, side: 'old' | 'new' | ChangedSide) =>
    scope.files.some((file) =>
      kind === 'quotation'
        ? quotesFrom(foldsOf(file.text(side)), text)
        : occursIn(text, file.text(side), file.path),
    );
  const isFromGone = isOn(from, 'removed');
  const isToNew = isOn(to, 'added');
  return (isFromGone && isToNew) || ((isFromGone || isToNew) && isOn(from, 'old') && isOn(to, 'new'));
}

/** The first and last item of a series, which were added, removed or kept together. */
function areBeside({ from, to }: SaidOf<'turn'>, { scope }: Sentence): boolean {
  const files = [from, to].map(({ text }) =>
    [...scope.ground.lines.files].find(({ path }) => namesFile(text, path)),
  );
  if (files[0] && files[1]) return files[0].status === files[1].status;
  const isOn = ({ text }: Mark, side: ChangedSide): boolean =>
    scope.files.some((file) => occursIn(text, file.text(side), file.path));
  return (['added', 'removed'] as const).every((side) => isOn(from, side) === isOn(to, side));
}

function isInOrder({ from, to, isRise }: SaidOf<'order'>): boolean {
  const order = versionOrder(from.text, to.text);
  return order === null || (isRise ? order < 0 : order > 0);
}

/** A declaration moved to a file in which it is added, and from one in which it is removed. */
function isMove({ marks, from, to }: SaidOf<'move'>, { facts, scope: { ground } }: Sentence): boolean {
  const files = [...ground.lines.files];
  const named = (mark: Mark | null) =>
    mark ? files.filter(({ path, previousPath }) => namesFile(mark.text, path, previousPath)) : [];
  const [origins, targets] = [named(from), named(to)];
  // If the target is not a file, "moves" is meant in another sense.
  if ((from && origins.length === 0) || (to && targets.length === 0)) return true;
  if (facts.some((fact) => fact.relation === 'file' && fact.status === 'renamed')) return true;
  const isOn = (name: string, side: ChangedSide, some: typeof files) =>
    some.length === 0 ||
    some.some(({ path }) =>
      ground.lines.of(path).some((line) => line.side === side && occursIn(name, line.text, path)),
    );
  return marks.every(({ text }) => isOn(text, 'added', targets) && isOn(text, 'removed', origins));
}

/** The lines may not show the signature at all; they only disprove a call in the reverse direction. */
const isTaken = ({ by, marks }: SaidOf<'take'>, { scope }: Sentence): boolean =>
  marks.every(({ text }) => takesParameter(by.text, text, scope) || !takesParameter(text, by.text, scope));

function isFile({ status }: SaidOf<'file'>, { facts, file }: Sentence): boolean {
  const stated = facts.filter((fact) => fact.relation === 'file');
  if (stated.length > 0) return stated.some((fact) => fact.status === status);
  return !file || file.status === status;
}

/** Whether something was added, or removed: by the sentence's facts if they say so, otherwise by its citations. */
function isOnSide(mark: Mark, said: SaidOf<'side'>, sentence: Sentence): boolean {
  const { side } = said;
  const { facts, scope } = sentence;
  const stated = facts.find((fact) => 'name' in fact && isSame(mark, fact.name));
  // Facts are proved before. A moved name was neither added nor removed.
  if (stated) return sideOf(stated) === side;
  if (said.verb !== '' && isDoneByCode(mark.text, said.verb, scope)) return true;
  if (scope.files.some(({ path, previousPath }) => namesFile(mark.text, path, previousPath)))
    return isFileOnSide(mark.text, side, scope);
  return mark.kind === 'quotation' ? isQuotedOn(mark.text, side, scope) : isNameOn(mark.text, said, sentence);
}

/** The code itself may add or remove something at run time, with the same verb on one of its lines. */
function isDoneByCode(name: string, verb: string, { files }: Scope): boolean {
  const says = new RegExp(`(?<![a-z])${verb}`, 'i');
  return files.some(({ lines, path }) =>
    lines.some(({ side, text }) => side !== 'removed' && says.test(text) && occursIn(name, text, path)),
  );
}

const sideOf = (fact: StatedFact): ChangedSide | null => {
  if (fact.relation === 'parameter') return fact.change;
  return fact.relation === 'comes' ? 'added' : fact.relation === 'goes' ? 'removed' : null;
};

function isFileOnSide(name: string, side: ChangedSide, { ground, files }: Scope): boolean {
  // A single word that is also a folder is more likely a name in the code.
  const isNamed = (path: string): boolean =>
    namesFile(name, path) && (/[./]/.test(name) || `/${path}`.endsWith(`/${name}`));
  return files.some(({ path }) => isNamed(path) && ground.lines.file(path)?.status !== otherSide(side));
}

function isQuotedOn(text: string, side: ChangedSide, { files }: Scope): boolean {
  const standsOn = (which: ChangedSide) => files.some((file) => quotesFrom(foldsOf(file.text(which)), text));
  return standsOn(side) || !standsOn(otherSide(side));
}

function isNameOn(name: string, said: SaidOf<'side'>, sentence: Sentence): boolean {
  const { scope } = sentence;
  const { side } = said;
  const count = (which: ChangedSide) =>
    scope.files.reduce((sum, file) => sum + countIn(file.text(which), name), 0);
  const [here, there] = [count(side), count(otherSide(side))];
  const others = othersHolding(name, said, sentence);
  // A new condition may change what is done in unchanged lines.
  if (here === 0) return said.doer !== null && scope.keepsName(name);
  if (hasMoved(name, side, scope, others)) return false;
  const isDeclared = (which: ChangedSide) =>
    citedLines(scope, which).some(({ text }) => isDeclaration(text, name));
  if (isDeclared(side)) return !others.some((text) => isDeclaration(text, name));
  return !isDeclared(otherSide(side)) && here >= there;
}

function othersHolding(
  name: string,
  { side, doer }: SaidOf<'side'>,
  { scope: { ground, evidence }, marked }: Sentence,
): string[] {
  const everywhere = linesHolding(ground, longestWord(name), otherSide(side));
  const cited = new Set(evidence.map(({ fileName }) => fileName));
  const all = doer === 'file' ? everywhere.filter(({ path }) => cited.has(path)) : everywhere;
  const around = evidence.map((one) => ground.functionsAround(one));
  // A function that was added or removed itself is searched everywhere.
  const isAbout = (of: string): boolean =>
    !isNamed(of, name) && (doer !== null || marked.marks.some(({ text }) => isNamed(of, text)));
  const within = new Set(around.flat().filter(isAbout));
  // Lines outside of functions may be about anything.
  const isInside = around.length > 0 && around.every((functions) => functions.some((of) => within.has(of)));
  const rangesOf = (line: PlacedLine): string[] => {
    const place = referenceTo(line);
    return place ? ground.rangesAround(place).map((range) => range.name) : [];
  };
  if (isInside)
    return all.filter((line) => rangesOf(line).some((of) => within.has(of))).map(({ text }) => text);
  // Another owner may have the same name.
  const said = new Set(marked.marks.flatMap(({ text }) => ownersIn(text, name)));
  const owners = evidence
    .flatMap((one) => ground.rangesAround(one).flatMap((range) => ownersIn(range.name, name)))
    .filter((owner) => said.has(owner));
  return all
    .filter(
      (line) =>
        owners.length === 0 ||
        rangesOf(line).some((of) => ownersIn(of, name).some((owner) => owners.includes(owner))),
    )
    .map(({ text }) => text);
}

const ownersIn = (of: string, name: string): string[] => {
  const own = of.split(/\.|::|#/);
  return own.filter((part) => part !== '' && part !== name.replace(/\(\)$/, ''));
};

const isDeclaration = (line: string, name: string): boolean =>
  declares(line, name) || (/^[A-Z][A-Z0-9_]+$/.test(name) && gives(line, name));

/** Words that are not code: the name of a test. */
const isPhrase = /^[\p{L}\p{N}'’,.-]+(?: [\p{L}\p{N}'’,.-]+){3,}$/u;

/**
 * Whether every cited line with the name, or a text of that name, is also on the other side of the diff: then the
 * change neither adds nor removes it.
 */
function hasMoved(name: string, side: ChangedSide, scope: Scope, others: string[]): boolean {
  const cited = citedLines(scope, side)
    .map(({ text }) => text)
    .filter((text) => countIn(text, name) > 0);
  const linesElsewhere = new Set(others.map((text) => text.trim()));
  const isQuoted = (text: string) => [`"`, `'`, '`'].some((mark) => text.includes(`${mark}${name}${mark}`));
  const namesTest = (text: string): boolean => beginsTest(text) && isQuoted(text);
  const isCalledSo = (text: string): boolean =>
    (isPhrase.test(name) && text.includes(name)) ||
    (/\s/.test(name) && isQuoted(text)) ||
    (namesTest(text) && cited.some(namesTest));
  return (
    others.some(isCalledSo) || (cited.length > 0 && cited.every((text) => linesElsewhere.has(text.trim())))
  );
}

/** Counts again: in the cited lines, in the file of the item, or in the whole diff. */
function isCounted({ of, value }: SaidOf<'count'>, { scope, file, facts }: Sentence): boolean {
  const isFound = facts.some(
    (fact) => fact.relation === 'found' && numbersIn(markText(fact.text)).includes(value),
  );
  if (isFound) return true;
  const { lines } = scope.ground;
  const cited = scope.files.flatMap(({ path }) => lines.file(path) ?? []);
  const testsOn = (files: FileDiff[], side: ChangedSide): number =>
    files.flatMap(({ path }) => lines.of(path)).filter((line) => line.side === side && beginsTest(line.text))
      .length;
  return [cited, file ? [file] : cited, [...lines.files]].some((files) =>
    of === 'tests'
      ? testsOn(files, 'added') - testsOn(files, 'removed') === value
      : countOf(of, files, scope.ground) === value,
  );
}

/** The beginning of a test: a call with its name, a keyword with a name for tests, or an annotation above. */
const testHead =
  /^\s*(?:(?:it|test|specify|scenario)(?:\.\w+)*(?:\([^()]*\))?\s*\(\s*["'`]|(?:async\s+)?def\s+test_|func\s+(?:Test|Benchmark|Fuzz|Example)\w*\(|func\s+test\w*\(|@(?:Test|ParameterizedTest|Benchmark)\b|#\[(?:\w+::)*(?:test|rstest|bench)\b|(?:TEST|TEST_F|TEST_P|TYPED_TEST|TEST_CASE|SCENARIO)\s*\(|(?:it|test|specify)\s+["']|test\s+["'][^"']+["']\s+do)/;

const beginsTest = (line: string): boolean => testHead.test(line);

/** Code is compared without white space, and quotations without their marks. */
const isSame = ({ kind, text }: Mark, name: string): boolean => {
  const bare = (one: string) => one.replace(kind === 'quotation' ? /[`\s“”「」『』‘’]+/g : /\s+/g, '');
  return bare(text) === bare(name);
};

interface Version {
  numbers: number[];
  /** A pre-release such as rc.1; empty for the version itself, which follows them. */
  before: string;
}

function versionIn(text: string): Version | null {
  const found = /(\d+(?:\.\d+)*)(?:[-.]?([A-Za-z][\w.]*))?/.exec(text);
  return found ? { numbers: (found[1] ?? '').split('.').map(Number), before: found[2] ?? '' } : null;
}

/** Negative if the first version is lower; null if unknown. */
function versionOrder(one: string, other: string): number | null {
  const [first, second] = [versionIn(one), versionIn(other)];
  if (!first || !second) return null;
  for (let index = 0; index < Math.max(first.numbers.length, second.numbers.length); index++) {
    const difference = (first.numbers[index] ?? 0) - (second.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (first.before === second.before) return null;
  if (first.before === '' || second.before === '') return first.before === '' ? 1 : -1;
  return first.before.localeCompare(second.before, 'en', { numeric: true });
}
