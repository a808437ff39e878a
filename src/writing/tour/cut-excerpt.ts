import type { DiffLines, PlacedLine } from '../verify/diff-lines.ts';
import type { Excerpt, ExcerptLine } from '../written-article.ts';
import type { Piece, PieceUnit } from './pieces.ts';

/** What fits on a screen of a phone, and what of it may be changed. */
export const mostLines = 16;
export const mostChanged = 12;
/** More places than these are no longer read as one. */
const mostRuns = 3;
/** Between two places that are shown, so many lines are shown with them; of more there is a gap. */
const shortestGap = 3;
const contextLines = 2;
/** A longer line was not written to be read. */
const longestLine = 2_000;

/** A line of a piece in the order in which it is shown: what was removed stands beside what replaced it. */
interface Row {
  line: PlacedLine;
  /** The statement that it belongs to, by its place in the piece; null for lines that stay or belong to others. */
  unit: number | null;
  isOwn: boolean;
}

/** Cuts out of the diff what shows a piece best; null where none of its lines can be shown. */
export function cutExcerpt(
  piece: Piece,
  lines: DiffLines,
  weigh: (unit: PieceUnit) => number,
  most = mostChanged,
): Excerpt | null {
  const rows = rowsOf(piece, lines);
  const chosen = chooseUnits(piece, rows, weigh, most);
  if (chosen.size === 0) return null;
  const shown = withContext(rows, chosen, piece);
  return { fileName: piece.file.path, heading: piece.name, lines: asLines(rows, shown) };
}

type Spans = Map<string, number>;

const keyOf = (side: 'old' | 'new', number: number): string => `${side}${number}`;

function spansOf({ units }: Piece): Spans {
  const spans: Spans = new Map();
  for (const [index, { change }] of units.entries()) {
    for (const span of [change.old, change.new]) {
      if (!span) continue;
      for (let number = span.startLine; number <= span.endLine; number++)
        spans.set(keyOf(span.side, number), index);
    }
  }
  return spans;
}

/** All lines of the hunks that a piece touches. */
function rowsOf(piece: Piece, lines: DiffLines): Row[] {
  const spans = spansOf(piece);
  const unitAt = ({ oldLine, newLine, side }: PlacedLine): number | null => {
    const byNew = newLine === null ? undefined : spans.get(keyOf('new', newLine));
    const byOld = oldLine === null || side === 'added' ? undefined : spans.get(keyOf('old', oldLine));
    return byNew ?? byOld ?? null;
  };
  const all = lines.of(piece.file.path);
  const hunks = new Set(all.filter((line) => unitAt(line) !== null).map(({ hunk }) => hunk));
  const rows: Row[] = [];
  let run: Row[] = [];
  const settle = () => {
    rows.push(...inPairs(run));
    run = [];
  };
  for (const line of all) {
    if (!hunks.has(line.hunk)) continue;
    const unit = unitAt(line);
    const row: Row = { line, unit, isOwn: unit !== null && line.side !== 'context' };
    if (line.side === 'context') {
      settle();
      rows.push(row);
    } else run.push(row);
  }
  settle();
  return rows;
}

/** The lines of one run of changes, so that each statement's old lines stand above its new ones. */
function inPairs(run: Row[]): Row[] {
  const orderOf = (row: Row, index: number): number => {
    if (row.unit !== null) return row.unit;
    const above = run.slice(0, index).findLast((one) => one.unit !== null && one.line.side === row.line.side);
    return above?.unit ?? -1;
  };
  return run
    .map((row, index) => ({ row, order: orderOf(row, index), index }))
    .sort((one, other) => one.order - other.order || one.index - other.index)
    .map(({ row }) => row);
}

/** Statements worth their room, each as a whole: the weightiest first, then what stands beside them. */
function chooseUnits(
  piece: Piece,
  rows: Row[],
  weigh: (unit: PieceUnit) => number,
  most: number,
): ReadonlySet<number> {
  const sizes = piece.units.map(
    (_, index) => rows.filter(({ unit, isOwn }) => isOwn && unit === index).length,
  );
  const tooLong = new Set(
    rows.flatMap(({ unit, line }) => (unit !== null && line.text.length > longestLine ? [unit] : [])),
  );
  const candidates = piece.units
    .map((unit, index) => ({ index, weight: weigh(unit), size: sizes[index] ?? 0 }))
    .filter(({ index, size }) => size > 0 && !tooLong.has(index));
  const total = candidates.reduce((sum, { size }) => sum + size, 0);
  if (total <= most) return new Set(candidates.map(({ index }) => index));
  const chosen = new Set<number>();
  let left = most;
  const take = ({ index, size }: { index: number; size: number }): boolean => {
    if (size > left || chosen.has(index)) return false;
    if (runsOf(new Set([...chosen, index]), candidates) > mostRuns) return false;
    chosen.add(index);
    left -= size;
    return true;
  };
  const [first] = candidates;
  if (first && piece.symbol && piece.units[first.index]?.deed !== 'comment') take(first);
  const header = candidates.find(({ index }) => piece.units[index]?.deed === 'declaration');
  if (header && piece.symbol) take(header);
  for (const one of candidates.toSorted((a, b) => b.weight - a.weight || a.index - b.index)) {
    if (left <= most / 3) break;
    take(one);
  }
  growRuns(candidates, chosen, take, (index) => piece.units[index]?.deed === 'comment');
  return chosen;
}

const longestComment = 3;

/** Fills what room is left with what stands directly beside what is shown. */
function growRuns(
  candidates: { index: number; size: number }[],
  chosen: ReadonlySet<number>,
  take: (candidate: { index: number; size: number }) => boolean,
  isComment: (index: number) => boolean,
): void {
  for (let hasGrown = true; hasGrown; ) {
    hasGrown = false;
    for (const [at, candidate] of candidates.entries()) {
      const [above, below] = [candidates[at - 1], candidates[at + 1]];
      const isBelow = below !== undefined && chosen.has(below.index);
      const isBeside = isBelow || (above !== undefined && chosen.has(above.index));
      // A comment is read with what stands below it, and only if it is short.
      const isWanted = isComment(candidate.index) ? isBelow && candidate.size <= longestComment : isBeside;
      if (isWanted && !chosen.has(candidate.index) && take(candidate)) hasGrown = true;
    }
  }
}

/** How many runs of neighbours these are. */
function runsOf(chosen: ReadonlySet<number>, candidates: { index: number }[]): number {
  let runs = 0;
  let wasChosen = false;
  for (const { index } of candidates) {
    const isChosen = chosen.has(index);
    if (isChosen && !wasChosen) runs++;
    wasChosen = isChosen;
  }
  return runs;
}

/** What is shown, by its place among the rows: what is chosen, with the lines that make it readable. */
function withContext(rows: Row[], chosen: ReadonlySet<number>, { name }: Piece): ReadonlySet<number> {
  const shown = new Set<number>();
  for (const [index, { unit }] of rows.entries()) if (unit !== null && chosen.has(unit)) shown.add(index);
  const isFree = (index: number): boolean => {
    const row = rows[index];
    return row !== undefined && row.line.side === 'context' && row.line.text.length <= longestLine;
  };
  const order = [...shown].sort((one, other) => one - other);
  for (const [position, index] of order.entries()) {
    const next = order[position + 1];
    if (next === undefined || next - index - 1 > shortestGap) continue;
    const between = Array.from({ length: next - index - 1 }, (_, step) => index + 1 + step);
    if (between.every(isFree) && shown.size + between.length <= mostLines)
      for (const one of between) shown.add(one);
  }
  const isSameHunk = (one: number, other: number): boolean => rows[one]?.line.hunk === rows[other]?.line.hunk;
  const add = (index: number, beside: number): boolean => {
    if (shown.size >= mostLines || shown.has(index) || !isFree(index) || !isSameHunk(index, beside))
      return false;
    shown.add(index);
    return true;
  };
  const [first = 0] = order;
  const header = headerOf(rows, first, name);
  if (header !== null) add(header, first);
  for (let step = 1; step <= contextLines; step++) {
    const [top = 0] = order;
    const bottom = order.at(-1) ?? 0;
    if (isTelling(rows[top - step])) add(top - step, top);
    if (isTelling(rows[bottom + step]) || step === 1) add(bottom + step, bottom);
  }
  return shown;
}

const isTelling = (row: Row | undefined): boolean => /[\p{L}\p{N}]/u.test(row?.line.text ?? '');

/** The line that declares what the piece is in, where the hunk has it above what is shown. */
function headerOf(rows: Row[], before: number, name: string | null): number | null {
  const own = name?.split('.').at(-1);
  if (own === undefined) return null;
  const pattern = new RegExp(
    `\\b(?:function|def|fn|func|fun|class|struct|interface|impl|trait)\\b.*\\b${own.replace(/\W/g, '\\$&')}\\b|\\b${own.replace(/\W/g, '\\$&')}\\s*(?:=\\s*(?:async\\s*)?\\(|\\([^)]*\\)\\s*[{:])`,
  );
  for (let index = before - 1; index >= 0; index--) {
    const row = rows[index];
    if (!row || row.line.hunk !== rows[before]?.line.hunk) return null;
    if (row.line.side === 'context' && pattern.test(row.line.text)) return index;
  }
  return null;
}

function asLines(rows: Row[], shown: ReadonlySet<number>): ExcerptLine[] {
  const lines: ExcerptLine[] = [];
  let last: number | null = null;
  for (const index of [...shown].sort((one, other) => one - other)) {
    const row = rows[index];
    if (!row) continue;
    const isBlank = (at: number): boolean => rows[at]?.line.text.trim() === '' || isLaidOut(rows, at);
    const isGap =
      last !== null &&
      (index > last + 1 || rows[last]?.line.hunk !== row.line.hunk) &&
      !isOnlyBlank(last, index, isBlank);
    if (isGap) lines.push({ kind: 'gap', oldLine: null, newLine: null, text: '' });
    const { side, oldLine, newLine, text } = row.line;
    lines.push({ kind: side, oldLine, newLine, text });
    last = index;
  }
  return lines;
}

/** Whether a changed line says what another one in its run says: only its layout is new. */
function isLaidOut(rows: Row[], at: number): boolean {
  const row = rows[at];
  if (!row || row.isOwn || row.line.side === 'context') return false;
  const text = row.line.text.trim();
  return rows.some(
    ({ line }) =>
      line.hunk === row.line.hunk &&
      line.side !== 'context' &&
      line.side !== row.line.side &&
      line.text.trim() === text,
  );
}

const isOnlyBlank = (from: number, to: number, isBlank: (at: number) => boolean): boolean => {
  for (let at = from + 1; at < to; at++) if (!isBlank(at)) return false;
  return to > from + 1;
};
