import type { StatedFact } from '../../draft.ts';
import { referenceTo } from '../citation.ts';
import { declares, gives } from '../declaration-forms.ts';
import { foldsOf, quotesFrom } from '../fold-words.ts';
import { isNamed } from '../ground.ts';
import type { Mark } from '../marked-text.ts';
import type { Scope } from '../scope.ts';
import { type ChangedSide, citedLines, linesHolding, longestWord, otherSide } from '../sightings.ts';
import { countIn, namesFile } from '../stands-in-text.ts';
import { beginsTest } from './count-said.ts';
import { rolesOf } from './fact-roles.ts';
import type { Said, Sentence } from './said.ts';
import { isSame } from './same-mark.ts';

type SaidOfSide = Extract<Said, { kind: 'side' }>;

/** Whether something comes, or goes: by the sentence's facts where they tell of it, otherwise by what is cited. */
export function isOnSide(mark: Mark, said: SaidOfSide, sentence: Sentence): boolean {
  const { side } = said;
  const { facts, scope } = sentence;
  const roles = rolesIn(facts, mark);
  if (roles.includes(side === 'added' ? 'new' : 'old')) return true;
  if (roles.length > 0) return roles.includes('either') && isMoreOn(mark.text, side, scope);
  if (scope.files.some(({ path, previousPath }) => namesFile(mark.text, path, previousPath)))
    return isFileOnSide(mark.text, side, scope);
  return mark.kind === 'quotation' ? isQuotedOn(mark.text, side, scope) : isNameOn(mark.text, said, sentence);
}

const rolesIn = (facts: StatedFact[], mark: Mark) =>
  facts.flatMap(rolesOf).flatMap(({ name, role }) => (isSame(mark, name) ? [role] : []));

/** What stands on both sides comes where there is more of it, and goes where there is less. */
function isMoreOn(text: string, side: ChangedSide, { files }: Scope): boolean {
  const count = (which: ChangedSide) =>
    files.reduce((sum, file) => sum + file.text(which).split(text).length - 1, 0);
  return count(side) >= count(otherSide(side));
}

function isFileOnSide(name: string, side: ChangedSide, { ground, files }: Scope): boolean {
  // A bare word that is also a folder is more likely something in the code.
  const isNamed = (path: string): boolean =>
    namesFile(name, path) && (/[./]/.test(name) || `/${path}`.endsWith(`/${name}`));
  return files.some(({ path }) => isNamed(path) && ground.lines.file(path)?.status !== otherSide(side));
}

function isQuotedOn(text: string, side: ChangedSide, { files }: Scope): boolean {
  const standsOn = (which: ChangedSide) => files.some((file) => quotesFrom(foldsOf(file.text(which)), text));
  return standsOn(side) || !standsOn(otherSide(side));
}

function isNameOn(name: string, said: SaidOfSide, sentence: Sentence): boolean {
  const { scope } = sentence;
  const { side } = said;
  const count = (which: ChangedSide) =>
    scope.files.reduce((sum, file) => sum + countIn(file.text(which), name), 0);
  const [here, there] = [count(side), count(otherSide(side))];
  const others = othersHolding(name, said, sentence);
  if (here === 0 || hasMoved(name, side, scope, others)) return false;
  const isDeclared = (which: ChangedSide) =>
    citedLines(scope, which).some(({ line }) => isDeclaration(line.text, name));
  if (isDeclared(side)) return !others.some((text) => isDeclaration(text, name));
  return !isDeclared(otherSide(side)) && here >= there;
}

/** What stands on the other side of the diff; of what is told of a function, only what stands in that one. */
function othersHolding(
  name: string,
  { side, isDoing }: SaidOfSide,
  { scope: { ground, evidence }, marked }: Sentence,
): string[] {
  const all = linesHolding(ground, longestWord(name), otherSide(side));
  const around = evidence.map((one) => ground.functionsAround(one));
  // A function that comes or goes itself is looked for everywhere.
  const isTold = (of: string): boolean =>
    !isNamed(of, name) && (isDoing || marked.marks.some(({ text }) => isNamed(of, text)));
  const within = new Set(around.flat().filter(isTold));
  // What lies in no function may be told of anything.
  const isInside = around.length > 0 && around.every((functions) => functions.some((of) => within.has(of)));
  const told = isInside
    ? all.filter(({ path, line }) => {
        const place = referenceTo(path, line);
        return place !== null && [...within].some((of) => ground.isWithin(of, place));
      })
    : all;
  return told.map(({ line }) => line.text);
}

/** By a keyword; or by its value alone, as constants are in some languages. */
const isDeclaration = (line: string, name: string): boolean =>
  declares(line, name) || (/^[A-Z][A-Z0-9_]+$/.test(name) && gives(line, name));

/** Words and no code: a test is called so. */
const isPhrase = /^[\p{L}\p{N}'’,.-]+(?: [\p{L}\p{N}'’,.-]+){3,}$/u;

/** Whether all lines that are cited for something stand on the other side as well, or it is called so there. */
function hasMoved(name: string, side: ChangedSide, scope: Scope, others: string[]): boolean {
  const cited = citedLines(scope, side)
    .map(({ line }) => line.text)
    .filter((text) => countIn(text, name) > 0);
  const standsElsewhere = new Set(others.map((text) => text.trim()));
  const isQuoted = (text: string) => [`"`, `'`, '`'].some((mark) => text.includes(`${mark}${name}${mark}`));
  const namesTest = (text: string): boolean => beginsTest(text) && isQuoted(text);
  const isCalledSo = (text: string): boolean =>
    (isPhrase.test(name) && text.includes(name)) ||
    (/\s/.test(name) && isQuoted(text)) ||
    (namesTest(text) && cited.some(namesTest));
  return (
    others.some(isCalledSo) || (cited.length > 0 && cited.every((text) => standsElsewhere.has(text.trim())))
  );
}
