import { isSameSignature } from './confirm.ts';
import { isRenamed } from './is-renamed.ts';
import type { HunkReading, Sighting } from './read-hunk.ts';

/** What happened to one declaration in a file. */
export interface Happening {
  change: 'added' | 'removed' | 'renamed' | 'signatureChanged' | 'bodyChanged';
  before: Sighting | null;
  after: Sighting | null;
  /** Where it is seen best. */
  at: Sighting;
}

/** Brings together what several hunks of a file say of the same declarations. */
export function matchSightings(readings: HunkReading[]): Happening[] {
  const added = groupByKey(readings.flatMap((reading) => reading.added));
  const removed = groupByKey(readings.flatMap((reading) => reading.removed));
  const happenings: Happening[] = [];
  for (const [key, after] of added) {
    const before = removed.get(key);
    if (!before) continue;
    matchSameName(before, after, happenings);
    // Whatever is left is another overload of a name that was there before and is there now.
    added.delete(key);
    removed.delete(key);
  }
  dropDoubtful(readings, removed, added);
  matchRenamed(removed, added, happenings);
  for (const { before, after } of readings.flatMap((reading) => reading.resigned)) {
    happenings.push({ change: 'signatureChanged', before, after, at: after });
  }
  for (const [after] of added.values()) happenings.push({ change: 'added', before: null, after, at: after });
  for (const [before] of removed.values())
    happenings.push({ change: 'removed', before, after: null, at: before });
  for (const at of readings.flatMap((reading) => reading.reworked)) {
    happenings.push({ change: 'bodyChanged', before: null, after: at, at });
  }
  return happenings;
}

/** Takes out what only seems to have come or gone. */
function dropDoubtful(readings: HunkReading[], removed: Map<string, Group>, added: Map<string, Group>): void {
  for (const { kept, heading, removed: ownRemoved } of readings) {
    // An overload, or a getter's setter: the name itself neither came nor went.
    for (const key of kept) {
      added.delete(key);
      removed.delete(key);
    }
    if (heading === null) continue;
    added.delete(heading);
    // What the heading names stands above the hunk: one of the same name in the hunk was a second one.
    if (ownRemoved.some(({ declaration }) => declaration.key === heading)) removed.delete(heading);
  }
  if (added.size === 0 && removed.size === 0) return;
  const before = namesIn(readings, 'old');
  const after = namesIn(readings, 'new');
  for (const [key, [{ declaration }]] of added) if (before.has(declaration.found.name)) added.delete(key);
  for (const [key, [{ declaration }]] of removed) if (after.has(declaration.found.name)) removed.delete(key);
}

const declaring = /^((?:[\w$@.]+[\s*]+)*)[*&]?(?:[\w$]+\.)?([\w$#]+)\s*(?:[:=<?]|$|\(.*[^);,]$)/;
const notDeclaring =
  /\b(?:return|await|yield|throw|new|case|in|of|typeof|delete|else|import|from|assert|raise|not|and|or)\b/;

/** Names that changed lines of this side seem to declare, in whatever way: a field may become a method. */
function namesIn(readings: HunkReading[], side: 'old' | 'new'): Set<string> {
  const names = new Set<string>();
  for (const { sides, added, removed } of readings) {
    const known = new Set<number>();
    for (const { declaration } of side === 'old' ? removed : added) known.add(declaration.start);
    for (const [index, { text, isChanged }] of sides[side].entries()) {
      if (!isChanged || known.has(index)) continue;
      const [, before = '', name] = declaring.exec(text) ?? [];
      if (name && !notDeclaring.test(before)) names.add(name);
    }
  }
  return names;
}

type Group = [Sighting, ...Sighting[]];

function groupByKey(sightings: Sighting[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const sighting of sightings) {
    const group = groups.get(sighting.declaration.key);
    if (group) group.push(sighting);
    else groups.set(sighting.declaration.key, [sighting]);
  }
  return groups;
}

/** The same name was removed and added: it moved, or its lines were written anew. */
function matchSameName(before: Sighting[], after: Sighting[], happenings: Happening[]): void {
  const left = [...before];
  const news: Sighting[] = [];
  for (const current of after) {
    const index = left.findIndex((old) => isSameSignature(old.confirmed, current.confirmed));
    const [same] = index < 0 ? [] : left.splice(index, 1);
    if (!same) news.push(current);
    else if (hasOtherBody(same, current)) {
      happenings.push({ change: 'bodyChanged', before: same, after: current, at: current });
    }
  }
  const [old] = left;
  const [current] = news;
  if (old && current)
    happenings.push({ change: 'signatureChanged', before: old, after: current, at: current });
}

/** Bodies that are cut off at the edge of a hunk can be compared only when both are cut off at the same place. */
function hasOtherBody(before: Sighting, after: Sighting): boolean {
  if (before.body === after.body) return false;
  return before.hunk === after.hunk || (before.declaration.isClosed && after.declaration.isClosed);
}

function matchRenamed(removed: Map<string, Group>, added: Map<string, Group>, happenings: Happening[]): void {
  // Every one is compared with every other: with this many, the file was written anew.
  if (removed.size * added.size > 2500) return;
  for (const [oldKey, [before]] of removed) {
    const matches = [...added].filter(([, [after]]) => isRenamed(before, after));
    const [match] = matches;
    // Two that fit leave open which one it became.
    if (!match || matches.length > 1) continue;
    const [newKey, [after]] = match;
    const rivals = [...removed.values()].filter(([other]) => isRenamed(other, after));
    if (rivals.length > 1) continue;
    removed.delete(oldKey);
    added.delete(newKey);
    happenings.push({ change: 'renamed', before, after, at: after });
  }
}
