import type { FileFacts, NamedRange, SymbolChange, UnitChange } from '../../reading/facts.ts';
import type { DiffLines } from '../verify/diff-lines.ts';
import { indentOf, innermostPart, lastPart } from './name-parts.ts';
import { ChangePlaces } from './place-changes.ts';
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
export const mostUnits = 3_000;

/** The pieces of a file, in the order of its lines. What only moved is in none, nor what has nothing but another layout. */
export function piecesOf(file: FileFacts, lines: DiffLines): Piece[] {
  const places = new ChangePlaces(file, lines);
  const pieces = new Map<string, Piece>();
  const told = file.changes.slice(0, mostUnits).filter((change) => places.isTold(change));
  for (const [index, change] of told.entries()) {
    const range = places.rangeOf(change, told.slice(index + 1, index + 4));
    const key = range ? `${range.side} ${range.startLine} ${range.name}` : '';
    const piece = pieces.get(key) ?? pieceOf(range, range && places.symbolOf(range), file, lines);
    piece.units.push(unitOf(change, range, lines));
    pieces.set(key, piece);
  }
  // What is left of something that moved are the brackets around it.
  return [...pieces.values()].filter(({ units }) =>
    units.some(({ deed }) => deed !== 'closing' && deed !== 'layout'),
  );
}

function pieceOf(
  range: NamedRange | null,
  symbol: SymbolChange | null,
  file: FileFacts,
  lines: DiffLines,
): Piece {
  return {
    file,
    name: range?.name ?? null,
    isFunction: range?.isFunction ?? false,
    isNew: range !== null && isAllAdded(range, file, lines),
    symbol,
    members: symbol ? membersOf(symbol, file) : [],
    units: [],
    isTest: file.kind === 'test' || isTestIn(range?.name ?? '', file),
  };
}

/** Whether a whole declaration, head and all, stands on added lines. */
function isAllAdded(
  { name, side, startLine, endLine }: NamedRange,
  file: FileFacts,
  lines: DiffLines,
): boolean {
  const own = side === 'new' ? lines.between(file.path, 'new', startLine, endLine) : [];
  return (
    own[0]?.text.includes(innermostPart(name)) === true &&
    own.length === endLine - startLine + 1 &&
    own.every((line) => line.side === 'added')
  );
}

/** In some languages tests stand beside what they test. */
const isTestIn = (name: string, { tests }: FileFacts): boolean =>
  /(?:^|\.)(?:tests?|specs?)\./i.test(`${name}.`) ||
  tests.some((test) => lastPart(test.name) === lastPart(name));

const membersOf = (symbol: SymbolChange, { symbols }: FileFacts): SymbolChange[] =>
  symbols.filter(
    (other) =>
      other !== symbol &&
      other.evidence.side === symbol.evidence.side &&
      other.evidence.startLine > symbol.evidence.startLine &&
      other.evidence.endLine <= symbol.evidence.endLine,
  );

function unitOf(change: UnitChange, range: NamedRange | null, lines: DiffLines): PieceUnit {
  const text = (span: UnitChange['new']): string | null =>
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

/** Whether the nearest head of a function above a statement, and less deep than it, is another's than that of its range. */
function isInner({ new: span }: UnitChange, range: NamedRange | null, lines: DiffLines): boolean {
  if (!span || !range) return false;
  const all = lines.of(span.fileName);
  const [own] = lines.between(span.fileName, 'new', span.startLine, span.startLine);
  if (!own) return false;
  let depth = indentOf(own.text);
  for (let at = own.at - 1; at >= 0 && depth > 0; at--) {
    const line = all[at];
    if (!line || line.hunk !== own.hunk) return false;
    if (line.newLine === null || line.text.trim() === '') continue;
    const indent = indentOf(line.text);
    if (indent >= depth) continue;
    depth = indent;
    if (innerHead.test(line.text)) return !line.text.includes(innermostPart(range.name));
  }
  return false;
}

/** How many lines of a piece changed. */
export function changedLinesOf({ units }: Piece, lines: DiffLines): number {
  const count = (span: UnitChange['new'], side: 'added' | 'removed'): number =>
    span === null
      ? 0
      : lines
          .between(span.fileName, span.side, span.startLine, span.endLine)
          .filter((line) => line.side === side && line.text.trim() !== '').length;
  return units.reduce(
    (sum, { change }) => sum + count(change.old, 'removed') + count(change.new, 'added'),
    0,
  );
}
