import type { KindedFile } from './classify-file.ts';
import type { Evidence, FileOutline, NamedRange, SymbolChange } from './facts.ts';
import { type FileDiff, type Gap, gapsIn, linesOf } from './file-diff.ts';
import type { HunkLines } from './hunk-lines.ts';
import { changedLineNumbers, holdsOne, outlineFile } from './symbols/outline-file.ts';
import type { HandedOn } from './symbols/visibility.ts';

export function nameRanges(
  file: FileDiff,
  hunks: HunkLines[],
  symbols: SymbolChange[],
  outlined: NamedRange[],
): NamedRange[] {
  const changed = { old: changedLineNumbers(hunks, 'old'), new: changedLineNumbers(hunks, 'new') };
  const gaps = file.hunks.flatMap(gapsIn);
  const whole = outlined.filter(
    (range) =>
      holdsOne(changed[range.side], range.startLine, range.endLine) ||
      gaps.some((gap) => holdsGap(range, gap)),
  );
  const declared = new Map(
    symbols.filter(isDeclared).map((symbol) => [spanKey(symbol.evidence), symbolName(symbol)]),
  );
  // Gives a declaration the same name in all ranges.
  const named = whole.map((range) => ({ ...range, name: declared.get(spanKey(range)) ?? range.name }));
  const isDeclaration = (range: NamedRange): boolean => declared.get(spanKey(range)) === range.name;
  const shown = symbols.filter(({ kind }) => kind !== 'constant' && kind !== 'field').map(namedRangeOf);
  const others = shown.filter((range) => !named.some((known) => isKnown(range, isDeclaration(range), known)));
  return [...named, ...others, ...gaps.flatMap((gap) => rangeOfGap(gap, named))];
}

export function innermostRange(ranges: NamedRange[], { side, startLine, endLine }: Span): NamedRange | null {
  const sizeOf = (range: NamedRange): number => range.endLine - range.startLine;
  return ranges.reduce<NamedRange | null>((best, range) => {
    const isAround = range.side === side && range.startLine <= startLine && range.endLine >= endLine;
    return isAround && (best === null || sizeOf(range) < sizeOf(best)) ? range : best;
  }, null);
}

export function outlineShown(
  { file, kind, language }: KindedFile,
  modules: HandedOn | null = null,
): FileOutline | undefined {
  const [hunk, ...more] = file.hunks;
  const side = file.status === 'added' ? 'new' : file.status === 'removed' ? 'old' : null;
  if (!hunk || more.length > 0 || side === null) return undefined;
  const text = linesOf(hunk).map((line) => line.text);
  const changed = text.map((_, index) => index + 1);
  const { path } = file;
  const { ranges, names } = outlineFile({ path, kind, language, side, changed }, text.join('\n'), modules);
  return { fileName: path, ranges, ...(names && { names: [names] }) };
}

function namedRangeOf({ kind, name, container, evidence }: SymbolChange): NamedRange {
  const { side, startLine, endLine } = evidence;
  const isFunction = kind === 'function' || kind === 'method' || kind === 'constructor';
  return { name: symbolName({ name, container }), isFunction, side, startLine, endLine };
}

/** Removed lines belong to the range around their place if it is the same above and below. */
function rangeOfGap(gap: Gap, ranges: NamedRange[]): NamedRange[] {
  const inner = innermostRange(ranges, { side: 'new', startLine: gap.above, endLine: gap.below });
  return inner ? [{ ...inner, side: 'old', startLine: gap.firstOld, endLine: gap.lastOld }] : [];
}

const holdsGap = ({ side, startLine, endLine }: NamedRange, { above, below }: Gap): boolean =>
  side === 'new' && startLine <= above && endLine >= below;

type Span = Pick<Evidence, 'side' | 'startLine' | 'endLine'>;

const spanKey = ({ side, startLine }: Span): string => `${side} ${startLine}`;

const isDeclared = ({ change, kind }: SymbolChange): boolean =>
  change !== 'bodyChanged' && kind !== 'constant' && kind !== 'field';

const isKnown = (range: NamedRange, isDeclaration: boolean, known: NamedRange): boolean =>
  known.side === range.side &&
  known.startLine <= range.startLine &&
  known.endLine >= range.endLine &&
  (!isDeclaration || known.name === range.name);

const symbolName = ({ name, container }: Pick<SymbolChange, 'name' | 'container'>): string =>
  container === null ? name : `${container}.${name}`;
