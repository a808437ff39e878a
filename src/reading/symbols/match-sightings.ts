import { likeness } from '../../domain/text.ts';
import { isSameSignature } from './scan-header.ts';
import type { HunkReading, Sighting } from './sightings.ts';

export interface Happening {
  change: 'added' | 'removed' | 'renamed' | 'moved' | 'signatureChanged' | 'bodyChanged';
  before: Sighting | null;
  after: Sighting | null;
  at: Sighting;
  isEdited?: boolean;
}

type Groups = Map<string, [Sighting, ...Sighting[]]>;

export function matchSightings(readings: HunkReading[]): Happening[] {
  const added = groupByKey(readings.flatMap((reading) => reading.added));
  const removed = groupByKey(readings.flatMap((reading) => reading.removed));
  const happenings: Happening[] = [];
  const matchKeys = (): void => {
    for (const [key, after] of added) {
      const before = removed.get(key);
      if (!before) continue;
      matchSameName(before, after, readings, happenings);
      added.delete(key);
      removed.delete(key);
    }
  };
  const overloaded = new Set([...added.keys(), ...removed.keys()]);
  // A name declared in different places on both sides is not the one in the heading of a hunk.
  const declaredAnew = new Set([...added.keys()].filter((key) => removed.has(key)));
  matchKeys();
  dropDoubtful(readings, removed, added);
  const types = matchRenamed(removed, added, true, happenings);
  if (types.size > 0) {
    moveMembers(removed, types);
    matchKeys();
  }
  matchRenamed(removed, added, false, happenings);
  for (const same of Map.groupBy(
    readings.flatMap((reading) => reading.resigned),
    ({ after }) => after.declaration.key,
  ).values()) {
    const [{ before, after }] = same as [HunkReading['resigned'][number]];
    // If another symbol of that name changed too, it is unknown which has the new signature.
    if (same.length === 1 && !overloaded.has(after.declaration.key))
      happenings.push({ change: 'signatureChanged', before, after, at: after });
  }
  for (const [after] of added.values()) happenings.push({ change: 'added', before: null, after, at: after });
  for (const [before] of removed.values())
    happenings.push({ change: 'removed', before, after: null, at: before });
  for (const { before, after } of readings.flatMap((reading) => reading.reworked)) {
    if (!declaredAnew.has(after.declaration.key))
      happenings.push({ change: 'bodyChanged', before, after, at: after });
  }
  return happenings;
}

function groupByKey(sightings: Sighting[]): Groups {
  const groups: Groups = new Map();
  for (const sighting of sightings) {
    const group = groups.get(sighting.declaration.key);
    if (group) group.push(sighting);
    else groups.set(sighting.declaration.key, [sighting]);
  }
  return groups;
}

function matchSameName(
  before: Sighting[],
  after: Sighting[],
  readings: HunkReading[],
  happenings: Happening[],
): void {
  const left = [...before];
  const news: Sighting[] = [];
  for (const current of after) {
    const same = takeSame(left, current);
    if (!same) {
      news.push(current);
    } else if (isElsewhere(same, current, readings)) {
      const isEdited = same.body !== current.body;
      happenings.push({ change: 'moved', before: same, after: current, at: current, isEdited });
    } else if (hasOtherBody(same, current)) {
      happenings.push({ change: 'bodyChanged', before: same, after: current, at: current });
    }
  }
  const [old] = left;
  const [current] = news;
  // With several overloads it is unknown which became which.
  if (old && current && left.length === 1 && news.length === 1)
    happenings.push({ change: 'signatureChanged', before: old, after: current, at: current });
}

/** Prefers the same body, because several symbols of one name may differ in nothing else. */
function takeSame(candidates: Sighting[], sighting: Sighting): Sighting | undefined {
  const isSame = (old: Sighting) => isSameSignature(old.signature, sighting.signature);
  let index = candidates.findIndex((old) => isSame(old) && old.body === sighting.body);
  if (index < 0) index = candidates.findIndex(isSame);
  return index < 0 ? undefined : candidates.splice(index, 1)[0];
}

/** Bodies that are cut off at the edge of a hunk can be compared only if both are cut off in the same place. */
function hasOtherBody(before: Sighting, after: Sighting): boolean {
  if (before.body === after.body) return false;
  return before.hunk === after.hunk || (before.declaration.isClosed && after.declaration.isClosed);
}

function isElsewhere(before: Sighting, after: Sighting, readings: HunkReading[]): boolean {
  if (before.hunk !== after.hunk) return true;
  if (!before.line || !after.line || before.line.run === after.line.run) return false;
  const all = readings[after.hunk]?.lines.all ?? [];
  const [from, to] = [all.indexOf(before.line), all.indexOf(after.line)].sort((one, other) => one - other);
  return all.slice(from, to).some(({ isChanged, text }) => !isChanged && /[\p{L}\p{N}]/u.test(text));
}

function dropDoubtful(readings: HunkReading[], removed: Groups, added: Groups): void {
  for (const { kept, resigned, heading, removed: ownRemoved } of readings) {
    for (const key of [...kept, ...resigned.map(({ after }) => after.declaration.key)]) {
      added.delete(key);
      removed.delete(key);
    }
    if (heading === null) continue;
    added.delete(heading);
    // The symbol in the heading is above the hunk, so one of that name inside the hunk is another.
    if (ownRemoved.some(({ declaration }) => declaration.key === heading)) removed.delete(heading);
  }
  if (added.size === 0 && removed.size === 0) return;
  const before = sightedNamesIn(readings, 'old');
  const after = sightedNamesIn(readings, 'new');
  for (const [key, [sighting]] of added) if (before.has(sightedName(sighting))) added.delete(key);
  for (const [key, [sighting]] of removed) if (after.has(sightedName(sighting))) removed.delete(key);
}

const declaring = /^((?:[\w$@.]+[\s*]+)*)[*&]?(?:[\w$]+\.)?([\w$#]+)\s*(?:[:=<?]|$|\(.*[^);,]$)/;
const notDeclaring =
  /\b(?:return|await|yield|throw|new|case|in|of|typeof|delete|else|import|from|assert|raise|not|and|or)\b/;

/** Names that changed lines of one side may declare in any way and at any depth: a field may become a method. */
function sightedNamesIn(readings: HunkReading[], side: 'old' | 'new'): Set<string> {
  const names = new Set<string>();
  for (const { lines, added, removed } of readings) {
    const known = new Set<number>();
    for (const { declaration } of side === 'old' ? removed : added) known.add(declaration.start);
    for (const [index, { text, isChanged }] of lines[side].entries()) {
      if (!isChanged || known.has(index)) continue;
      const [, before = '', name] = declaring.exec(text) ?? [];
      if (name && !notDeclaring.test(before)) names.add(name);
    }
  }
  return names;
}

// All pairs are compared; a file with more pairs than this was rewritten.
const mostPairs = 2500;
const shortestBody = 40;
const likeEnough = 0.8;
const maybeTheSame = 0.5;

function matchRenamed(
  removed: Groups,
  added: Groups,
  isType: boolean,
  happenings: Happening[],
): Map<string, string> {
  const names = new Map<string, string>();
  if (removed.size === 0 || added.size === 0 || removed.size * added.size > mostPairs) return names;
  const eachRemoved = (find: (before: Sighting) => Sighting | undefined, isSure: boolean): void => {
    for (const [before] of [...removed.values()]) {
      const after = isOfType(before) === isType ? find(before) : undefined;
      if (!after) continue;
      removed.delete(before.declaration.key);
      added.delete(after.declaration.key);
      if (!isSure) continue;
      const isEdited = replaceName(before.body, sightedName(before), sightedName(after)) !== after.body;
      happenings.push({ change: 'renamed', before, after, at: after, isEdited });
      names.set(sightedName(before), sightedName(after));
    }
  };
  const firstAdded = (fits: (after: Sighting) => boolean): Sighting | undefined =>
    [...added.values()].find(([after]) => fits(after))?.[0];
  eachRemoved((before) => firstAdded((after) => isRenamedInPlace(before, after)), true);
  eachRemoved((before) => {
    // If two symbols match, on either side, it is unknown which was renamed.
    const [match, ...others] = [...added.values()].filter(([after]) => isRenamed(before, after));
    if (!match || others.length > 0) return undefined;
    const rivals = [...removed.values()].filter(([other]) => isRenamed(other, match[0]));
    return rivals.length === 1 ? match[0] : undefined;
  }, true);
  // Symbols in the same place that may be the same are reported neither as added nor as removed.
  eachRemoved((before) => firstAdded((after) => mayBeRenamed(before, after)), false);
  return names;
}

function replaceName(text: string, from: string, to: string): string {
  const name = from.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replace(new RegExp(`(?<![\\w$])${name}(?![\\w$])`, 'g'), () => to);
}

const sightedName = ({ declaration }: Sighting): string => declaration.found.name;

const isOfType = ({ declaration: { found } }: Sighting): boolean =>
  found.kind === 'type' || found.kind === 'class';

const isComparable = ({ declaration: one }: Sighting, { declaration: other }: Sighting): boolean =>
  one.found.kind === other.found.kind &&
  one.container === other.container &&
  one.found.name !== other.found.name;

function isRenamed(before: Sighting, after: Sighting): boolean {
  if (!isComparable(before, after)) return false;
  const [was, is] = [sightedName(before), sightedName(after)];
  const sameSignature = shapeOf(before.signature.text, was) === shapeOf(after.signature.text, is);
  if (before.hunk === after.hunk && before.keptShare > 0.5 && after.keptShare > 0.5) {
    if (before.body !== after.body && tokenLikeness(before.body, after.body) < likeEnough) return false;
    return sameSignature || tokenLikeness(before.signature.text, after.signature.text) >= 0.5;
  }
  if (!before.declaration.isClosed || !after.declaration.isClosed) return false;
  const oldBody = shapeOf(before.body, was);
  const newBody = shapeOf(after.body, is);
  if (Math.min(oldBody.length, newBody.length) < shortestBody) return false;
  return oldBody === newBody || (sameSignature && tokenLikeness(oldBody, newBody) >= likeEnough);
}

const isRenamedInPlace = (before: Sighting, after: Sighting): boolean =>
  isInPlaceOf(before, after) &&
  shapeOf(before.body, sightedName(before)) === shapeOf(after.body, sightedName(after));

const mayBeRenamed = (before: Sighting, after: Sighting): boolean =>
  isInPlaceOf(before, after, (signature) => signature.replace(modifiers, '')) &&
  (tokenLikeness(before.body, after.body) >= maybeTheSame ||
    Math.min(before.keptShare, after.keptShare) > 0.25);

const modifiers =
  /\b(?:public|private|protected|internal|static|final|abstract|sealed|open|data|export|default)\s+/g;

function isInPlaceOf(before: Sighting, after: Sighting, headOf = (text: string): string => text): boolean {
  if (!isComparable(before, after) || !before.line || before.line.run !== after.line?.run) return false;
  return (
    before.line.indent === after.line.indent &&
    shapeOf(headOf(before.signature.text), sightedName(before)) ===
      shapeOf(headOf(after.signature.text), sightedName(after))
  );
}

const shapeOf = (text: string, name: string): string => text.split(name).join('\0').replace(/\s+/g, '');

const tokens = /\w+|[^\w\s]/g;

export const tokenLikeness = (first: string, second: string): number => likeness(first, second, tokens);

function moveMembers(removed: Groups, types: Map<string, string>): void {
  for (const [key, group] of [...removed]) {
    const { declaration } = group[0];
    const container = declaration.container === null ? undefined : types.get(declaration.container);
    if (container === undefined) continue;
    removed.delete(key);
    const renamed = key.split('\0').with(1, container).join('\0');
    const was = declaration.container ?? '';
    for (const sighting of group) {
      sighting.declaration.key = renamed;
      sighting.declaration.container = container;
      const text = replaceName(sighting.signature.text, was, container);
      sighting.signature = { ...sighting.signature, text };
      sighting.body = replaceName(sighting.body, was, container);
    }
    removed.set(renamed, group);
  }
}
