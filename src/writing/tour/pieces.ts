import type { FileFacts, NamedRange, SymbolChange, UnitChange } from '../../reading/facts.ts';
import type { DiffLines } from '../verify/diff-lines.ts';
import { type Deed, deedOf } from './what-lines-do.ts';

/** A statement that changed, with what it says. */
export interface PieceUnit {
  change: UnitChange;
  before: string | null;
  after: string | null;
  deed: Deed;
}

/** All that changed in one function, in one new declaration, or in one place that has no name. */
export interface Piece {
  file: FileFacts;
  name: string | null;
  /** What became of the declaration itself; null where only what is in it changed. */
  symbol: SymbolChange | null;
  /** What was declared together with it: the members of a new class. */
  members: SymbolChange[];
  units: PieceUnit[];
  /** Whether it tests something, wherever it stands. */
  isTest: boolean;
}

/** More statements of one file than these were written by a program; the first of them stand for all. */
const mostUnits = 3_000;

/** The pieces of a file, in the order of its lines. What only moved or was laid out anew is in none. */
export function piecesOf(file: FileFacts, lines: DiffLines): Piece[] {
  const pieces = new Map<string, Piece>();
  const told = file.changes.slice(0, mostUnits).filter((change) => isTold(change, file));
  for (const [index, change] of told.entries()) {
    const place = placeOf(change, told[index + 1] ?? null, file, lines);
    const piece = pieces.get(place.key) ?? {
      file,
      name: place.range?.name ?? null,
      symbol: place.range ? symbolOf(place.range, file) : null,
      members: [],
      units: [],
      isTest: file.kind === 'test' || isTestIn(place.range?.name ?? '', file),
    };
    piece.units.push(unitOf(change, lines));
    pieces.set(place.key, piece);
  }
  const all = [...pieces.values()];
  for (const piece of all) if (piece.symbol) piece.members = membersOf(piece.symbol, file);
  return all;
}

/** In some languages tests stand beside what they test. */
const isTestIn = (name: string, { tests }: FileFacts): boolean =>
  /(?:^|\.)(?:tests?|specs?)\./i.test(`${name}.`) ||
  tests.some((test) => test.name.split('.').at(-1) === name.split('.').at(-1));

/** What moved to another place is no change there; what moved inside of one function is. */
function isTold(change: UnitChange, file: FileFacts): boolean {
  if (change.kind === 'rewrapped') return false;
  if (change.kind !== 'moved') return true;
  const { counterpart } = change;
  const own = change.new ?? change.old;
  if (!counterpart || counterpart.fileName !== file.path || !own || change.of !== 'code') return false;
  const [here, there] = [rangeAround(own, file), rangeAround(counterpart, file)];
  return here !== null && here.name === there?.name;
}

interface Place {
  key: string;
  range: NamedRange | null;
}

function placeOf(change: UnitChange, next: UnitChange | null, file: FileFacts, lines: DiffLines): Place {
  const at = change.new ?? change.old;
  if (!at) return { key: 'none', range: null };
  const found = outermostNew(change, file) ?? rangeAround(at, file) ?? rangeBelow(change, next, file);
  const range = found && asItIsNow(found, file);
  if (range) return { key: `${range.side} ${range.startLine} ${range.name}`, range };
  const [line] = lines.between(file.path, at.side, at.startLine, at.startLine);
  return { key: `hunk ${line?.hunk ?? 0}`, range: null };
}

const linesIn = ({ startLine, endLine }: { startLine: number; endLine: number }): number => endLine - startLine;

type Span = NonNullable<UnitChange['new']>;

const holds = (range: NamedRange, { side, startLine, endLine }: Span): boolean =>
  range.side === side && range.startLine <= startLine && range.endLine >= endLine;

function rangeAround(at: Span, { ranges }: FileFacts): NamedRange | null {
  const around = ranges.filter((range) => holds(range, at));
  return around.sort((one, other) => linesIn(one) - linesIn(other))[0] ?? null;
}

/** What went from a function belongs to what else changed in it. */
function asItIsNow(range: NamedRange, file: FileFacts): NamedRange {
  if (range.side === 'new' || symbolOf(range, file)) return range;
  const [now, ...others] = file.ranges.filter(({ side, name }) => side === 'new' && name === range.name);
  return now && others.length === 0 ? now : range;
}

/** A new class is one piece, with all that is in it. */
function outermostNew(change: UnitChange, file: FileFacts): NamedRange | null {
  if (change.kind !== 'added' || !change.new) return null;
  const at = change.new;
  const around = file.ranges.filter((range) => holds(range, at));
  const fresh = around.filter((range) => symbolOf(range, file)?.change === 'added');
  return fresh.sort((one, other) => linesIn(other) - linesIn(one))[0] ?? null;
}

/** A comment, or a mark, belongs to what begins below it. */
function rangeBelow(change: UnitChange, next: UnitChange | null, file: FileFacts): NamedRange | null {
  if (!change.new || !next?.new || next.new.startLine > change.new.endLine + 2) return null;
  if (change.of !== 'comment') return null;
  const below = next.new;
  const range = outermostNew(next, file) ?? rangeAround(below, file);
  return range && range.startLine >= change.new.endLine && range.startLine <= change.new.endLine + 6 ? range : null;
}

const nameOf = ({ name, container }: SymbolChange): string => (container === null ? name : `${container}.${name}`);

function symbolOf(range: NamedRange, { symbols }: FileFacts): SymbolChange | null {
  const own = symbols.find(
    (symbol) =>
      nameOf(symbol) === range.name &&
      symbol.evidence.side === range.side &&
      symbol.evidence.startLine === range.startLine,
  );
  return own && own.change !== 'bodyChanged' && own.change !== 'wrapped' ? own : null;
}

const membersOf = (symbol: SymbolChange, { symbols }: FileFacts): SymbolChange[] =>
  symbols.filter(
    (other) =>
      other !== symbol &&
      other.evidence.side === symbol.evidence.side &&
      other.evidence.startLine > symbol.evidence.startLine &&
      other.evidence.endLine <= symbol.evidence.endLine,
  );

function unitOf(change: UnitChange, lines: DiffLines): PieceUnit {
  const text = (span: Span | null): string | null =>
    span &&
    lines
      .between(span.fileName, span.side, span.startLine, span.endLine)
      .map((line) => line.text.trim())
      .join(' ');
  const [before, after] = [text(change.old), text(change.new)];
  return { change, before, after, deed: deedOf(after ?? before ?? '', change.of) };
}

/** How many lines of a piece changed. */
export const changedLinesOf = ({ units }: Piece, lines: DiffLines): number =>
  units.reduce((sum, { change }) => sum + changedIn(change, lines), 0);

export function changedIn({ old, new: current }: UnitChange, lines: DiffLines): number {
  const count = (span: Span | null, side: 'added' | 'removed'): number =>
    span === null
      ? 0
      : lines
          .between(span.fileName, span.side, span.startLine, span.endLine)
          .filter((line) => line.side === side && line.text.trim() !== '').length;
  return count(old, 'removed') + count(current, 'added');
}
