import { diffArrays } from 'diff';
import { likeness } from '../../domain/text.ts';
import type { Evidence, UnitChange } from '../facts.ts';
import type { WholeDiff } from '../file-diff.ts';
import type { HunkLine, HunkLines } from '../hunk-lines.ts';
import { hiddenOn } from '../symbols/hide-text.ts';
import type { LanguageRules } from '../symbols/language-rules.ts';
import { type Cut, cutIntoUnits, type Unit } from './units.ts';

interface ComparedUnit {
  change: UnitChange;
  old: Unit | null;
  new: Unit | null;
}

export function compareFile(
  path: string,
  hunks: HunkLines[],
  rules: LanguageRules | null,
  cut: Cut,
  whole: WholeDiff,
): ComparedUnit[] {
  const compared: ComparedUnit[] = [];
  for (const hunk of hunks) {
    const [old, current] = [cutSide('old', hunk, rules, cut), cutSide('new', hunk, rules, cut)];
    for (const [before, after] of compareUnits(old, current, whole))
      compared.push({ change: describeUnitChange(path, before, after), old: before, new: after });
  }
  return compared;
}

function cutSide(side: 'old' | 'new', hunk: HunkLines, rules: LanguageRules | null, cut: Cut): Unit[] {
  if (rules) {
    const hidden = hiddenOn(side, hunk, rules);
    for (const [index, line] of hunk[side].entries()) line.hidden = hidden[index] ?? 'code';
  }
  return cutIntoUnits(hunk[side], cut);
}

function describeUnitChange(path: string, old: Unit | null, current: Unit | null): UnitChange {
  const kind = !old ? 'added' : !current ? 'removed' : old.key === current.key ? 'rewrapped' : 'replaced';
  return {
    kind,
    of: (current ?? old)?.kind ?? 'code',
    old: old && unitSpan(path, old.lines, 'old'),
    new: current && unitSpan(path, current.lines, 'new'),
    counterpart: null,
  };
}

export interface News {
  gone: HunkLine[];
  come: HunkLine[];
}

/** The new units of a file, without those that were moved, from any file, or only reformatted. */
export function newsIn(compared: ComparedUnit[], whole: WholeDiff): News[] {
  const changed = (unit: Unit | null) =>
    (unit?.lines ?? []).filter(({ isChanged, text }) => isChanged && !whole.isOnBothSides(text));
  return compared
    .filter(({ change: { kind } }) => kind !== 'rewrapped')
    .map(({ old, new: current }) => ({ gone: changed(old), come: changed(current) }));
}

function unitSpan(fileName: string, lines: HunkLine[], side: Evidence['side']): Evidence | null {
  let startLine: number | null = null;
  let endLine = 0;
  for (const { oldLine, newLine } of lines) {
    const number = side === 'old' ? oldLine : newLine;
    if (number === null) continue;
    startLine ??= number;
    endLine = number;
  }
  return startLine === null ? null : { fileName, startLine, endLine, side };
}

/** A file with more differences than this was rewritten; then only equal lines are paired. */
const mostDifferences = 1_500;

type Pair = [old: Unit | null, current: Unit | null];

/**
 * Pairs the changed units of both sides. Units before the first and after the last change are equal and are skipped.
 */
function compareUnits(old: Unit[], current: Unit[], whole: WholeDiff): Pair[] {
  const least = Math.min(old.length, current.length);
  const isSame = (i: number, j: number) => (old[i] as Unit).saysTheSameAs(current[j] as Unit);
  let start = 0;
  while (start < least && isSame(start, start)) start++;
  let end = 0;
  while (end < least - start && isSame(old.length - 1 - end, current.length - 1 - end)) end++;
  const [oldEnd, currentEnd] = [old.length - end, current.length - end];
  return [
    ...sameUnits(old.slice(0, start), current),
    ...compareMiddle(old.slice(start, oldEnd), current.slice(start, currentEnd), whole),
    ...sameUnits(old.slice(oldEnd), current.slice(currentEnd)),
  ];
}

const sameUnits = (old: Unit[], current: Unit[]): Pair[] =>
  old.map((unit, index): Pair => [unit, current[index] ?? null]).filter(isTouched);

const isTouched = ([old, current]: Pair): boolean => Boolean(old?.isTouched || current?.isTouched);

function compareMiddle(old: Unit[], current: Unit[], whole: WholeDiff): Pair[] {
  const keysOf = (units: Unit[]) => units.map(({ key }) => key);
  const steps = diffArrays(keysOf(old), keysOf(current), { maxEditLength: mostDifferences });
  if (!steps) return apart(old, current).filter(isTouched);
  const pairs: Pair[] = [];
  let [i, j] = [0, 0];
  let [removed, added]: [Unit[], Unit[]] = [[], []];
  for (const { value, removed: isRemoved, added: isAdded } of steps) {
    const [gone, come] = [old.slice(i, i + value.length), current.slice(j, j + value.length)];
    if (!isAdded) i += value.length;
    if (!isRemoved) j += value.length;
    if (isRemoved) removed = gone;
    else if (isAdded) added = come;
    else {
      pairs.push(...replaced(removed, added, whole), ...sameUnits(gone, come));
      [removed, added] = [[], []];
    }
  }
  // A string that begins above the hunk may divide unchanged lines into other units; such pairs are dropped.
  return [...pairs, ...replaced(removed, added, whole)].filter(isTouched);
}

const alikeEnough = 0.5;
const alikeAlone = 0.3;
const mostPairs = 6_000;

/** Pairs a removed unit with the next similar unit added in its place; units without a partner stay alone. */
function replaced(removed: Unit[], added: Unit[], whole: WholeDiff): Pair[] {
  const count = removed.length * added.length;
  if (count === 0 || count > mostPairs) return apart(removed, added);
  const enough = count === 1 ? alikeAlone : alikeEnough;
  // A line that is on both sides was moved, and belongs to no replacement.
  const isHere = ({ lines }: Unit): boolean =>
    !lines.some(({ isChanged, text }) => isChanged && whole.isOnBothSides(text));
  const candidates = added.map((unit) => isHere(unit) && unit);
  const pairs: Pair[] = [];
  let next = 0;
  for (const old of removed) {
    const found = isHere(old)
      ? candidates.findIndex(
          (unit, index) =>
            index >= next &&
            unit &&
            unit.isComment === old.isComment &&
            likeness(old.text, unit.text) >= enough,
        )
      : -1;
    if (found >= 0) pairs.push(...apart([], added.slice(next, found)));
    pairs.push([old, added[found] ?? null]);
    if (found >= 0) next = found + 1;
  }
  return [...pairs, ...apart([], added.slice(next))];
}

const apart = (removed: Unit[], added: Unit[]): Pair[] => [
  ...removed.map((old): Pair => [old, null]),
  ...added.map((current): Pair => [null, current]),
];

export interface Movable {
  change: UnitChange;
  key: string;
  isTelling: boolean;
}

/** The shortest text that tells a move from chance: shorter ones occur in many places. */
const shortestMove = 24;
/** If more units than this are equal, it is unknown which of them went where. */
const mostEqual = 8;

export function movableOf({ change, old, new: current }: ComparedUnit): Movable {
  const isLoose = change.kind === 'added' || change.kind === 'removed';
  const unit = isLoose ? (current ?? old) : null;
  const text = unit?.key ?? '';
  return { change, key: text, isTelling: text.length >= shortestMove || unit?.kind === 'import' };
}

/** Marks as moved what was removed in one place of a change and added in another, in any file. */
export function findMoves(units: Movable[]): void {
  const gone = Map.groupBy(
    units.filter(({ change, isTelling }) => change.kind === 'removed' && isTelling),
    ({ key }) => key,
  );
  if (gone.size === 0) return;
  for (const one of units) {
    if (one.change.kind !== 'added') continue;
    const origins = gone.get(one.key);
    if (!origins || origins.length === 0 || origins.length > mostEqual) continue;
    const own = origins.findIndex(({ change }) => change.old?.fileName === one.change.new?.fileName);
    const [origin] = origins.splice(Math.max(0, own), 1);
    if (origin) move(origin, one);
  }
  takeCompanyAlong(units);
}

function move(origin: Movable, target: Movable): void {
  Object.assign(target.change, { kind: 'moved', counterpart: origin.change.old });
  Object.assign(origin.change, { kind: 'moved', counterpart: target.change.new });
}

/** A unit too short to be recognized alone counts as moved if its neighbours were. */
function takeCompanyAlong(units: Movable[]): void {
  const places = new Map<UnitChange['old'], number>();
  for (const [index, { change }] of units.entries())
    if (change.kind === 'removed' || change.kind === 'moved') places.set(change.old, index);
  const goAlong = (index: number, step: 1 | -1): void => {
    const [target, beside] = [units[index], units[index - step]];
    if (target?.change.kind !== 'added' || beside?.change.kind !== 'moved' || !beside.change.new) return;
    const origin = units[(places.get(beside.change.counterpart) ?? Number.NaN) + step];
    if (origin?.change.kind === 'removed' && origin.key === target.key) move(origin, target);
  };
  for (let index = 1; index < units.length; index++) goAlong(index, 1);
  for (let index = units.length - 2; index >= 0; index--) goAlong(index, -1);
}
