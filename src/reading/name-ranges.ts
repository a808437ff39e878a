import type { KindedFile } from './classify-file.ts';
import type { Evidence, NamedRange, SymbolChange } from './facts.ts';
import { type FileDiff, linesOf } from './file-diff.ts';
import { type Gap, gapsIn } from './gaps-in.ts';
import type { HunkLines } from './hunk-lines.ts';
import type { Grammars } from './symbols/grammar.ts';
import { holdsOne, mostOutlinedBytes, outlineLines } from './symbols/outline-file.ts';

interface Known {
  hunks: HunkLines[];
  symbols: SymbolChange[];
  /** What the hunks tell by themselves. */
  shown: NamedRange[];
  /** What the whole file told when it was fetched. */
  outlined: NamedRange[];
  grammars: Grammars;
}

/** What the changed lines of a file lie in: from the whole file where that is known, and beside it from its hunks. */
export function nameRanges(
  { file, language }: KindedFile,
  { hunks, symbols, shown, outlined, grammars }: Known,
): NamedRange[] {
  const told = outlined.length > 0 ? outlined : outlineShown(file, language, hunks[0], grammars);
  const changed = { old: changedOn('old', hunks), new: changedOn('new', hunks) };
  const gaps = file.hunks.flatMap(gapsIn);
  const whole = told.filter(
    (range) =>
      holdsOne(changed[range.side], range.startLine, range.endLine) ||
      gaps.some((gap) => holdsGap(range, gap)),
  );
  const declared = new Map(
    symbols.filter(isDeclared).map((symbol) => [placeOf(symbol.evidence), nameOf(symbol)]),
  );
  // The same declaration has the same name everywhere.
  const named = whole.map((range) => ({ ...range, name: declared.get(placeOf(range)) ?? range.name }));
  const isDeclaration = (range: NamedRange): boolean => declared.get(placeOf(range)) === range.name;
  const others = shown.filter((range) => !named.some((known) => isKnown(range, isDeclaration(range), known)));
  return [...named, ...others, ...gaps.flatMap((gap) => rangeOfGap(gap, named))];
}

/** Lines that went lie in what is around the place where they stood, if it is the same above and below. */
function rangeOfGap(gap: Gap, ranges: NamedRange[]): NamedRange[] {
  const around = ranges.filter((range) => holdsGap(range, gap));
  const [inner] = around.sort(
    (one, other) => one.endLine - one.startLine - (other.endLine - other.startLine),
  );
  return inner ? [{ ...inner, side: 'old', startLine: gap.firstOld, endLine: gap.lastOld }] : [];
}

const holdsGap = ({ side, startLine, endLine }: NamedRange, { above, below }: Gap): boolean =>
  side === 'new' && startLine <= above && endLine >= below;

/** A file that came or went stands in the diff from its first line to its last. */
function outlineShown(
  file: FileDiff,
  language: string | null,
  shown: HunkLines | undefined,
  grammars: Grammars,
): NamedRange[] {
  const [hunk, ...more] = file.hunks;
  const side = file.status === 'added' ? 'new' : file.status === 'removed' ? 'old' : null;
  if (!hunk || more.length > 0 || side === null) return [];
  const lines = linesOf(hunk).map(({ text }) => text);
  if (lines.reduce((size, line) => size + line.length + 1, -1) > mostOutlinedBytes) return [];
  const count = side === 'new' ? hunk.newLines : hunk.oldLines;
  const changed = Array.from({ length: count }, (_, index) => index + 1);
  return outlineLines({ path: file.path, language, side, changed }, lines, shown ?? null, grammars);
}

function changedOn(side: Evidence['side'], hunks: HunkLines[]): number[] {
  const numbers: number[] = [];
  for (const hunk of hunks) {
    for (const { isChanged, oldLine, newLine } of hunk[side]) {
      const number = side === 'new' ? newLine : oldLine;
      if (isChanged && number !== null) numbers.push(number);
    }
  }
  return numbers.sort((one, other) => one - other);
}

type Span = Pick<Evidence, 'side' | 'startLine' | 'endLine'>;

const placeOf = ({ side, startLine }: Span): string => `${side} ${startLine}`;

/** Whether a symbol's place is where it is declared, and not only what changed inside of it. */
const isDeclared = ({ change, kind }: SymbolChange): boolean =>
  change !== 'bodyChanged' && change !== 'wrapped' && kind !== 'constant';

/** Whether the whole file tells better: of a declaration by its name, of changed lines by whatever they lie in. */
const isKnown = (range: NamedRange, isDeclaration: boolean, known: NamedRange): boolean =>
  known.side === range.side &&
  known.startLine <= range.startLine &&
  known.endLine >= range.endLine &&
  (!isDeclaration || known.name === range.name);

const nameOf = ({ name, container }: SymbolChange): string =>
  container === null ? name : `${container}.${name}`;
