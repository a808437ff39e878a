import { areApart } from '../../reading/edits/alike-lines.ts';
import { isImportLine } from '../../reading/edits/import-line.ts';
import { goesOn, isOpen, withoutRemark } from '../../reading/edits/open-ends.ts';
import type { DiffLine } from '../../reading/file-diff.ts';
import { join } from './compare-lines.ts';
import { almostTheSame, leastAlike, likenessOf, wordSet } from './likeness.ts';

/** A statement of code, on as many lines as it takes, for comparing: what is said behind it is no part of it. */
export interface WholeStatement {
  code: string;
  lines: DiffLine[];
}

/** A statement of more lines is not read. */
export const longestInLines = 5;

const numberOf = ({ oldLine, newLine }: DiffLine): number => newLine ?? oldLine ?? 0;
export const isBelow = (above: DiffLine, line: DiffLine): boolean => numberOf(line) === numberOf(above) + 1;

/** What a line begins with that goes on from the one above. */
const continues = /^\s*(?:\??\.\w|\|>|&&|\|\||[+*/]\s|<>|\?\s|:\s|(?:then|of|with|and|or)\b)/;

/** Words of a text that goes on in the next line. */
const isUnendedText = (text: string): boolean =>
  /^\s*\p{L}[^;{}=]*(?: [\p{L}<>:'-]+){4,}[^.;:{}]*$/u.test(text) && !/[.;:{}]\s*$/.test(text);

/** Lines as statements: one goes on for as long as a bracket is open in it, or the next line goes on from it. */
export function statementsOf(lines: DiffLine[]): WholeStatement[] {
  const statements: DiffLine[][] = [];
  for (const line of lines) {
    const open = statements.at(-1);
    const above = open?.at(-1);
    const isPart =
      open &&
      above &&
      open.length < longestInLines &&
      isBelow(above, line) &&
      (isOpen(codeOf(open)) ||
        goesOn.test(codeOf([above])) ||
        continues.test(line.text) ||
        (isUnendedText(above.text) && /^\s*[\p{L}`(<"]/u.test(line.text)));
    if (isPart) open.push(line);
    else statements.push([line]);
  }
  return statements.map((own) => ({ code: codeOf(own), lines: own }));
}

const codeOf = (lines: DiffLine[]): string =>
  join(lines.map((line) => ({ ...line, text: withoutRemark(line.text) })));

const indentOf = (text: string): number => text.search(/\S/);

/** Whether a statement goes on in a block, or in lines that are indented deeper: its body, or the rest of it. */
function hasBody({ lines: own }: WholeStatement, lines: DiffLine[], below = ''): boolean {
  const [first, last] = [own[0], own.at(-1)];
  if (!first || !last) return false;
  const next = lines.slice(lines.indexOf(last) + 1).find(({ text }) => text.trim() !== '');
  const follows = next?.text ?? below;
  // What a statement leans on may be told behind it.
  return /^\s*\{/.test(follows) || (indentOf(follows) > indentOf(first.text) && !/^\s*where\b/.test(follows));
}

const beginsBlock = /(?:[{:([=>]|\b(?:do|then|of|with|where|begin|try)(?:\s*\|[^|]*\|)?)$/;

/** Whether what stands deeper below two statements can be the same to both: the block of each, or of neither. */
export function goOnAlike(
  [old, now]: Pair,
  { removed, added, below }: { removed: DiffLine[]; added: DiffLine[]; below?: string },
): boolean {
  const isHeld = hasBody(old, removed, below);
  if (isHeld !== hasBody(now, added, below)) return false;
  return !isHeld || beginsBlock.test(old.code) === beginsBlock.test(now.code);
}

/** Whether a statement of several lines is cut off: what goes on from its head has more lines than those, and no block. */
export function isCutOff(statement: WholeStatement, lines: DiffLine[], below = ''): boolean {
  const [first, second] = statement.lines;
  return (
    first !== undefined &&
    second !== undefined &&
    !isOpen(withoutRemark(first.text)) &&
    !beginsBlock.test(statement.code) &&
    hasBody(statement, lines, below)
  );
}

export type Pair = [WholeStatement, WholeStatement];

/** Of two that are as like as that, neither is more like than the other. */
const margin = 0.05;

/** Where as many statements come as go, one stands in the place of the other. */
const leastOpposite = 0.5;

/** Statements of which one was made out of the other: each is what the other is most like, and no third one is as like it. */
export function pairStatements(
  old: WholeStatement[],
  now: WholeStatement[],
  isNews: (one: WholeStatement, other: WholeStatement) => boolean,
): Pair[] {
  const isPair = (one: WholeStatement, other: WholeStatement): boolean =>
    isNews(one, other) && !areApart(one.code, other.code);
  const [only, sole] = [old[0], now[0]];
  if (
    only &&
    sole &&
    old.length === 1 &&
    now.length === 1 &&
    isPair(only, sole) &&
    (beginAlike(only.code, sole.code) || holdsOther(only.code, sole.code))
  )
    return [[only, sole]];
  const words = now.map(({ code }) => wordSet(code));
  const alike = old.map(({ code }) => {
    const own = wordSet(code);
    return words.map((others) => likenessOf(own, others));
  });
  return old.flatMap((one, row): Pair[] => {
    const opposite = now[row];
    if (opposite && old.length === now.length && haveOneKey(row, old, now) && isPair(one, opposite))
      return [[one, opposite]];
    const holders = now.filter((other) => one.code.length >= leastHeld && other.code.endsWith(one.code));
    const [holder] = holders;
    if (holder && holders.length === 1 && isPair(one, holder)) return [[one, holder]];
    // One import is not made out of another, and what closes something belongs to what it closes.
    if (isImportLine(one.code) || /^\s*[)\]}]/.test(one.code)) return [];
    const column = bestOf(alike[row] ?? [], old.length === now.length ? row : null);
    const [other, most] = [now[column], alike[row]?.[column] ?? 0];
    const isOpposite = old.length === now.length && column === row;
    if (!other || !isPair(one, other) || most < (isOpposite ? leastOpposite : leastAlike)) return [];
    if (!isOpposite && most < almostTheSame && wordAt(one) !== wordAt(other)) return [];
    const isRivalled = (rows: number[], own: number): boolean =>
      rows.some((value, at) => at !== own && value > most - margin && !(isOpposite && value <= most));
    const isSure =
      !isRivalled(alike[row] ?? [], column) &&
      !isRivalled(
        alike.map((values) => values[column] ?? 0),
        row,
      );
    return isSure ? [[one, other]] : [];
  });
}

const key = /^\s*(?:- )?["']?([\p{L}\p{N}_$.-]+)["']?\s*[:=](?![:=])/u;

/** Whether two lines give a value to the same key, which no other line beside them does. */
function haveOneKey(row: number, old: WholeStatement[], now: WholeStatement[]): boolean {
  const keyOf = (statement: WholeStatement | undefined): string | undefined =>
    key.exec(statement?.code ?? '')?.[1];
  const own = keyOf(old[row]);
  const isSingle = (all: WholeStatement[]): boolean => all.filter((one) => keyOf(one) === own).length === 1;
  return own !== undefined && keyOf(now[row]) === own && isSingle(old) && isSingle(now);
}

/** The place of the greatest of some numbers; of equals, the one that is preferred. */
function bestOf(values: number[], preferred: number | null): number {
  const most = Math.max(...values);
  return preferred !== null && values[preferred] === most ? preferred : values.indexOf(most);
}

/** What a statement begins with. */
const wordAt = ({ code }: WholeStatement): string | undefined => /[\p{L}\p{N}_$]+/u.exec(code)?.[0];

/** What is shorter stands in another line by chance. */
export const leastHeld = 8;

/** Whether one of two lines stands in the other, as what is wrapped does. */
const holdsOther = (one: string, other: string): boolean =>
  Math.min(one.length, other.length) >= leastHeld && (one.includes(other) || other.includes(one));

/** A longer line is no mere key or item of a list. */
const longestItem = 40;

const firstWord = /[\p{L}\p{N}_$]{3,}/u;

/** A single line in the place of another that begins with the same word, or has the same signs, is what became of it. */
const beginAlike = (one: string, other: string): boolean => {
  const shape = (text: string): string => text.trim().replace(/[\p{L}\p{N}_$]+/gu, 'x');
  if (shape(one) === shape(other) && one.trim().length <= longestItem) return true;
  const [first] = firstWord.exec(one) ?? [];
  return first !== undefined && firstWord.exec(other)?.[0] === first;
};
