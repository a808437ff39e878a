import type { Mark, MarkedText } from './marked-text.ts';
import type { Scope } from './scope.ts';
import { namesFile } from './stands-in-text.ts';

/** What the facts of a sentence have shown to be so: names that the lines need not hold, and numbers. */
export interface Shown {
  names: string[];
  numbers: number[];
  /** Files that are counted: one that has no lines to cite, such as a picture, can only be named. */
  counted: string[];
}

/** Why a name, version, number or quotation of a sentence does not stand in what it cites; null where all do. */
export function findUnborne(marked: MarkedText, scope: Scope, shown: Shown): string | null {
  for (const mark of [...marked.marks, ...marked.unmarked]) {
    if (!isBorneOut(mark, scope, shown)) return complaint(mark);
  }
  return null;
}

function isBorneOut(mark: Mark, scope: Scope, shown: Shown): boolean {
  const { kind, text } = mark;
  if (!/[\p{L}\p{N}]/u.test(text))
    return kind === 'quotation' || text === '' || shown.names.includes(text) || scope.hasName(text);
  if (kind === 'quotation')
    return shown.names.includes(text) || scope.hasQuotation(text) || scope.reachForQuotation(text);
  if (kind === 'number') return isNumberBorneOut(text, scope, shown);
  const isShown = shown.names.some((name) => name === text || namesFile(text, name));
  return isShown || isFileWithoutLines(text, scope, shown) || scope.hasName(text) || scope.reachForName(text);
}

const isFileWithoutLines = (name: string, { ground, evidence }: Scope, { counted }: Shown): boolean =>
  ground.lines.file(name)?.hunks.length === 0 && (evidence.length === 0 || counted.includes(name));

function isNumberBorneOut(text: string, scope: Scope, { numbers }: Shown): boolean {
  if (text.startsWith('#')) return scope.wasWritten(text) || scope.hasName(text.slice(1));
  const plain = text.replaceAll(',', '');
  return (
    numbers.includes(Number(plain)) ||
    [text, plain].some((one) => scope.hasName(one) || scope.wasWritten(one))
  );
}

const complaint = ({ kind, text }: Mark): string =>
  kind === 'quotation'
    ? `the quotation “${text}” does not stand in what is cited`
    : `${kind === 'number' ? 'the number ' : ''}\`${text}\` does not stand in what is cited`;
