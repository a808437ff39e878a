import type { DiffLines, PlacedLine } from '../../verify/diff-lines.ts';
import type { Piece } from '../pieces.ts';

/** A line of a piece in the order in which it is shown: what was removed stands beside what replaced it. */
export interface Row {
  line: PlacedLine;
  /** The statement that it belongs to, by its place in the piece; null for lines that stay or belong to others. */
  unit: number | null;
  isOwn: boolean;
}

/** All lines of the hunks that a piece touches. */
export function rowsOf(piece: Piece, lines: DiffLines): Row[] {
  const unitAt = unitsByLine(piece);
  const all = lines.of(piece.file.path).map((line) => ({ line, unit: unitAt(line) }));
  const hunks = new Set(all.flatMap(({ line, unit }) => (unit === null ? [] : line.hunk)));
  const rows: Row[] = [];
  let run: Row[] = [];
  const settle = () => {
    rows.push(...inPairs(run));
    run = [];
  };
  for (const { line, unit } of all) {
    if (!hunks.has(line.hunk)) continue;
    const isOwn = unit !== null && line.side !== 'context';
    if (line.side !== 'context') run.push({ line, unit, isOwn });
    else {
      settle();
      rows.push({ line, unit, isOwn });
    }
  }
  settle();
  return rows;
}

/** Which statement of a piece a line belongs to. */
function unitsByLine({ units }: Piece): (line: PlacedLine) => number | null {
  const known = { old: new Map<number, number>(), new: new Map<number, number>() };
  for (const [index, { change }] of units.entries()) {
    for (const span of [change.old, change.new]) {
      if (!span) continue;
      for (let number = span.startLine; number <= span.endLine; number++) known[span.side].set(number, index);
    }
  }
  return ({ oldLine, newLine, side }) => {
    const byNew = newLine === null ? undefined : known.new.get(newLine);
    const byOld = oldLine === null || side === 'added' ? undefined : known.old.get(oldLine);
    return byNew ?? byOld ?? null;
  };
}

/** The lines of one run of changes, so that each statement's old lines stand above its new ones. */
function inPairs(run: Row[]): Row[] {
  const above = { context: -1, added: -1, removed: -1 };
  const ordered = run.map((row) => {
    if (row.unit !== null) above[row.line.side] = row.unit;
    return { row, order: above[row.line.side] };
  });
  return ordered.sort((one, other) => one.order - other.order).map(({ row }) => row);
}
