import type { StatedFact } from '../../draft.ts';
import { declares, gives } from '../declaration-forms.ts';
import { beginsTest } from '../facts/files-and-counts.ts';
import { takesParameter } from '../facts/signatures.ts';
import { foldsOf, quotesFrom } from '../fold-words.ts';
import { type Mark, type MarkedText, markAt, matchAround, placeholder } from '../marked-text.ts';
import type { Scope } from '../scope.ts';
import { type ChangedSide, citedLines, linesHolding, longestWord, otherSide } from '../sightings.ts';
import { countIn, namesFile, standsInText } from '../stands-in-text.ts';
import { isCounted } from './count-said.ts';
import { saidInEnglish } from './english.ts';
import { type Role, rolesOf } from './fact-roles.ts';
import { saidInJapanese } from './japanese.ts';
import type { Said, Sentence } from './said.ts';
import { versionOrder } from './version-order.ts';

/**
 * What the words of a sentence say of what it marks, and the lines or the sentence's own facts do not; null where they
 * agree. Where it cannot be told what a verb governs, nothing is said against it.
 */
export function findFalseWords(said: Said[], sentence: Sentence): string | null {
  for (const one of said) {
    const complaint = complaintAbout(one, sentence);
    if (complaint) return complaint;
  }
  return null;
}

export const saidIn = (marked: MarkedText): Said[] => [
  ...saidByArrows(marked),
  ...saidInEnglish(marked),
  ...saidInJapanese(marked),
];

/** An arrow says the same in every language. */
const saidByArrows = (marked: MarkedText): Said[] =>
  matchAround(marked, `(${placeholder})\\s*→\\s*(${placeholder})`).flatMap(
    ({ 1: one = '', 2: other = '' }): Said[] => {
      const [from, to] = [markAt(marked, one), markAt(marked, other)];
      return from && to ? [{ kind: 'turn', from, to }] : [];
    },
  );

function complaintAbout(said: Said, sentence: Sentence): string | null {
  switch (said.kind) {
    case 'side': {
      const wrong = said.marks.find((mark) => !isOnSide(mark, said.side, sentence));
      return wrong ? `\`${wrong.text}\` is not ${said.side} in what is cited` : null;
    }
    case 'turn':
      return isTurn(said.from, said.to, sentence)
        ? null
        : `\`${said.from.text}\` does not become \`${said.to.text}\` in what is cited`;
    case 'order':
      return isInOrder(said) ? null : `\`${said.from.text}\` and \`${said.to.text}\` are in another order`;
    case 'move':
      return isMove(said, sentence) ? null : `\`${said.marks[0]?.text ?? ''}\` does not move like that`;
    case 'take':
      return isTaken(said, sentence)
        ? null
        : `\`${said.mark.text}\` takes \`${said.by.text}\`, and not the reverse`;
    case 'need':
      return isNeeded(said, sentence) ? null : 'what must be given, or may be left out, is told wrongly';
    case 'count':
      return isCounted(said, sentence) ? null : `${said.value} is not the number of ${said.of}`;
    case 'same':
      return said.marks.every(({ text }) => sentence.scope.ground.lines.file(text)?.hunks.length !== 0)
        ? null
        : 'nothing can be seen in one of these files';
    case 'imports':
      return areImports(said.marks, sentence) ? null : 'more than imports changes';
    case 'file':
      return isFile(said, sentence) ? null : 'that is not what happened to the file';
  }
}

/** Quotation marks step back inside of others, and blanks are laid out anew. */
const withoutMarks = (text: string): string =>
  text
    .replace(/[“「『]/g, '‘')
    .replace(/[”」』]/g, '’')
    .replace(/[`\s]+/g, '');

/** Code is the same but for blanks; somebody's words are the same but for how they are marked. */
const same = ({ kind, text }: Mark, name: string): boolean =>
  kind === 'quotation'
    ? withoutMarks(text) === withoutMarks(name)
    : text.replace(/\s+/g, '') === name.replace(/\s+/g, '');

/** What a sentence's facts make of something that it marks. */
const rolesIn = (facts: StatedFact[], mark: Mark): Role[] =>
  facts
    .flatMap(rolesOf)
    .filter(({ name }) => same(mark, name))
    .map(({ role }) => role);

function isOnSide(mark: Mark, side: ChangedSide, { facts, scope }: Sentence): boolean {
  const roles = rolesIn(facts, mark);
  if (roles.length > 0) {
    const wanted = side === 'added' ? 'new' : 'old';
    if (roles.includes(wanted)) return true;
    return roles.includes('either') && isMoreOn(mark.text, side, scope);
  }
  const file = scope.files.find(({ path, previousPath }) => namesFile(mark.text, path, previousPath));
  if (file) return isFileOnSide(mark.text, side, scope);
  if (mark.kind === 'quotation') return isQuotedOn(mark.text, side, scope);
  return isNameOn(mark.text, side, scope);
}

/** What stands on both sides comes where there is more of it, and goes where there is less. */
function isMoreOn(text: string, side: ChangedSide, { files }: Scope): boolean {
  const count = (which: ChangedSide) =>
    files.reduce((sum, file) => sum + file.text(which).split(text).length - 1, 0);
  return count(side) >= count(otherSide(side));
}

function isFileOnSide(name: string, side: ChangedSide, { ground, files }: Scope): boolean {
  const gone = side === 'added' ? 'removed' : 'added';
  // A bare word that is also a folder is more likely something in the code.
  const isNamed = (path: string): boolean =>
    namesFile(name, path) && (/[./]/.test(name) || `/${path}`.endsWith(`/${name}`));
  return files.some(({ path }) => isNamed(path) && ground.lines.file(path)?.status !== gone);
}

function isQuotedOn(text: string, side: ChangedSide, { files }: Scope): boolean {
  const standsOn = (which: ChangedSide) => files.some((file) => quotesFrom(foldsOf(file.text(which)), text));
  return standsOn(side) || !standsOn(otherSide(side));
}

function isNameOn(name: string, side: ChangedSide, scope: Scope): boolean {
  const count = (which: ChangedSide) =>
    scope.files.reduce((sum, file) => sum + countIn(file.text(which), name), 0);
  const [here, there] = [count(side), count(otherSide(side))];
  if (here === 0) return false;
  const isDeclared = (which: ChangedSide) =>
    citedLines(scope, which).some(({ line }) => isDeclaration(line.text, name));
  if (isPhrase.test(name) && standsAnywhere(name, otherSide(side), scope)) return false;
  if (hasMoved(name, side, scope)) return false;
  const isDeclaredHere = isDeclared(side);
  if (isDeclaredHere) return !isDeclaredAnywhere(name, otherSide(side), scope);
  return !isDeclared(otherSide(side)) && here >= there;
}

/** Words and no code: a test is called so, and has moved where it went from another file. */
const isPhrase = /^[\p{L}\p{N}'’,.-]+(?: [\p{L}\p{N}'’,.-]+){3,}$/u;

/** Whether all lines that are cited for something stand on the other side as well, or it is named there in quotation marks. */
function hasMoved(name: string, side: ChangedSide, scope: Scope): boolean {
  const others = [...linesHolding(scope.ground, longestWord(name), otherSide(side))].map(({ line }) =>
    line.text.trim(),
  );
  const isQuoted = (text: string): boolean => quotes.some((mark) => text.includes(`${mark}${name}${mark}`));
  if (/\s/.test(name) && others.some(isQuoted)) return true;
  const cited = citedLines(scope, side).filter(({ line }) => countIn(line.text, name) > 0);
  const namesTest = (text: string): boolean => beginsTest(text) && isQuoted(text);
  if (cited.some(({ line }) => namesTest(line.text)) && others.some(namesTest)) return true;
  return cited.length > 0 && cited.every(({ line }) => others.includes(line.text.trim()));
}

const quotes = [`"`, `'`, '`'];

function standsAnywhere(phrase: string, side: ChangedSide, { ground }: Scope): boolean {
  for (const { line } of linesHolding(ground, longestWord(phrase), side))
    if (line.text.includes(phrase)) return true;
  return false;
}

/** By a keyword; or by its value alone, as constants are in some languages. */
const isDeclaration = (line: string, name: string): boolean =>
  declares(line, name) || (/^[A-Z][A-Z0-9_]+$/.test(name) && gives(line, name));

function isDeclaredAnywhere(name: string, side: ChangedSide, { ground }: Scope): boolean {
  for (const { line } of linesHolding(ground, longestWord(name), side))
    if (isDeclaration(line.text, name)) return true;
  return false;
}

function isTurn(from: Mark, to: Mark, { facts, scope }: Sentence): boolean {
  const pairs = facts.flatMap((fact) =>
    'from' in fact && 'to' in fact && fact.from !== null && fact.to !== null
      ? [{ from: fact.from, to: fact.to }]
      : [],
  );
  // Where only marks tell the two apart, each is known by them.
  const isOne = (mark: Mark, name: string, other: string): boolean =>
    same(mark, name) && (withoutMarks(name) !== withoutMarks(other) || mark.text.trim() === name.trim());
  if (pairs.some((pair) => isOne(from, pair.from, pair.to) && isOne(to, pair.to, pair.from))) return true;
  if (pairs.some((pair) => same(from, pair.to) && same(to, pair.from))) return false;
  if (
    pairs.some(
      (pair) => same(from, pair.from) || same(to, pair.to) || same(from, pair.to) || same(to, pair.from),
    )
  )
    return false;
  const names = [from, to].map(({ text }) => text);
  if (scope.files.some(({ path, previousPath }) => names.some((name) => namesFile(name, path, previousPath))))
    return true;
  const stands = ({ kind, text }: Mark, side: 'old' | 'new' | ChangedSide) =>
    scope.files.some((file) =>
      kind === 'quotation'
        ? quotesFrom(foldsOf(file.text(side)), text)
        : standsInText(text, file.text(side), file.path),
    );
  const isForward = stands(from, 'removed') && stands(to, 'added');
  if (isForward) return true;
  return stands(from, 'old') && stands(to, 'new') && (stands(from, 'removed') || stands(to, 'added'));
}

function isInOrder({ from, to, isRise }: Extract<Said, { kind: 'order' }>): boolean {
  const order = versionOrder(from.text, to.text);
  return order === null || (isRise ? order < 0 : order > 0);
}

/** Something moves to a file where it is added, and from one where it is removed. */
function isMove({ marks, from, to }: Extract<Said, { kind: 'move' }>, { facts, scope }: Sentence): boolean {
  const paths = [...scope.ground.lines.files].flatMap(({ path, previousPath }) => [
    path,
    previousPath ?? path,
  ]);
  const named = (mark: Mark | null) => (mark ? paths.filter((path) => namesFile(mark.text, path)) : []);
  const [origins, targets] = [named(from), named(to)];
  // What moves to no file moves in another sense.
  if ((from && origins.length === 0) || (to && targets.length === 0)) return true;
  const moved = facts.filter((fact) => fact.relation === 'moved');
  const renamed = facts.filter((fact) => fact.relation === 'file' && fact.status === 'renamed');
  if (moved.length > 0) {
    return moved.every(
      ({ fromFile, toFile }) =>
        (from === null || namesFile(from.text, fromFile)) && (to === null || namesFile(to.text, toFile)),
    );
  }
  if (renamed.length > 0) return true;
  const stands = (path: string, side: ChangedSide, name: string) =>
    scope.ground.lines.of(path).some((line) => line.side === side && standsInText(name, line.text, path));
  return marks.every(
    ({ text }) =>
      (targets.length === 0 || targets.some((path) => stands(path, 'added', text))) &&
      (origins.length === 0 || origins.some((path) => stands(path, 'removed', text))),
  );
}

/** The lines may not show a head at all; what they show the other way round is wrong. */
const isTaken = ({ by, mark }: Extract<Said, { kind: 'take' }>, { scope }: Sentence): boolean =>
  takesParameter(by.text, mark.text, scope) || !takesParameter(mark.text, by.text, scope);

function isNeeded({ marks, isOptional }: Extract<Said, { kind: 'need' }>, { facts }: Sentence): boolean {
  const parameters = facts.filter((fact) => fact.relation === 'parameter');
  return marks.every((mark) => {
    const own = parameters.filter(({ name }) => same(mark, name));
    return own.length === 0 || own.some((one) => one.isOptional === isOptional && one.change === 'added');
  });
}

const importing =
  /^\s*\uFEFF?(?:import\b|from\s+\S+\s+import\b|use\s|(?:global\s+)?using\s|require|#\s*include|package\s|alias\s|(?:const|let|var)\s.*=\s*require\()/;

/** Whether every changed line of the files that are named, or of the one that is told of, begins like an import. */
function areImports(marks: Mark[], { scope, file }: Sentence): boolean {
  const named = [...scope.ground.lines.files].filter(({ path }) =>
    marks.some(({ text }) => namesFile(text, path)),
  );
  const told = marks.length === 0 && file ? [file] : named;
  return told.every(({ path }) => {
    const changed = scope.ground.lines
      .of(path)
      .filter(({ side, text }) => side !== 'context' && text.trim() !== '');
    return changed.length > 0 && changed.every(({ text }) => importing.test(text));
  });
}

function isFile({ status }: Extract<Said, { kind: 'file' }>, { facts, file }: Sentence): boolean {
  const stated = facts.filter((fact) => fact.relation === 'file');
  if (stated.length > 0) return stated.some((fact) => fact.status === status);
  if (!file) return true;
  if (status === 'added' || status === 'removed') return file.status === status;
  const isExecutable = file.newMode?.endsWith('755') ?? false;
  return isExecutable === (status === 'executable');
}
