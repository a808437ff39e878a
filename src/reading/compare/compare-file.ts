import { diffArrays } from 'diff';
import type { Evidence, UnitChange } from '../facts.ts';
import type { HunkLine, HunkLines } from '../hunk-lines.ts';
import { hideText } from '../symbols/hide-text.ts';
import type { LanguageRules } from '../symbols/language-rules.ts';
import type { WholeDiff } from '../whole-diff.ts';
import { alignUnits } from './align.ts';
import { type Cut, cutIntoUnits, type Unit } from './units.ts';

/** A change of one unit, with the lines it was read from. */
export interface ComparedUnit {
  change: UnitChange;
  old: Unit | null;
  new: Unit | null;
  hunk: HunkLines;
}

/** More differences than these are a file that was written anew: what stayed between its lines stays. */
const mostDifferences = 1_500;

/** Says of each unit of a file that changed what became of it, as far as the file itself shows. */
export function compareFile(
  path: string,
  hunks: HunkLines[],
  rules: LanguageRules | null,
  cut: Cut,
): ComparedUnit[] {
  return hunks.flatMap((hunk) => {
    const [old, current] = [hunk.old, hunk.new].map((lines) => {
      if (rules)
        for (const [index, hidden] of hideText(lines, rules).entries()) setHidden(lines[index], hidden);
      return cutIntoUnits(lines, cut);
    }) as [Unit[], Unit[]];
    return compareUnits(old, current).map(([before, after]) => ({
      change: describe(path, before, after),
      old: before,
      new: after,
      hunk,
    }));
  });
}

function setHidden(line: HunkLine | undefined, hidden: HunkLine['hidden']): void {
  if (line) line.hidden = hidden;
}

type Change = [old: Unit | null, current: Unit | null];

/** Both sides begin and end alike nearly everywhere: only what is between is compared. */
function compareUnits(old: Unit[], current: Unit[]): Change[] {
  const least = Math.min(old.length, current.length);
  let start = 0;
  while (start < least && old[start]?.key === current[start]?.key) start++;
  let end = 0;
  while (end < least - start && old.at(-1 - end)?.key === current.at(-1 - end)?.key) end++;
  const same = (one: Unit[], other: Unit[]): Change[] =>
    one
      .map((unit, index): Change => [unit, other[index] ?? null])
      .filter((pair) => pair.some((unit) => unit && isTouched(unit)));
  return [
    ...same(old.slice(0, start), current.slice(0, start)),
    ...compareMiddle(old.slice(start, old.length - end), current.slice(start, current.length - end)),
    ...same(old.slice(old.length - end), current.slice(current.length - end)),
  ];
}

function compareMiddle(old: Unit[], current: Unit[]): Change[] {
  if (old.length === 0 || current.length === 0) return alignUnits(old, current);
  const steps = diffArrays(
    old.map(({ key }) => key),
    current.map(({ key }) => key),
    { maxEditLength: mostDifferences },
  );
  if (!steps) return byLines(old, current);
  const changes: Change[] = [];
  let [i, j] = [0, 0];
  let [removed, added]: [Unit[], Unit[]] = [[], []];
  const settle = () => {
    changes.push(...alignUnits(removed, added));
    [removed, added] = [[], []];
  };
  for (const { added: isAdded, removed: isRemoved, count } of steps) {
    if (isRemoved) {
      removed.push(...old.slice(i, i + count));
      i += count;
    } else if (isAdded) {
      added.push(...current.slice(j, j + count));
      j += count;
    } else {
      settle();
      for (let step = 0; step < count; step++) {
        const [before, after] = [old[i++] as Unit, current[j++] as Unit];
        if (isTouched(before) || isTouched(after)) changes.push([before, after]);
      }
    }
  }
  settle();
  return changes;
}

const isTouched = ({ lines }: Unit): boolean => lines.some(({ isChanged }) => isChanged);

/** Without a comparison of all of it: what git calls changed. */
const byLines = (old: Unit[], current: Unit[]): Change[] => [
  ...old.filter(isTouched).map((unit): Change => [unit, null]),
  ...current.filter(isTouched).map((unit): Change => [null, unit]),
];

function describe(path: string, old: Unit | null, current: Unit | null): UnitChange {
  const kind = !old ? 'added' : !current ? 'removed' : old.key === current.key ? 'rewrapped' : 'replaced';
  return {
    kind,
    of: (current ?? old)?.kind ?? 'code',
    old: old && spanOf(path, old.lines, 'old'),
    new: current && spanOf(path, current.lines, 'new'),
    counterpart: null,
  };
}

/** The lines of one statement that came and went. */
export interface News {
  gone: HunkLine[];
  come: HunkLine[];
  hunk: HunkLines;
}

/** What is new in a file: without what moved, be it to another file, and without what was laid out anew. */
export function newsIn(compared: ComparedUnit[], whole: WholeDiff): News[] {
  const changed = (unit: Unit | null) =>
    (unit?.lines ?? []).filter(({ isChanged, text }) => isChanged && !whole.standsOnBoth(text));
  return compared
    .filter(({ change: { kind } }) => kind !== 'rewrapped')
    .map(({ old, new: current, hunk }) => ({ gone: changed(old), come: changed(current), hunk }));
}

/** Where lines of one side stand, first to last. */
export function evidenceOf(fileName: string, lines: HunkLine[]): Evidence {
  const side = lines.some(({ newLine }) => newLine !== null) ? 'new' : 'old';
  return spanOf(fileName, lines, side) ?? { fileName, startLine: 1, endLine: 1, side };
}

function spanOf(fileName: string, lines: HunkLine[], side: Evidence['side']): Evidence | null {
  const numbers = lines.flatMap(({ oldLine, newLine }) => (side === 'old' ? oldLine : newLine) ?? []);
  const [startLine] = numbers;
  const endLine = numbers.at(-1);
  return startLine === undefined || endLine === undefined ? null : { fileName, startLine, endLine, side };
}
