import type { StatedFact } from '../draft.ts';
import { formOf } from './facts/comes-and-goes.ts';
import type { Mark, MarkedText } from './marked-text.ts';
import type { Scope } from './scope.ts';
import { namesFile } from './stands-in-text.ts';

/** What a sentence may say that stands on no line: names and numbers that its facts have shown to be so. */
interface Shown {
  names: string[];
  numbers: number[];
}

export function shownBy(facts: StatedFact[]): Shown {
  return {
    names: facts.flatMap(namesShownBy),
    numbers: facts.flatMap((fact) => (fact.relation === 'count' ? fact.value : [])),
  };
}

function namesShownBy(fact: StatedFact): string[] {
  switch (fact.relation) {
    case 'file':
      return fact.from === null ? [fact.path] : [fact.path, fact.from];
    case 'moved':
      return [fact.fromFile, fact.toFile];
    case 'becomes':
      // Group and name of a package were found apart from each other.
      return [fact.from, fact.to, ...fact.of.filter((name) => name.includes(':'))];
    case 'comes':
    case 'goes':
      // The parts of these stand on the lines, but not always beside each other.
      return formOf[fact.thing] === 'parts' ? [fact.name] : [];
    default:
      return [];
  }
}

/** The names, versions, numbers and quotations of a sentence that do not stand in what it cites. */
export const findUnborne = (marked: MarkedText, scope: Scope, shown: Shown): Mark[] =>
  [...marked.marks, ...marked.unmarked].filter((mark) => !isBorneOut(mark, scope, shown));

function isBorneOut(mark: Mark, scope: Scope, shown: Shown): boolean {
  const { kind, text } = mark;
  if (!/[\p{L}\p{N}]/u.test(text))
    return kind === 'quotation' || text === '' || shown.names.includes(text) || scope.hasName(text);
  if (kind === 'quotation')
    return shown.names.includes(text) || scope.hasQuotation(text) || scope.reachForQuotation(text);
  if (kind === 'number') return isNumberBorneOut(text, scope, shown);
  const isShown = shown.names.some((name) => name === text || namesFile(text, name));
  return (
    isShown ||
    isFileWithoutLines(text, scope) ||
    scope.hasName(text) ||
    scope.reachForName(text) ||
    scope.evidence.some((one) => scope.ground.namesAround(text, one))
  );
}

/** One that has no lines to cite, such as a picture, can only be named. */
const isFileWithoutLines = (name: string, { ground, evidence }: Scope): boolean =>
  evidence.length === 0 && ground.lines.file(name)?.hunks.length === 0;

function isNumberBorneOut(text: string, scope: Scope, { numbers }: Shown): boolean {
  if (text.startsWith('#')) return scope.wasWritten(text) || scope.hasName(text.slice(1));
  const plain = text.replaceAll(',', '');
  return (
    numbers.includes(Number(plain)) ||
    [text, plain].some((one) => scope.hasName(one) || scope.wasWritten(one))
  );
}

export const complaintAboutMark = ({ kind, text }: Mark): string =>
  kind === 'quotation'
    ? `the quotation “${text}” does not stand in what is cited`
    : `${kind === 'number' ? 'the number ' : ''}\`${text}\` does not stand in what is cited`;
