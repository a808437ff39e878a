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
  return {
    fileName: piece.file.path,
    heading: piece.name,
    lines: withEnds(asLines(rows, shown), rows, shown),
  };
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

/** Statements that are shown together or not at all: what was removed with what stands there instead. */
interface Group {
  units: number[];
  weight: number;
  size: number;
  isComment: boolean;
}

/** Longer replacements are shown by their weightiest statements. */
const largestGroup = 10;

/** Statements worth their room, each as a whole: the weightiest first, then what stands beside them. */
function chooseUnits(
  piece: Piece,
  rows: Row[],
  weigh: (unit: PieceUnit) => number,
  most: number,
): ReadonlySet<number> {
  const groups = groupsOf(piece, rows, weigh);
  const total = groups.reduce((sum, { size }) => sum + size, 0);
  const all = (some: Group[]): Set<number> => new Set(some.flatMap(({ units }) => units));
  if (total <= most) return all(groups);
  const chosen = new Set<Group>();
  let left = most;
  const take = (group: Group): boolean => {
    const wanted = [group, ...headersOf(group, groups, piece, rows)].filter((one) => !chosen.has(one));
    const size = wanted.reduce((sum, one) => sum + one.size, 0);
    if (wanted.length === 0 || size > left) return false;
    if (runsOf(new Set([...chosen, ...wanted]), groups) > mostRuns) return false;
    for (const one of wanted) chosen.add(one);
    left -= size;
    return true;
  };
  const header = groups.find(({ units }) => units.some((unit) => piece.units[unit]?.deed === 'declaration'));
  if (header && (piece.symbol || piece.isNew)) take(header);
  for (const one of groups.toSorted((a, b) => b.weight - a.weight || groups.indexOf(a) - groups.indexOf(b))) {
    if (left <= most / 3) break;
    take(one);
  }
  growRuns(groups, chosen, take);
  return all([...chosen]);
}

/** What can be shown of a piece, in its order. */
function groupsOf(piece: Piece, rows: Row[], weigh: (unit: PieceUnit) => number): Group[] {
  const tooLong = new Set(
    rows.flatMap(({ unit, line }) => (unit !== null && line.text.length > longestLine ? [unit] : [])),
  );
  const blocks = new Map(
    rows.flatMap(({ unit, isOwn, line }) => (isOwn && unit !== null ? [[unit, line.block]] : [])),
  );
  const isOnlyImports = piece.units.every(({ deed }) => deed === 'import');
  const groups: Group[] = [];
  for (const [index, unit] of piece.units.entries()) {
    const size = rows.filter((row) => row.isOwn && row.unit === index).length;
    if (size === 0 || tooLong.has(index) || (unit.deed === 'import' && !isOnlyImports)) continue;
    const last = groups.at(-1);
    const above = last?.units.at(-1);
    const isReplacement =
      last !== undefined &&
      above !== undefined &&
      above === index - 1 &&
      blocks.get(above) === blocks.get(index) &&
      unit.change.kind === 'added' &&
      piece.units[above]?.change.kind !== 'replaced' &&
      last.units.some((one) => piece.units[one]?.change.kind === 'removed');
    const isRemoved =
      last !== undefined &&
      above === index - 1 &&
      blocks.get(above) === blocks.get(index) &&
      unit.change.kind === 'removed' &&
      piece.units[above]?.change.kind === 'removed';
    if (last && (isReplacement || isRemoved) && last.size + size <= largestGroup) {
      last.units.push(index);
      last.size += size;
      last.weight = Math.max(last.weight, weigh(unit));
      last.isComment &&= unit.deed === 'comment';
    } else groups.push({ units: [index], weight: weigh(unit), size, isComment: unit.deed === 'comment' });
  }
  return groups;
}

/** The changed heads of what a group stands in: a body is not shown below the head of another. */
function headersOf(group: Group, groups: Group[], piece: Piece, rows: Row[]): Group[] {
  const indentOf = (unit: number): number =>
    /^\s*/.exec(rows.find((row) => row.isOwn && row.unit === unit)?.line.text ?? '')?.[0].length ?? 0;
  const depth = Math.min(...group.units.map(indentOf));
  const above = groups.slice(0, groups.indexOf(group)).reverse();
  const head = above.find(
    ({ units }) =>
      units.some((unit) => piece.units[unit]?.deed === 'declaration' && indentOf(unit) < depth) &&
      units.every((unit) => indentOf(unit) < depth),
  );
  return head ? [head] : [];
}

const longestComment = 3;

/** Fills what room is left with what stands directly beside what is shown. */
function growRuns(groups: Group[], chosen: ReadonlySet<Group>, take: (group: Group) => boolean): void {
  for (let hasGrown = true; hasGrown; ) {
    hasGrown = false;
    for (const [at, group] of groups.entries()) {
      const [above, below] = [groups[at - 1], groups[at + 1]];
      const isBelow = below !== undefined && chosen.has(below);
      const isBeside = isBelow || (above !== undefined && chosen.has(above));
      // A comment is read with what stands below it, and only if it is short.
      const isWanted = group.isComment ? isBelow && group.size <= longestComment : isBeside;
      if (isWanted && !chosen.has(group) && take(group)) hasGrown = true;
    }
  }
}

/** How many runs of neighbours these are. */
function runsOf(chosen: ReadonlySet<Group>, groups: Group[]): number {
  let runs = 0;
  let wasChosen = false;
  for (const group of groups) {
    const isChosen = chosen.has(group);
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
    const isBlank = (at: number): boolean => rows[at]?.line.text.trim() === '';
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

/** What is left out above or below is marked as what is left out between. */
function withEnds(lines: ExcerptLine[], rows: Row[], shown: ReadonlySet<number>): ExcerptLine[] {
  const order = [...shown].sort((one, other) => one - other);
  const [first = 0] = order;
  const last = order.at(-1) ?? 0;
  const isLeft = (from: number, to: number): boolean =>
    rows.slice(from, to).some(({ isOwn, line }) => isOwn && line.text.trim() !== '');
  const gap: ExcerptLine = { kind: 'gap', oldLine: null, newLine: null, text: '' };
  const all = [...(isLeft(0, first) ? [gap] : []), ...lines, ...(isLeft(last + 1, rows.length) ? [gap] : [])];
  return fitted(all).filter((line, index, kept) => line.kind !== 'gap' || kept[index - 1]?.kind !== 'gap');
}

/** Without lines that stay, from the outside in, where there are more than fit. */
function fitted(lines: ExcerptLine[]): ExcerptLine[] {
  const fit = [...lines];
  while (fit.length > mostLines) {
    const bottom = fit.findLastIndex(({ kind }) => kind === 'context');
    const top = fit.findIndex(({ kind }) => kind === 'context');
    const isNearer = fit.length - bottom <= top + 1;
    const at = bottom < 0 ? fit.findLastIndex(({ kind }) => kind === 'gap') : isNearer ? bottom : top;
    if (at < 0) break;
    fit.splice(at, 1);
    // What is left out in the middle is still marked.
    if (bottom >= 0 && at > 0 && at < fit.length && fit[at - 1]?.kind !== 'gap' && fit[at]?.kind !== 'gap')
      fit.splice(at, 0, { kind: 'gap', oldLine: null, newLine: null, text: '' });
  }
  return fit;
}

const isOnlyBlank = (from: number, to: number, isBlank: (at: number) => boolean): boolean => {
  for (let at = from + 1; at < to; at++) if (!isBlank(at)) return false;
  return to > from + 1;
};
