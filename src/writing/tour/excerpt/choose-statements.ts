import { indentOf } from '../name-parts.ts';
import type { Piece, PieceUnit } from '../pieces.ts';
import type { Row } from './excerpt-rows.ts';

/** More places than these are no longer read as one. */
const mostRuns = 3;
/** Longer replacements are shown by their weightiest statements. */
const largestGroup = 10;
const longestComment = 3;

/** Statements that are shown together or not at all: what was removed with what stands there instead. */
interface Group {
  units: number[];
  weight: number;
  size: number;
  isComment: boolean;
  /** How deep each of its statements begins. */
  indents: number[];
}

export interface Choosing {
  weigh: (unit: PieceUnit) => number;
  /** So many changed lines are shown at most. */
  most: number;
  /** A longer line was not written to be read. */
  longestLine: number;
}

/** Statements worth their room, each as a whole: the weightiest first, then what stands beside them. */
export function chooseStatements(piece: Piece, rows: Row[], choosing: Choosing): ReadonlySet<number> {
  const { most } = choosing;
  const groups = groupsOf(piece, rows, choosing);
  const total = groups.reduce((sum, { size }) => sum + size, 0);
  const all = (some: Iterable<Group>): Set<number> => new Set([...some].flatMap(({ units }) => units));
  if (total <= most) return all(groups);
  const chosen = new Set<Group>();
  let left = most;
  const take = (group: Group): boolean => {
    const head = headerOf(group, groups, piece);
    const wanted = (head ? [group, head] : [group]).filter((one) => !chosen.has(one));
    const size = wanted.reduce((sum, one) => sum + one.size, 0);
    if (wanted.length === 0 || size > left) return false;
    if (runsOf(new Set([...chosen, ...wanted]), groups) > mostRuns) return false;
    for (const one of wanted) chosen.add(one);
    left -= size;
    return true;
  };
  const header = groups.find(({ units }) => units.some((unit) => piece.units[unit]?.deed === 'declaration'));
  if (header && (piece.symbol || piece.isNew)) take(header);
  for (const one of groups.toSorted((a, b) => b.weight - a.weight)) {
    if (left <= most / 3) break;
    take(one);
  }
  growRuns(groups, chosen, take);
  return all(chosen);
}

/** What can be shown of a piece, in its order. */
function groupsOf(piece: Piece, rows: Row[], { weigh, longestLine }: Choosing): Group[] {
  const byUnit = Map.groupBy(rows, ({ unit }) => unit);
  const isOnlyImports = piece.units.every(({ deed }) => deed === 'import');
  const groups: Group[] = [];
  let blockAbove: number | null | undefined;
  for (const [index, unit] of piece.units.entries()) {
    const lines = byUnit.get(index) ?? [];
    const own = lines.filter(({ isOwn }) => isOwn);
    const [first] = own;
    const block = own.at(-1)?.line.block;
    const isTooLong = lines.some(({ line }) => line.text.length > longestLine);
    const isTold = first && !isTooLong && (unit.deed !== 'import' || isOnlyImports);
    if (isTold) {
      const last = groups.at(-1);
      const isBeside = last?.units.at(-1) === index - 1 && blockAbove === block;
      if (last && isBeside && last.size + own.length <= largestGroup && belongs(unit, last, piece)) {
        last.units.push(index);
        last.size += own.length;
        last.weight = Math.max(last.weight, weigh(unit));
        last.isComment &&= unit.deed === 'comment';
        last.indents.push(indentOf(first.line.text));
      } else
        groups.push({
          units: [index],
          weight: weigh(unit),
          size: own.length,
          isComment: unit.deed === 'comment',
          indents: [indentOf(first.line.text)],
        });
    }
    blockAbove = block;
  }
  return groups;
}

/** Whether a statement stands where those of a group above it stood, or went with them. */
function belongs({ change: { kind } }: PieceUnit, { units }: Group, piece: Piece): boolean {
  const above = units.map((unit) => piece.units[unit]?.change.kind);
  if (kind === 'removed') return above.at(-1) === 'removed';
  return kind === 'added' && above.at(-1) !== 'replaced' && above.includes('removed');
}

/** The changed head of what a group stands in: a body is not shown below the head of another. */
function headerOf({ units: [first = 0], indents }: Group, groups: Group[], piece: Piece): Group | undefined {
  const depth = Math.min(...indents);
  return groups.findLast(
    (group) =>
      (group.units[0] ?? 0) < first &&
      group.units.some((unit) => piece.units[unit]?.deed === 'declaration') &&
      group.indents.every((indent) => indent < depth),
  );
}

const isChosen = (chosen: ReadonlySet<Group>, group: Group | undefined): boolean =>
  group !== undefined && chosen.has(group);

/** Fills what room is left with what stands directly beside what is shown. */
function growRuns(groups: Group[], chosen: ReadonlySet<Group>, take: (group: Group) => boolean): void {
  for (let hasGrown = true; hasGrown; ) {
    hasGrown = false;
    for (const [at, group] of groups.entries()) {
      const isBelow = isChosen(chosen, groups[at + 1]);
      // A comment is read with what stands below it, and only if it is short.
      const isWanted = group.isComment
        ? isBelow && group.size <= longestComment
        : isBelow || isChosen(chosen, groups[at - 1]);
      if (isWanted && !chosen.has(group) && take(group)) hasGrown = true;
    }
  }
}

/** How many runs of neighbours these are. */
const runsOf = (chosen: ReadonlySet<Group>, groups: Group[]): number =>
  groups.filter((group, at) => chosen.has(group) && !isChosen(chosen, groups[at - 1])).length;
