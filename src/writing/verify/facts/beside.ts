import type { PlacedLine } from '../diff-lines.ts';
import type { Scope } from '../scope.ts';
import { type ChangedSide, otherSide } from '../sightings.ts';
import { standsInText } from '../stands-in-text.ts';

/** A name stands on the line of its value, or so many lines above: heads run on, and some manifests part the two. */
const reach = 8;

/** A value that is laid out over several lines. */
const linesOfValue = 5;

/** Whether a value beside some names went, and another one came beside them, and not the reverse. */
export function becomesBeside(
  names: string[],
  { from, to }: { from: string; to: string },
  scope: Scope,
): boolean {
  return scope.files.some(({ path, lines: cited }) => {
    const find = (value: string, side: ChangedSide) => findBeside(names, value, { side, path, scope });
    const [gone, came] = [find(from, 'removed'), find(to, 'added')];
    if (!gone || !came || (find(to, 'removed') && find(from, 'added'))) return false;
    return cited.includes(came) || scope.reach(path, came);
  });
}

interface Where {
  side: ChangedSide;
  path: string;
  scope: Scope;
}

/** The line of one side on which a value begins that has all the names beside it. */
function findBeside(
  names: string[],
  value: string,
  { side, path, scope: { ground } }: Where,
): PlacedLine | undefined {
  const lines = ground.lines.of(path).filter((line) => line.side !== otherSide(side));
  const textOf = (some: PlacedLine[]): string => some.map(({ text }) => text).join('\n');
  return lines.find((line, index) => {
    if (line.side !== side) return false;
    const run = lines.slice(index, index + linesOfValue).filter(({ block }) => block === line.block);
    if (!statesValue(textOf(run), value)) return false;
    const around = lines.slice(Math.max(0, index - reach), index + 2);
    const heading = ground.lines.file(path)?.hunks[line.hunk]?.heading ?? '';
    const shown = `${heading}\n${textOf(around.filter(({ hunk }) => hunk === line.hunk))}`;
    return names.every((name) => isNamed(name, shown));
  });
}

const bound = /^[\^~<>=!]*\s*v?\d[\w.*+-]*$/;

/** Of several bounds of a version each may stand in quotation marks of its own. */
function statesValue(text: string, value: string): boolean {
  const bounds = value.split(/,\s*/);
  return standsInText(value, text) || bounds.every((one) => bound.test(one) && standsInText(one, text));
}

/** A package may be named by its group and its own name, which stand apart, or have its major version in its name. */
function isNamed(name: string, text: string): boolean {
  const stem = name.replace(/[./]v\d+$/, '');
  return name.split(':').every((part) => standsInText(part, text)) || (stem !== name && text.includes(stem));
}
