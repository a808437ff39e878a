import type { HunkLine } from '../hunk-lines.ts';
import type { WholeDiff } from '../whole-diff.ts';
import { isSameSignature } from './confirm.ts';
import { declaredNames } from './declared-names.ts';
import { lineAround } from './find-wrapper.ts';
import type { Groups, Happening } from './happening.ts';
import { matchRenamed, moveMembers } from './match-renamed.ts';
import type { HunkReading, Sighting } from './read-hunk.ts';

/** Brings together what several hunks of a file say of the same declarations. */
export function matchSightings(readings: HunkReading[], whole: WholeDiff): Happening[] {
  const added = groupByKey(readings.flatMap((reading) => reading.added));
  const removed = groupByKey(readings.flatMap((reading) => reading.removed));
  const happenings: Happening[] = [];
  const matchKeys = (): void => {
    for (const [key, after] of added) {
      const before = removed.get(key);
      if (!before) continue;
      matchSameName(before, after, readings, whole, happenings);
      // Whatever is left is another overload of a name that was there before and is there now.
      added.delete(key);
      removed.delete(key);
    }
  };
  const overloaded = new Set([...added.keys(), ...removed.keys()]);
  // What begins in one place on the old side and in another on the new one is not what a heading of the old side names.
  const declaredAnew = new Set([...added.keys()].filter((key) => removed.has(key)));
  matchKeys();
  matchWrapped(readings, removed, added, whole, happenings);
  dropDoubtful(readings, removed, added);
  // Types first, because their members are told apart by what they belong to.
  const types = matchRenamed(removed, added, true, happenings);
  if (types.size > 0) {
    moveMembers(removed, types);
    matchKeys();
  }
  matchRenamed(removed, added, false, happenings);
  matchResigned(
    // Beside another one of its name that came or went, it stays open which of them has the new signature.
    readings
      .flatMap((reading) => reading.resigned)
      .filter(({ after }) => !overloaded.has(after.declaration.key)),
    happenings,
  );
  for (const [after] of added.values()) happenings.push({ change: 'added', before: null, after, at: after });
  for (const [before] of removed.values())
    happenings.push({ change: 'removed', before, after: null, at: before });
  for (const at of readings.flatMap((reading) => reading.reworked)) {
    if (declaredAnew.has(at.declaration.key) || isOnlyMoved(at, readings, whole)) continue;
    happenings.push({ change: 'bodyChanged', before: null, after: at, at });
  }
  return happenings;
}

/** Whether every changed line of a class or type stands on both sides: what it holds has only changed places. */
function isOnlyMoved(
  { confirmed, evidence, hunk }: Sighting,
  readings: HunkReading[],
  whole: WholeDiff,
): boolean {
  if (confirmed.kind !== 'class' && confirmed.kind !== 'type') return false;
  const lines = readings.find(({ index }) => index === hunk)?.lines[evidence.side] ?? [];
  return lines.every(({ text, isChanged, oldLine, newLine }) => {
    const number = (evidence.side === 'new' ? newLine : oldLine) ?? 0;
    const isOutside = number < evidence.startLine || number > evidence.endLine;
    return !isChanged || text === '' || isOutside || whole.standsOnBoth(text);
  });
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

/** The same name was removed and added: it moved, was put into something, or its lines were written anew. */
function matchSameName(
  before: Sighting[],
  after: Sighting[],
  readings: HunkReading[],
  whole: WholeDiff,
  happenings: Happening[],
): void {
  const left = [...before];
  const news: Sighting[] = [];
  for (const current of after) {
    const same = takeSame(left, current);
    if (!same) {
      news.push(current);
      continue;
    }
    const isEdited = hasOtherBody(same, current);
    const wrapper = wrapperOf(same, current, whole);
    if (isElsewhere(same, current, readings)) {
      const isOther = same.body !== current.body;
      happenings.push({ change: 'moved', before: same, after: current, at: current, isEdited: isOther });
    } else if (wrapper !== null) {
      happenings.push({ change: 'wrapped', before: same, after: current, at: current, wrapper });
    } else if (isEdited) {
      happenings.push({ change: 'bodyChanged', before: same, after: current, at: current });
    }
  }
  const [old] = left;
  const [current] = news;
  // With several overloads it stays open which became which.
  if (old && current && left.length === 1 && news.length === 1)
    happenings.push({ change: 'signatureChanged', before: old, after: current, at: current });
}

/** What has another signature; but where overloads changed places, each has one that another had before. */
function matchResigned(resigned: HunkReading['resigned'], happenings: Happening[]): void {
  for (const same of Map.groupBy(resigned, ({ after }) => after.declaration.key).values()) {
    const left = same.map(({ before }) => before);
    for (const { before, after } of same) {
      const twin = left.find((other) => isSameSignature(other.confirmed, after.confirmed));
      if (twin) happenings.push({ change: 'moved', before: twin, after, at: after, isEdited: true });
      else happenings.push({ change: 'signatureChanged', before, after, at: after });
    }
  }
}

/** The one with the same body first: several of the same name may differ in nothing else. */
function takeSame(candidates: Sighting[], sighting: Sighting): Sighting | undefined {
  const isSame = (old: Sighting) => isSameSignature(old.confirmed, sighting.confirmed);
  let index = candidates.findIndex((old) => isSame(old) && old.body === sighting.body);
  if (index < 0) index = candidates.findIndex(isSame);
  return index < 0 ? undefined : candidates.splice(index, 1)[0];
}

/** Bodies that are cut off at the edge of a hunk can be compared only when both are cut off at the same place. */
function hasOtherBody(before: Sighting, after: Sighting): boolean {
  if (before.body === after.body) return false;
  return before.hunk === after.hunk || (before.declaration.isClosed && after.declaration.isClosed);
}

/** Whether code that stayed stands between where something was and where it is. */
function isElsewhere(before: Sighting, after: Sighting, readings: HunkReading[]): boolean {
  if (before.hunk !== after.hunk) return true;
  if (!before.line || !after.line || before.line.run === after.line.run) return false;
  const all = readings.find(({ index }) => index === after.hunk)?.lines.all;
  if (!all) return false;
  const [from, to] = [all.indexOf(before.line), all.indexOf(after.line)].sort((one, other) => one - other);
  return all.slice(from, to).some(({ isChanged, text }) => !isChanged && /[\p{L}\p{N}]/u.test(text));
}

/** What something stands in now that it did not stand in before: a line that is new, and deeper than where it was. */
function wrapperOf(before: Sighting, after: Sighting, whole: WholeDiff): string | null {
  return newAround(before.line, after.line, after.around, whole);
}

function newAround(
  old: HunkLine | null,
  current: HunkLine | null,
  around: HunkLine | null,
  whole: WholeDiff,
): string | null {
  if (!old || !current || !around || current.indent <= old.indent) return null;
  return around.isChanged && !whole.standsOnBoth(around.text) ? around.text : null;
}

/** Finds what seems to be gone, and stands further inside now, where declarations are not looked for. */
function matchWrapped(
  readings: HunkReading[],
  removed: Groups,
  added: Groups,
  whole: WholeDiff,
  happenings: Happening[],
): void {
  if (removed.size > 0) {
    const now = namesOn(readings, 'new');
    const sighted = linesIn(added);
    for (const [key, [before]] of removed) {
      const place = now.get(before.declaration.found.name);
      const line = place?.lines[place.index];
      if (!place || !line || sighted.has(line)) continue;
      removed.delete(key);
      const wrapper = newAround(before.line, line, lineAround(place.lines, place.index), whole);
      if (wrapper === null) continue;
      const evidence = { startLine: line.newLine ?? 0, endLine: line.newLine ?? 0, side: 'new' as const };
      const after = { ...before, line, evidence };
      happenings.push({ change: 'wrapped', before, after, at: after, wrapper });
    }
  }
  if (added.size === 0) return;
  const before = namesOn(readings, 'old');
  const sighted = linesIn(removed);
  for (const [key, [after]] of added) {
    const place = before.get(after.declaration.found.name);
    const line = place?.lines[place.index];
    if (line && !sighted.has(line)) added.delete(key);
  }
}

function namesOn(readings: HunkReading[], side: 'old' | 'new') {
  const names = new Map<string, { lines: HunkLine[]; index: number }>();
  for (const { lines } of readings) declaredNames(lines[side], names);
  return names;
}

const linesIn = (groups: Groups): Set<HunkLine | null> =>
  new Set([...groups.values()].flatMap((group) => group.map(({ line }) => line)));

/** Takes out what only seems to have come or gone. */
function dropDoubtful(readings: HunkReading[], removed: Groups, added: Groups): void {
  for (const { kept, resigned, heading, removed: ownRemoved } of readings) {
    // An overload, or a getter's setter: the name itself neither came nor went.
    for (const key of [...kept, ...resigned.map(({ after }) => after.declaration.key)]) {
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
