import type { FileFacts, NamedRange, SymbolChange, UnitChange } from '../../reading/facts.ts';
import type { DiffLines } from '../verify/diff-lines.ts';
import { type Deed, deedOf } from './what-lines-do.ts';

/** A statement that changed, with what it says. */
export interface PieceUnit {
  change: UnitChange;
  before: string | null;
  after: string | null;
  deed: Deed;
  /** Whether a function inside of the one that the piece is named after does it, as far as the lines show. */
  isInner: boolean;
}

/** All that changed in one function, in one new declaration, or in one place that has no name. */
export interface Piece {
  file: FileFacts;
  name: string | null;
  /** Whether what it is named after does what stands in it. */
  isFunction: boolean;
  /** What became of the declaration itself; null where only what is in it changed. */
  symbol: SymbolChange | null;
  /** Whether all of it is new: every line of what it is named after was added. */
  isNew: boolean;
  /** What was declared together with it: the members of a new class. */
  members: SymbolChange[];
  units: PieceUnit[];
  /** Whether it tests something, wherever it stands. */
  isTest: boolean;
}

/** More statements of one file than these were written by a program; the first of them stand for all. */
const mostUnits = 3_000;

/** The pieces of a file, in the order of its lines. What only moved is in none, nor what has nothing but another layout. */
export function piecesOf(file: FileFacts, lines: DiffLines): Piece[] {
  const pieces = new Map<string, Piece>();
  const told = file.changes.slice(0, mostUnits).filter((change) => isTold(change, file));
  for (const [index, change] of told.entries()) {
    const place = placeOf(change, told.slice(index + 1, index + 4), file, lines);
    const piece = pieces.get(place.key) ?? {
      file,
      name: place.range?.name ?? null,
      isFunction: place.range?.isFunction ?? false,
      isNew: place.range !== null && isAllAdded(place.range, file, lines),
      symbol: place.range ? symbolOf(place.range, file) : null,
      members: [],
      units: [],
      isTest: file.kind === 'test' || isTestIn(place.range?.name ?? '', file),
    };
    piece.units.push(unitOf(change, place.range, lines));
    pieces.set(place.key, piece);
  }
  // What is left of something that moved are the brackets around it.
  const all = [...pieces.values()].filter(({ units }) =>
    units.some(({ deed }) => deed !== 'closing' && deed !== 'layout'),
  );
  for (const piece of all) if (piece.symbol) piece.members = membersOf(piece.symbol, file);
  return all;
}

/** Whether a whole declaration, head and all, stands on added lines. */
function isAllAdded(range: NamedRange, { path }: FileFacts, lines: DiffLines): boolean {
  const { name, side, startLine, endLine } = range;
  const own = side === 'new' ? lines.between(path, 'new', startLine, endLine) : [];
  const [head] = own;
  const last = name.split(/\.|::| › /).at(-1) ?? name;
  return (
    head?.text.includes(last) === true &&
    own.length === endLine - startLine + 1 &&
    own.every((line) => line.side === 'added')
  );
}

/** In some languages tests stand beside what they test. */
const isTestIn = (name: string, { tests }: FileFacts): boolean =>
  /(?:^|\.)(?:tests?|specs?)\./i.test(`${name}.`) ||
  tests.some((test) => test.name.split('.').at(-1) === name.split('.').at(-1));

/** What moved to another place is no change there; what moved inside of one function is. */
function isTold(change: UnitChange, file: FileFacts): boolean {
  if (isOfMoved(change, file)) return false;
  if (change.kind !== 'moved') return true;
  const { counterpart } = change;
  const own = change.new ?? change.old;
  if (!counterpart || counterpart.fileName !== file.path || !own || change.of !== 'code') return false;
  const [here, there] = [rangeAround(own, file), rangeAround(counterpart, file)];
  return here !== null && here.name === there?.name;
}

/** Of two declarations that changed places, each line looks as if it were another one's. */
function isOfMoved(change: UnitChange, { symbols }: FileFacts): boolean {
  const moved = symbols.filter((symbol) => symbol.change === 'moved' && !symbol.isEdited);
  const isIn = (span: Span | null): boolean =>
    span !== null &&
    moved.some(({ movedFrom, movedTo }) =>
      [movedFrom, movedTo].some(
        (place) =>
          place?.fileName === span.fileName &&
          place.side === span.side &&
          place.startLine <= span.startLine &&
          place.endLine >= span.endLine,
      ),
    );
  return isIn(change.new) || isIn(change.old);
}

interface Place {
  key: string;
  range: NamedRange | null;
}

function placeOf(change: UnitChange, next: UnitChange[], file: FileFacts, lines: DiffLines): Place {
  const at = change.new ?? change.old;
  if (!at) return { key: 'none', range: null };
  const found =
    outermostNew(change, file) ??
    rangeAround(at, file) ??
    rangeLeft(change, file, lines) ??
    rangeBelow(change, next, file);
  const range = found && asItIsNow(found, file);
  if (range) return { key: `${range.side} ${range.startLine} ${range.name}`, range };
  return { key: 'nameless', range: null };
}

const linesIn = ({ startLine, endLine }: { startLine: number; endLine: number }): number =>
  endLine - startLine;

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

/** What was removed was in what stands there instead, or the line above it, or the one below. */
function rangeLeft(change: UnitChange, file: FileFacts, lines: DiffLines): NamedRange | null {
  if (change.new || !change.old) return null;
  const [first] = lines.between(file.path, 'old', change.old.startLine, change.old.startLine);
  if (!first) return null;
  const all = lines.of(file.path).filter(({ hunk }) => hunk === first.hunk);
  const at = all.indexOf(first);
  const stands = ({ newLine }: { newLine: number | null }): boolean => newLine !== null;
  const [above, below] = [all.slice(0, at).findLast(stands), all.slice(at).find(stands)];
  // What stands there instead has its place.
  for (const line of below?.side === 'added' ? [below, above] : [above, below]) {
    if (line?.newLine == null) continue;
    const range = rangeAround(
      { fileName: file.path, side: 'new', startLine: line.newLine, endLine: line.newLine },
      file,
    );
    if (range) return range;
  }
  return null;
}

/** A comment, or a mark, belongs to what begins below it. */
function rangeBelow(change: UnitChange, next: UnitChange[], file: FileFacts): NamedRange | null {
  let end = change.new?.endLine ?? 0;
  for (const below of next) {
    if (end === 0 || !below.new || below.new.startLine > end + 2) return null;
    const range = outermostNew(below, file) ?? rangeAround(below.new, file);
    if (range) return range.startLine > end && range.startLine <= below.new.startLine ? range : null;
    end = below.new.endLine;
  }
  return null;
}

const nameOf = ({ name, container }: SymbolChange): string =>
  container === null ? name : `${container}.${name}`;

function symbolOf(range: NamedRange, { symbols }: FileFacts): SymbolChange | null {
  const own = symbols.find(
    (symbol) =>
      nameOf(symbol) === range.name &&
      symbol.evidence.side === range.side &&
      symbol.evidence.startLine <= range.endLine &&
      symbol.evidence.endLine >= range.startLine,
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

function unitOf(change: UnitChange, range: NamedRange | null, lines: DiffLines): PieceUnit {
  const text = (span: Span | null): string | null =>
    span &&
    lines
      .between(span.fileName, span.side, span.startLine, span.endLine)
      .map((line) => line.text.trim())
      .join(' ');
  const [before, after] = [text(change.old), text(change.new)];
  const deed = change.kind === 'rewrapped' ? 'layout' : deedOf(after ?? before ?? '', change.of);
  return { change, before, after, deed, isInner: isInner(change, range, lines) };
}

const innerHead =
  /(?:=>\s*\{|\bfunction\b.*\{|\bdef\s+\w+.*|\b(?:fn|func)\b.*\{|^\s*(?:async\s+)?(?!(?:if|for|while|switch|catch|with)\b)[\w$]+\([^;]*\)[^;{]*\{)\s*$/;
const indentOf = (text: string): number => /^\s*/.exec(text)?.[0].length ?? 0;

/** Whether the nearest head of a function above a statement, and less deep than it, is another's than that of its range. */
function isInner({ new: span }: UnitChange, range: NamedRange | null, lines: DiffLines): boolean {
  if (!span || !range) return false;
  const all = lines.of(span.fileName);
  const [own] = lines.between(span.fileName, 'new', span.startLine, span.startLine);
  if (!own) return false;
  const name = range.name.split(/\.|::| › /).at(-1) ?? range.name;
  let depth = indentOf(own.text);
  for (let at = all.indexOf(own) - 1; at >= 0; at--) {
    const line = all[at];
    if (!line || line.hunk !== own.hunk) return false;
    if (line.newLine === null || line.text.trim() === '' || indentOf(line.text) >= depth) continue;
    depth = indentOf(line.text);
    if (innerHead.test(line.text)) return !line.text.includes(name);
  }
  return false;
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
