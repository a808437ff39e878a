import { commentSigns } from '../comment-signs.ts';
import { detachText } from '../detach-text.ts';
import type { Evidence, NamedLines, NamedRange } from '../facts.ts';
import { type HunkLines, readHunkLines } from '../hunk-lines.ts';
import { partsOf } from '../path-parts.ts';
import { testGroupIn, testNameIn, testStyles } from '../test-styles.ts';
import { confirm } from './confirm.ts';
import {
  type Declaration,
  type DeclaredSide,
  type FindBlock,
  findAllDeclarations,
} from './find-declarations.ts';
import type { Grammars } from './grammar.ts';
import { HeaderParser } from './header-parser.ts';
import type { LanguageRules } from './language-rules.ts';
import { keysOutliner } from './outline-keys.ts';
import { sectionsOutliner } from './outline-sections.ts';
import { rulesFor } from './rules-for.ts';

/** One side of a file, and which of its lines changed, in their order. */
export interface FileSide {
  path: string;
  language: string | null;
  side: Evidence['side'];
  text: string;
  changed: readonly number[];
}

interface Outlined extends NamedLines {
  isFunction?: boolean;
}

/** A larger file is data, or was put together by a program. */
export const mostOutlinedBytes = 1024 * 1024;
const mostLines = 50_000;
const mostRanges = 200;
const longestName = 120;

/** Whether names would be found in a file. */
export const hasOutline = (path: string, language: string | null): boolean =>
  rulesFor(path, language) !== null || sectionsOutliner(language) !== null || keysOutliner(language) !== null;

/**
 * The functions, classes, tests, sections or keys of a whole file that hold a changed line. The time that it takes grows with
 * the size of the file alone: lines are looked at by themselves, and the grammar is asked about those that are kept.
 */
export function outlineFile(source: FileSide, grammars: Grammars): NamedRange[] {
  const { text } = source;
  return text.length > mostOutlinedBytes ? [] : outlineLines(source, text.split('\n'), null, grammars);
}

/** The same for a file whose lines stand in a diff, where they may have been read as those of a hunk. */
export function outlineLines(
  { path, language, side, changed }: Omit<FileSide, 'text'>,
  lines: string[],
  shown: HunkLines | null,
  grammars: Grammars,
): NamedRange[] {
  if (lines.at(-1) === '') lines.pop();
  if (changed.length === 0 || lines.length > mostLines || lines.some(isNoText)) return [];
  const isKept = ({ startLine, endLine }: NamedLines): boolean => holdsOne(changed, startLine, endLine);
  const rules = rulesFor(path, language);
  const outline = sectionsOutliner(language) ?? keysOutliner(language);
  const found: Outlined[] = rules
    ? outlineCode(hunkOf(lines, language, shown), { path, rules, grammars, isKept })
    : (outline?.(lines).filter(isKept) ?? []);
  return found
    .filter(({ name }) => name !== '')
    .slice(0, mostRanges)
    .map(({ name, isFunction = false, ...lines }) => ({ name: boundName(name), isFunction, side, ...lines }));
}

const boundName = (name: string): string =>
  detachText(name.length > longestName ? `${name.slice(0, longestName - 1)}…`.toWellFormed() : name);

const isNoText = (line: string): boolean => line.includes('\0');

/** Whether one of some numbers, which are in their order, lies between two. */
export function holdsOne(numbers: readonly number[], first: number, last: number): boolean {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) < first) low = middle + 1;
    else high = middle;
  }
  return (numbers[low] ?? Number.POSITIVE_INFINITY) <= last;
}

/** All lines of a file as those of one hunk in which nothing changed. */
function hunkOf(lines: string[], language: string | null, shown: HunkLines | null): HunkLines | undefined {
  if (shown?.new.length === lines.length && shown.hunk.newStart === 1) return shown;
  const all = { oldStart: 1, oldLines: lines.length, newStart: 1, newLines: lines.length, heading: '' };
  return readHunkLines([{ ...all, text: () => ` ${lines.join('\n ')}` }], commentSigns(language))[0];
}

interface Code {
  path: string;
  rules: LanguageRules;
  grammars: Grammars;
  isKept: (outlined: NamedLines) => boolean;
}

function outlineCode(hunk: HunkLines | undefined, { path, rules, grammars, isKept }: Code): Outlined[] {
  if (!hunk) return [];
  const side = findAllDeclarations(hunk, rules, blocksOf(path, rules));
  const grammar = rules.grammar && grammars.get(rules.grammar);
  const parser = grammar ? new HeaderParser(grammar) : null;
  const found: Outlined[] = [];
  for (const { declaration, name } of nameAll(side.declarations)) {
    if (found.length === mostRanges) break;
    const { kind, isTest } = declaration.found;
    const isFunction = !isTest && (kind === 'function' || kind === 'method');
    const outlined = { name, isFunction, startLine: declaration.start + 1, endLine: declaration.end + 1 };
    if (isKept(outlined) && isBelieved(declaration, side, rules, parser)) found.push(outlined);
  }
  return found;
}

/** Tests that are calls, and what else a language has. What it declares in the usual way is none of these. */
function blocksOf(path: string, rules: LanguageRules): FindBlock {
  const style = testStyles.get(partsOf(path).ending);
  return (line, below, place) => {
    const own = rules.findInWhole?.(line, place) ?? null;
    if (own || !style || (place && rules.find(line, place))) return own;
    const group = testGroupIn(line);
    if (group !== null) return { kind: 'function', name: group, holds: 'file', isTest: true };
    const isOpened = style.opened?.test(line) ?? false;
    const name = testNameIn(isOpened ? below : line, style, { isMarked: false, isOpened });
    return name === null ? null : { kind: 'function', name, isTest: true };
  };
}

function isBelieved(
  declaration: Declaration,
  side: DeclaredSide,
  rules: LanguageRules,
  parser: HeaderParser | null,
): boolean {
  const { found, start, end } = declaration;
  // A value on one line says itself what it is.
  if (found.kind === 'constant') return end > start;
  return !found.isWeak || confirm(declaration, side, rules, parser) !== null;
}

interface Named {
  declaration: Declaration;
  name: string;
}

const testModule = /^tests?$/;

/** Names with what they belong to: classes with a dot, groups of tests with an angle. */
function nameAll(declarations: Declaration[]): Named[] {
  const named: Named[] = [];
  const around: Named[] = [];
  for (const declaration of declarations) {
    while ((around.at(-1)?.declaration.end ?? Number.POSITIVE_INFINITY) < declaration.start) around.pop();
    const one = { declaration, name: nameOf(declaration, around) };
    around.push(one);
    const { told, name } = declaration.found;
    if (told !== 'never' || testModule.test(name)) named.push(one);
  }
  return named;
}

function nameOf({ found, container }: Declaration, around: Named[]): string {
  if (found.isTest) {
    const group = around.findLast(
      ({ declaration }) => declaration.found.isTest || /^Test/.test(declaration.found.name),
    );
    return group ? `${group.name} › ${found.name}` : found.name;
  }
  const name = container ? `${container}.${found.name}` : found.name;
  const isInTests = around.some(({ declaration }) => isTestModule(declaration));
  return isInTests ? `tests.${name}` : name;
}

const isTestModule = ({ found: { told, name } }: Declaration): boolean =>
  told === 'never' && testModule.test(name);
