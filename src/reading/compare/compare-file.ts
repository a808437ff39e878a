import type { Evidence, UnitChange } from '../facts.ts';
import type { HunkLine, HunkLines } from '../hunk-lines.ts';
import { hiddenOn } from '../symbols/hide-text.ts';
import type { LanguageRules } from '../symbols/language-rules.ts';
import type { WholeDiff } from '../whole-diff.ts';
import { compareUnits } from './compare-units.ts';
import { type Cut, cutIntoUnits, type Unit } from './units.ts';

/** A change of one unit, with the lines it was read from. */
export interface ComparedUnit {
  change: UnitChange;
  old: Unit | null;
  new: Unit | null;
}

/** Says of each unit of a file that changed what became of it, as far as the file itself shows. */
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
      compared.push({ change: describe(path, before, after), old: before, new: after });
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
}

/** What is new in a file: without what moved, be it to another file, and without what was laid out anew. */
export function newsIn(compared: ComparedUnit[], whole: WholeDiff): News[] {
  const changed = (unit: Unit | null) =>
    (unit?.lines ?? []).filter(({ isChanged, text }) => isChanged && !whole.standsOnBoth(text));
  return compared
    .filter(({ change: { kind } }) => kind !== 'rewrapped')
    .map(({ old, new: current }) => ({ gone: changed(old), come: changed(current) }));
}

/** Where lines stand on one side, first to last. */
function spanOf(fileName: string, lines: HunkLine[], side: Evidence['side']): Evidence | null {
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
