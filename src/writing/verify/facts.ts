import type { FileDiff } from '../../reading/file-diff.ts';
import type { FactOf, StatedFact, Thing } from '../draft.ts';
import { blocksOf, foldsOf, joinLines, type PlacedLine, quotesFrom, type Side } from './diff-lines.ts';
import { countIn, declares, gives, isCodeFile, occursIn } from './find-name.ts';
import type { Ground } from './ground.ts';
import {
  type ChangedSide,
  citedLines,
  fileLines,
  linesHolding,
  longestWord,
  otherSide,
  type Scope,
} from './scope.ts';

/** The first fact of a sentence that the lines do not prove; null if they prove all. */
export function findFalseFact(facts: StatedFact[], scope: Scope): StatedFact | null {
  return facts.find((fact) => !holds(fact, scope)) ?? elsewhere(facts, scope);
}

/** A fact about a file needs a citation of one of its lines, if the sentence cites lines and the file has some. */
function elsewhere(facts: StatedFact[], { files, ground }: Scope): StatedFact | null {
  if (files.length === 0) return null;
  const stated = facts.filter((fact) => fact.relation === 'file');
  const unshown = stated.filter(({ path }) => !files.some((file) => file.path === path));
  const hasLines = unshown.find(({ path }) => (ground.lines.file(path)?.hunks.length ?? 0) > 0);
  return hasLines ?? (unshown.length === stated.length ? (unshown[0] ?? null) : null);
}

function holds(fact: StatedFact, scope: Scope): boolean {
  switch (fact.relation) {
    case 'comes':
    case 'goes':
      return isOnlyOn(fact.relation === 'comes' ? 'added' : 'removed', fact.thing, fact.name, scope);
    case 'moved':
      return movedHolds(fact, scope);
    case 'becomes':
      return becomesHolds(fact, scope);
    case 'parameter':
      return parameterHolds(fact, scope);
    case 'file': {
      const file = scope.ground.lines.file(fact.path);
      return file?.status === fact.status && (fact.from === null || file.previousPath === fact.from);
    }
    case 'count':
      return countOf(fact.of, [...scope.ground.lines.files], scope.ground) === fact.value;
    case 'found':
      return true;
  }
}

export function countOf(of: FactOf<'count'>['of'], files: FileDiff[], ground: Ground): number {
  if (of === 'files') return files.length;
  const side = of === 'additions' ? 'added' : 'removed';
  return files.reduce((sum, { path }) => sum + fileLines(ground, path, side).length, 0);
}

const isDeclaredThing = (thing: Thing): boolean =>
  thing !== 'test' && thing !== 'dependency' && thing !== 'commandLineOption';

function isDeclaredAs(thing: Thing, line: string, name: string): boolean {
  // In JavaScript `#name` is private, and another name than `name`.
  if (name.startsWith('#') && !line.includes(name)) return false;
  const last = name.split(/\.|::|->|#/).at(-1) ?? name;
  return declares(line, last) || ((thing === 'constant' || thing === 'field') && gives(line, last));
}

/**
 * Whether the thing is on one side of the cited lines, and nowhere declared as the same kind on the other side of the
 * diff: `added` if it is new, `removed` if it is gone.
 */
function isOnlyOn(side: ChangedSide, thing: Thing, name: string, scope: Scope): boolean {
  if (!isDeclaredThing(thing)) return isTextOn(side, thing, name, scope);
  const isOne = ({ text }: PlacedLine): boolean => isDeclaredAs(thing, text, name);
  return (
    citedLines(scope, side).some(isOne) &&
    !linesHolding(scope.ground, longestWord(name), otherSide(side)).some(isOne)
  );
}

const lockFile = /(?:^|\/)(?:[\w.-]*lock(?:file)?(?:\.\w+)?|go\.sum|Podfile\.lock|npm-shrinkwrap\.json)$/i;

function isTextOn(side: ChangedSide, thing: Thing, name: string, { files, ground }: Scope): boolean {
  const [now, before] = side === 'added' ? (['new', 'old'] as const) : (['old', 'new'] as const);
  const standsIn = (text: string, path: string): boolean =>
    thing === 'test'
      ? text.includes(longestWord(name)) && quotesFrom(foldsOf(text), name)
      : // A package may be named by its group and its own name, which stand apart.
        name.split(':').every((part) => occursIn(part, text, path));
  const isCited = files.some(
    (file) =>
      standsIn(file.text(side), file.path) ||
      (standsIn(file.text(now), file.path) && !standsIn(file.text(before), file.path)),
  );
  if (!isCited) return false;
  const isQuoted = files.some((file) => isInQuoteMarks(file.text(side), name));
  return !ground.filesHolding(longestWord(name)).some((path) => {
    const others = joinLines(fileLines(ground, path, otherSide(side)), otherSide(side));
    if (thing === 'test') return namesTest(others, name, isQuoted) && standsIn(others, path);
    const isManifest = !isCodeFile(path) || files.some((file) => file.path === path);
    return (thing !== 'dependency' || (isManifest && !lockFile.test(path))) && standsIn(others, path);
  });
}

const isInQuoteMarks = (text: string, name: string): boolean =>
  [`"`, `'`, '`'].some((mark) => text.includes(`${mark}${name}${mark}`));

/** A test is named by a quoted text or by a function, not by the same words elsewhere. */
const namesTest = (text: string, name: string, isQuoted: boolean): boolean =>
  !/^[\w.]+$/.test(name) ||
  (isQuoted
    ? isInQuoteMarks(text, name)
    : text.split('\n').some((line) => isDeclaredAs('function', line, name) || /^\s*TEST/.test(line)));

/** The first lines of a declaration, which are compared. */
const linesOfBody = 8;

/**
 * Whether a declaration left one file and is in another, and one of the two is cited. If several have its name, these
 * two must be the most similar.
 */
function movedHolds({ thing, name, fromFile, toFile }: FactOf<'moved'>, scope: Scope): boolean {
  const { ground, files } = scope;
  const bodiesIn = (path: string, side: ChangedSide) => {
    const lines = fileLines(ground, path, side);
    return lines.flatMap((line, at) => {
      if (!isDeclaredAs(thing, line.text, name)) return [];
      const body = lines.slice(at, at + linesOfBody).map(({ text }) => text.replace(/\s+/g, ''));
      return [{ path, line, body: new Set(body.filter((text) => text.length > 2)) }];
    });
  };
  const all = (side: ChangedSide) =>
    ground.filesHolding(longestWord(name)).flatMap((path) => bodiesIn(path, side));
  const pairs = all('removed').flatMap((left) =>
    all('added').map((came) => ({
      left,
      came,
      shared: [...left.body].filter((text) => came.body.has(text)).length,
    })),
  );
  const isMeant = ({ left, came }: (typeof pairs)[number]) => left.path === fromFile && came.path === toFile;
  const best = pairs.filter(isMeant).toSorted((one, other) => other.shared - one.shared)[0];
  if (!best || best.shared === 0) return false;
  const rivals = pairs.filter(
    (one) =>
      !isMeant(one) && (one.left.path === fromFile || one.came.path === toFile) && one.shared >= best.shared,
  );
  const cited = new Set(files.flatMap(({ lines }) => lines));
  return rivals.length === 0 && (cited.has(best.left.line) || cited.has(best.came.line));
}

/**
 * A name is on the line of its value or up to this many lines above, because headers and manifests span several lines.
 */
const reach = 8;

/**
 * Whether the removed lines of a cited block have one value and the added ones the other, next to the names, and not
 * the reverse.
 */
function becomesHolds({ of, from, to }: FactOf<'becomes'>, { files, ground }: Scope): boolean {
  const turns = (path: string, lines: PlacedLine[], names: string[]): boolean => {
    const [first, last] = [lines[0], lines.at(-1)];
    if (!first || !last) return false;
    const [before, after] = [joinLines(lines, 'removed'), joinLines(lines, 'added')];
    if (!statesValue(before, from, path) || !statesValue(after, to, path)) return false;
    const isBoth = statesValue(before, to, path) && statesValue(after, from, path);
    if (isBoth && countIn(before, from) <= countIn(after, from) && countIn(after, to) <= countIn(before, to))
      return false;
    const around = ground.lines.of(path).slice(Math.max(0, first.at - reach), last.at + 2);
    const near = around.filter(({ hunk }) => hunk === first.hunk).map(({ text }) => text);
    const shown = [ground.lines.file(path)?.hunks[first.hunk]?.heading ?? '', ...near].join('\n');
    return names.every((name) => isNamedIn(name, shown));
  };
  return (
    files.some(({ path, lines }) => blocksOf(lines).some((block) => turns(path, block, of))) ||
    // A value removed in one place may have been added in another.
    files.some(({ path, lines }) => turns(path, lines, of))
  );
}

const bound = /^[\^~<>=!]*\s*v?\d[\w.*+-]*$/;

/** Several bounds of a version may be in separate quotation marks. */
function statesValue(text: string, value: string, path: string): boolean {
  const bounds = value.split(/,\s*/);
  return occursIn(value, text, path) || bounds.every((one) => bound.test(one) && occursIn(one, text));
}

/** A package may be named by its group and name on separate lines, or have its major version in the name. */
function isNamedIn(name: string, text: string): boolean {
  const stem = name.replace(/[./]v\d+$/, '');
  return name.split(':').every((part) => occursIn(part, text)) || (stem !== name && text.includes(stem));
}

/** Whether a parameter is in a signature on one side, and missing from one on the other. */
function parameterHolds({ of, name, change }: FactOf<'parameter'>, scope: Scope): boolean {
  const [has, had] = change === 'added' ? (['new', 'old'] as const) : (['old', 'new'] as const);
  const others = parametersOf(of, had, scope);
  const isIn = (parameters: string) => occursIn(name, parameters);
  return parametersOf(of, has, scope).some(isIn) && (others.length === 0 || !others.every(isIn));
}

export const takesParameter = (of: string, name: string, scope: Scope): boolean =>
  (['new', 'old'] as const).some((side) =>
    parametersOf(of, side, scope).some((parameters) => occursIn(name, parameters)),
  );

/** The parameters of a name on one side of the cited hunks: as declared, if that is visible, otherwise as called. */
function parametersOf(name: string, side: Side, { files }: Scope): string[] {
  const heads = files.flatMap(({ around }) =>
    [...Map.groupBy(around, ({ hunk }) => hunk).values()].flatMap((hunk) =>
      headsIn(joinLines(hunk, side), name),
    ),
  );
  const declared = heads.filter(({ isDeclared }) => isDeclared);
  return (declared.length > 0 ? declared : heads).map(({ parameters }) => parameters);
}

function headsIn(text: string, name: string): { parameters: string; isDeclared: boolean }[] {
  const isWord = (at: number): boolean => /[\p{L}\p{N}_$]/u.test(text.charAt(at));
  const heads: { parameters: string; isDeclared: boolean }[] = [];
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const isWhole = !isWord(at - 1) && !isWord(at + name.length);
    const open = isWhole ? openingBehind(text, at + name.length) : -1;
    const close = open < 0 ? -1 : closingOf(text, open);
    if (close < 0) continue;
    const line = text.slice(text.lastIndexOf('\n', at) + 1).split('\n', 1)[0] ?? '';
    heads.push({ parameters: text.slice(open + 1, close), isDeclared: declares(line, name) });
  }
  return heads;
}

/** The opening parenthesis after a name, with only type parameters or an assignment of a function between. */
function openingBehind(text: string, from: number): number {
  const between =
    /^(?:\s*<[^()]{0,300}?>)?\s*(?:[:=]\s*(?:async\s+)?(?:function\b[\s\w*]{0,40}|func\b|fn\b)?\s*(?:<[^()]{0,200}?>)?\s*)?\(/.exec(
      text.slice(from, from + 600),
    );
  return between ? from + between[0].length - 1 : -1;
}

/** The longest signature that is read. */
const longestHead = 3_000;

function closingOf(text: string, open: number): number {
  let depth = 0;
  const end = Math.min(text.length, open + longestHead);
  for (let at = open; at < end; at++) {
    const character = text.charAt(at);
    if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character) && --depth === 0) return at;
  }
  return -1;
}
