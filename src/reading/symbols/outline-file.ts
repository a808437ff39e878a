import { detachText } from '../../domain/text.ts';
import { type KindedFile, skippedFor } from '../classify-file.ts';
import { commentSigns } from '../comment-signs.ts';
import type { Definition, Evidence, FileKind, NamedLines, NamedRange, SideNames } from '../facts.ts';
import { gapsIn, linesOf } from '../file-diff.ts';
import { pathParts } from '../file-places.ts';
import { type HunkLines, readHunkLines, readWholeLines } from '../hunk-lines.ts';
import { testGroupIn, testNameIn, testStyles } from '../read-tests.ts';
import type { LanguageRules } from './language-rules.ts';
import { qualifiedName } from './read-symbols.ts';
import { rulesFor } from './rules-for.ts';
import { type Declaration, type FindBlock, scanDeclarations } from './scan-declarations.ts';
import { type HandedOn, isReachable } from './visibility.ts';

interface SideToOutline {
  fileName: string;
  path: string;
  kind: FileKind;
  language: string | null;
  side: Evidence['side'];
  changed: readonly number[];
}

interface Outline {
  ranges: NamedRange[];
  names: SideNames | null;
  definitions: Definition[];
}

export interface Uses {
  here: (name: string, use: Use) => boolean;
  elsewhere: (name: string, use: Use) => boolean;
  isShown: (line: number) => boolean;
}

export type Use = 'called' | 'called on itself' | 'mentioned';

interface Outlined extends NamedLines {
  isFunction?: boolean;
}

const mostBytes = 1024 * 1024;
const mostLines = 50_000;
const mostRanges = 200;
const longestName = 120;

/** Nobody reads more files than this, and changes of more files are the same everywhere. */
const mostSides = 300;

const later: Partial<Record<FileKind, number>> = {
  test: 1,
  build: 2,
  manifest: 2,
  configuration: 2,
  documentation: 3,
};

/**
 * The file contents worth fetching, most informative first. Those of added and removed files are already in the diff.
 */
export function sidesToOutline(files: Iterable<KindedFile>): SideToOutline[] {
  const wanted: { order: number; side: SideToOutline }[] = [];
  for (const kinded of files) {
    const { file, kind, language } = kinded;
    if (file.status === 'added' || file.status === 'removed' || file.isBinary || file.isSubmodule) continue;
    const rules = rulesFor(language);
    if (skippedFor(kinded) !== null || (rules === null && documentOutliner(language) === null)) continue;
    const sides: [Evidence['side'], string][] = file.hunks.length > 0 ? [['new', file.path]] : [];
    if (file.hunks.some((hunk) => isOldTelling(linesOf(hunk), rules)))
      sides.push(['old', file.previousPath ?? file.path]);
    const hunks = readHunkLines(file.hunks, commentSigns(language));
    for (const [side, path] of sides) {
      // On the new side, the lines around removed ones count too, because they are in the same function.
      const beside = side === 'new' ? file.hunks.flatMap(gapsIn) : [];
      const numbers = [
        ...changedLineNumbers(hunks, side),
        ...beside.flatMap(({ above, below }) => [above, below]),
      ];
      const changed = [...new Set(numbers)].sort((one, other) => one - other);
      const one = { fileName: file.path, path, kind, language, side, changed };
      wanted.push({ order: later[kind] ?? 0, side: one });
    }
  }
  return wanted
    .sort((one, other) => one.order - other.order)
    .slice(0, mostSides)
    .map(({ side }) => side);
}

/** The old side is needed for lines that were removed without replacement, and for removed declarations. */
function isOldTelling(lines: ReturnType<typeof linesOf>, rules: LanguageRules | null): boolean {
  return (
    lines.every(({ side }) => side !== 'added') ||
    (rules !== null &&
      lines.some(({ side, text }) => {
        const found = side === 'removed' ? rules.find(text.trim(), 'file', null) : null;
        return found !== null && !found.reported && !found.needsBody && found.kind !== 'constant';
      }))
  );
}

export const changedLineNumbers = (hunks: HunkLines[], side: Evidence['side']): number[] =>
  hunks.flatMap((hunk) =>
    hunk[side].flatMap(({ isChanged, oldLine, newLine }) =>
      isChanged ? ((side === 'new' ? newLine : oldLine) ?? []) : [],
    ),
  );

/**
 * The functions, classes, tests or sections of a whole file that contain a changed line, and which of their names are
 * public. Takes linear time.
 */
export function outlineFile(
  { path, kind, language, side, changed }: Omit<SideToOutline, 'fileName'>,
  text: string,
  modules: HandedOn | null = null,
  uses: Uses | null = null,
): Outline {
  const lines = text.length > mostBytes ? [] : text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  if (changed.length === 0 || lines.length > mostLines || text.includes('\0'))
    return { ranges: [], names: null, definitions: [] };
  const isKept = ({ startLine, endLine }: NamedLines): boolean => holdsOne(changed, startLine, endLine);
  const rules = rulesFor(language);
  const named = rules ? nameAll(declarationsIn(lines, path, language, rules)) : [];
  const kept = named.filter(({ outlined }) => isKept(outlined));
  const found: Outlined[] = rules
    ? kept.filter(isRange).map(({ outlined }) => outlined)
    : (documentOutliner(language)?.(lines).filter(isKept) ?? []);
  const ranges = found
    .filter(({ name }) => name !== '')
    .slice(0, mostRanges)
    .map(({ name, isFunction = false, ...lines }) => ({ name: boundName(name), isFunction, side, ...lines }));
  const isOpen = isReachable(path, kind, language);
  const declarations = kept.map(({ declaration }) => declaration).filter(({ found }) => !found.isTest);
  return {
    ranges,
    names: rules && kind === 'source' ? declaredNames(declarations, side, isOpen, modules) : null,
    definitions: uses
      ? [
          ...definitionsIn(named, isKept, uses).map((one) => definitionOf(one, lines)),
          ...kept.flatMap((one) => restDefinition(one, lines, uses)),
        ]
      : [],
  };
}

const linesOfDefinition = 24;
const longestLine = 200;

const shortestElsewhere = 5;

/**
 * Definitions that changed lines call. If several have the same name, it is unknown which is called, unless a class
 * calls its own method.
 */
function definitionsIn(named: Named[], isChanged: (lines: NamedLines) => boolean, uses: Uses): Named[] {
  const sharing = Map.groupBy(named, ({ declaration }) => declaration.found.name);
  const changed = new Set(
    named.filter(({ outlined }) => isChanged(outlined)).map(({ declaration }) => declaration.found.name),
  );
  const isKnown = (one: Named): boolean => {
    const { name } = one.declaration.found;
    const same = sharing.get(name) ?? [];
    if (same.length === 1) return true;
    const own = same.filter(({ declaration }) => changed.has(declaration.container ?? ''));
    return uses.here(name, 'called on itself') && own.length === 1 && own[0] === one;
  };
  return named
    .filter(isKnown)
    .filter((one) => !isChanged(one.outlined) && isUsed(one, uses))
    .sort((one, other) => Number(other.outlined.isFunction) - Number(one.outlined.isFunction));
}

function isUsed(
  { declaration, outlined: { startLine } }: Named,
  { here, elsewhere, isShown }: Uses,
): boolean {
  const { found, container } = declaration;
  const { kind, name } = found;
  if (found.isTest || found.reported || kind === 'field' || kind === 'module' || isShown(startLine))
    return false;
  const isCalled = kind === 'function' || kind === 'method' || kind === 'constructor';
  const use = isCalled ? 'called' : 'mentioned';
  const isMember = kind === 'method' || container !== null;
  return here(name, use) || (!isMember && name.length >= shortestElsewhere && elsewhere(name, use));
}

const shownLine = (line: string): string => detachText(line.slice(0, longestLine));

function definitionOf({ outlined: { name, startLine, endLine } }: Named, lines: string[]): Definition {
  const end = Math.min(endLine, startLine + linesOfDefinition - 1);
  return {
    name: boundName(name),
    startLine,
    lines: lines.slice(startLine - 1, end).map(shownLine),
  };
}

/** The length in lines up to which the rest of a changed function is kept: longer ones are seldom needed as a whole. */
const mostLinesOfRest = 80;

function restDefinition({ outlined }: Named, lines: string[], { isShown }: Uses): Definition[] {
  const { name, isFunction, startLine, endLine } = outlined;
  if (!isFunction || endLine - startLine >= mostLinesOfRest) return [];
  const rests: Definition[] = [];
  let rest: Definition | null = null;
  for (let line = startLine; line <= endLine; line += 1) {
    if (isShown(line)) {
      rest = null;
      continue;
    }
    if (!rest) {
      // Has a name of its own, because the name of the function stands for its changed lines.
      rest = { name: boundName(`${name} (rest)`), startLine: line, lines: [], isRest: true };
      rests.push(rest);
    }
    rest.lines.push(shownLine(lines[line - 1] ?? ''));
  }
  return rests;
}

function declaredNames(
  declarations: Declaration[],
  side: Evidence['side'],
  isOpen: boolean | null,
  modules: HandedOn | null,
): SideNames {
  const names: SideNames = { side, public: [], hidden: [] };
  for (const declaration of declarations
    .filter(({ found }) => found.reported === undefined)
    .slice(0, mostRanges)) {
    const { found, container, isPublic } = declaration;
    const isListed = modules?.names.has(container ?? found.name) ?? false;
    const isReached = isOpen === false ? false : isListed || (modules ? modules.all : isOpen);
    const name = qualifiedName(declaration);
    if (name.length > longestName) continue;
    if (isPublic === false || isReached === false) names.hidden.push(detachText(name));
    else if (isPublic && isReached) names.public.push(detachText(name));
  }
  return names;
}

const boundName = (name: string): string =>
  detachText(name.length > longestName ? `${name.slice(0, longestName - 1)}…`.toWellFormed() : name);

export function holdsOne(numbers: readonly number[], first: number, last: number): boolean {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) < first) low = middle + 1;
    else high = middle;
  }
  return (numbers[low] ?? Number.POSITIVE_INFINITY) <= last;
}

function declarationsIn(
  lines: string[],
  path: string,
  language: string | null,
  rules: LanguageRules,
): Declaration[] {
  const whole = readWholeLines(lines, commentSigns(language));
  const scan = { side: 'new', rules, isWhole: true, findBlock: blockFinder(path, rules) } as const;
  return scanDeclarations(whole, scan).declarations;
}

/** Tests that are calls, and other blocks that are not ordinary declarations. */
function blockFinder(path: string, rules: LanguageRules): FindBlock {
  const style = testStyles.get(pathParts(path).ending);
  return (line, below, place) => {
    const own = rules.findInWhole?.(line, place) ?? null;
    if (own || !style || (place && rules.find(line, place, null))) return own;
    const group = testGroupIn(line);
    if (group !== null) return { kind: 'function', name: group, holds: 'file', isTest: true };
    const isOpened = style.opened?.test(line) ?? false;
    const name = testNameIn(isOpened ? below : line, style, { isMarked: false, isOpened });
    return name === null ? null : { kind: 'function', name, isTest: true };
  };
}

interface Named {
  declaration: Declaration;
  outlined: Outlined;
}

const isRange = ({ declaration: { found, start, end } }: Named): boolean =>
  found.kind !== 'field' && (found.kind !== 'constant' || end > start);

const testModule = /^tests?$/;

function nameAll(declarations: Declaration[]): Named[] {
  const named: Named[] = [];
  const around: Named[] = [];
  for (const declaration of declarations) {
    const { found, start, end } = declaration;
    while ((around.at(-1)?.declaration.end ?? Number.POSITIVE_INFINITY) < start) around.pop();
    const isFunction = !found.isTest && (found.kind === 'function' || found.kind === 'method');
    const name = nameInContainer(declaration, around);
    const one = { declaration, outlined: { name, isFunction, startLine: start + 1, endLine: end + 1 } };
    around.push(one);
    if (found.reported !== 'never' || testModule.test(found.name)) named.push(one);
  }
  return named;
}

function nameInContainer(declaration: Declaration, around: Named[]): string {
  const { found } = declaration;
  if (found.isTest) {
    const group = around.findLast(
      ({ declaration }) => declaration.found.isTest || /^Test/.test(declaration.found.name),
    );
    return group ? `${group.outlined.name} › ${found.name}` : found.name;
  }
  const name = qualifiedName(declaration);
  const isInTests = around.some(
    ({ declaration: { found } }) => found.reported === 'never' && testModule.test(found.name),
  );
  return isInTests ? `tests.${name}` : name;
}

interface Heading {
  level: number;
  text: string;
  line: number;
}

function documentOutliner(language: string | null): ((lines: string[]) => NamedLines[]) | null {
  const find = finders.get(language ?? '');
  return find ? (lines) => sectionsBetween(find(lines), lines.length) : null;
}

function sectionsBetween(headings: Heading[], lines: number): NamedLines[] {
  const open: { level: number; section: NamedLines }[] = [];
  const sections: NamedLines[] = [];
  for (const { level, text, line } of headings) {
    for (let last = open.at(-1); last && last.level >= level; last = open.at(-1)) {
      last.section.endLine = line;
      open.pop();
    }
    const section = { name: text, startLine: line + 1, endLine: lines };
    open.push({ level, section });
    sections.push(section);
  }
  return sections;
}

const fence = /^ {0,3}(`{3,}|~{3,})/;
const atx = /^ {0,3}(#{1,6})[ \t]+(\S.{0,500})$/;
const setext = /^ {0,3}(=+|-{2,})[ \t]*\r?$/;

function findInMarkdown(lines: string[]): Heading[] {
  const headings: Heading[] = [];
  let fenced: string | null = null;
  for (const [line, text] of lines.entries()) {
    const [, mark] = fence.exec(text) ?? [];
    if (mark) {
      if (fenced === null) fenced = mark;
      else if (mark.startsWith(fenced)) fenced = null;
      continue;
    }
    if (fenced !== null) continue;
    const [, signs, words] = atx.exec(text) ?? [];
    if (signs && words) headings.push({ level: signs.length, text: plainWords(words), line });
    else {
      const [, under] = setext.exec(text) ?? [];
      const above = lines[line - 1] ?? '';
      if (under && line > 0 && isTitle(above) && !isTitle(lines[line - 2] ?? ''))
        headings.push({ level: under.startsWith('=') ? 1 : 2, text: plainWords(above), line: line - 1 });
    }
  }
  return headings;
}

const isTitle = (text: string): boolean => text.length <= 500 && /^ {0,3}[\p{L}\p{N}`*[("'_]/u.test(text);

const plainWords = (text: string): string =>
  text
    .slice(0, 500)
    .replace(/(?<!#)[ \t]#+[ \t\r]*$/, '')
    .replace(/!?\[([^\][]{0,300})\]\([^()]{0,300}\)/g, '$1')
    .replace(/[*`]+|<[^<>]{0,200}>|\{#[^{}]{0,100}\}/g, '')
    .trim();

const rule = /^([=\-~^"'`#*+:._<>])\1{2,}\s*$/;

function findInRestructuredText(lines: string[]): Heading[] {
  const headings: Heading[] = [];
  const levels: string[] = [];
  for (const [line, text] of lines.entries()) {
    const sign = rule.exec(text)?.[1];
    const title = lines[line - 1]?.trimEnd() ?? '';
    if (!sign || title === '' || rule.test(title) || text.trimEnd().length < title.trim().length) continue;
    const isOverlined = rule.exec(lines[line - 2] ?? '')?.[1] === sign;
    if (!isOverlined && (/^\s/.test(title) || (lines[line - 2] ?? '').trim() !== '')) continue;
    const kind = isOverlined ? `${sign}${sign}` : sign;
    if (!levels.includes(kind)) levels.push(kind);
    headings.push({
      level: levels.indexOf(kind) + 1,
      text: title.trim().replaceAll('`', ''),
      line: isOverlined ? line - 2 : line - 1,
    });
  }
  return headings;
}

const finders = new Map<string, (lines: string[]) => Heading[]>([
  ['Markdown', findInMarkdown],
  ['MDX', findInMarkdown],
  ['reStructuredText', findInRestructuredText],
]);
