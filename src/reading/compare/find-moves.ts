import type { UnitChange } from '../facts.ts';
import type { ComparedUnit } from './compare-file.ts';

/** A unit that came or went, as little of it as is needed to find it again. */
export interface Movable {
  change: UnitChange;
  key: string;
  /** Whether it says enough to be known by itself. */
  isTelling: boolean;
}

/** Shorter than this stands in many places by chance. */
const shortestMove = 24;
/** More units than these that say the same are a habit, and which of them went where cannot be told. */
const mostEqual = 8;

export function movableOf({ change, old, new: current }: ComparedUnit): Movable {
  const isLoose = change.kind === 'added' || change.kind === 'removed';
  const unit = isLoose ? (current ?? old) : null;
  const text = unit?.key ?? '';
  return { change, key: text, isTelling: text.length >= shortestMove || unit?.kind === 'import' };
}

/** What left one place of a change and came to another, in whatever file, has moved: it neither came nor went. */
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

/** What is too short to be known by itself has moved with what stands beside it. */
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
